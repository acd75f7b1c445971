// Reminders that are delivered: a line on the page always, a notification where the browser may show one.

import { button, find, h, icon, lasting } from "./dom.js";
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
  place.append(h("p", { id: "offer-notifications", class: "reminder" }, icon("bell"),
    h("span", { class: "about" }, "Reminders show here while the page is open."),
    button("soft", null, "Show notifications too", async () => { await Notification.requestPermission(); leave(); }),
    button("quiet", null, "No", () => { lasting.set("lines-only", true); leave(); })));
  return undefined;
}

/** Shows a reminder that was delivered; false where it was shown before. */
export function show({ task, reminder }) {
  if (shown.has(reminder.id)) return false;
  shown.add(reminder.id);
  const late = reminder.late_ms > LATE ? `, ${duration(reminder.late_ms)} late` : "";
  const when = `${timeWords(reminder.at)}${late}`;
  const line = h("p", { class: "reminder", "data-reminder": reminder.id }, icon("bell"),
    h("span", { class: "about" }, "Reminder: ", h("b", {}, task.title), " ", h("time", { datetime: reminder.at }, when)),
    button("quiet", null, "Dismiss", () => line.remove(), { "aria-label": `Dismiss the reminder: ${task.title}` }));
  place.append(line);
  notify(task.title, when, reminder.id);
  return true;
}

function notify(title, when, id) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  try {
    // Of several tabs that say the same the browser shows one.
    const shown = new Notification(title, { body: `Reminder, ${when}`, tag: id, icon: "/page/icon.svg" });
    shown.onclick = () => { window.focus(); shown.close(); };
  } catch { /* Some phones let no page do that: the line is there. */ }
}
