// The page's words in the reader's language. The server has them, one file a language (`/page/words/de.json`);
// theme.js says in which one the page begins, by the browser's languages or what was chosen before.

import { words as fetchWords } from "./api.js";
import { find, lasting } from "./dom.js";

const root = document.documentElement;
/** Whose days and numbers a language writes, where its own are in other letters. */
const WRITES = { ur: "en" };

let words = {};
let tag = "en";
let plural = null;
// Elements of words, with what makes them anew.
const makers = new WeakMap();

/** The language of the page: `en`, `ur` … */
export const language = () => root.lang.split("-")[0];

/** The language that was chosen by hand, if one was. */
export const chosen = () => lasting.get("language");

/** What HTML calls a language, as the page's choice of them says: Roman Urdu is Urdu in Latin letters. */
export const langOf = (code) => [...find("language").options].find((one) => one.value === code)?.lang ?? code ?? null;

/** The locale of days and numbers: the browser's own where it speaks the language. */
export const locale = () => tag;

/** A message with its values filled in; `count` chooses its plural form. */
export const say = (name, values) => parts(name, values).join("");

/** The same in parts, so that a value may be an element. */
export function parts(name, values = {}) {
  const found = words[name.slice("page-".length)] ?? name;
  const text = typeof found === "string" ? found : found[plural.select(values.count ?? 0)] ?? found.other;
  return text.split(/\{\$(\w+)\}/).map((part, at) => (at % 2 ? values[part] ?? "" : part));
}

/** "Undo: X": the message `name`, and what it is about. */
export const pair = (name, what) => say("page-pair", { name: say(name), what });

/** An element that `make` makes, and makes anew when the language is another; it is given the `old` one then. */
export function made(make, old) {
  const element = make(old);
  makers.set(element, make);
  element.setAttribute("data-made", "");
  return element;
}

/** Reads the words of the first language, and wires the choice up; `changed()` draws what is drawn by hand. */
export async function begin(changed) {
  const choice = find("language");
  while (!await load(language()).then(() => true, () => delete root.dataset.unsaid && false)) {
    await new Promise((done) => setTimeout(done, 1000));
  }
  choice.value = language();
  choice.addEventListener("change", async () => {
    try {
      await load(choice.value);
    } catch {
      choice.value = language();
      return;
    }
    lasting.set("language", choice.value);
    for (const element of document.querySelectorAll("[data-made]")) element.replaceWith(made(makers.get(element), element));
    changed();
  });
}

async function load(code) {
  words = await fetchWords(code);
  root.lang = langOf(code);
  const writes = WRITES[code] ?? code;
  const own = [Intl.DateTimeFormat().resolvedOptions().locale, ...navigator.languages];
  tag = own.find((one) => one.split("-")[0] === writes) ?? writes;
  plural = new Intl.PluralRules(tag);
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const [mark, name] of [["data-say-label", "aria-label"], ["data-say-placeholder", "placeholder"]]) {
    for (const element of document.querySelectorAll(`[${mark}]`)) element.setAttribute(name, say(element.getAttribute(mark)));
  }
  delete root.dataset.unsaid;
}
