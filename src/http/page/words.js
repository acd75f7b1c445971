// Days, times and names in words.

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

const SHORT = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });
const LONG = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** "today", "tomorrow", "Mon 9 Feb", "3 Jan 2027". */
export function dueWords(day) {
  const away = until(day);
  if (away === 0) return "today";
  if (away === 1) return "tomorrow";
  if (away === -1) return "yesterday";
  if (day.slice(0, 4) !== today().slice(0, 4)) return LONG.format(at(day));
  return SHORT.format(at(day)).replace(",", "");
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A time of this day as a clock shows it, an earlier one with its day. */
export function timeWords(instant) {
  const when = new Date(instant);
  const now = new Date();
  if (when.toDateString() === now.toDateString()) return CLOCK.format(when);
  return `${SHORT.format(when).replace(",", "")}, ${CLOCK.format(when)}`;
}
export const fullTime = (instant) => FULL.format(new Date(instant));

export function duration(ms) {
  if (ms < 1000) return `${Math.max(1, Math.round(ms))} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

export const number = (n) => n.toLocaleString("en");
export const count = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;

/** What an action is called on a receipt. */
export const ACTIONS = {
  add_task: "Added",
  list_tasks: "Read the list",
  update_task: "Changed",
  complete_task: "Completed",
  delete_task: "Deleted",
  undo: "Taken back",
  history: "Read the past",
  delegate: "Handed to an agent",
  cancel_delegation: "Stopped an agent",
  task_output: "Read an agent's result",
  list_delegations: "Read the agents' runs",
};
const READS = ["list_tasks", "history", "task_output", "list_delegations"];
const KEPT = ["delegate", "cancel_delegation"];
/** Whether it changed anything, and whether that can be taken back. */
export const isRead = (action) => READS.includes(action);
export const canUndo = (action) => !isRead(action) && !KEPT.includes(action);
