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

// Days and clocks are written one way wherever they stand: that of the browser's own locale.
const shown = (form) => new Intl.DateTimeFormat(undefined, form);
const NEAR = { weekday: "short", day: "numeric", month: "short" };
const SHORT = shown({ ...NEAR, timeZone: "UTC" });
const LONG = shown({ ...NEAR, year: "numeric", timeZone: "UTC" });
const EARLIER = shown(NEAR);
const HOUR = { hour: "2-digit", minute: "2-digit" };
const CLOCK = shown(HOUR);
const WALL = shown({ ...HOUR, timeZone: "UTC" });
const FULL = shown({ dateStyle: "medium", timeStyle: "medium" });
const plain = (form, when) => form.format(when).replace(",", "");

/** A day by its date: "Mon 9 Feb", "Sun 3 Jan 2027". */
export const dayWords = (day) => plain(day.slice(0, 4) === today().slice(0, 4) ? SHORT : LONG, at(day));

/** "today", "tomorrow", else the day by its date. */
export function dueWords(day) {
  return { 0: "today", 1: "tomorrow", [-1]: "yesterday" }[until(day)] ?? dayWords(day);
}

const UNITS = { DAILY: "day", WEEKLY: "week", MONTHLY: "month", YEARLY: "year" };
const WEEKDAYS = { MO: "Monday", TU: "Tuesday", WE: "Wednesday", TH: "Thursday", FR: "Friday", SA: "Saturday", SU: "Sunday" };

/** A rule (RRULE) in words where a few say it, else as it is: "every 2 weeks on Monday". */
export function repeatWords(rule) {
  const { FREQ, INTERVAL = "1", BYDAY, BYMONTHDAY, ...rest } = Object.fromEntries(rule.split(";").map((part) => part.split("=")));
  const unit = UNITS[FREQ];
  const every = INTERVAL === "1" ? `every ${unit}` : `every ${INTERVAL} ${unit}s`;
  const days = BYDAY?.split(",").map((day) => WEEKDAYS[day]);
  if (!unit || Object.keys(rest).length || (BYDAY && BYMONTHDAY)) return rule;
  if (FREQ === "WEEKLY" && days?.every(Boolean)) {
    if (INTERVAL !== "1") return `${every} on ${days.join(", ")}`;
    return BYDAY === "MO,TU,WE,TH,FR" ? "every weekday" : `every ${days.join(", ")}`;
  }
  if (FREQ === "MONTHLY" && BYMONTHDAY > 0) return `${every} on day ${BYMONTHDAY}`;
  return BYDAY || BYMONTHDAY ? rule : every;
}

/** A time of this day as a clock shows it, an earlier one with its day. */
export function timeWords(instant) {
  const when = new Date(instant);
  const clock = CLOCK.format(when);
  return when.toDateString() === new Date().toDateString() ? clock : `${plain(EARLIER, when)}, ${clock}`;
}

/** "17:00" as the reader's clocks show it. */
export const clockWords = (clock) => WALL.format(Date.parse(`1970-01-01T${clock}:00Z`));
export const fullTime = (instant) => FULL.format(new Date(instant));

export function duration(ms) {
  if (ms < 1000) return `${Math.max(1, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

export const number = (n) => n.toLocaleString();
export const count = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;

/** What a tool does, while it does it and when it was asked for. */
export const DOING = {
  add_task: ["Adding a task", "to add a task"],
  list_tasks: ["Reading the list", "to read the list"],
  update_task: ["Changing a task", "to change a task"],
  complete_task: ["Marking a task as done", "to mark a task as done"],
  delete_task: ["Deleting a task", "to delete a task"],
  undo: ["Taking a change back", "to take a change back"],
  ask_user: ["Asking you", "to ask you"],
  delegate: ["Handing a task to an agent", "to hand a task to an agent"],
  cancel_delegation: ["Stopping an agent", "to stop an agent"],
  task_output: ["Reading an agent's result", "to read an agent's result"],
  list_delegations: ["Reading what agents do", "to read what agents do"],
};

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
