// How a reply looks: a receipt is a torn slip, a question has an open outline, a failure a thick bar,
// chat is bare. Each also says in words what it is.

import { button, h, icon } from "./dom.js";
import { canUndo, count, duration, fullTime, isRead, timeWords } from "./words.js";

const LISTED = /^(\d+)\. (.*?)(?: \(([^()]*)\))?$/;

/** What kind it is, in words. */
function heading(reply) {
  const saved = reply.actions.some((action) => !isRead(action.action));
  switch (reply.kind) {
    case "receipt": return saved || !reply.actions.length ? ["tick", "Receipt"] : ["slip", "Read from your list"];
    case "question": return ["question", saved ? "Saved, and a question" : "Question"];
    case "failure": return ["cross", saved ? "Done in part" : "Not done"];
    default: return ["chat", "Chat, nothing was changed"];
  }
}

/** What a screen reader is told of a reply. */
export const spoken = (reply) => `${heading(reply)[1]}: ${reply.text}`;

/**
 * A reply as an element. `reply` is `{kind, text, actions, question, error, turn, at, made, lang}`;
 * `does` holds what the buttons do: `receipt(action)`, `undo(action)`, `answer(option)`, `retry()`.
 */
export function replyElement(reply, does) {
  const [picture, words] = heading(reply);
  const card = h("div", { class: `card${reply.kind === "receipt" ? " slip" : ""}` },
    h("p", { class: "kind label" }, icon(picture), words),
    ...claims(reply, does),
    reply.error && why(reply, does),
    reply.question && choices(reply, does));
  const kind = reply.kind === "chat" ? "plain-chat" : reply.kind;
  return h("article", { class: `reply ${kind}`, "aria-label": words }, card, under(reply));
}

/** The lines of the reply, word for word; beside each the receipt it was rendered from. */
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
      listing.append(h("li", {}, h("span", { class: "n" }, `${numbered[1]}.`), h("span", { class: "text" }, numbered[2]),
        numbered[3] && h("span", { class: "about" }, numbered[3])));
      continue;
    }
    listing = null;
    const found = paired ? 0 : open.findIndex((action) => action.message === line);
    const [action] = found >= 0 ? open.splice(found, 1) : [];
    parts.push(claim(line, action, reply, does));
  }
  const also = open.length > 0 && h("div", { class: "row also" }, ...open.map((action) => chip(action, does, true)));
  return [h("div", { class: "claims", lang: reply.lang }, ...parts), also];
}

function claim(line, action, reply, does) {
  const text = h("p", { class: "text" }, line);
  if (!action) return h("div", { class: "claim" }, text);
  const row = h("div", { class: `claim saved${action.undone ? " undone" : ""}`, "data-receipt": action.receipt_id }, text);
  row.append(h("div", { class: "row" }, chip(action, does), takeBack(action, does)));
  return row;
}

function takeBack(action, does) {
  if (!canUndo(action.action) || action.action === "undo") return null;
  if (action.undone) return h("span", { class: "tag" }, "Undone");
  const press = button("chip plain", "undo", "Undo", () => does.undo(action));
  press.setAttribute("aria-label", `Undo: ${action.message ?? "this change"}`);
  return press;
}

function chip(action, does, named = false) {
  const words = named && isRead(action.action) && action.message ? `Receipt: ${action.message}` : "Receipt";
  const press = button("chip", "slip", words, () => does.receipt(action));
  if (action.message && !named) press.setAttribute("aria-label", `Receipt of: ${action.message}`);
  return press;
}

/** What was expected and didn't come, and the way to try again. */
function why(reply, does) {
  const { error } = reply;
  const part = h("div", {});
  if (error.code === "tool_not_triggered") {
    const tools = error.expected_tools.flatMap((tool, at) => [at ? ", " : "", h("code", {}, tool)]);
    const nothing = reply.actions.some((action) => !isRead(action.action)) ? "Only what has a receipt was saved." : "Nothing was changed.";
    part.append(h("p", { class: "why" }, "Your words ask for ", ...tools, ", and the model did not call it, whatever it said. ", nothing));
  }
  if (does.retry) part.append(h("div", { class: "choices" }, button("soft", "retry", "Try again", does.retry)));
  return part;
}

/** The answers that can be given by a button. */
function choices(reply, does) {
  const group = h("div", { class: "choices", role: "group", "aria-label": "Answers" });
  for (const option of reply.question.options) {
    group.append(button("soft", null, option.label, (event) => {
      event.currentTarget.dataset.chosen = "";
      close(group);
      does.answer(option);
    }, { "data-option": option.id }));
  }
  return group;
}

function close(group) {
  for (const other of group.children) other.disabled = true;
}

/** A question that was answered otherwise can't be answered any more. */
export function closeQuestions(lines) {
  for (const group of lines.querySelectorAll(".choices[role=group]")) close(group);
}

function under(reply) {
  const { made } = reply;
  const parts = [h("time", { datetime: reply.at, title: fullTime(reply.at) }, timeWords(reply.at))];
  if (made) {
    parts.push(h("span", {}, made.model), h("span", {}, duration(made.latency_ms.total)));
    if (made.tool_calls_rejected) parts.push(h("span", {}, `${count(made.tool_calls_rejected, "call")} refused`));
    if (made.dropped.length) parts.push(h("span", {}, `left out: ${made.dropped.join(", ")}`));
  }
  if (reply.turn) parts.push(h("a", { href: `#/audit/${reply.turn}` }, "How it came about"));
  return h("p", { class: "under" }, ...parts);
}

/** Marks the claims of a receipt that was taken back. */
export function markUndone(receipt) {
  for (const row of document.querySelectorAll(`[data-receipt="${CSS.escape(receipt)}"]`)) {
    row.classList.add("undone");
    row.querySelector(".chip.plain")?.replaceWith(h("span", { class: "tag" }, "Undone"));
  }
}
