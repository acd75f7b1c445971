// Puts the page together: views, keys, languages, colours, who is here.

import * as api from "./api.js";
import * as chat from "./chat.js";
import { announce, button, find, h, lasting, note } from "./dom.js";
import { begin as speak, say } from "./language.js";
import { follow } from "./live.js";
import * as reminders from "./reminders.js";
import { moveOn } from "./rove.js";
import * as tasks from "./tasks.js";
import { capital, pin } from "./words.js";

const VIEWS = { chat: "page-chat", tasks: "page-tasks", audit: "page-audit", agents: "page-agents" };
const LATER = { audit: () => import("./audit.js"), agents: () => import("./agents.js") };

let unfollow = () => {};
let known = { closed: false, agents: false };
// So narrow that the list has a view of its own; where it is wider it stands beside the chat.
const narrow = matchMedia("(max-width: 56rem)");

async function start() {
  await speak(redraw);
  tasks.begin();
  chat.begin(told);
  tasks.whenChanged(offerUndo);
  tasks.whenDrawn(() => reminders.offer(tasks.reminds()));
  api.onStranger(askWho);
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
  narrow.addEventListener("change", mark);
  await enter();
}

/** Draws what is on the page in another language. */
function redraw() {
  offerSign();
  countedGhosts();
  tasks.redraw();
  chat.redraw();
  route();
}

/** Says what the way to another user is called. */
function offerSign() {
  find("sign").textContent = say(known.closed && api.me.key ? "page-sign-out" : known.closed ? "page-sign-in" : "page-change");
}

/** Shows everything of the user who is here. */
async function enter() {
  unfollow();
  find("user-name").textContent = api.me.user;
  offerSign();
  tasks.forget();
  try {
    await tasks.load();
  } catch (problem) {
    if (problem.status === 401 || problem.code === "other_user") return;
    note(problem.message, "page-try-again", enter);
  }
  const conversations = await chat.listConversations();
  const lost = chat.cut();
  latest = (lost ? lost.conversation : conversations[0]?.id) ?? null;
  if (!location.hash || location.hash === "#/") window.history.replaceState(null, "", latest ? `#/chat/${latest}` : "#/chat");
  else if (location.hash === "#/chat") latest = null;
  await route();
  ghosts();
  unfollow = follow({
    changed: (actions) => { tasks.take(actions); ghostsSoon(); },
    reset,
    other: (name, data) => {
      if (name === "reminder") remind(data);
      if (name.startsWith("run.")) dispatchEvent(new CustomEvent("candor-run"));
    },
    stays: tasks.reminds,
    began: (head) => { seen.head = head; },
  });
}

async function reset() {
  try {
    await tasks.load();
  } catch { /* The next time, perhaps. */ }
}

function remind(told) {
  if (reminders.show(told)) tasks.reminded(told.task.id, told.reminder.id);
}

function told(actions) {
  tasks.take(actions);
  chat.welcome();
  ghostsSoon();
}

/** Says what was done without words, and offers to take it back by its receipt. */
function offerUndo(task, words) {
  announce(words);
  note(words, "page-undo", async () => {
    const receipt = await lastReceipt(task.id).catch(() => null);
    if (receipt) await chat.takeBack(receipt); else note(say("page-receipt-lost"));
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
  countedGhosts();
}

function countedGhosts() {
  const badge = find("ghosts");
  badge.hidden = seen.ghosts === 0;
  badge.querySelector("b").textContent = String(seen.ghosts);
  badge.querySelector("span").textContent = say("page-ghosts", { count: seen.ghosts });
  badge.setAttribute("aria-label", say("page-ghosts-about", { ghosts: badge.textContent.trim() }));
}
let soon;
function ghostsSoon() {
  clearTimeout(soon);
  soon = setTimeout(ghosts, 300);
}

let opened = false;
/** The conversation that stands beside whatever is opened first. */
let latest = null;

/** Marks the view that is looked at. */
function mark() {
  const { view } = document.body.dataset;
  const seen = view === "tasks" && !narrow.matches ? "chat" : view;
  for (const link of document.querySelectorAll("[data-to]")) {
    if (link.dataset.to === seen) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
}

async function route() {
  const [, name = "chat", id] = location.hash.split("/");
  const view = name in VIEWS ? name : "chat";
  const moved = document.body.dataset.view !== view;
  document.body.dataset.view = view;
  mark();
  for (const name of Object.keys(LATER)) find(name).hidden = name !== view;
  document.title = view === "chat" ? "candor" : `${capital(say(VIEWS[view]))} · candor`;
  if (find("rail").matches(":popover-open")) find("rail").hidePopover();
  if (view in LATER) {
    const { show } = await LATER[view]();
    await show(find(view), id ?? null);
    if (moved) find(`${view}-title`)?.focus();
    return;
  }
  if (view === "tasks" && moved) find("tasks-title").focus();
  const wanted = id === "new" ? null : id ?? (opened ? chat.current() : latest);
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
  const words = problem && api.me.key ? problem.message : say(known.closed ? "page-ask-key" : "page-one-user");
  if (problem && api.me.key) api.forget();
  const user = h("input", { id: "sign-user", autocomplete: "username", required: true, value: known.closed ? "" : api.me.user });
  const key = h("input", { id: "sign-key", type: "password", autocomplete: "current-password", required: true });
  const keep = h("input", { id: "sign-keep", type: "checkbox" });
  const forWhom = h("label", { hidden: known.closed }, say("page-user"), user);
  user.disabled = known.closed;
  const fault = h("p", { class: "tag late", role: "alert", hidden: true });
  const ask = (words, field) => {
    fault.textContent = words;
    fault.hidden = false;
    field.focus();
  };
  const enterAs = async (event) => {
    event.preventDefault();
    const given = known.closed ? key.value.trim() : null;
    let name = user.value.trim();
    if (given && user.disabled) {
      try {
        name = await api.whose(given);
      } catch (refused) {
        return ask(refused.message, key);
      }
      if (!name) {
        forWhom.hidden = user.disabled = false;
        return ask(say("page-every-user"), user);
      }
    }
    api.signIn(name, given, keep.checked);
    box.close();
    location.hash = "#/";
    location.reload();
    return undefined;
  };
  box.replaceChildren(
    h("h2", { id: "box-title" }, say(problem ? "page-who" : "page-change-user")),
    h("p", {}, words),
    h("form", { class: "form", on: { submit: enterAs } },
      forWhom,
      known.closed && h("label", {}, say("page-key"), key),
      fault,
      known.closed && h("label", { class: "tick" }, keep, h("span", {}, say("page-remember"), " ", h("small", {}, say("page-remember-else")))),
      h("div", { class: "row" }, h("button", { class: "solid" }, say("page-go-on")),
        button("quiet", null, say("page-cancel"), () => box.close()),
        api.me.key && button("quiet", null, say("page-forget-key"), () => { api.signOut(); location.reload(); }))));
  box.showModal();
  (known.closed ? key : user).focus();
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
  ["/", "page-key-message", () => go("chat", "message")],
  ["f", "page-filter-tasks", () => go(find("tasks").checkVisibility() ? null : "tasks", "filter")],
  ["c", "page-chat", () => go("chat")],
  ["t", "page-tasks", () => go(find("tasks").checkVisibility() ? null : "tasks", "tasks-title")],
  ["a", "page-audit", () => go("audit")],
  ["g", "page-agents", () => go("agents")],
  ["j", "page-key-down", () => moveOn(1)],
  ["k", "page-key-up", () => moveOn(-1)],
  ["n", "page-new-conversation", () => find("anew").click()],
  ["u", "page-key-undo", () => chat.undoLatest()],
  ["?", "page-key-keys", () => showKeys()],
];

/** The keys that lead somewhere here. */
const keysHere = () => KEYS.filter(([key]) => key !== "g" || known.agents);

function go(view, focus) {
  if (view && document.body.dataset.view !== view) location.hash = `#/${view}`;
  if (focus) setTimeout(() => find(focus).focus(), 30);
}

function keys() {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape" && event.target === find("message")) find("message").blur();
    if (event.key === "Escape" && find("scroll").contains(event.target)) find("message").focus();
    if (event.target.closest?.("input:not([type=checkbox]), textarea, select, dialog") || lasting.get("keys") === false) return;
    const found = keysHere().find(([key]) => key === event.key);
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
    h("h2", { id: "box-title" }, say("page-keys")),
    h("dl", { class: "keys" }, ...[...keysHere(), ["↑ ↓", "page-key-move"], ["Esc", "page-key-leave"]].flatMap(([key, name]) =>
      [h("dt", {}, ...key.split(" ").map((one) => h("kbd", {}, one))), h("dd", {}, say(name))])),
    h("p", {}, h("label", {}, on, ` ${say("page-single-keys")}`)),
    button("soft", null, say("page-close"), () => box.close()));
  box.showModal();
}

start().catch((fault) => note(fault.message));
