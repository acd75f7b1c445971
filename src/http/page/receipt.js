// The receipt of a claim, as a slip of paper: what was committed, the event of the log that holds it, and
// its proof, checked here and not there.

import * as api from "./api.js";
import { link, root } from "./chain.js";
import { button, find, h, icon, pictured } from "./dom.js";
import { pair, say } from "./language.js";
import { canUndo, count, dayWords, did, fullTime, isRead, number, term } from "./words.js";

/** Opens the sheet of a receipt; `about` says of what it is one. */
export async function openSheet(receipt, about, takeBack) {
  const sheet = find("sheet");
  const body = h("div", { "aria-busy": "true" }, h("p", {}, say("page-reading-log")));
  sheet.replaceChildren(
    h("div", { class: "sheet-head" }, h("h2", { id: "sheet-title", tabindex: "-1" }, h("span", { "aria-hidden": "true" }, say("page-receipt")), h("span", { class: "only-heard" }, pair("page-receipt-of", about))), pictured("cross", say("page-close"), () => sheet.close())),
    body);
  if (!sheet.open) sheet.showModal();
  sheet.onclick = (event) => { if (event.target === sheet && event.clientX < sheet.getBoundingClientRect().left) sheet.close(); };
  find("sheet-title").focus();
  try {
    const told = await api.proof(receipt);
    body.replaceChildren(slip(told, takeBack, sheet), proofOf(told), log(told));
  } catch (problem) {
    body.replaceChildren(h("p", { class: "verdict bad" }, icon("cross"), problem.message));
  }
  body.removeAttribute("aria-busy");
}

function slip({ event }, takeBack, sheet) {
  const receipt = event.payload;
  const title = receipt.after?.title ?? receipt.before?.title ?? null;
  const acts = h("div", { class: "row" },
    canUndo(receipt.action) && receipt.action !== "undo" &&
      button("soft", "undo", say("page-undo"), () => { sheet.close(); takeBack({ receipt_id: receipt.id, action: receipt.action }); }),
    event.turn_id && h("a", { class: "quiet", href: `#/audit/${event.turn_id}`, on: { click: () => sheet.close() } }, icon("audit"), say("page-whole-turn")));
  return h("div", { class: "paper" },
    h("p", { class: "label kind" }, icon("slip"), did(receipt.action)),
    h("p", { class: "claim-text" }, title ?? reading(receipt)),
    h("dl", { class: "facts" }, ...changes(receipt), fact("page-committed", fullTime(event.created_at)), fact("page-by", event.user_id),
      fact("page-event", say("page-event-number", { number: number(event.seq) }))),
    h("hr", { class: "tear" }), acts);
}

function reading(receipt) {
  const { reading } = receipt;
  return reading?.matched === undefined ? say("page-a-reading") : count(reading.matched, "page-tasks-counted");
}

function fact(name, ...value) {
  return [h("dt", {}, say(name)), h("dd", {}, ...value)];
}

const FIELDS = {
  title: "page-title", description: "page-note", status: "page-status", priority: "page-priority", due_date: "page-due", due_time: "page-time",
  repeat: "page-repeats", assignee: "page-assignee",
};

/** "17:00 Europe/Berlin" of a row; null where it has no time. */
const timeOf = (row) => (row?.due_time ? `${row.due_time.time} ${row.due_time.zone}` : null);

/** The values before and after; of what came or went, those it had. */
function changes({ action, before, after }) {
  if (isRead(action)) return [];
  const show = (field, value) => (value === null || value === undefined ? say("page-none") : field === "due_date" ? h("time", { datetime: value }, dayWords(value)) : field === "status" || field === "priority" ? term(value) : value);
  return Object.entries(FIELDS).flatMap(([field, name]) => {
    const [was, is] = [before, after].map((row) => (field === "due_time" ? timeOf(row) : row?.[field] ?? null));
    if (was === is) return [];
    if (!before) return is === null || field === "title" ? [] : fact(name, show(field, is));
    if (!after) return was === null || field === "title" ? [] : fact(name, h("del", {}, show(field, was)));
    return fact(name, h("del", {}, show(field, was)), " → ", h("ins", {}, show(field, is)));
  });
}

/** The steps of the proof, done here one by one. */
function proofOf(told) {
  const list = h("ol", { class: "checks", "aria-live": "polite" });
  const step = (good, words, hash) => list.append(h("li", { class: good ? null : "bad" }, icon(good ? "tick" : "cross"),
    h("span", {}, words, hash && h("code", { class: "mono" }, hash))));
  const check = async () => {
    const { event, proof } = told;
    try {
      const hash = await link(event);
      step(hash === event.hash, hash === event.hash ? say("page-hash-fits") : say("page-hash-differs"), hash);
      if (!proof) return;
      const found = await root(hash, proof);
      const same = found === told.root;
      step(same, same
        ? say("page-leaf", { leaf: number(proof.leaf_index), events: count(proof.tree_size, "page-events-counted"), hashes: count(proof.hashes.length, "page-hashes-counted") })
        : say("page-no-root"), found);
    } catch (fault) {
      step(false, pair("page-cant-check", fault.message));
    }
  };
  check();
  return h("section", { "aria-labelledby": "proof-title" }, h("h3", { id: "proof-title", class: "row" }, icon("shield"), say("page-proof")), list);
}

function log({ event, proof, checkpoint }) {
  const parts = [h("details", {}, h("summary", {}, say("page-event-written")), h("pre", { tabindex: "0" }, JSON.stringify(event.payload, null, 2))),
    h("details", {}, h("summary", {}, say("page-hashes")), h("pre", { tabindex: "0" }, [pair("page-hash-own", event.hash), pair("page-hash-before", event.prev_hash), ...(proof?.hashes ?? []).map((hash) => pair("page-hash-beside", hash))].join("\n")))];
  if (checkpoint) parts.push(h("details", {}, h("summary", {}, say("page-checkpoint")), h("p", {}, say("page-checkpoint-more")), h("pre", { tabindex: "0" }, checkpoint)));
  return h("section", { "aria-label": say("page-log") }, ...parts);
}
