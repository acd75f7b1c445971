// The agents view: what was handed over, what they noted, what came of it; stop, go on, accept.

import * as api from "./api.js";
import { announce, button, h, icon, note } from "./dom.js";
import { language, pair, say } from "./language.js";
import { roving } from "./rove.js";
import * as tasks from "./tasks.js";
import { count, duration, fullTime, term, timeWords } from "./words.js";

const LIVE = ["pending", "running", "input_required"];
const PICTURE = { completed: "tick", failed: "cross", cancelled: "stop", interrupted: "cross", input_required: "question" };
/** How often a run that goes on is looked at. */
const EVERY = 1500;

let frame = null;
let found = { delegations: [] };
let staff = { agents: [] };
// Whose runs they are, and in which language they are told.
let whose = null;
const who = () => `${api.me.user} ${language()}`;
let open = null;
/** The run that is drawn, as it was told. */
let drawn = { run: null, text: null };
let timer;

/** Shows the view in `place`, and in it one run, or the list alone. */
export async function show(place, handle) {
  if (!frame || whose !== who()) build(place);
  frame.root.toggleAttribute("data-open", Boolean(handle));
  open = handle;
  try {
    [staff, found] = await Promise.all([api.agents(), api.runs()]);
  } catch (problem) {
    frame.list.replaceChildren(h("p", { class: "empty" }, problem.message));
    return;
  }
  handing();
  if (!open && !matchMedia("(max-width: 56rem)").matches) open = found.delegations[0]?.run ?? null;
  list();
  await detail();
}

let soon;
// An agent did something: the list is looked at once for many events.
addEventListener("candor-run", () => {
  clearTimeout(soon);
  soon = setTimeout(() => { if (frame && document.body.dataset.view === "agents") refresh(); }, 200);
});

async function refresh() {
  try {
    found = await api.runs();
    list();
    await detail();
  } catch (problem) {
    note(problem.message);
  }
}

function build(place) {
  whose = who();
  frame = {
    form: h("form", { class: "form" }),
    list: h("nav", { class: "turns scroll", "aria-label": say("page-runs"), tabindex: "0" }),
    detail: h("div", { class: "detail scroll", tabindex: "0", role: "region", "aria-label": say("page-the-run") }),
  };
  // What somebody writes stays where it is while what is around it is drawn anew.
  frame.top = h("div", { class: "part" });
  frame.more = h("div", { class: "part" });
  frame.rest = h("div", { class: "part" });
  drawn = { run: null, text: null };
  frame.walk = roving(frame.list, "a");
  frame.root = h("div", { class: "audit-frame" },
    h("div", { class: "side" },
      h("div", { class: "head" }, h("h2", { id: "agents-title", tabindex: "-1" }, say("page-agents"))),
      h("div", { class: "lead" }, h("details", {}, h("summary", {}, say("page-hand-task")), frame.form)),
      frame.list),
    frame.detail);
  place.replaceChildren(frame.root);
}

/** The form that hands a task over. */
function handing() {
  if (frame.form.contains(document.activeElement)) return;
  const select = (name, options) => h("select", { name }, ...options.map(([value, words]) => h("option", { value }, words)));
  const task = select("task", tasks.all().filter((one) => !one.is_completed).map((one) => [one.id, one.title]));
  const agent = select("agent", staff.agents.map(({ id }) => [`new:${id}`, id]));
  agent.value = `new:${staff.default ?? staff.agents[0]?.id}`;
  const prompt = h("textarea", { name: "prompt", rows: "2", maxlength: "20000" });
  frame.form.onsubmit = async (event) => {
    event.preventDefault();
    if (!task.value) return note(say("page-nothing-to-hand"));
    const body = { assign_to: agent.value, run_in_background: true };
    if (prompt.value.trim()) body.prompt = prompt.value.trim();
    await act(async () => { location.hash = `#/agents/${(await api.handOver(task.value, body)).run}`; });
    return undefined;
  };
  frame.form.replaceChildren(h("label", {}, say("page-task"), task), h("label", {}, say("page-agent"), agent), h("label", {}, say("page-what-to-do"), prompt),
    h("div", { class: "row" }, h("button", { class: "solid" }, say("page-hand-over"))));
}

function list() {
  const rows = found.delegations.map((run) => h("a", { href: `#/agents/${run.run}`, "aria-current": run.run === open ? "page" : null },
    icon(PICTURE[run.state] ?? "agent"),
    h("span", { class: "words" }, run.title, h("span", { class: "only-heard" }, `, ${term(run.state)}`)),
    h("small", {}, `${run.persona}, ${timeWords(run.created_at)}`)));
  if (!rows.length) rows.push(h("div", { class: "empty" }, icon("agent"), h("p", {}, say("page-no-runs")), h("p", {}, say("page-no-runs-hint"))));
  frame.walk.fill(rows);
}

async function detail() {
  clearTimeout(timer);
  if (!open) return void instead();
  let run;
  try {
    run = await api.run(open);
  } catch (problem) {
    return void instead(h("p", { class: "verdict bad" }, icon("cross"), problem.message));
  }
  // Whoever presses or reads something is not disturbed.
  if (!frame.detail.contains(document.activeElement) || document.activeElement === frame.detail || !LIVE.includes(run.state)) draw(run);
  if (LIVE.includes(run.state) && document.body.dataset.view === "agents") timer = setTimeout(detail, EVERY);
  else {
    const mine = found.delegations.find((one) => one.run === run.run);
    if (mine && mine.state !== run.state) { Object.assign(mine, run); list(); announce(say("page-run-is", { run: run.run, state: term(run.state) })); }
  }
  return undefined;
}

/** Shows something other than a run. */
function instead(...children) {
  drawn = { run: null, text: null };
  frame.detail.replaceChildren(...children);
}

function draw(run) {
  const text = JSON.stringify(run);
  if (drawn.text === text) return;
  if (drawn.run !== run.run) {
    frame.more.replaceChildren();
    frame.detail.replaceChildren(h("div", { class: "inner run" }, frame.top, frame.more, frame.rest));
  }
  drawn = { run: run.run, text };
  const live = LIVE.includes(run.state);
  const { result } = run;
  const times = [["page-begun", run.started_at], ["page-ended", run.ended_at]].filter(([, at]) => at);
  const took = run.ended_at && run.started_at ? Date.parse(run.ended_at) - Date.parse(run.started_at) : null;
  const facts = [["page-agent", `${run.agent_id} (${run.persona})`], ["page-the-model", run.model ? `${run.provider} (${run.model})` : run.provider], ["page-run", say("page-round", { run: run.run, round: run.round })],
    ...times.map(([name, at]) => [name, fullTime(at)]), took !== null && ["page-took", duration(took)], ["page-calls", String(run.tool_calls)]].filter(Boolean);
  frame.top.replaceChildren(
    h("a", { class: "quiet back", href: "#/agents" }, say("page-back-runs")),
    h("div", {}, h("h2", {}, run.title), h("p", { class: `state ${run.state}` }, live ? dots() : icon(PICTURE[run.state] ?? "agent"), term(run.state), run.stopping && live ? `, ${say("page-being-stopped")}` : "")),
    h("div", { class: "row" }, ...acts(run, live)));
  frame.rest.replaceChildren(...[
    run.error && h("p", { class: "verdict bad" }, icon("cross"), h("span", {}, run.error.message ?? run.error.error ?? JSON.stringify(run.error))),
    result && h("section", { "aria-label": say("page-result") }, h("h3", {}, say("page-reports", { how: term(result.verification ?? result.outcome) })),
      h("p", { class: "report" }, result.text ?? JSON.stringify(result.json, null, 2)), evidence(result, run)),
    run.run_notes?.length > 0 && h("section", {}, h("h3", {}, say("page-run-notes")), h("ul", { class: "jots" }, ...run.run_notes.map((text) => h("li", {}, text)))),
    h("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [h("dt", {}, say(name)), h("dd", {}, value)])),
    run.calls?.length > 0 && h("details", {}, h("summary", {}, count(run.calls.length, "page-calls-counted")), h("pre", { tabindex: "0" }, JSON.stringify(run.calls, null, 2))),
    h("details", {}, h("summary", {}, say("page-prompt")), h("pre", { tabindex: "0" }, run.prompt)),
  ].filter(Boolean));
}

function dots() {
  return h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
}

function evidence(result, run) {
  if (!result.evidence?.length) return h("p", { class: "because" }, say("page-no-evidence"));
  const cited = new Set(result.evidence);
  const calls = (run.calls ?? []).filter((call) => cited.has(call.receipt)).map((call) => `${call.receipt} ${call.name}`);
  return h("p", { class: "because" }, pair("page-evidence", (calls.length ? calls : result.evidence).join(", ")));
}

function acts(run, live) {
  const steer = (verb, words) => () => act(() => api.steer(run.run, verb, verb === "cancel" ? {} : undefined), words);
  if (live) return [button("soft", "stop", say("page-stop"), steer("cancel", say("page-run-stopped", { run: run.run })))];
  const found = [];
  if (run.state === "completed" && !run.review) {
    found.push(button("solid", "tick", say("page-accept"), steer("accept", say("page-accepted"))), button("soft", "cross", say("page-reject"), steer("reject", say("page-rejected"))));
  }
  if (run.review) found.push(h("span", { class: "tag" }, icon(run.review === "accepted" ? "tick" : "cross"), term(run.review)));
  if (run.task_id) found.push(button("soft", "retry", say("page-go-on-with"), () => resume(run)));
  return found;
}

/** Goes on with the same session, with more to say. */
function resume(run) {
  const begun = frame.more.querySelector("textarea");
  if (begun) return void begun.focus();
  const prompt = h("textarea", { rows: "2", required: true, maxlength: "20000" });
  const form = h("form", { class: "form", on: { submit: (event) => {
    event.preventDefault();
    act(async () => { location.hash = `#/agents/${(await api.handOver(run.task_id, { resume: run.agent_id, prompt: prompt.value, run_in_background: true })).run}`; });
  } } }, h("label", {}, say("page-next", { agent: run.agent_id }), prompt), h("div", { class: "row" }, h("button", { class: "solid" }, say("page-go-on"))));
  frame.more.replaceChildren(form);
  prompt.focus();
  return undefined;
}

async function act(work, words) {
  try {
    await work();
    if (words) { announce(words); note(words); }
  } catch (problem) {
    note(problem.message);
  }
  frame.detail.focus();
  await refresh();
  await tasks.load().catch((problem) => note(problem.message));
}
