// Checks the log in the browser: each event's hash from its columns, each link to the one before it, and
// the path from an event to the root of the tree. Needs nothing of the server but the rows; the rules are
// those of `candor audit verify`.

import { allEvents } from "./api.js";

const GENESIS = "0".repeat(64);
const EVENT = "candor audit event 1\n";
const MEMBER = "candor personal member 1\n";
// Members that hold somebody's words: the chain covers a salted hash of them, so that they can be erased.
const PERSONAL = new Set(["after", "answer", "answers", "arguments", "asked", "before", "composed", "dropped", "message", "prompt", "reading", "reason", "text"]);

const utf8 = new TextEncoder();
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

async function sha256(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { whole.set(part, at); at += part.length; }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

/** A column with its length before it, so that no two rows have one encoding. */
function measured(bytes) {
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(bytes.length));
  return [length, bytes];
}

/** The members of a canonical object, each as the text that stands there. */
export function members(text) {
  const found = [];
  let at = 1;
  while (text[at] !== "}" && at < text.length) {
    const colon = value(text, at);
    const name = JSON.parse(text.slice(at, colon));
    const end = value(text, colon + 1);
    found.push([name, text.slice(at, colon), text.slice(colon + 1, end)]);
    at = text[end] === "," ? end + 1 : end;
  }
  return found;
}

/** Where the value that begins at `at` ends. */
function value(text, at) {
  let depth = 0;
  for (let i = at; i < text.length; i += 1) {
    const c = text[i];
    if (c === '"') {
      i += 1;
      while (text[i] !== '"') i += text[i] === "\\" ? 2 : 1;
      if (depth === 0) return i + 1;
    } else if (c === "{" || c === "[") depth += 1;
    else if (c === "}" || c === "]") {
      if (depth === 0) return i;
      depth -= 1;
      if (depth === 0) return i + 1;
    } else if (depth === 0 && (c === "," || c === ":")) return i;
  }
  return text.length;
}

/** What the chain covers of a payload. */
async function covered(text) {
  if (!text.startsWith("{")) return text;
  const parts = members(text);
  const salt = parts.find(([name]) => name === "salt");
  if (!salt) return text;
  const bytes = utf8.encode(JSON.parse(salt[2]));
  const written = [];
  for (const [name, quoted, json] of parts) {
    if (name === "salt") continue;
    if (!PERSONAL.has(name) || json === "null") { written.push(`${quoted}:${json}`); continue; }
    const hash = await sha256([utf8.encode(MEMBER), ...[bytes, utf8.encode(name), utf8.encode(json)].flatMap(measured)]);
    written.push(`${quoted}:{"sha256":"${hex(hash)}"}`);
  }
  return `{${written.join(",")}}`;
}

/** The instant with all six digits. */
function micros(instant) {
  const [, seconds, fraction = ""] = /^(.*?)(?:\.(\d+))?Z$/.exec(instant);
  return `${seconds}.${fraction.slice(0, 6).padEnd(6, "0")}Z`;
}

/** The hash that an event must have. */
export async function link(event) {
  const payload = await sha256([utf8.encode(await covered(event.payload_text))]);
  const columns = [event.user_id, String(event.seq), event.turn_id ?? "", event.kind].map((text) => utf8.encode(text));
  columns.push(payload, utf8.encode(event.prev_hash), utf8.encode(micros(event.created_at)));
  return hex(await sha256([utf8.encode(EVENT), ...columns.flatMap(measured)]));
}

/**
 * Checks the user's whole log as it arrives: `{checked, head}`, or `{checked, broken: {seq, fault}}` at the
 * first event that is not as it was written; `fault` is what `say` is given.
 */
export async function verify(progress = () => {}) {
  let head = { seq: 0, hash: GENESIS };
  for await (const page of allEvents({})) {
    const hashes = await Promise.all(page.map(link));
    for (const [at, event] of page.entries()) {
      const fault = wrong(event, head, hashes[at]);
      if (fault) return { checked: head.seq, broken: { seq: event.seq, fault } };
      head = { seq: event.seq, hash: event.hash };
    }
    progress(head.seq);
  }
  return { checked: head.seq, head };
}

function wrong(event, head, hash) {
  if (event.seq !== head.seq + 1) return event.seq > head.seq + 1 ? ["page-fault-missing", { number: head.seq + 1 }] : ["page-fault-order"];
  if (event.prev_hash !== head.hash) return ["page-fault-link"];
  if (event.hash !== hash) return ["page-fault-hash"];
  return null;
}

/** The root that follows from an event's hash and the hashes beside its path (RFC 6962). */
export async function root(hash, { leaf_index, tree_size, hashes }) {
  const join = (left, right) => sha256([Uint8Array.of(1), left, right]);
  let node = await sha256([Uint8Array.of(0), unhex(hash)]);
  let index = leaf_index;
  let last = tree_size - 1;
  for (const beside of hashes.map(unhex)) {
    if (index % 2 === 1 || index === last) {
      node = await join(beside, node);
      while (index % 2 === 0 && index !== 0) { index = Math.floor(index / 2); last = Math.floor(last / 2); }
    } else node = await join(node, beside);
    index = Math.floor(index / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? hex(node) : null;
}
