// Days, times and names in words.

import { locale, say } from "./language.js";

const DAY = 86_400_000;
let pinned = null;

/** The server's own day, where one is pinned. */
export function pin(day) { pinned = day; }

/** Today as `YYYY-MM-DD`. */
export function today() {
  if (pinned) return pinned;
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((n) => String(n).padStart(2, "0")).join("-");
}

const at = (day) => Date.parse(`${day}T00:00:00Z`);

/** Days from today to `day`. */
export const until = (day) => Math.round((at(day) - at(today())) / DAY);

// Days and clocks are written one way wherever they stand: that of the page's language, as the browser's own
// country writes it.
const NEAR = { weekday: "short", day: "numeric", month: "short" };
const HOUR = { hour: "2-digit", minute: "2-digit" };
const SHAPES = {
  short: { ...NEAR, timeZone: "UTC" },
  long: { ...NEAR, year: "numeric", timeZone: "UTC" },
  earlier: NEAR,
  clock: HOUR,
  wall: { ...HOUR, timeZone: "UTC" },
  full: { dateStyle: "medium", timeStyle: "medium" },
  weekday: { weekday: "long", timeZone: "UTC" },
};
let forms = { locale: null };

function shown(shape, when) {
  if (forms.locale !== locale()) forms = { locale: locale() };
  forms[shape] ??= new Intl.DateTimeFormat(locale(), SHAPES[shape]);
  return forms[shape].format(when);
}
const plain = (shape, when) => shown(shape, when).replace(",", "");

/** A day by its date: "Mon 9 Feb", "Sun 3 Jan 2027". */
export const dayWords = (day) => plain(day.slice(0, 4) === today().slice(0, 4) ? "short" : "long", at(day));

const NEAR_DAYS = { 0: "page-today", 1: "page-tomorrow", [-1]: "page-yesterday" };

/** "today", "tomorrow", else the day by its date. */
export function dueWords(day) {
  const near = NEAR_DAYS[until(day)];
  return near ? say(near) : dayWords(day);
}

const EVERY = {
  DAILY: ["page-every-day", "page-every-days"], WEEKLY: ["page-every-week", "page-every-weeks"],
  MONTHLY: ["page-every-month", "page-every-months"], YEARLY: ["page-every-year", "page-every-years"],
};
const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
// The first of January 1973 was a Monday.
const weekday = (name) => shown("weekday", Date.UTC(1973, 0, 1 + WEEKDAYS.indexOf(name)));

/** A rule in words where a few say it, else as it is: "every 2 weeks on Monday". */
export function repeatWords(rule) {
  const { COUNT, UNTIL, ...parts } = Object.fromEntries(rule.split(";").map((part) => part.split("=")));
  const every = everyWords(parts);
  if (every && UNTIL) return say("page-until", { every, day: dayWords(UNTIL.replace(/(....)(..)(..).*/, "$1-$2-$3")) });
  return every && COUNT ? say("page-times", { every, number: COUNT, count: COUNT }) : every || rule;
}

function everyWords({ FREQ, INTERVAL = "1", BYDAY, BYMONTHDAY, ...rest }) {
  const [one, many] = EVERY[FREQ] ?? [];
  if (!one || Object.keys(rest).length || (BYDAY && BYMONTHDAY)) return "";
  const every = INTERVAL === "1" ? say(one) : say(many, { number: INTERVAL });
  const names = BYDAY?.split(",");
  if (FREQ === "WEEKLY" && names?.every((name) => WEEKDAYS.includes(name))) {
    const days = names.map(weekday).join(", ");
    if (INTERVAL !== "1") return say("page-on-days", { every, days });
    return BYDAY === "MO,TU,WE,TH,FR" ? say("page-every-weekday") : say("page-every-named", { days });
  }
  if (FREQ === "MONTHLY" && BYMONTHDAY > 0) return say("page-on-day", { every, day: BYMONTHDAY, count: BYMONTHDAY });
  if (FREQ + BYMONTHDAY === "MONTHLY-1") return say("page-on-last-day", { every });
  return BYDAY || BYMONTHDAY ? "" : every;
}

/** A time of this day as a clock shows it, an earlier one with its day. */
export function timeWords(instant) {
  const when = new Date(instant);
  const clock = shown("clock", when);
  return when.toDateString() === new Date().toDateString() ? clock : `${plain("earlier", when)}, ${clock}`;
}

/** "17:00" as the reader's clocks show it. */
export const clockWords = (clock) => shown("wall", Date.parse(`1970-01-01T${clock}:00Z`));
export const fullTime = (instant) => shown("full", new Date(instant));

export function duration(ms) {
  if (ms < 1000) return `${Math.max(1, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toLocaleString(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

export const number = (n) => n.toLocaleString(locale());
/** "3 tasks": a number, and the message `name` in the form that it asks for. */
export const count = (n, name) => `${number(n)} ${say(name, { count: n })}`;

/** What a tool does: while it does it, when it was asked for, and on a receipt. */
const TOOLS = {
  add_task: ["page-doing-add", "page-wish-add", "page-did-add"],
  list_tasks: ["page-doing-list", "page-wish-list", "page-did-list"],
  update_task: ["page-doing-update", "page-wish-update", "page-did-update"],
  complete_task: ["page-doing-complete", "page-wish-complete", "page-did-complete"],
  delete_task: ["page-doing-delete", "page-wish-delete", "page-did-delete"],
  undo: ["page-doing-undo", "page-wish-undo", "page-did-undo"],
  ask_user: ["page-doing-ask", "page-wish-ask"],
  history: [null, null, "page-did-history"],
  delegate: ["page-doing-delegate", "page-wish-delegate", "page-did-delegate"],
  cancel_delegation: ["page-doing-cancel", "page-wish-cancel", "page-did-cancel"],
  task_output: ["page-doing-output", "page-wish-output", "page-did-output"],
  list_delegations: ["page-doing-runs", "page-wish-runs", "page-did-runs"],
};
const told = (form) => (tool) => (TOOLS[tool]?.[form] ? say(TOOLS[tool][form]) : tool);
export const doing = told(0);
export const wish = told(1);
/** An action as a receipt calls it; `didTo` names the task too. */
export const did = told(2);
export const didTo = (action, title) => say("page-pair", { name: did(action), what: title });

/** A state, priority or status of the API as a word of the page. */
const TERMS = {
  low: "page-low", medium: "page-medium", high: "page-high", pending: "page-pending", completed: "page-completed",
  running: "page-running", input_required: "page-input-required", failed: "page-failed", cancelled: "page-cancelled",
  interrupted: "page-interrupted", verified: "page-verified", unverified: "page-unverified", contradicted: "page-contradicted", accepted: "page-accepted", rejected: "page-rejected",
};
export const term = (word) => (TERMS[word] ? say(TERMS[word]) : word);
/** With a capital. */
export const capital = (words) => words[0].toLocaleUpperCase() + words.slice(1);

const READS = ["list_tasks", "history", "task_output", "list_delegations"];
const KEPT = ["delegate", "cancel_delegation"];
/** Whether it changed anything, and whether that can be taken back. */
export const isRead = (action) => READS.includes(action);
export const canUndo = (action) => !isRead(action) && !KEPT.includes(action);
