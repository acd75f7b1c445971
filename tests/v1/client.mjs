// What the JavaScript clients of the OpenAI API make of our answers, as one JSON object. What is
// asked is fixed; tests/v1/node.rs says what must come of it.

import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, Output, streamText, tool } from "ai";
import OpenAI from "openai";

const baseURL = "BASE_URL";
const begins = (text, words) => (text.startsWith(words) ? words : text);

/** The AI SDK: a chat that is sent back as the SDK remembers it. */
async function ai() {
  const model = createOpenAI({ baseURL, apiKey: "none" })("candor");
  const options = { model, maxRetries: 0 };
  const messages = [{ role: "user", content: "add Read book" }];
  const say = async (content) => {
    messages.push({ role: "user", content });
    return { ...options, messages };
  };
  const first = await generateText({ ...options, messages });
  messages.push(...first.response.messages);
  const second = await generateText(await say("mark it as done"));
  messages.push(...second.response.messages);
  const third = streamText(await say("undo"));
  let streamed = "";
  for await (const piece of third.textStream) streamed += piece;
  const fault = async (more, words) => {
    try {
      await generateText({ ...options, prompt: "add eggs", ...more });
    } catch (error) {
      return [error.statusCode, begins(error.message, words)];
    }
  };
  const schema = jsonSchema({ type: "object", properties: { title: { type: "string" } } });
  const tools = { weather: tool({ description: "x", inputSchema: schema }) };
  return {
    generated: first.text,
    finish: first.finishReason,
    referred: second.text,
    streamed,
    streamed_finish: await third.finishReason,
    usage: first.usage.totalTokens === first.usage.inputTokens + first.usage.outputTokens,
    warnings: first.warnings.length,
    object: await fault({ output: Output.object({ schema }) }, "Structured output"),
    tools: await fault({ tools }, "Tools of the client's"),
  };
}

/** Titles, as chats made with the AI SDK ask for them; each by both of the API's shapes. */
async function titles() {
  const provider = createOpenAI({ baseURL, apiKey: "none" });
  const order = { role: "user", content: "delete Read book" };
  const asked = [
    {
      system: "- you will generate a short title from the first message of a conversation",
      prompt: order.content,
    },
    {
      system: "You are a title generator. You output a thread title and nothing else.",
      messages: [{ role: "user", content: "Generate a title for this conversation:\n" }, order],
    },
  ];
  const models = [provider("candor"), provider.chat("candor")];
  const given = models.flatMap((model) =>
    asked.map((request) => generateText({ model, maxRetries: 0, ...request })),
  );
  return (await Promise.all(given)).map((answer) => answer.text);
}

/** The library of the API itself. */
async function openai() {
  const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
  const model = "candor";
  const added = await client.responses.create({ model, input: "add milk" });
  const done = await client.responses.create({
    model,
    input: "mark it as done",
    previous_response_id: added.id,
  });
  const stream = await client.responses.create({
    model,
    input: "undo",
    previous_response_id: done.id,
    stream: true,
  });
  let streamed = "";
  let last;
  for await (const event of stream) {
    if (event.type === "response.output_text.delta") streamed += event.delta;
    last = event.type;
  }
  const fault = async (ask, ...names) => {
    try {
      await ask();
    } catch (error) {
      return names.map((name) => error[name]);
    }
  };
  const schema = { type: "object", properties: {} };
  const input = "add eggs";
  const messages = [{ role: "user", content: input }];
  const text = { format: { type: "json_schema", name: "x", schema } };
  const response_format = { type: "json_schema", json_schema: { name: "x", schema } };
  const tools = [{ type: "function", function: { name: "x", parameters: schema } }];
  return {
    text: added.output_text,
    continued: done.output_text,
    streamed,
    events: last,
    parse: await fault(() => client.responses.parse({ model, input, text }), "param", "status"),
    completion_parse: await fault(
      () => client.chat.completions.parse({ model, messages, response_format }),
      "param",
      "status",
    ),
    tools: await fault(
      () => client.chat.completions.create({ model, messages, tools, tool_choice: "required" }),
      "param",
      "status",
    ),
    previous: (
      await fault(
        () => client.responses.create({ model, input, previous_response_id: "resp_1" }),
        "code",
      )
    )[0],
  };
}

console.log(JSON.stringify({ ai: await ai(), openai: await openai(), titles: await titles() }));
