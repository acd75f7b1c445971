// One task: its row, and the same row as a form. Nothing needs to be dragged.

import { button, h, icon, pictured } from "./dom.js";
import { pair, say } from "./language.js";
import { waiting } from "./reminders.js";
import { clockWords, dayWords, dueWords, repeatWords, term, timeWords, until } from "./words.js";

/** A row. `does`: `toggle(task, done)`, `edit(task)`. */
export function taskRow(task, does) {
  const box = h("input", { type: "checkbox", "aria-label": pair("page-done", task.title), on: { change: () => does.toggle(task, box.checked) } });
  box.checked = task.is_completed;
  const open = h("button", { type: "button", class: "open", on: { click: () => does.edit(task) } },
    h("span", { class: "only-heard" }, say("page-edit", { title: "" })),
    h("span", { class: "title" }, task.title),
    task.description && h("span", { class: "note" }, task.description),
    h("span", { class: "tags" }, ...tags(task)));
  return h("li", { class: `task${task.is_completed ? " done" : ""}`, "data-task": task.id },
    h("span", { class: "box-of" }, box, icon("tick")), open, pictured("edit", say("page-edit", task), () => does.edit(task)));
}

/** What stands under a title: `task` has `due_date`, `due_time`, `repeat`, `reminders`, `is_completed`, `priority`, `assignee`. */
export function tags(task) {
  const tags = [];
  if (task.due_date) {
    const late = !task.is_completed && until(task.due_date) < 0;
    tags.push(h("span", { class: `tag${late ? " late" : ""}` }, icon("day"),
      h("span", { class: "only-heard" }, `${say(late ? "page-heard-late" : "page-heard-due")} `),
      h("time", { datetime: moment(task), title: [dayWords(task.due_date), task.timezone].filter(Boolean).join(", ") },
        [dueWords(task.due_date), task.due_time && clockWords(task.due_time)].filter(Boolean).join(" "))));
  }
  if (task.repeat) tags.push(h("span", { class: "tag" }, repeatWords(task.repeat)));
  const reminder = waiting(task);
  if (reminder) {
    tags.push(h("span", { class: "tag" }, icon("bell"), h("span", { class: "only-heard" }, pair("page-reminder", "")),
      h("time", { datetime: reminder.at }, timeWords(reminder.at))));
  }
  if (task.priority !== "medium") {
    tags.push(h("span", { class: `tag ${task.priority}` }, icon(task.priority),
      h("span", { class: "only-heard" }, pair("page-priority", "")), term(task.priority)));
  }
  if (task.assignee) tags.push(h("span", { class: "tag" }, icon("agent"), task.assignee));
  return tags;
}

/** Day and time as HTML writes them. */
const moment = ({ due_date, due_time }) => (due_time ? `${due_date}T${due_time}` : due_date);

/** The row as a form. `does`: `save(task, changes)`, `remove(task)`, `leave()`. */
export function taskForm(task, does) {
  const title = h("input", { name: "title", maxlength: "255", required: true, autocomplete: "off", value: task.title });
  const due = h("input", { name: "due", type: "date", value: task.due_date ?? "" });
  const time = h("input", { name: "time", type: "time", value: task.due_time ?? "" });
  const priority = h("select", { name: "priority" }, ...["low", "medium", "high"].map((word) => {
    const option = h("option", { value: word }, term(word));
    option.selected = word === task.priority;
    return option;
  }));
  const about = h("textarea", { name: "description", rows: "2", maxlength: "10000", value: task.description ?? "" });
  const fault = h("p", { class: "tag late", role: "alert", hidden: true });
  const save = async (event) => {
    event.preventDefault();
    const changes = {};
    if (title.value.trim() !== task.title) changes.title = title.value;
    if ((due.value || null) !== task.due_date) changes.due_date = due.value || null;
    // Without a day there is no time: it goes with the day.
    const clock = time.value.slice(0, 5) || null;
    if (clock !== task.due_time && (due.value || !task.due_date)) {
      Object.assign(changes, { due_time: clock, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone });
    }
    if (priority.value !== task.priority) changes.priority = priority.value;
    if (about.value !== (task.description ?? "")) changes.description = about.value || null;
    try {
      await does.save(task, changes);
    } catch (problem) {
      fault.textContent = problem.message;
      fault.hidden = false;
    }
  };
  const form = h("form", { class: "form", novalidate: true, "aria-label": say("page-edit", task), on: { submit: save } },
    h("label", {}, say("page-title"), title),
    h("div", { class: "two" }, h("label", {}, say("page-due"), due), h("label", {}, say("page-time"), time)),
    h("label", {}, say("page-priority"), priority),
    h("label", {}, say("page-note"), about), fault,
    h("div", { class: "row" },
      h("div", { class: "row" }, h("button", { class: "solid" }, say("page-save")), button("quiet", null, say("page-cancel"), does.leave)),
      button("quiet bad", "bin", say("page-delete"), () => does.remove(task))));
  const row = h("li", { class: "task editing", "data-task": task.id,
    on: { keydown: (event) => { if (event.key === "Escape") { event.stopPropagation(); does.leave(); } } } }, form);
  return { row, title };
}
