// The audit view: every turn as it came about, from what was said to what was answered, and the whole
// chain checked in this browser.

import * as api from "./api.js";
import { callCard } from "./calls.js";
import { verify } from "./chain.js";
import { openReceipt } from "./chat.js";
import { button, h, icon, note } from "./dom.js";
import { prose, proseText } from "./prose.js";
import { roving } from "./rove.js";
import { ACTIONS, count, fullTime, isRead, number, timeWords } from "./words.js";

let frame = null;
let turns = [];
let after = 0;
let stopped = 0;
let refused = 0;
let whose = null;

/** Shows the view in `place`, and in it one turn, or the list alone. */
export async function show(place, turn) {
  if (!frame || whose !== api.me.user) build(place);
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
  whose = api.me.user;
  [turns, after, stopped, refused] = [[], 0, 0, 0];
  frame = {
    figures: h("dl", { class: "figures" }),
    verdict: h("div", { role: "status" }),
    turns: h("nav", { class: "turns scroll", "aria-label": "Turns", tabindex: "0" }),
    detail: h("div", { class: "detail scroll", tabindex: "0", role: "region", "aria-label": "The turn" }),
  };
  frame.walk = roving(frame.turns, "a");
  frame.root = h("div", { class: "audit-frame" },
    h("div", { class: "side" },
      h("div", { class: "head" }, h("h2", { id: "audit-title", tabindex: "-1" }, "Audit")),
      h("div", { class: "lead" }, frame.figures,
        h("div", { class: "row" }, button("solid", "shield", "Verify the chain", check)), frame.verdict),
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
          if (title) done.set(turn_id, `${ACTIONS[payload.action]}: ${title}`);
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
  const figure = (value, name) => h("div", {}, h("dt", {}, name), h("dd", {}, number(value)));
  frame.figures.replaceChildren(figure(turns.length, turns.length === 1 ? "turn" : "turns"), figure(stopped, stopped === 1 ? "ghost stopped" : "ghosts stopped"), figure(refused, refused === 1 ? "call refused" : "calls refused"));
}

const PICTURE = { receipt: "tick", question: "question", failure: "cross" };
let allowed = 80;

function list(open) {
  const rows = turns.slice(0, allowed).map(({ id, at, kind, words }) =>
    h("a", { href: `#/audit/${id}`, class: `of-${kind}`, "aria-current": id === open ? "page" : null },
      icon(PICTURE[kind] ?? "chat"), h("span", { class: "words" }, h("span", { class: "only-heard" }, `${kind ?? "other"}: `), words ? proseText(words.split("\n")[0]) : "Nothing was said"),
      h("small", {}, timeWords(at))));
  if (turns.length > allowed) rows.push(button("more", null, "Show more", () => { allowed += 200; list(open); }));
  if (!rows.length) rows.push(h("p", { class: "empty" }, "Nothing was said yet."));
  frame.walk.fill(rows);
}

async function check() {
  const say = (kind, picture, ...words) => frame.verdict.replaceChildren(h("p", { class: `verdict ${kind}` }, icon(picture), h("span", {}, ...words)));
  say("", "retry", "Reading the log…");
  try {
    const found = await verify((seq) => say("", "retry", `${count(seq, "event")} checked…`));
    if (found.broken) say("bad", "cross", `Event ${number(found.broken.seq)}: ${found.broken.fault}. The ${number(found.checked)} before it are as they were written.`);
    else say("good", "tick", `All ${count(found.checked, "event")} are as they were written, in this order, without a gap. Head `, h("code", {}, `${found.head.hash.slice(0, 16)}…`));
  } catch (fault) {
    say("bad", "cross", `Not checked: ${fault.message}`);
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
    h("a", { class: "quiet back", href: "#/audit" }, "← All turns"),
    h("div", {}, h("h2", {}, "How this turn came about"), h("p", { class: "under" }, fullTime(account.at), h("span", {}, account.model ?? "no model"))),
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
  if (account.message) found.push(moment("", "user", "You said", h("p", { class: "quote" }, account.message)));
  else if (account.asked) found.push(moment("", "user", account.source === "rest" ? "Asked for without words" : "Asked for", callCard(account.asked.action, account.asked)));
  else if (account.erased) found.push(moment("", "user", "The words were erased"));
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
    found.push(moment(only ? "stopped" : "", only ? "ghost" : "model", `${answer.model ?? account.model ?? "The model"} ${answer.calls?.length ? "proposed" : "said"}`,
      ...(parts.length ? parts : [h("p", { class: "because" }, "Nothing.")])));
  }
  for (const stop of lies) found.push(moment("stopped", "ghost", "The model said, and nobody was shown", lie(stop)));
  if (account.calls.length) found.push(moment("", "shield", "What was allowed, and what came of it", ...account.calls.map(outcome)));
  if (account.receipts.length) {
    found.push(moment("good", "slip", account.receipts.every((one) => isRead(one.action)) ? "Read" : "Committed", ...account.receipts.map((one) =>
      h("div", { class: "call" }, h("div", { class: "top" }, h("span", { class: "text" }, prose(one.line || ACTIONS[one.action])), receiptChip(one))))));
  }
  if (account.said !== null) found.push(moment(account.holds ? "good" : "stopped", account.holds ? "tick" : "cross", "What you were told", worth(account), holds(account)));
  return found;
}

function receiptChip({ seq, id, line, action }) {
  const about = proseText(line.split("\n")[0] || ACTIONS[action]);
  return button("chip", "slip", `Receipt no. ${number(seq)}`, () => openReceipt(id, about), { "aria-label": `Receipt no. ${number(seq)} of: ${about}` });
}

/** Whether an answer was stopped as a whole. */
function at(answer, account) {
  return account.stopped.some((stop) => stop.text === answer.text);
}

const REASONS = {
  ghost: "A call was due and none came: a claim without a receipt.",
  asserts: "It claims something that nothing proves.",
  ask_user: "A claim inside a question.",
  offer: "An offer the server has to make itself, with the titles in it.",
  unchecked: "It could not be checked, so it was not shown.",
};

function lie(stop) {
  return h("p", { class: "lie" }, h("s", {}, h("span", { class: "only-heard" }, "Refused: "), stop.text), h("small", {}, REASONS[stop.reason] ?? stop.reason));
}

const OUTCOMES = {
  committed: ["good", "tick", "committed"], unchanged: ["", "tick", "nothing to change"], asked: ["", "question", "you were asked first"],
  failed: ["bad", "cross", "failed"], refused: ["bad", "cross", "refused"],
};

function outcome(call) {
  const [kind, picture, words] = OUTCOMES[call.outcome] ?? ["", "question", call.outcome];
  const reason = call.reason?.error ?? call.reason?.refusal ?? null;
  return callCard(call.name, call.arguments ?? null, h("span", { class: `badge ${kind}` }, icon(picture), words),
    reason && h("p", { class: "because" }, typeof reason === "string" ? reason : JSON.stringify(reason)));
}

const WORTH = { proven: ["good", "tick", "proven"], unproven: ["bad", "cross", "not proven"], chat: ["", "chat", "claims nothing"] };

function worth(account) {
  return h("ul", { class: "worth" }, ...account.sentences.map((sentence) => {
    const [kind, picture, words] = WORTH[sentence.verdict];
    return h("li", {}, h("span", { class: "text" }, prose(sentence.text)), h("span", { class: `badge ${kind}` }, icon(picture), words));
  }));
}

function holds(account) {
  const { how, equal } = account.recomputed;
  const words = account.holds
    ? `Computed again from the log${how === "whole" && equal ? ", word for word the same" : ""}. Events ${number(account.chain.first_seq)} to ${number(account.chain.last_seq)}.`
    : "It is not what the log says.";
  return h("p", { class: "because" }, words);
}
