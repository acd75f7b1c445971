// Puts the page together: views, keys, languages, colours, who is here.

import * as api from "./api.js";
import * as chat from "./chat.js";
import { announce, button, find, h, lasting, note } from "./dom.js";
import { follow } from "./live.js";
import * as tasks from "./tasks.js";
import { pin } from "./words.js";

const VIEWS = { chat: "chat", tasks: "tasks", audit: "audit", agents: "agents" };
const LATER = { audit: () => import("./audit.js"), agents: () => import("./agents.js") };

let unfollow = () => {};
let known = { closed: false, agents: false };

async function start() {
  chat.begin(told);
  tasks.begin();
  tasks.whenChanged(offerUndo);
  api.onStranger(askWho);
  languages();
  colours();
  keys();
  skips();
  find("sign").addEventListener("click", () => askWho());
  find("help").addEventListener("click", showKeys);
  try {
    known = await api.about();
    pin(known.today);
  } catch { /* What follows will say so. */ }
  document.querySelector('[data-to="agents"]').hidden = !known.agents;
  addEventListener("hashchange", route);
  await enter();
}

/** Shows everything of the user who is here. */
async function enter() {
  unfollow();
  find("user-name").textContent = api.me.user;
  find("sign").textContent = known.closed && api.me.key ? "Sign out" : known.closed ? "Sign in" : "Change";
  tasks.forget();
  try {
    await tasks.load();
  } catch (problem) {
    if (problem.status === 401 || problem.code === "other_user") return;
    note(problem.message, "Try again", enter);
  }
  const conversations = await chat.listConversations();
  if (!location.hash || location.hash === "#/") {
    const lost = chat.cut();
    const first = lost ? lost.conversation : conversations[0]?.id;
    window.history.replaceState(null, "", first ? `#/chat/${first}` : "#/chat");
  }
  await route();
  ghosts();
  unfollow = follow({
    changed: (actions) => { tasks.take(actions); ghostsSoon(); },
    reset,
    other: (name) => { if (name.startsWith("run.")) dispatchEvent(new CustomEvent("candor-run")); },
    began: (head) => { seen.head = head; },
  });
}

async function reset() {
  try {
    await tasks.load();
  } catch { /* The next time, perhaps. */ }
}

function told(actions) {
  tasks.take(actions);
  chat.welcome();
  ghostsSoon();
}

/** Says what was done without words, and offers to take it back by its receipt. */
function offerUndo(task, words) {
  announce(words);
  note(words, "Undo", async () => {
    const receipt = await lastReceipt(task.id).catch(() => null);
    if (receipt) await chat.takeBack(receipt); else note("Its receipt can't be found.");
  });
}

/** The newest receipt of a task. */
async function lastReceipt(id) {
  let found = null;
  for await (const page of api.allEvents({ kind: "receipt", after: seen.head })) {
    found = page.findLast((event) => event.payload?.task_id === id) ?? found;
  }
  return found && { receipt_id: found.payload.id, action: found.payload.action };
}

// `head` is where the log stood when the page came: what is done here comes after it.
const seen = { head: 0, refusal: 0, ghosts: 0 };

let counting = Promise.resolve();
/** How often a model claimed what it had not done: sentences that were stopped and never shown. */
function ghosts() {
  counting = counting.then(countGhosts);
}

async function countGhosts() {
  try {
    for await (const page of api.allEvents({ kind: "refusal", after: seen.refusal })) {
      seen.refusal = page.at(-1).seq;
      const claims = page.filter(({ payload }) => payload?.what === "prose" && ["ghost", "asserts", "ask_user"].includes(payload.reason));
      seen.ghosts += claims.length;
    }
  } catch { return; }
  const badge = find("ghosts");
  badge.hidden = seen.ghosts === 0;
  badge.querySelector("b").textContent = String(seen.ghosts);
  badge.querySelector("span").textContent = seen.ghosts === 1 ? "ghost stopped" : "ghosts stopped";
  badge.setAttribute("aria-label", `${badge.textContent.trim()}: claims of the model that nothing proves`);
}
let soon;
function ghostsSoon() {
  clearTimeout(soon);
  soon = setTimeout(ghosts, 300);
}

let opened = false;

async function route() {
  const [, name = "chat", id] = location.hash.split("/");
  const view = VIEWS[name] ?? "chat";
  const moved = document.body.dataset.view !== view;
  document.body.dataset.view = view;
  for (const link of document.querySelectorAll("[data-to]")) {
    if (link.dataset.to === view) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  for (const name of Object.keys(LATER)) find(name).hidden = name !== view;
  document.title = view === "chat" ? "candor" : `${view[0].toUpperCase()}${view.slice(1)} · candor`;
  if (find("rail").matches(":popover-open")) find("rail").hidePopover();
  if (view in LATER) {
    const { show } = await LATER[view]();
    await show(find(view), id ?? null);
    if (moved) find(`${view}-title`)?.focus();
    return;
  }
  if (view === "tasks") return void (moved && find("tasks-title").focus());
  const wanted = id === "new" ? null : id ?? chat.current();
  if (opened && id !== "new" && wanted === chat.current()) return;
  opened = true;
  await chat.open(wanted);
  if (id === "new") window.history.replaceState(null, "", "#/chat");
}

/** Who calls, where the server asks for it. */
function askWho(problem) {
  const box = find("box");
  if (box.open) return;
  // A key that was given and refused has the server's own words for it.
  const asks = "This server wants to know who calls: give your name here and an API key (candor token create makes one) or a signed token.";
  const words = problem && api.me.key ? problem.message : known.closed ? asks : "The list, the conversations and the log are those of one user.";
  const user = h("input", { id: "sign-user", autocomplete: "username", required: true, value: api.me.user });
  const key = h("input", { id: "sign-key", type: "password", autocomplete: "current-password", required: known.closed });
  const enterAs = (event) => {
    event.preventDefault();
    api.signIn(user.value.trim(), key.value.trim() || null);
    box.close();
    location.hash = "#/";
    location.reload();
  };
  box.replaceChildren(
    h("h2", { id: "box-title" }, problem ? "Who are you?" : "Change user"),
    h("p", {}, words),
    h("form", { class: "form", on: { submit: enterAs } },
      h("label", {}, "User", user),
      known.closed && h("label", {}, "API key or token", key),
      known.closed && h("p", { class: "tag" }, "Kept for this tab alone."),
      h("div", { class: "row" }, h("button", { class: "solid" }, "Go on"),
        button("quiet", null, "Cancel", () => box.close()),
        api.me.key && button("quiet", null, "Forget the key", () => { api.signIn("me", null); location.reload(); }))));
  box.showModal();
  user.focus();
}

function languages() {
  const group = find("language");
  const set = (value) => {
    lasting.set("language", value);
    for (const one of group.children) one.setAttribute("aria-pressed", String(one.value === value));
  };
  for (const one of group.children) one.addEventListener("click", () => { set(one.value); chat.welcome(); });
  set(api.language());
}

function colours() {
  const press = find("theme");
  const root = document.documentElement;
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const tell = () => press.setAttribute("aria-pressed", String(dark()));
  press.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    try { localStorage.setItem("candor.theme", root.dataset.theme); } catch { /* For this time alone. */ }
    tell();
  });
  tell();
}

function skips() {
  for (const link of document.querySelectorAll(".skip")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const target = link.hash.slice(1);
      if (target === "message" && document.body.dataset.view !== "chat") location.hash = "#/chat";
      if (target === "tasks-title" && !find("tasks").checkVisibility()) location.hash = "#/tasks";
      requestAnimationFrame(() => find(target).focus());
    });
  }
}

const KEYS = [
  ["/", "Write a message", () => go("chat", "message")],
  ["f", "Filter the tasks", () => go(find("tasks").checkVisibility() ? null : "tasks", "filter")],
  ["c", "Chat", () => go("chat")],
  ["t", "Tasks", () => go(find("tasks").checkVisibility() ? null : "tasks", "tasks-title")],
  ["a", "Audit", () => go("audit")],
  ["n", "New conversation", () => find("anew").click()],
  ["u", "Undo the latest change", () => chat.undoLatest()],
  ["?", "These keys", () => showKeys()],
];

function go(view, focus) {
  if (view && document.body.dataset.view !== view) location.hash = `#/${view}`;
  if (focus) setTimeout(() => find(focus).focus(), 30);
}

function keys() {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape" && event.target === find("message")) find("message").blur();
    if (event.target.closest?.("input, textarea, select, dialog") || lasting.get("keys") === false) return;
    const found = KEYS.find(([key]) => key === event.key);
    if (!found) return;
    event.preventDefault();
    found[2]();
  });
}

function showKeys() {
  const box = find("box");
  const on = h("input", { type: "checkbox", on: { change: () => lasting.set("keys", on.checked) } });
  on.checked = lasting.get("keys") !== false;
  box.replaceChildren(
    h("h2", { id: "box-title" }, "Keys"),
    h("dl", { class: "keys" }, ...KEYS.flatMap(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)]),
      h("dt", {}, h("kbd", {}, "Esc")), h("dd", {}, "Leave a field or a form")),
    h("p", {}, h("label", {}, on, " Single keys work outside of fields")),
    button("soft", null, "Close", () => box.close()));
  box.showModal();
}

start().catch((fault) => note(fault.message));
