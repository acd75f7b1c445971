// The audit view: every turn as it came about, from what was said to what was answered, and the whole
// chain checked in this browser.

import * as api from "./api.js";
import { callCard } from "./calls.js";
import { verify } from "./chain.js";
import { openReceipt } from "./chat.js";
import { button, h, icon, note } from "./dom.js";
import { language, pair, parts, say } from "./language.js";
import { prose, proseText } from "./prose.js";
import { roving } from "./rove.js";
import { count, did, didTo, fullTime, isRead, number, timeWords } from "./words.js";

let frame = null;
let turns = [];
let after = 0;
let stopped = 0;
let refused = 0;
// Whose log it is, and in which language it is told.
let whose = null;
const who = () => `${api.me.user} ${language()}`;

/** Shows the view in `place`, and in it one turn, or the list alone. */
export async function show(place, turn) {
  if (!frame || whose !== who()) build(place);
  try {
    await load();
  } catch (problem) {
    note(problem.message);
  }
  const open = turn ?? (matchMedia("(max-width: 56rem)").matches ? null : turns[0]?.id ?? null);
  frame.root.toggleAttribute("data-open", Boolean(turn));
  list(open);
  await detail(open);
}

function build(place) {
  whose = who();
  [turns, after, stopped, refused] = [[], 0, 0, 0];
  frame = {
    figures: h("dl", { class: "figures" }),
    verdict: h("div", { role: "status" }),
    turns: h("nav", { class: "turns scroll", "aria-label": say("page-turns"), tabindex: "0" }),
    detail: h("div", { class: "detail scroll", tabindex: "0", role: "region", "aria-label": say("page-turn") }),
  };
  frame.walk = roving(frame.turns, "a");
  frame.root = h("div", { class: "audit-frame" },
    h("div", { class: "side" },
      h("div", { class: "head" }, h("h2", { id: "audit-title", tabindex: "-1" }, say("page-audit"))),
      h("div", { class: "lead" }, frame.figures,
        h("div", { class: "row" }, button("solid", "shield", say("page-verify"), check)), frame.verdict),
      frame.turns),
    frame.detail);
  place.replaceChildren(frame.root);
}

/** Reads what is new. */
async function load() {
  let head = after;
  const ended = [];
  // A write by REST says nothing; what it did stands on its receipt.
  const done = new Map();
  for (const kind of ["receipt", "reply", "refusal"]) {
    for await (const page of api.allEvents({ kind, after })) {
      head = Math.max(head, page.at(-1).seq);
      for (const { payload, turn_id, created_at } of page) {
        if (kind === "receipt") {
          const title = payload?.after?.title ?? payload?.before?.title;
          if (title) done.set(turn_id, didTo(payload.action, title));
        } else if (kind === "refusal") {
          const prose = payload?.what === "prose";
          stopped += prose && ["ghost", "asserts", "ask_user"].includes(payload.reason) ? 1 : 0;
          refused += prose ? 0 : 1;
        } else if (turn_id) ended.push({
          id: turn_id, at: created_at, kind: payload?.kind ?? (done.has(turn_id) ? "receipt" : null), words: payload?.message ?? done.get(turn_id),
        });
      }
    }
  }
  after = head;
  turns = [...ended.reverse(), ...turns];
  const figure = (value, name) => h("div", {}, h("dt", {}, say(name, { count: value })), h("dd", {}, number(value)));
  frame.figures.replaceChildren(figure(turns.length, "page-turns-counted"), figure(stopped, "page-ghosts"), figure(refused, "page-calls-refused"));
}

const PICTURE = { receipt: "tick", question: "question", failure: "cross" };
const KIND = { receipt: "page-receipt", question: "page-question", failure: "page-not-done" };
let allowed = 80;

function list(open) {
  const rows = turns.slice(0, allowed).map(({ id, at, kind, words }) =>
    h("a", { href: `#/audit/${id}`, class: `of-${kind}`, "aria-current": id === open ? "page" : null },
      icon(PICTURE[kind] ?? "chat"), h("span", { class: "words" }, h("span", { class: "only-heard" }, pair(KIND[kind] ?? "page-chat", "")), words ? proseText(words.split("\n")[0]) : say("page-nothing-said")),
      h("small", {}, timeWords(at))));
  if (turns.length > allowed) rows.push(button("more", null, say("page-show-more"), () => { allowed += 200; list(open); }));
  if (!rows.length) rows.push(h("p", { class: "empty" }, say("page-nothing-said-yet")));
  frame.walk.fill(rows);
}

async function check() {
  const tell = (kind, picture, ...words) => frame.verdict.replaceChildren(h("p", { class: `verdict ${kind}` }, icon(picture), h("span", {}, ...words)));
  tell("", "retry", say("page-reading-log"));
  try {
    const found = await verify((seq) => tell("", "retry", say("page-checking", { events: count(seq, "page-events-counted") })));
    if (found.broken) tell("bad", "cross", say("page-broken", { number: number(found.broken.seq), fault: say(...found.broken.fault), checked: number(found.checked) }));
    else tell("good", "tick", ...parts("page-unbroken", { events: count(found.checked, "page-events-counted"), hash: h("code", {}, `${found.head.hash.slice(0, 16)}…`) }));
  } catch (fault) {
    tell("bad", "cross", pair("page-not-checked", fault.message));
  }
}

async function detail(id) {
  if (!id) return void frame.detail.replaceChildren();
  let account;
  try {
    account = await api.turnAccount(id);
  } catch (problem) {
    return void frame.detail.replaceChildren(h("p", { class: "verdict bad" }, icon("cross"), problem.message));
  }
  frame.detail.replaceChildren(h("div", { class: "inner" },
    h("a", { class: "quiet back", href: "#/audit" }, say("page-back-turns")),
    h("div", {}, h("h2", {}, say("page-how-turn")), h("p", { class: "under" }, h("time", { datetime: account.at }, fullTime(account.at)), h("span", {}, account.model ?? say("page-no-model")))),
    h("ol", { class: "timeline" }, ...moments(account))));
  frame.detail.scrollTop = 0;
  return undefined;
}

function moment(kind, picture, title, ...what) {
  return h("li", { class: `moment ${kind}` }, h("span", { class: "dot" }, icon(picture)), h("div", { class: "what" }, h("h3", {}, title), ...what));
}

/** said → proposed → verdicts → outcomes → reply. */
function moments(account) {
  const found = [];
  if (account.message) found.push(moment("", "user", say("page-you-said"), h("p", { class: "quote" }, account.message)));
  else if (account.asked) found.push(moment("", "user", say(account.source === "rest" ? "page-asked-rest" : "page-asked-for"), callCard(account.asked.action, account.asked)));
  else if (account.erased) found.push(moment("", "user", say("page-erased")));
  const answers = Array.isArray(account.answers) ? account.answers : [];
  const lies = [...account.stopped];
  for (const answer of answers) {
    const parts = [];
    if (answer.text) {
      const at = lies.findIndex((lie) => lie.text === answer.text);
      parts.push(at >= 0 ? lie(lies.splice(at, 1)[0]) : h("p", { class: "text" }, answer.text));
    }
    for (const call of answer.calls ?? []) parts.push(callCard(call.name, call.arguments));
    const only = !answer.calls?.length && at(answer, account);
    found.push(moment(only ? "stopped" : "", only ? "ghost" : "model", say(answer.calls?.length ? "page-proposed" : "page-said", { model: answer.model ?? account.model ?? say("page-model") }),
      ...(parts.length ? parts : [h("p", { class: "because" }, say("page-nothing"))])));
  }
  for (const stop of lies) found.push(moment("stopped", "ghost", say("page-unshown"), lie(stop)));
  if (account.calls.length) found.push(moment("", "shield", say("page-allowed"), ...account.calls.map(outcome)));
  if (account.receipts.length) {
    found.push(moment("good", "slip", account.receipts.every((one) => isRead(one.action)) ? say("page-read") : say("page-committed"), ...account.receipts.map((one) =>
      h("div", { class: "call" }, h("div", { class: "top" }, h("span", { class: "text" }, prose(one.line || did(one.action))), receiptChip(one))))));
  }
  if (account.said !== null) found.push(moment(account.holds ? "good" : "stopped", account.holds ? "tick" : "cross", say("page-told"), worth(account), holds(account)));
  return found;
}

function receiptChip({ seq, id, line, action }) {
  const about = proseText(line.split("\n")[0] || did(action));
  return button("chip", "slip", say("page-receipt-number", { number: number(seq) }), () => openReceipt(id, about), { "aria-label": say("page-receipt-number-of", { number: number(seq), what: about }) });
}

/** Whether an answer was stopped as a whole. */
function at(answer, account) {
  return account.stopped.some((stop) => stop.text === answer.text);
}

const REASONS = {
  ghost: "page-why-ghost",
  asserts: "page-why-asserts",
  ask_user: "page-why-ask",
  offer: "page-why-offer",
  unchecked: "page-why-unchecked",
};

function lie(stop) {
  return h("p", { class: "lie" }, h("s", {}, h("span", { class: "only-heard" }, pair("page-refused", "")), stop.text), h("small", {}, REASONS[stop.reason] ? say(REASONS[stop.reason]) : stop.reason));
}

const OUTCOMES = {
  committed: ["good", "tick", "page-was-committed"], unchanged: ["", "tick", "page-was-unchanged"], asked: ["", "question", "page-was-asked"],
  failed: ["bad", "cross", "page-failed"], refused: ["bad", "cross", "page-was-refused"],
};

function outcome(call) {
  const [kind, picture, words] = OUTCOMES[call.outcome] ?? ["", "question", call.outcome];
  const reason = call.reason?.error ?? call.reason?.refusal ?? null;
  return callCard(call.name, call.arguments ?? null, h("span", { class: `badge ${kind}` }, icon(picture), say(words)),
    reason && h("p", { class: "because" }, typeof reason === "string" ? reason : JSON.stringify(reason)));
}

const WORTH = { proven: ["good", "tick", "page-proven"], unproven: ["bad", "cross", "page-unproven"], chat: ["", "chat", "page-claims-nothing"] };

function worth(account) {
  return h("ul", { class: "worth" }, ...account.sentences.map((sentence) => {
    const [kind, picture, words] = WORTH[sentence.verdict];
    return h("li", {}, h("span", { class: "text" }, prose(sentence.text)), h("span", { class: `badge ${kind}` }, icon(picture), say(words)));
  }));
}

function holds(account) {
  const { how, equal } = account.recomputed;
  const { first_seq, last_seq } = account.chain;
  const name = !account.holds ? "page-does-not-hold" : how === "whole" && equal ? "page-holds-word-for-word" : "page-holds";
  return h("p", { class: "because" }, say(name, { first: number(first_seq), last: number(last_seq) }));
}
