// Plays a chat through the AI SDK's own client, as a page would, and prints what the client made
// of it, one JSON object a line. What a page configures is read from docs/CLIENTS.md.

import { AbstractChat, DefaultChatTransport, readUIMessageStream } from "ai";

/** What `useChat` is without React. */
export class Chat extends AbstractChat {
  constructor(options) {
    const state = {
      status: "ready",
      error: undefined,
      messages: [],
      pushMessage: (message) => state.messages.push(structuredClone(message)),
      popMessage: () => state.messages.pop(),
      replaceMessage: (index, message) => (state.messages[index] = structuredClone(message)),
      snapshot: (value) => structuredClone(value),
    };
    super({ ...options, state });
  }
}

const print = (line) => console.log(JSON.stringify(line));
const text = (message) =>
  message.parts.filter((part) => part.type === "text").map((part) => part.text).join("");
const tools = (message) => message.parts.filter((part) => part.type.startsWith("tool-"));
const told = (what, chat) => {
  const message = chat.messages.at(-1);
  print({
    what,
    status: chat.status,
    error: chat.error?.message,
    count: chat.messages.length,
    role: message?.role,
    id: message?.id,
    text: message && text(message),
    tools: message && tools(message).map(({ type, state, output, errorText }) => ({
      type, state, output, errorText,
    })),
    receipts: message && message.parts.filter((part) => part.type === "data-receipt").length,
    metadata: message?.metadata,
  });
};
const settled = async (chat) => {
  while (chat.status === "submitted" || chat.status === "streaming") {
    await new Promise((wake) => setTimeout(wake, 10));
  }
};
const approval = (chat) =>
  tools(chat.messages.at(-1)).find((part) => part.state === "approval-requested").approval;

/** Plays everything against the server; `page` is what docs/CLIENTS.md has a page configure. */
export async function play(page, server) {
  const chat = new Chat({ id: "a-chat", ...page });
  await chat.sendMessage({ text: "add milk tomorrow" });
  told("text and tool", chat);
  await chat.regenerate();
  told("regenerated", chat);

  await chat.sendMessage({ text: "delete everything" });
  told("asked", chat);
  await chat.addToolApprovalResponse({ id: approval(chat).id, approved: false });
  await new Promise((wake) => setTimeout(wake, 0));
  await settled(chat);
  told("declined", chat);

  await chat.sendMessage({ text: "delete everything" });
  await chat.addToolApprovalResponse({ id: approval(chat).id, approved: true });
  await new Promise((wake) => setTimeout(wake, 0));
  await settled(chat);
  told("approved", chat);

  // Another text in place of the last message's, then of the first one's.
  const edited = new Chat({ id: "edited", ...page });
  await edited.sendMessage({ text: "add tea" });
  await edited.sendMessage({ text: "add coffee", messageId: edited.messages[0].id });
  told("edited", edited);
  await edited.regenerate();
  told("edited and regenerated", edited);
  await edited.sendMessage({ text: "add coffee", messageId: edited.messages[0].id });
  told("edited to the same", edited);
  const image = { type: "file", mediaType: "image/png", url: "data:image/png;base64,iVBORw0KGgo=" };
  await edited.sendMessage({ text: "add this", files: [image] });
  told("an image", edited);

  // A page that is loaded anew in the middle of a turn.
  const slow = new Chat({ id: "slow", ...page });
  const sending = slow.sendMessage({ text: "add bread" });
  while (slow.messages.at(-1)?.role !== "assistant") {
    await new Promise((wake) => setTimeout(wake, 10));
  }
  await slow.stop();
  await sending;
  const reloaded = new Chat({ id: "slow", ...page });
  reloaded.messages = [slow.messages[0]];
  const resuming = reloaded.resumeStream();
  await new Promise((wake) => setTimeout(wake, 100));
  await fetch(`${server}/go`, { method: "POST" });
  await resuming;
  told("resumed", reloaded);
  await reloaded.resumeStream();
  told("nothing to resume", reloaded);

  const failing = new Chat({ id: "failing", ...page });
  await failing.sendMessage({ text: "add salt" });
  told("failed", failing);
  await failing.regenerate();
  told("tried again", failing);
  await failing.sendMessage({ text: "x".repeat(5001) });
  told("refused", failing);
}

/** Reads one recorded stream as the client does; says whether it takes it. */
export async function check(stream) {
  const transport = new DefaultChatTransport({
    api: "http://localhost/",
    fetch: async () => new Response(stream, { headers: { "content-type": "text/event-stream" } }),
  });
  try {
    const chunks = await transport.sendMessages({
      chatId: "c",
      messages: [],
      trigger: "submit-message",
    });
    let last;
    for await (const message of readUIMessageStream({ stream: chunks, terminateOnError: true })) {
      last = message;
    }
    const open = last.parts.filter(
      (part) => part.state === "streaming" || part.state?.startsWith("input-"),
    );
    print({ taken: open.length === 0 && text(last) !== "", open });
  } catch (fault) {
    print({ taken: false, fault: String(fault) });
  }
}
