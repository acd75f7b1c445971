// A call in words, for who reads no JSON: what was asked for, of what, with which values. The call as it
// was written stands behind it.

import { h } from "./dom.js";
import { pair, say } from "./language.js";
import { dueWords, term } from "./words.js";

const DAY = /^\d{4}-\d\d-\d\d$/;
const quoted = (text) => say("page-quoted", { text });
const day = (value) => (DAY.test(value) ? dueWords(value) : value);
const some = (value) => typeof value === "string" && value !== "";

/** A task, or several, as they are named. An id says nothing to anybody. */
function named(value) {
  if (Array.isArray(value)) return value.map(named).join(", ");
  if (typeof value === "number") return say("page-number", { number: value });
  return some(value) && !/^[0-9a-f-]{36}$/i.test(value) ? quoted(value) : say("page-a-task");
}

const dueOn = (due, time) => {
  const on = say("page-due-on", { day: day(due) });
  return some(time) ? say("page-due-at", { due: on, time }) : on;
};
const ofPriority = (priority) => say("page-of-priority", { priority: term(priority) });

/** Values that stand beside a title: "due Fri 27 Nov, high priority". */
function values(given) {
  const { due_date, due_time, priority, repeat, remind, description, status, is_completed, title, assign_to, assignee } = given;
  const done = is_completed ?? (status === undefined ? undefined : status === "completed");
  return [
    title !== undefined && say("page-title-is", { title: quoted(title) }),
    due_date === null ? say("page-no-day") : due_date !== undefined && dueOn(due_date, due_time),
    priority && ofPriority(priority),
    some(repeat) && say("page-repeating"),
    remind && say("page-with-reminder"),
    description !== undefined && say(description ? "page-with-note" : "page-without-note"),
    done !== undefined && say(done ? "page-is-done" : "page-is-open"),
    (assign_to ?? assignee) && say("page-given-to", { agent: agent(assign_to ?? assignee) }),
  ].filter(Boolean).join(", ");
}

const agent = (name) => (String(name).startsWith("new:") ? say("page-new-agent", { name: name.slice(4) }) : String(name));
const beside = (words) => (words ? ` (${words})` : "");
const run = ({ run: handle, agent_id, task }) => handle ?? agent_id ?? (task === undefined ? say("page-an-agent") : named(task));

const WORDS = {
  add_task: ({ title, tasks, ...rest }) => {
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== false));
    return say("page-call-add", { what: tasks ? named(tasks.map((one) => one.title)) : named(title) }) + beside(values(given));
  },
  update_task: ({ task, task_id, ...rest }) => say("page-call-change", { what: named(task) }) + beside(values(rest)),
  complete_task: ({ task }) => say("page-call-complete", { what: named(task) }),
  delete_task: ({ task }) => say("page-call-delete", { what: named(task) }),
  undo: () => say("page-call-undo"),
  ask_user: ({ question }) => pair("page-call-ask", question),
  list_tasks: ({ status_filter, due, query, priority }) => {
    const which = [status_filter && status_filter !== "all" && term(status_filter), priority && ofPriority(priority), due && dueOn(due),
      some(query) && say("page-with-words", { words: quoted(query) })].filter(Boolean).join(", ");
    return which ? pair("page-call-list", which) : say("page-call-list");
  },
  delegate: ({ tasks, assign_to, resume }) => {
    const what = (tasks ?? []).map((one) => quoted(one.title ?? one.prompt)).join(", ") || say("page-a-task");
    return resume ? say("page-call-resume", { what }) : say("page-call-delegate", { what, agent: assign_to ? agent(assign_to) : say("page-an-agent") });
  },
  task_output: (given) => say("page-call-output", { run: run(given) }),
  cancel_delegation: (given) => say("page-call-cancel", { run: run(given) }),
  list_delegations: () => say("page-call-runs"),
};

/** Arguments as a model wrote them, or as they were read. */
function read(given) {
  if (typeof given !== "string") return given;
  try { return JSON.parse(given); } catch { return given; }
}

/** What a call asks for, in a sentence. */
function callWords(name, given) {
  const known = WORDS[name];
  if (!known || given === null || typeof given !== "object") return say("page-call-of", { name });
  try {
    return known(given);
  } catch {
    // Arguments come from a model and may be of any shape.
    return say("page-call-unfit", { name });
  }
}

/** The sentence, what stands beside it, and the call itself for who wants it. */
export function callCard(name, written, ...beside) {
  const given = read(written);
  const words = callWords(name, given);
  const text = typeof given === "string" ? given : JSON.stringify(given ?? {}, null, 2);
  return h("div", { class: "call" },
    h("div", { class: "top" }, h("span", { class: "text" }, words), beside[0]), ...beside.slice(1),
    h("details", {}, h("summary", {}, h("span", { "aria-hidden": "true" }, say("page-as-written")), h("span", { class: "only-heard" }, pair("page-as-written", words))), h("pre", { tabindex: "0" }, `${name}(${text})`)));
}
