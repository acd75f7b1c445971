// A small chat: sends lines, shows replies. Everything shown is a text node.
"use strict";

const lines = document.getElementById("lines");
const options = document.getElementById("options");
const form = document.getElementById("form");
const input = document.getElementById("message");
const button = form.querySelector("button");

let conversation = null;

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
async function post(body, key) {
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": `"${key}"` },
    body: JSON.stringify(body),
  };
  try {
    return await fetch("/api/me/chat", request);
  } catch {
    return await fetch("/api/me/chat", request);
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
    }
  } catch {
    show("failure", "The server can't be reached. It is not known whether this was saved.");
  } finally {
    button.disabled = false;
    input.focus();
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
