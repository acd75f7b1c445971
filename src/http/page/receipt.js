// The receipt of a claim, as a slip of paper: what was committed, the event of the log that holds it, and
// its proof, checked here and not there.

import * as api from "./api.js";
import { link, root } from "./chain.js";
import { button, find, h, icon, pictured } from "./dom.js";
import { ACTIONS, canUndo, count, dayWords, fullTime, isRead, number } from "./words.js";

/** Opens the sheet of a receipt; `about` says of what it is one. */
export async function openSheet(receipt, about, takeBack) {
  const sheet = find("sheet");
  const body = h("div", { "aria-busy": "true" }, h("p", {}, "Reading the log…"));
  sheet.replaceChildren(
    h("div", { class: "sheet-head" }, h("h2", { id: "sheet-title", tabindex: "-1" }, "Receipt", h("span", { class: "only-heard" }, ` of: ${about}`)), pictured("cross", "Close", () => sheet.close())),
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
      button("soft", "undo", "Undo", () => { sheet.close(); takeBack({ receipt_id: receipt.id, action: receipt.action }); }),
    event.turn_id && h("a", { class: "quiet", href: `#/audit/${event.turn_id}`, on: { click: () => sheet.close() } }, icon("audit"), "The whole turn"));
  return h("div", { class: "paper" },
    h("p", { class: "label kind" }, icon("slip"), ACTIONS[receipt.action] ?? receipt.action),
    h("p", { class: "claim-text" }, title ?? reading(receipt)),
    h("dl", { class: "facts" }, ...changes(receipt), fact("Committed", fullTime(event.created_at)), fact("By", event.user_id),
      fact("Event", `no. ${number(event.seq)} of the log`)),
    h("hr", { class: "tear" }), acts);
}

function reading(receipt) {
  const { reading } = receipt;
  return reading?.matched === undefined ? "A reading" : count(reading.matched, "task");
}

function fact(name, ...value) {
  return [h("dt", {}, name), h("dd", {}, ...value)];
}

const FIELDS = {
  title: "Title", description: "Note", status: "Status", priority: "Priority", due_date: "Due", due_time: "Time", repeat: "Repeats", assignee: "Assignee",
};

/** "17:00 Europe/Berlin" of a row; null where it has no time. */
const timeOf = (row) => (row?.due_time ? `${row.due_time.time} ${row.due_time.zone}` : null);

/** The values before and after; of what came or went, those it had. */
function changes({ action, before, after }) {
  if (isRead(action)) return [];
  const show = (field, value) => (value === null || value === undefined ? "none" : field === "due_date" ? h("time", { datetime: value }, dayWords(value)) : value);
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
      step(hash === event.hash, hash === event.hash ? "The event has the hash of its contents." : "The event's contents do not match its hash.", hash);
      if (!proof) return;
      const found = await root(hash, proof);
      const same = found === told.root;
      step(same, same
        ? `It is leaf ${number(proof.leaf_index)} of a tree of ${count(proof.tree_size, "event")}: ${count(proof.hashes.length, "hash", "hashes")} beside its path lead to the root.`
        : "Its path does not lead to the root of the tree.", found);
    } catch (fault) {
      step(false, `This browser can't check it: ${fault.message}`);
    }
  };
  check();
  return h("section", { "aria-labelledby": "proof-title" }, h("h3", { id: "proof-title", class: "row" }, icon("shield"), "Proof, checked in this browser"), list);
}

function log({ event, proof, checkpoint }) {
  const parts = [h("details", {}, h("summary", {}, "The event as it stands in the log"), h("pre", { tabindex: "0" }, JSON.stringify(event.payload, null, 2))),
    h("details", {}, h("summary", {}, "Its hashes"), h("pre", { tabindex: "0" }, [`hash      ${event.hash}`, `before it ${event.prev_hash}`, ...(proof?.hashes ?? []).map((hash) => `beside    ${hash}`)].join("\n")))];
  if (checkpoint) parts.push(h("details", {}, h("summary", {}, "The checkpoint"), h("p", {}, "Its signature needs the server's public key: candor audit verify --proof checks it."), h("pre", { tabindex: "0" }, checkpoint)));
  return h("section", { "aria-label": "The log" }, ...parts);
}
