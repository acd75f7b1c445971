// How a reply looks: a receipt is a torn slip, a question has an open outline, a failure a thick bar,
// chat is bare. Each also says in words what it is.

import { button, h, icon } from "./dom.js";
import { langOf, language, pair, parts, say } from "./language.js";
import { prose, proseText } from "./prose.js";
import { tags } from "./task.js";
import { canUndo, count, did, didTo, duration, fullTime, isRead, timeWords, wish } from "./words.js";

/** From so many on, changes that were taken back are one line, until somebody wants them all. */
const MANY = 4;

// Faults that may have passed by the time the same is asked again. No words find a task that is not there.
const PASSING = new Set(["tool_not_triggered", "timeout", "unavailable", "conflict", "interrupted", "cancelled", "internal",
  "unreachable", "no_answer", "still_running", "body_timeout", "quota_exceeded", "login_unavailable", "model_unavailable",
  "provider_unavailable", "storage_unavailable", "unconfirmed", "shutting_down"]);

const LISTED = /^(\d+)\. (.*?)(?: \(([^()]*)\))?$/;

/** What kind it is: a picture and a message. */
function heading(reply) {
  const saved = reply.actions.some((action) => !isRead(action.action));
  switch (reply.kind) {
    case "receipt": return saved || !reply.actions.length ? ["tick", "page-receipt"] : ["slip", "page-read-from-list"];
    case "question": return ["question", saved ? "page-saved-and-question" : "page-question"];
    case "failure": return ["cross", saved ? "page-done-in-part" : "page-not-done"];
    default: return ["chat", "page-only-chat"];
  }
}

/** What a screen reader is told of a reply. */
export const spoken = (reply) => pair(heading(reply)[1], proseText(reply.text, named(reply)));

/** What is the user's own in the sentences of a reply. */
const named = ({ actions }) => ({
  titles: actions.flatMap(({ task_title, task, reading }) => [task_title, task?.title, ...(reading?.lines ?? []).map(({ title }) => title)]),
});

/**
 * A reply as an element. `reply` is `{kind, text, actions, question, error, turn, at, made, lang}`, where
 * an action has the `reading` of its receipt beside what the wire gives;
 * `does` holds what the buttons do: `receipt(action)`, `undo(action)`, `answer(option)`, `retry()`.
 */
export function replyElement(reply, does) {
  const [picture, name] = heading(reply);
  const card = h("div", { class: `card${reply.kind === "receipt" ? " slip" : ""}` },
    h("p", { class: "kind label" }, icon(picture), say(name)),
    ...claims(reply, does),
    reply.error && why(reply, does),
    reply.question && choices(reply, does));
  fold(card.querySelector(".claims"));
  const kind = reply.kind === "chat" ? "plain-chat" : reply.kind;
  return h("article", { class: `reply ${kind}`, "aria-label": pair(name, proseText(reply.text.split("\n")[0], named(reply))) }, card, under(reply));
}

/** The lines of the reply, word for word but for the days; beside each the receipt it was rendered from. */
function claims(reply, does) {
  const open = [...reply.actions];
  const lines = reply.text.split("\n");
  // Who reads the log has receipts without their sentences: one for each line, or none is claimed.
  const bare = open.length > 0 && open.every((action) => action.message === null);
  const paired = bare && open.length === lines.length;
  const parts = [];
  let listing = null;
  for (const line of lines) {
    const numbered = LISTED.exec(line);
    if (numbered && lines.length > 1 && !paired) {
      listing ??= h("ol", { class: "listing", role: "list" });
      if (!listing.isConnected && parts.at(-1) !== listing) parts.push(listing);
      listing.append(listed(numbered, reply, does));
      continue;
    }
    listing = null;
    const found = paired ? 0 : open.findIndex((action) => action.message === line);
    const [action] = found >= 0 ? open.splice(found, 1) : [];
    parts.push(claim(line, action, reply, does));
  }
  const also = open.length > 0 && h("div", { class: "row also" }, ...open.map((action) => chip(action, reply, does)));
  return [h("div", { class: "claims", lang: reply.lang }, ...parts), also];
}

/**
 * One line of a listing. Where its receipt tells what the line was made of, that is shown as the list of
 * tasks shows it; where the line can be chosen, it is the button.
 */
function listed([line, n, title, about], reply, does) {
  const items = reply.actions.map(({ reading }) => reading?.lines?.[n - 1]);
  const item = items.find((one) => one?.title === title);
  const option = optionOf(line, reply);
  const parts = [h("span", { class: "n" }, `${n}.`), h("span", { class: "text" }, title),
    item ? h("span", { class: "about tags" }, ...tags({ ...item, is_completed: item.completed, assignee: item.agent }), item.completed && h("span", { class: "tag" }, icon("tick"), say("page-is-done")))
      : about && h("span", { class: "about" }, ...prose(about, { bare: true }))];
  if (!option) return h("li", { class: item?.completed ? "done" : null }, ...parts);
  return h("li", { class: "pick" }, h("button", { type: "button", "data-option": option.id, on: { click: (event) => choose(event, option, does) } }, ...parts));
}

/** The option that a line of the reply names. */
const optionOf = (line, reply) => reply.question?.options.find(({ id, label }) => line === `${id}. ${label}`);

function claim(line, action, reply, does) {
  const text = h("p", { class: "text" }, ...prose(line, { ...named(reply), bare: !action }));
  if (!action) return h("div", { class: "claim" }, text);
  const row = h("div", { class: `claim saved${action.undone ? " undone" : ""}`, "data-receipt": action.receipt_id, "data-action": action.action }, text);
  row.append(h("div", { class: "row" }, chip(action, reply, does, line), takeBack(action, proseText(line, named(reply)), does)));
  return row;
}

/** Makes one line of many that say the same of different tasks. */
function fold(claims) {
  const opened = claims.querySelector(".fold[open]") !== null;
  for (const folded of claims.querySelectorAll(".fold")) folded.replaceWith(...folded.lastChild.children);
  const kindOf = (row) => (row.classList.contains("undone") ? "undone" : row.dataset.action === "undo" ? "undo" : null);
  const runs = [];
  for (const row of claims.children) {
    const kind = kindOf(row);
    if (runs.at(-1)?.kind === kind) runs.at(-1).rows.push(row); else runs.push({ kind, rows: [row] });
  }
  for (const { kind, rows } of runs) {
    if (!kind || rows.length < MANY) continue;
    const changes = count(rows.length, "page-changes");
    const words = kind === "undo" ? pair("page-undone", changes) : say("page-undone-since", { changes });
    const folded = h("details", { class: "fold", open: opened }, h("summary", { lang: claims.lang && langOf(language()) }, words));
    rows[0].before(folded);
    folded.append(h("div", { class: "claims" }, ...rows));
  }
}

function takeBack(action, line, does) {
  if (!canUndo(action.action) || action.action === "undo") return null;
  if (action.undone) return h("span", { class: "tag" }, say("page-undone"));
  const press = button("chip plain", "undo", say("page-undo"), () => does.undo(action));
  press.setAttribute("aria-label", pair("page-undo", line));
  return press;
}

/** The way to a receipt. Beside a `line` it is clear of what; alone it says so. */
function chip(action, reply, does, line) {
  const about = proseText(line ?? subject(action), named(reply));
  return line === undefined
    ? button("chip", "slip", pair("page-receipt", about), () => does.receipt(action, about))
    : button("chip", "slip", say("page-receipt"), () => does.receipt(action, about), { "aria-label": pair("page-receipt-of", about) });
}

/** What a receipt is about: its sentence, or what the log has of it. */
function subject({ action, message, reading, task_title: title }) {
  if (message) return message;
  if (title) return didTo(action, title);
  return reading?.matched === undefined ? did(action) : count(reading.matched, reading.of === "runs" ? "page-runs-counted" : "page-tasks-counted");
}

/** What was expected and didn't come, and the way to try again. */
function why(reply, does) {
  const { error } = reply;
  const part = h("div", {});
  if (error.code === "tool_not_triggered") {
    const list = (items) => items.flatMap((part, at) => [at ? ", " : "", part]);
    const wishes = error.expected_tools.map(wish).join(", ");
    const tools = list(error.expected_tools.map((tool) => h("code", {}, tool)));
    const nothing = reply.actions.some((action) => !isRead(action.action)) ? "page-only-receipts" : "page-nothing-changed";
    part.append(h("p", { class: "why" }, ...parts("page-not-called", { wishes, tools }), " ", say(nothing)));
  }
  if (does.retry && PASSING.has(error.code)) part.append(h("div", { class: "choices" }, button("soft", "retry", say("page-try-again"), does.retry)));
  return part;
}

/** The answers that can be given by a button and stand in no line above. */
function choices(reply, does) {
  const lines = reply.text.split("\n");
  const left = reply.question.options.filter((option) => !lines.some((line) => optionOf(line, reply) === option));
  return left.length > 0 && h("div", { class: "choices", role: "group", "aria-label": say("page-answers") },
    ...left.map((option) => button("soft", null, prose(option.label, named(reply)), (event) => choose(event, option, does), { "data-option": option.id })));
}

function choose({ currentTarget }, option, does) {
  currentTarget.dataset.chosen = "";
  closeQuestions(currentTarget.closest("article"));
  does.answer(option);
}

/** A question that was answered otherwise can't be answered any more. */
export function closeQuestions(place) {
  for (const option of place.querySelectorAll("[data-option]")) option.disabled = true;
}

function under(reply) {
  const { made } = reply;
  const parts = [h("time", { datetime: reply.at, title: fullTime(reply.at) }, timeWords(reply.at))];
  if (made) {
    parts.push(h("span", {}, made.model), h("span", {}, duration(made.latency_ms.total)));
    if (made.tool_calls_rejected) parts.push(h("span", {}, count(made.tool_calls_rejected, "page-calls-refused")));
    if (made.dropped?.length) parts.push(h("span", {}, pair("page-left-out", made.dropped.join(", "))));
  }
  if (reply.turn) parts.push(h("a", { href: `#/audit/${reply.turn}` }, say("page-how-it-came")));
  return h("p", { class: "under" }, ...parts);
}

/** Marks the claims of receipts that were taken back. */
export function markUndone(receipts) {
  const touched = new Set();
  for (const receipt of receipts) {
    for (const row of document.querySelectorAll(`[data-receipt="${CSS.escape(receipt)}"]`)) {
      row.classList.add("undone");
      const press = row.querySelector(".chip.plain");
      if (press === document.activeElement) row.querySelector(".chip").focus();
      press?.replaceWith(h("span", { class: "tag" }, say("page-undone")));
      touched.add(row.closest(".card > .claims"));
    }
  }
  // One that was taken back by hand stays where the hand is.
  if (receipts.length >= MANY) for (const claims of touched) fold(claims);
}
