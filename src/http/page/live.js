// The stream of changes: what happened to the list, whoever did it. A line that broke is taken up where
// it was; where there is no stream at all, the list is read now and then.

import { changes, me } from "./api.js";

const EVERY = 5000;

/**
 * Follows the user's changes until the function it returns is called. `changed(actions)` is given
 * receipts, `reset()` says that the list is to be read anew, `other(name, data)` tells of reminders and
 * agents; `stays()` says whether something is waited for while nobody looks.
 */
export function follow({ changed, reset, other, began, stays }) {
  let stopped = false;
  let last = null;
  let line = null;
  let wake = () => {};

  // A tab that nobody looks at holds no connection, since a browser has few of them for one server; but
  // where a reminder is waited for, one of those tabs does.
  let watch = null;
  const off = () => document.hidden && !watch?.held;
  const shown = () => {
    watch?.end();
    watch = document.hidden && stays() ? watchUnseen(() => wake()) : null;
    if (off()) line?.abort(); else wake();
  };
  document.addEventListener("visibilitychange", shown);

  // An import is thousands of changes: what comes together is shown together.
  let held = [];
  let soon = null;
  const hold = (action) => {
    held.push(action);
    soon ??= setTimeout(() => { soon = null; changed(held.splice(0)); }, 40);
  };

  const take = ({ id, name, data }) => {
    if (id) {
      if (last === null) began(Number(id));
      last = id;
    }
    if (name === "reset") reset();
    else if (name === "change") hold(data);
    else if (name) other(name, data);
  };

  const go = async () => {
    while (!stopped) {
      if (off()) await new Promise((done) => { wake = done; });
      line = new AbortController();
      try {
        const fresh = last === null;
        const response = await changes(last, line.signal);
        // What came to be before the line stood is in the list alone.
        if (fresh) reset();
        await read(response.body, take);
      } catch { /* Taken up below. */ }
      if (stopped || off()) continue;
      await new Promise((done) => setTimeout(done, last === null ? EVERY : 1000));
      if (last === null && !stopped) await reset();
    }
  };
  go();
  return () => { stopped = true; watch?.end(); line?.abort(); wake(); document.removeEventListener("visibilitychange", shown); };
}

/**
 * Makes this tab the one of those out of sight that keeps its line, once no other is: then `held` is true,
 * and `taken()` is called. Where the browser can't tell, each of them does.
 */
function watchUnseen(taken) {
  const ended = new AbortController();
  const watch = { held: !navigator.locks, end: () => ended.abort() };
  const keep = () => new Promise((done) => {
    watch.held = true;
    taken();
    ended.signal.addEventListener("abort", done);
  });
  navigator.locks?.request(`candor.watch.${me.user}`, { signal: ended.signal }, keep).catch(() => { /* It ended first. */ });
  return watch;
}

/** Reads server-sent events to the end of a body. */
export async function read(body, take) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    held += value;
    const blocks = held.split("\n\n");
    held = blocks.pop();
    for (const block of blocks) take(event(block));
  }
}

function event(block) {
  const found = { id: null, name: null, data: null };
  for (const line of block.split("\n")) {
    const [, field, text] = /^(\w*): ?(.*)$/.exec(line) ?? [];
    if (field === "id") found.id = text;
    else if (field === "event") found.name = text;
    else if (field === "data") found.data = text === "[DONE]" ? null : JSON.parse(text);
  }
  return found;
}
