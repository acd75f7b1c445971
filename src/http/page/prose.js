// Sentences of the server as the page shows them: a day in one is written the reader's way, as the list
// writes it. What somebody called a task stays letter for letter.

import { h } from "./dom.js";
import { clockWords, dayWords } from "./words.js";

// "Mon 2026-02-09", "2026-02-09", "Mon 2026-02-09 17:00"
const WRITTEN = /(?:(\p{L}{2,4})\.? )?(?<![\d-])(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?(?![\d-])/gu;
const QUOTED = /"[^"]*"|“[^”]*”|«[^»]*»/g;
const WEEKDAYS = document.documentElement.dataset.languages.split(" ").map((language) => new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" }));

const isWeekday = (name, day) => WEEKDAYS.some((form) => form.format(Date.parse(day)).replace(".", "").toLowerCase() === name.toLowerCase());

/** Where in `line` stands what is not the server's: from, to. */
function kept(line, titles) {
  const quoted = [...line.matchAll(QUOTED)].map(({ 0: text, index }) => [index, index + text.length]);
  const named = titles.filter((title) => title && line.includes(title)).map((title) => [line.indexOf(title), line.indexOf(title) + title.length]);
  return [...quoted, ...named];
}

/** The line in parts: a string, or what a day is called, how it was written and its date. */
function parts(line, { titles = [], bare = false } = {}) {
  const taken = kept(line, titles);
  const found = [];
  let from = 0;
  for (const { 0: text, 1: word, 2: day, 3: clock, index } of line.matchAll(WRITTEN)) {
    if (Number.isNaN(Date.parse(day)) || taken.some(([start, end]) => index + text.length > start && index < end)) continue;
    const whole = word !== undefined && isWeekday(word, day);
    if (!whole && !bare) continue;
    const start = whole ? index : index + text.indexOf(day);
    found.push(line.slice(from, start), {
      words: dayWords(day) + (clock ? ` ${clockWords(clock)}` : ""), date: clock ? `${day}T${clock}` : day, written: line.slice(start, index + text.length),
    });
    from = index + text.length;
  }
  return [...found, line.slice(from)];
}

/**
 * A line as children of an element. `titles` are left alone; `bare` takes a date without its weekday for
 * one, too, which in a receipt's sentence only a title has.
 */
export const prose = (line, about) => parts(line, about).map((part) =>
  (typeof part === "string" ? part : h("time", { datetime: part.date, title: part.written }, part.words)));

/** The same as a string, for who hears it. */
export const proseText = (line, about) => parts(line, about).map((part) => part.words ?? part).join("");
