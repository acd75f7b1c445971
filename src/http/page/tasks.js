// The living list. However many tasks there are, only those that can be looked at have rows.

import * as api from "./api.js";
import { find, h, icon, note } from "./dom.js";
import { pair, say } from "./language.js";
import { roving } from "./rove.js";
import { waiting } from "./reminders.js";
import { taskForm, taskRow } from "./task.js";
import { capital, didTo, until } from "./words.js";

/** Rows at first, and how many more come each time the end is near. */
const WINDOW = 60;
/** How long what was just changed stays in sight, in ms. */
const LINGER = 2500;

const list = find("list");
const filter = find("filter");
const known = new Map();
// Rows by task, with what they were made of: a row is made anew only when its task is another.
const rows = new Map();
let status = "pending";
let allowed = WINDOW;
let editing = null;
// What was just changed stays in sight for a moment, even if it fits the choice no more; what was ticked
// stays in the group where the eye is.
const lingering = new Map();
let leaving;
let loaded = false;
let walk = null;

/** What tells one state of a task from another. What became of its reminders is no change of it. */
const stampOf = (task) => [task.updated_at, task.status, ...task.reminders.map((one) => one.state)].join();

const does = { toggle, edit, save, remove, leave };

/** Wires the list up. */
export function begin() {
  walk = roving(list, ".task:not(.editing)");
  find("add").addEventListener("submit", add);
  filter.addEventListener("input", anew);
  for (const choice of find("status").children) {
    choice.addEventListener("click", () => {
      status = choice.value;
      for (const other of find("status").children) other.setAttribute("aria-pressed", String(other === choice));
      anew();
    });
  }
  new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) more(); }, { root: list, rootMargin: "600px" }).observe(end);
  end.addEventListener("click", more);
}

const end = h("button", { type: "button", class: "more" });

function anew() {
  allowed = WINDOW;
  lingering.clear();
  list.scrollTop = 0;
  draw();
}

function more() {
  if (end.hidden) return;
  allowed += WINDOW;
  draw();
}

/** Reads the whole list anew, and flashes what is another than before. */
export async function load() {
  const fresh = await api.tasks();
  const flash = [];
  const ids = new Set(fresh.map((task) => task.id));
  let other = !loaded;
  for (const id of known.keys()) if (!ids.has(id)) { known.delete(id); other = true; }
  for (const task of fresh) {
    const before = known.get(task.id);
    if (before && stampOf(before) === stampOf(task)) continue;
    if (loaded) flash.push(task.id);
    know(task);
    other = true;
  }
  loaded = true;
  if (other) draw(flash);
}

/** Forgets everything, for another user. */
export function forget() {
  known.clear();
  rows.clear();
  lingering.clear();
  loaded = false;
  list.replaceChildren();
}

/** Takes receipts in, as turns and the stream of changes give them. */
export function take(actions) {
  const flash = [];
  for (const action of actions) {
    if (!action.task_id) continue;
    const before = known.get(action.task_id);
    if (action.task) {
      if (before && before.updated_at >= action.task.updated_at) continue;
      know(action.task);
      flash.push(action.task_id);
    } else if (before && action.action !== "history") known.delete(action.task_id);
  }
  draw(flash);
}

/** Takes a task's newest state in. */
function know(task) {
  const before = known.get(task.id);
  known.set(task.id, task);
  if (loaded) lingering.set(task.id, before && before.is_completed !== task.is_completed ? lingering.get(task.id) ?? groupOf(before) : null);
}

export const isEmpty = () => loaded && known.size === 0;
export const all = () => [...known.values()];
export const reminds = () => all().some(waiting);

/** Takes in that a reminder was delivered. */
export function reminded(task, id) {
  const before = known.get(task);
  if (!before) return;
  know({ ...before, reminders: before.reminders.map((one) => (one.id === id ? { ...one, state: "delivered" } : one)) });
  draw([task]);
}

const GROUPS = [
  ["late", "page-overdue", (days) => days < 0],
  ["today", "page-today", (days) => days === 0],
  ["tomorrow", "page-tomorrow", (days) => days === 1],
  ["week", "page-next-days", (days) => days <= 7],
  ["later", "page-later", (days) => days !== null],
];

function groupOf(task) {
  if (task.is_completed) return "done";
  if (!task.due_date) return "free";
  const days = until(task.due_date);
  return GROUPS.find(([, , fits]) => fits(days))[0];
}

const ORDER = [...GROUPS.map(([id, name]) => [id, name]), ["free", "page-no-day"], ["done", "page-done"]];
const RANK = { high: 0, medium: 1, low: 2 };

/** Draws, and leaves the focus in the task it was in, or in the one that took its place. */
function draw(flash = []) {
  const held = list.contains(document.activeElement) ? document.activeElement.closest(".task") : null;
  const at = held && [...list.querySelectorAll(".task")].indexOf(held);
  const column = held && [...held.querySelectorAll("input, button")].indexOf(document.activeElement);
  fill(flash);
  walk.settle();
  drawn();
  if (lingering.size) {
    clearTimeout(leaving);
    leaving = setTimeout(() => { lingering.clear(); draw(); }, LINGER);
  }
  if (!held || held.isConnected) return;
  const there = list.querySelectorAll(".task");
  const next = rows.get(held.dataset.task)?.element ?? there[Math.min(at, there.length - 1)];
  (next?.querySelectorAll("input, button")[column] ?? find("tasks-title")).focus();
}

function fill(flash) {
  const words = filter.value.trim().toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const fits = (task) => {
    if (status !== "all" && task.status !== status && task.id !== editing && !lingering.has(task.id)) return false;
    if (!words.length) return true;
    const text = `${task.title} ${task.description ?? ""}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  };
  const groups = new Map(ORDER.map(([id]) => [id, []]));
  let pending = 0;
  for (const task of known.values()) {
    if (!task.is_completed) pending += 1;
    if (fits(task)) groups.get(lingering.get(task.id) ?? groupOf(task)).push(task);
  }
  for (const [id, tasks] of groups) tasks.sort(id === "done" ? byDone : byDue);
  find("tasks-count").textContent = known.size ? say("page-counts", { open: String(pending), done: String(known.size - pending) }) : "";
  let left = allowed;
  const parts = [];
  for (const [id, name] of ORDER) {
    const tasks = groups.get(id);
    if (!tasks.length || left <= 0) continue;
    const seen = tasks.slice(0, left);
    left -= seen.length;
    parts.push(group(id, name, tasks.length, seen));
  }
  const shown = [...groups.values()].reduce((sum, tasks) => sum + tasks.length, 0);
  end.hidden = shown <= allowed;
  end.textContent = say("page-show-more");
  settle(list, parts.length ? [...parts, end] : [empty(words.length > 0)]);
  prune();
  for (const id of flash) light(id);
}

const byDue = (a, b) =>
  (a.due_date ?? "").localeCompare(b.due_date ?? "") || (a.due_time ?? "~").localeCompare(b.due_time ?? "~") || RANK[a.priority] - RANK[b.priority] || b.created_at.localeCompare(a.created_at);
const byDone = (a, b) => (b.completed_at ?? "").localeCompare(a.completed_at ?? "");

const sections = new Map();

function group(id, name, size, tasks) {
  let section = sections.get(id);
  if (!section) {
    const words = capital(say(name));
    section = h("section", { class: `group ${id}`, "aria-label": words }, h("h3", {}, words, h("span")), h("ul", { role: "list" }));
    sections.set(id, section);
  }
  section.querySelector("h3 span").textContent = String(size);
  settle(section.lastChild, tasks.map(row));
  return section;
}

function row(task) {
  const had = rows.get(task.id);
  const stamp = stampOf(task);
  // Whoever writes into a row is not disturbed.
  if (had && (had.stamp === stamp || editing === task.id)) return had.element;
  const element = taskRow(task, does);
  rows.set(task.id, { element, stamp });
  return element;
}

function prune() {
  for (const [id, { element }] of rows) if (!element.isConnected) rows.delete(id);
}

/** Makes these the children, and moves only what is not in its place. */
function settle(parent, children) {
  let next = parent.firstChild;
  const wanted = new Set(children);
  for (const child of children) {
    while (next && !wanted.has(next)) { const gone = next; next = next.nextSibling; gone.remove(); }
    if (child === next) next = next.nextSibling;
    else parent.insertBefore(child, next);
  }
  while (next) { const gone = next; next = next.nextSibling; gone.remove(); }
}

function empty(filtered) {
  const words = say(filtered ? "page-no-match" : known.size ? "page-nothing-open" : "page-list-empty");
  const hint = known.size || filtered ? null : h("p", {}, say("page-list-hint", { words: say("page-offer-add") }));
  return h("div", { class: "empty" }, icon(known.size && !filtered ? "tick" : "list"), h("p", {}, words), hint);
}

function light(id) {
  const element = rows.get(id)?.element;
  if (!element) return;
  element.classList.add("flash");
  element.addEventListener("animationend", () => element.classList.remove("flash"), { once: true });
}

async function add(event) {
  event.preventDefault();
  const input = find("new-title");
  const title = input.value.trim();
  if (!title) return;
  try {
    const task = await api.addTask({ title });
    input.value = "";
    put(task);
    told(task, didTo("add_task", task.title));
  } catch (problem) {
    note(problem.message);
  }
}

function put(task) {
  know(task);
  draw([task.id]);
}

async function toggle(task, done) {
  try {
    put(await api.patchTask(task.id, { is_completed: done }));
    told(task, pair(done ? "page-marked-done" : "page-reopened", task.title));
  } catch (problem) {
    rows.delete(task.id);
    draw();
    note(problem.message);
  }
}

function edit(task) {
  if (editing) leave();
  editing = task.id;
  const form = taskForm(known.get(task.id) ?? task, does);
  const had = rows.get(task.id);
  had?.element.replaceWith(form.row);
  rows.set(task.id, { element: form.row, stamp: "editing" });
  form.title.focus();
  form.title.select();
}

/** Draws the list anew, in another language; what stands in an open form stays. */
export function redraw() {
  const form = known.has(editing) && rows.get(editing)?.element;
  rows.clear();
  sections.clear();
  if (form) {
    const fresh = taskForm(known.get(editing), does).row;
    for (const { name, value } of form.querySelectorAll("[name]")) fresh.querySelector(`[name=${name}]`).value = value;
    rows.set(editing, { element: fresh, stamp: "editing" });
  }
  draw();
}

function leave() {
  const id = editing;
  editing = null;
  // Taken out of the map, the form is replaced by the row.
  if (id) rows.delete(id);
  draw();
  rows.get(id)?.element.querySelector(".open")?.focus();
}

async function save(task, changes) {
  if (!Object.keys(changes).length) return leave();
  const saved = await api.patchTask(task.id, changes);
  know(saved);
  leave();
  light(saved.id);
  told(saved, pair("page-updated", saved.title));
  return undefined;
}

let drawn = () => {};
/** Who is told that the list was drawn. */
export function whenDrawn(tell) { drawn = tell; }

let told = () => {};
/** Who says what was done here, and offers to take it back. */
export function whenChanged(tell) { told = tell; }

async function remove(task) {
  try {
    await api.deleteTask(task.id);
    editing = null;
    rows.delete(task.id);
    known.delete(task.id);
    draw();
    find("tasks-title").focus();
    told(task, didTo("delete_task", task.title));
  } catch (problem) {
    note(problem.message);
  }
}
