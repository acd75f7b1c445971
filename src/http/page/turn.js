// One turn, followed while it runs: what the server tells of it (the UI message stream of the AI SDK)
// becomes progress, and at its end the reply.

import { Problem, resumeTurn, startTurn } from "./api.js";
import { say } from "./language.js";
import { read } from "./live.js";

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Runs a turn. `asked` is `{chat, words, answer?, timezone, language_hint?}`; the same `key` runs once,
 * however often it is asked: so a lost line, and a page that was loaded anew, just ask again.
 * `progress` is told what happens meanwhile.
 */
export async function runTurn(asked, key, progress) {
  progress({ state: "asked" });
  for (let tries = 0; ; tries += 1) {
    try {
      const response = await begun(asked, key, progress);
      const reply = response && await follow(response.body, progress);
      if (reply) return reply;
      progress({ state: "lost" });
    } catch (problem) {
      if (problem.status !== 0 || tries > 2) throw problem;
      progress({ state: "lost" });
    }
    await pause(Math.min(300 * (tries + 1), 2000));
  }
}

/** The stream of the turn: a new one, the one that runs, or the answer as it was. Null: ask once more. */
async function begun(asked, key, progress) {
  try {
    return await startTurn(asked, key);
  } catch (problem) {
    if (problem.code !== "still_running") throw problem;
    progress({ state: "running" });
    const response = await resumeTurn(asked.chat);
    return response.status === 204 ? null : response;
  }
}

/** Reads a turn to its end; null when the line broke before it. */
async function follow(body, progress) {
  const told = { text: "", actions: [], question: null, meta: null, ended: false, fault: null };
  const tools = new Map();
  const take = ({ data }) => {
    if (data) hear(data, told, tools, progress);
  };
  try {
    await read(body, take);
  } catch {
    return null;
  }
  if (told.fault) throw new Problem(503, { detail: told.fault, code: "no_answer" });
  if (!told.ended) return null;
  const { meta } = told;
  return {
    conversation_id: meta.conversation_id, turn_id: meta.turn_id, kind: meta.kind, assistant_message: told.text,
    actions: told.actions, question: told.question, error: meta.error, execution_metadata: meta.execution_metadata ?? null,
  };
}

function hear(event, told, tools, progress) {
  switch (event.type) {
    case "start-step": progress({ state: "model" }); break;
    case "tool-input-available":
      tools.set(event.toolCallId, event.toolName);
      // A call that waits for a yes is told as the question it is.
      if (!event.toolCallId.startsWith("ask_")) progress({ state: "call", tool: event.toolName });
      break;
    case "tool-output-available": progress({ state: "saved", text: event.output?.message ?? say("page-done") }); break;
    case "tool-output-denied": progress({ state: "refused", tool: tools.get(event.toolCallId) ?? null }); break;
    case "tool-output-error":
    case "tool-input-error": progress({ state: "failed", text: event.errorText }); break;
    case "data-receipt": told.actions.push(event.data); break;
    case "data-question": told.question = event.data; break;
    case "text-delta": told.text += event.delta; break;
    case "message-metadata": told.meta = event.messageMetadata; break;
    case "finish": told.ended = told.meta !== null; break;
    case "error": told.fault = event.errorText; break;
    case "abort": told.fault = told.text || say("page-was-stopped"); break;
    default: break;
  }
}
