// The stream of changes: what happened to the list, whoever did it. Where there is no stream, or it
// broke, the list is read now and then.

import * as api from "./api.js";

const EVERY = 4000;

/** Follows the user's changes until `stop` is called; `changed(actions)`, `reset()` is "read anew". */
export function follow({ changed, reset }) {
  let stopped = false;
  const tick = async () => {
    while (!stopped) {
      await new Promise((done) => setTimeout(done, EVERY));
      if (!stopped && !document.hidden) await reset();
    }
  };
  tick();
  const look = () => { if (!document.hidden) reset(); };
  document.addEventListener("visibilitychange", look);
  return () => { stopped = true; document.removeEventListener("visibilitychange", look); };
}
