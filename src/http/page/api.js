// The one way to the server: requests, turns and the stream of changes. Nobody else calls fetch.

import { lasting, tab } from "./dom.js";
import { say } from "./language.js";

// What a tab was told goes before what the browser was.
const kept = tab.get("user") ? { user: tab.get("user"), key: tab.get("key") } : lasting.get("caller");

/** Who talks, and what proves it where the server asks. */
export const me = { user: kept?.user ?? "me", key: kept?.key ?? null };

/** Keeps who talks for this tab alone, or, where that is wished, for this browser. */
export function signIn(user, key, remember = false) {
  Object.assign(me, { user, key });
  tab.set("user", user);
  tab.set("key", key);
  if (remember) lasting.set("caller", { user, key });
}

/** Forgets who was to be remembered. */
export const forget = () => lasting.set("caller", null);

/** Forgets who talks, here and in the browser. */
export function signOut() {
  signIn(null, null);
  forget();
}

/** What the server said instead of an answer (RFC 9457); status 0: it could not be reached. */
export class Problem extends Error {
  constructor(status, body) {
    super(body?.detail ?? say("page-unreachable"));
    this.status = status;
    this.code = body?.code ?? "unreachable";
    this.body = body ?? {};
  }
}

const own = (path) => `/api/${encodeURIComponent(me.user)}/${path}`;

function headers(more) {
  return me.key ? { Authorization: `Bearer ${me.key}`, ...more } : { ...more };
}

let askWho = () => {};
/** Whom to ask when the server wants to know who calls. */
export function onStranger(ask) { askWho = ask; }

async function send(path, options, ask = askWho) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (fault) {
    if (fault.name === "AbortError") throw fault;
    throw new Problem(0);
  }
  if (response.ok) return response;
  const problem = new Problem(response.status, await response.json().catch(() => null));
  if (response.status === 401 || problem.code === "other_user") ask(problem);
  throw problem;
}

async function json(method, path, { body, key, signal } = {}) {
  const more = {};
  if (body !== undefined) more["Content-Type"] = "application/json";
  if (key) more["Idempotency-Key"] = `"${key}"`;
  const response = await send(path, { method, headers: headers(more), body: body && JSON.stringify(body), signal });
  return response.status === 204 ? null : response.json();
}

/** A query string without what is null. */
function asked(query) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  return new URLSearchParams(given);
}

export const about = async () => (await send("/about")).json();
/** Whose key it is; null: it acts for everybody. */
export async function whose(key) {
  const options = { headers: { Authorization: `Bearer ${key}` } };
  const ask = async (path) => (await send(path, options, () => {})).json();
  const { caller } = await ask("/about");
  if (caller) return caller.user;
  // What is wrong with it is said where one is needed.
  await ask("/api/me/chat/conversations");
  throw new Problem(503, { detail: say("page-key-unchecked") });
}
export const tasks = () => json("GET", own("tasks"));
export const addTask = (body) => json("POST", own("tasks"), { body, key: crypto.randomUUID() });
export const patchTask = (id, body) => json("PATCH", own(`tasks/${id}`), { body, key: crypto.randomUUID() });
export const deleteTask = (id) => json("DELETE", own(`tasks/${id}`), { key: crypto.randomUUID() });
export const undo = (receipt) => json("POST", own(`receipts/${receipt}/undo`), { key: crypto.randomUUID() });
export const conversations = async () => (await json("GET", own("chat/conversations"))).conversations;
export const messages = async (conversation_id, before) =>
  (await json("GET", own(`chat/messages?${asked({ conversation_id, before, limit: 50 })}`))).messages;
export const events = async (query) => (await json("GET", own(`audit?${asked({ limit: 1000, ...query })}`))).events;
export const turnAccount = (id) => json("GET", own(`audit/turns/${id}`));
export const proof = (receipt) => json("GET", own(`audit/receipts/${receipt}/proof`));
export const agents = () => json("GET", own("agents"));
export const runs = () => json("GET", own("delegations?limit=50"));
export const run = (handle) => json("GET", own(`delegations/${handle}`));
export const steer = (handle, verb, body) => json("POST", own(`delegations/${handle}/${verb}`), { body });
export const handOver = (task, body) => json("POST", own(`tasks/${task}/delegate`), { body, key: crypto.randomUUID() });

/** Begins a turn and gives its stream; the same key gives the same turn. */
export function startTurn({ chat, words, answer, timezone, language_hint }, key) {
  const messages = [{ id: key, role: "user", parts: [{ type: "text", text: words }] }];
  const body = JSON.stringify({ id: chat, messages, trigger: "submit-message", answer, timezone, language_hint });
  return send(own("chat/stream"), { method: "POST", headers: headers({ "Content-Type": "application/json" }), body });
}

/** The stream of the turn that runs in a chat, from its beginning; status 204: none does. */
export const resumeTurn = (chat) => send(own(`chat/${encodeURIComponent(chat)}/stream`), { headers: headers() });

/** The stream of changes, from the event after `last` on. */
export const changes = (last, signal) =>
  send(own("events"), { headers: headers(last === null ? {} : { "Last-Event-ID": last }), signal });

/** The words of the page in a language. */
export const words = (language) => json("GET", `/page/words/${language}.json`);

/** All events of a kind, page by page, the oldest first. */
export async function* allEvents(query) {
  let after = query.after ?? 0;
  for (;;) {
    const page = await events({ ...query, after });
    if (page.length) yield page;
    if (page.length < 1000) return;
    after = page.at(-1).seq;
  }
}
