// A call in words, for who reads no JSON: what was asked for, of what, with which values. The call as it
// was written stands behind it.

import { h } from "./dom.js";
import { dueWords } from "./words.js";

const DAY = /^\d{4}-\d\d-\d\d$/;
const quoted = (text) => `“${text}”`;
const day = (value) => (DAY.test(value) ? dueWords(value) : value);
const some = (value) => typeof value === "string" && value !== "";

/** A task, or several, as they are named. An id says nothing to anybody. */
function named(value) {
  if (Array.isArray(value)) return value.map(named).join(", ");
  if (typeof value === "number") return `no. ${value}`;
  return some(value) && !/^[0-9a-f-]{36}$/i.test(value) ? quoted(value) : "a task";
}

/** Values that stand beside a title: "due Fri 27 Nov, high priority". */
function values(given) {
  const { due_date, due_time, priority, repeat, remind, description, status, is_completed, title, assign_to, assignee } = given;
  const done = is_completed ?? (status === undefined ? undefined : status === "completed");
  return [
    title !== undefined && `title ${quoted(title)}`,
    due_date === null ? "no day" : due_date !== undefined && `due ${day(due_date)}${some(due_time) ? ` at ${due_time}` : ""}`,
    priority && `${priority} priority`,
    some(repeat) && "repeating",
    remind && "with a reminder",
    description !== undefined && (description ? "with a note" : "no note"),
    done !== undefined && (done ? "done" : "open"),
    (assign_to ?? assignee) && `given to ${agent(assign_to ?? assignee)}`,
  ].filter(Boolean).join(", ");
}

const agent = (name) => String(name).replace(/^new:/, "a new ");
const beside = (words) => (words ? ` (${words})` : "");
const run = ({ run: handle, agent_id, task }) => handle ?? agent_id ?? (task === undefined ? "an agent" : named(task));

const WORDS = {
  add_task: ({ title, tasks, ...rest }) => {
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== false));
    return `Add ${tasks ? named(tasks.map((one) => one.title)) : named(title)}${beside(values(given))}`;
  },
  update_task: ({ task, task_id, ...rest }) => `Change ${named(task)}${beside(values(rest))}`,
  complete_task: ({ task }) => `Mark ${named(task)} as done`,
  delete_task: ({ task }) => `Delete ${named(task)}`,
  undo: () => "Take the latest change back",
  ask_user: ({ question }) => `Ask you: ${question}`,
  list_tasks: ({ status_filter, due, query, priority }) => {
    const which = [status_filter && status_filter !== "all" && status_filter, priority && `${priority} priority`, due && `due ${day(due)}`,
      some(query) && `with the words ${quoted(query)}`].filter(Boolean).join(", ");
    return `Read the list${which && `: ${which}`}`;
  },
  delegate: ({ tasks, assign_to, resume }) => {
    const what = (tasks ?? []).map((one) => quoted(one.title ?? one.prompt)).join(", ") || "a task";
    return resume ? `Go on with ${what}` : `Hand ${what} to ${assign_to ? agent(assign_to) : "an agent"}`;
  },
  task_output: (given) => `Read the result of ${run(given)}`,
  cancel_delegation: (given) => `Stop ${run(given)}`,
  list_delegations: () => "Read what the agents do",
};

/** Arguments as a model wrote them, or as they were read. */
function read(given) {
  if (typeof given !== "string") return given;
  try { return JSON.parse(given); } catch { return given; }
}

/** What a call asks for, in a sentence. */
function callWords(name, given) {
  const known = WORDS[name];
  if (!known || given === null || typeof given !== "object") return `A call of ${name}`;
  try {
    return known(given);
  } catch {
    // Arguments come from a model and may be of any shape.
    return `A call of ${name} with arguments that do not fit`;
  }
}

/** The sentence, what stands beside it, and the call itself for who wants it. */
export function callCard(name, written, ...beside) {
  const given = read(written);
  const words = callWords(name, given);
  const text = typeof given === "string" ? given : JSON.stringify(given ?? {}, null, 2);
  return h("div", { class: "call" },
    h("div", { class: "top" }, h("span", { class: "text" }, words), beside[0]), ...beside.slice(1),
    h("details", {}, h("summary", {}, "As it was written", h("span", { class: "only-heard" }, `: ${words}`)), h("pre", { tabindex: "0" }, `${name}(${text})`)));
}
