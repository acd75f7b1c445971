// A small chat: sends lines, shows replies. Everything shown is a text node.
"use strict";

const lines = document.getElementById("lines");
const options = document.getElementById("options");
const form = document.getElementById("form");
const input = document.getElementById("message");
const button = form.querySelector("button");

const login = document.getElementById("login");

let conversation = null;
// Who talks, and what proves it where the server asks: for as long as this page is open.
let user = "me";
let key = null;
// What was said before the server asked who says it.
let held = null;

function show(kind, text) {
  const line = document.createElement("li");
  line.className = kind;
  line.textContent = text;
  lines.append(line);
  line.scrollIntoView({ block: "end" });
}

function offer(question) {
  options.replaceChildren();
  for (const option of question?.options ?? []) {
    const choice = document.createElement("button");
    choice.type = "button";
    choice.textContent = option.label;
    choice.addEventListener("click", () => {
      show("user", option.label);
      send({ answer: { id: question.id, value: option.id } });
    });
    options.append(choice);
  }
}

// A repeated request under the same key is answered once: a lost connection can't do it twice.
async function post(body, once) {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": `"${once}"` };
  if (key) headers.Authorization = `Bearer ${key}`;
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  const address = `/api/${encodeURIComponent(user)}/chat`;
  try {
    return await fetch(address, request);
  } catch {
    return await fetch(address, request);
  }
}

async function send(said) {
  const body = { ...said };
  if (conversation) body.conversation_id = conversation;
  body.timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  button.disabled = true;
  options.replaceChildren();
  try {
    const response = await post(body, crypto.randomUUID());
    const reply = await response.json();
    if (response.ok) {
      conversation = reply.conversation_id;
      show(reply.kind, reply.assistant_message);
      offer(reply.question);
    } else {
      conversation = reply.conversation_id ?? conversation;
      show("failure", reply.detail);
      if (response.status === 401 || reply.code === "other_user") {
        held = said;
        login.hidden = false;
      }
    }
  } catch {
    show("failure", "The server can't be reached. It is not known whether this was saved.");
  } finally {
    button.disabled = false;
    (login.hidden ? input : document.getElementById("user")).focus();
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const message = input.value.trim();
  if (!message || button.disabled) return;
  input.value = "";
  show("user", message);
  send({ message });
});

input.focus();

login.addEventListener("submit", (event) => {
  event.preventDefault();
  user = document.getElementById("user").value.trim();
  key = document.getElementById("key").value.trim();
  login.reset();
  login.hidden = true;
  const said = held;
  held = null;
  if (said) send(said);
});
