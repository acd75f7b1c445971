// The conversation: says things, shows replies, goes on where a lost page was.

import * as api from "./api.js";
import { announce, button, find, h, icon, note, tab } from "./dom.js";
import { chosen, langOf, made, pair, say } from "./language.js";
import { closeQuestions, markUndone, replyElement, spoken } from "./reply.js";
import { prose, proseText } from "./prose.js";
import { roving } from "./rove.js";
import { runTurn } from "./turn.js";
import { doing, isRead, timeWords } from "./words.js";

const lines = find("lines");
const scroll = find("scroll");
const input = find("message");
const send = find("send");

let conversation = null;
let busy = false;
// Which conversation is being shown, so that a late answer of another is not.
let shown = 0;
let changed = () => {};
let walk = null;
let rail = null;

const OFFERS = ["page-offer-add", "page-offer-more", "page-offer-list", "page-offer-help"];

/** Wires the conversation up; `told` is given every receipt that a turn made. */
export function begin(told) {
  changed = told;
  walk = roving(lines, ".line");
  rail = roving(find("conversations"), "li");
  find("composer").addEventListener("submit", (event) => { event.preventDefault(); tell(input.value.trim()); });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    tell(input.value.trim());
  });
  input.addEventListener("input", enough);
  find("anew").addEventListener("click", () => { location.hash = "#/chat/new"; input.focus(); });
  enough();
}

function enough() {
  send.disabled = busy || input.value.trim() === "";
}

/** Shows a conversation; null begins one. */
export async function open(id) {
  const mine = ++shown;
  conversation = id;
  lines.replaceChildren();
  const lost = cut();
  const ours = lost && lost.conversation === id;
  title();
  if (id) {
    try {
      await history(id, null, mine);
    } catch (problem) {
      if (mine === shown) failed(problem, null);
    }
  }
  if (mine !== shown) return;
  if (ours) await run(lost.asked, lost.key);
  welcome();
}

/** The conversation that is shown. */
export const current = () => conversation;

/** The turn that was cut off by a reload, if one was. */
export function cut() {
  const lost = tab.get("turn");
  return lost?.user === api.me.user ? lost : null;
}

function welcome() {
  const place = find("welcome");
  place.hidden = lines.children.length > 0;
  if (place.hidden) return;
  place.replaceChildren(
    h("h2", {}, say("page-welcome")),
    h("p", {}, say("page-welcome-more")),
    h("div", { class: "offers", role: "group", "aria-label": say("page-suggestions") },
      ...OFFERS.map((name) => button("soft", null, say(name), () => tell(say(name))))));
}
export { welcome };

/** Draws what is not made anew by itself in another language. */
export function redraw() {
  walk.settle(lines.querySelector(".line:last-child"));
  title();
  welcome();
}

/** Says something. */
function tell(message) {
  if (!message || busy) return;
  input.value = "";
  start(message);
}

/** Says `words`; with `answer` they are those of a button. */
function start(words, answer) {
  const key = crypto.randomUUID();
  const asked = { chat: conversation ?? key, words, answer, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  // Else the server tells the language by the words.
  if (chosen()) asked.language_hint = chosen();
  run(asked, key);
}

/** Runs a turn to its reply, under a key that makes asking again harmless. */
async function run(asked, key) {
  const mine = shown;
  const { words } = asked;
  busy = true;
  enough();
  closeQuestions(lines);
  find("welcome").hidden = true;
  // Until its answer is there, the tab knows what was asked: a reload asks again and runs nothing twice.
  tab.set("turn", { user: api.me.user, conversation, asked, key });
  lines.append(said(words));
  const steps = working();
  lines.append(steps.element);
  down();
  try {
    const reply = await runTurn(asked, key, (step) => { steps.tell(step); if (mine === shown) down(); });
    await complete(reply);
    tab.set("turn", null);
    if (mine !== shown) return;
    const fresh = conversation !== reply.conversation_id;
    conversation = reply.conversation_id;
    if (fresh) window.history.replaceState(null, "", `#/chat/${conversation}`);
    show(fromTurn(reply), asked);
    changed(reply.actions);
    if (fresh) title(words);
    listConversations();
  } catch (problem) {
    const known = problem.status !== 0;
    if (known) tab.set("turn", null);
    if (mine !== shown) return;
    // What was said was kept there, so what comes next goes on from it.
    if (problem.code === "no_answer") conversation = asked.chat;
    failed(problem, () => (known ? start(words, asked.answer) : run(asked, key)));
  } finally {
    steps.element.remove();
    busy = false;
    enough();
    if (mine === shown) down();
  }
}

/** Adds to a turn's receipts what the log alone tells: the rows of a listing, and what was taken back. */
async function complete(reply) {
  if (!reply.actions.some(({ action }) => action === "undo" || isRead(action))) return;
  const kept = await api.events({ turn_id: reply.turn_id, kind: "receipt" }).catch(() => []);
  for (const { payload } of kept) {
    const action = reply.actions.find((one) => one.receipt_id === payload?.id);
    if (action) Object.assign(action, { reading: payload.reading ?? null, undoes: payload.undoes ?? [] });
  }
}

function show(reply, asked) {
  tab.set(`question.${conversation}`, reply.question);
  markUndone(reply.actions.flatMap(({ undoes }) => undoes ?? []));
  put(line(reply, reply.error && !asked.answer ? () => tell(asked.words) : null));
  announce(spoken(reply));
}

/** Puts a line at the end; the Tab key enters the messages there. */
function put(element) {
  lines.append(element);
  walk.settle(element);
  down();
}

function line(reply, retry) {
  const does = {
    receipt: (action, about) => openReceipt(action.receipt_id, about),
    undo: (action) => takeBack(action),
    answer: (option) => start(option.label, { id: reply.question.id, value: option.id }),
    retry,
  };
  return made((old) => {
    // What was taken back or answered since stays so.
    const undone = [...old?.querySelectorAll(".undone") ?? []].map((row) => row.dataset.receipt);
    for (const action of reply.actions) action.undone ||= undone.includes(action.receipt_id);
    const element = h("li", { class: "line" }, replyElement(reply, does));
    if (old?.querySelector("[data-option]:disabled")) closeQuestions(element);
    return element;
  });
}

/** The receipt, its event and its proof, in a sheet of their own. */
export async function openReceipt(receipt, about) {
  const { openSheet } = await import("./receipt.js");
  openSheet(receipt, about, takeBack);
}

/** Takes one change back, by its receipt. */
export async function takeBack(action) {
  try {
    const reply = await api.undo(action.receipt_id);
    markUndone([action.receipt_id]);
    const undone = fromTurn({ ...reply, conversation_id: conversation });
    if (document.body.dataset.view === "chat") {
      put(line(undone, null));
      find("welcome").hidden = true;
    } else note(proseText(undone.text));
    announce(spoken(undone));
    changed(reply.actions);
  } catch (problem) {
    if (problem.body?.code === "conflict") markUndone([action.receipt_id]);
    note(pair("page-not-undone", problem.message));
    announce(pair("page-not-undone", problem.message));
  }
}

/** Undoes the latest change of the conversation, as the word for it does. */
export const undoLatest = () => tell(say("page-undo-word"));

function fromTurn(reply) {
  return {
    kind: reply.kind,
    text: reply.assistant_message,
    actions: reply.actions,
    question: reply.question ?? null,
    error: reply.error ?? null,
    turn: reply.turn_id,
    at: new Date().toISOString(),
    made: reply.execution_metadata,
    lang: langOf(chosen()),
  };
}

function said(words) {
  return made(() => h("li", { class: "line user" }, h("span", { class: "only-heard" }, pair("page-you", "")), h("p", { class: "text" }, words)));
}

/** No answer: what is known of it, and the way to ask again. */
function failed(problem, retry) {
  const reply = {
    kind: "failure", text: problem.message, actions: [], question: null, error: { code: problem.code },
    turn: null, at: new Date().toISOString(), made: null, lang: null,
  };
  if (problem.status === 0) reply.text = say("page-unknown-if-saved");
  put(line(reply, retry));
  announce(spoken(reply));
}

/** What happens while the model works. */
function working() {
  const list = h("ol", { class: "steps", "aria-label": say("page-progress") });
  const element = h("li", { class: "line", "data-working": "" }, h("div", { class: "reply" }, list));
  const dots = () => h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
  const step = (words, state) => h("li", { class: state === "bad" ? "bad" : null },
    state === "now" ? dots() : icon(state === "bad" ? "cross" : "tick"), h("span", {}, ...words));
  let now = null;
  const put = (words, state) => {
    const fresh = step(words, state);
    if (now) now.replaceWith(fresh); else list.append(fresh);
    now = state === "now" ? fresh : null;
  };
  const settle = () => { if (now) { now.querySelector(".dots")?.replaceWith(icon("tick")); now = null; } };
  const tell = ({ state, tool, text }) => {
    switch (state) {
      case "asked": put([say("page-reading-words")], "now"); break;
      case "model": settle(); put([say("page-asking-model")], "now"); break;
      case "call": settle(); put([`${doing(tool)}…`], "now"); announce(doing(tool)); break;
      case "saved": settle(); put(prose(text), "ok"); break;
      case "refused": put([say("page-call-refused", { what: tool ? doing(tool) : say("page-a-call") })], "bad"); break;
      case "failed": put(prose(text), "bad"); break;
      case "running": settle(); put([say("page-still-at-work")], "now"); break;
      case "lost": settle(); put([say("page-line-lost")], "now"); break;
      default: break;
    }
  };
  return { element, tell };
}

function down() {
  scroll.scrollTop = scroll.scrollHeight;
}

/** The lines of the past; what a reply was made of stands in the log. */
async function history(id, before, mine) {
  const [messages, replies] = await Promise.all([api.messages(id, before), api.events({ conversation_id: id, kind: "reply" })]);
  if (mine !== shown) return;
  // A turn's receipts stand before its reply.
  const [oldest] = replies.length ? await api.events({ turn_id: replies[0].turn_id, limit: 1 }) : [];
  const receipts = oldest ? await api.events({ kind: "receipt", after: oldest.seq - 1 }) : [];
  if (mine !== shown) return;
  const undone = new Set(receipts.flatMap((event) => event.payload?.undoes ?? []));
  const byId = new Map(receipts.map((event) => [event.payload?.id, event.payload]));
  // A line and the event that tells of it were written in one commit, at one instant.
  const byTime = new Map(replies.map((event) => [event.created_at, event]));
  const asked = tab.get(`question.${id}`);
  const last = messages.at(-1);
  const elements = messages.map((message) => {
    if (message.role === "user") return said(message.content);
    const event = byTime.get(message.created_at);
    const payload = event?.payload ?? { kind: "chat" };
    const actions = (payload.receipts ?? []).map((receipt) => {
      const { action = "history", reading = null, after, before } = byId.get(receipt) ?? {};
      return { receipt_id: receipt, action, reading, task_title: after?.title ?? before?.title, message: null, undone: undone.has(receipt) };
    });
    const made = payload.execution_metadata ? { ...payload.execution_metadata, dropped: payload.dropped } : null;
    const waiting = message === last && asked && Date.parse(asked.expires_at) > Date.now() ? asked : null;
    return line({
      kind: payload.kind ?? "chat", text: message.content, actions, question: waiting,
      error: payload.error ? { code: payload.error, expected_tools: payload.expected_tools ?? [] } : null,
      turn: event?.turn_id ?? null, at: message.created_at, made, lang: langOf(payload.language),
    }, null);
  });
  lines.querySelector("[data-earlier]")?.remove();
  const height = scroll.scrollHeight;
  lines.prepend(...elements);
  walk.settle(before ? null : elements.at(-1));
  if (messages.length === 50) lines.prepend(earlier(id, messages[0].id, mine));
  scroll.scrollTop = scroll.scrollHeight - (before ? height : 0);
}

function earlier(id, before, mine) {
  const press = () => history(id, before, mine).catch((problem) => note(problem.message));
  return made(() => h("li", { class: "row", "data-earlier": "" }, button("soft", "history", say("page-earlier"), press)));
}

let known = [];

/** Reads the conversations' names anew. */
export async function listConversations() {
  try {
    known = await api.conversations();
  } catch {
    return known;
  }
  title();
  return known;
}

function title(words) {
  const mine = known.find((one) => one.id === conversation);
  find("chat-title").textContent = mine?.title ?? words ?? say(conversation ? "page-conversation" : "page-new-conversation");
  rail.fill(known.map((one) => h("li", {},
    h("a", { href: `#/chat/${one.id}`, "aria-current": one.id === conversation ? "page" : null },
      h("span", {}, one.title || say("page-conversation")), h("small", {}, timeWords(one.updated_at))))));
}
