// Reminders that are delivered: a line on the page always, a notification where the browser may show one.

import { button, find, h, icon, lasting } from "./dom.js";
import { made, pair, say } from "./language.js";
import { duration, timeWords } from "./words.js";

const place = find("reminders");
/** So much later than its time it came late, in ms. */
const LATE = 60_000;
// What was shown once is not shown again when a server that was killed sends it anew.
const shown = new Set();

/** The reminder of a task that waits, if one does. */
export const waiting = (task) => task.reminders?.find((one) => one.state === "waiting");

/** Whether the browser would ask if it were told to. */
const mayAsk = () => "Notification" in window && Notification.permission === "default" && !lasting.get("lines-only");

/** Offers notifications where a reminder waits, until the user has said yes or no. Nothing is asked before it is pressed. */
export function offer(waits) {
  const standing = find("offer-notifications");
  if (!waits || !mayAsk()) return standing?.remove();
  if (standing) return undefined;
  const leave = () => find("offer-notifications")?.remove();
  place.append(made(() => h("p", { id: "offer-notifications", class: "reminder" }, icon("bell"),
    h("span", { class: "about" }, say("page-reminders-here")),
    button("soft", null, say("page-notify"), async () => { await Notification.requestPermission(); leave(); }),
    button("quiet", null, say("page-no"), () => { lasting.set("lines-only", true); leave(); }))));
  return undefined;
}

/** Shows a reminder that was delivered; false where it was shown before. */
export function show({ task, reminder }) {
  if (shown.has(reminder.id)) return false;
  shown.add(reminder.id);
  const when = () => {
    const time = timeWords(reminder.at);
    return reminder.late_ms > LATE ? say("page-late", { time, duration: duration(reminder.late_ms) }) : time;
  };
  place.append(made(() => h("p", { class: "reminder", "data-reminder": reminder.id }, icon("bell"),
    h("span", { class: "about" }, pair("page-reminder", ""), h("b", {}, task.title), " ", h("time", { datetime: reminder.at }, when())),
    button("quiet", null, say("page-dismiss"), (event) => event.target.closest(".reminder").remove(), { "aria-label": pair("page-dismiss-reminder", task.title) }))));
  notify(task.title, when(), reminder.id);
  return true;
}

function notify(title, when, id) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  try {
    // Of several tabs that say the same the browser shows one.
    const shown = new Notification(title, { body: pair("page-reminder", when), tag: id, icon: "/page/icon.svg" });
    shown.onclick = () => { window.focus(); shown.close(); };
  } catch { /* Some phones let no page do that: the line is there. */ }
}
