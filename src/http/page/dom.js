// Makes elements. Text is always a text node: there is no way in here from a string to markup.

import { say } from "./language.js";

const SVG = "http://www.w3.org/2000/svg";

/** An element: attributes (`on` holds listeners, `false`, null and undefined leave one out), children. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A picture from the sprite, which says nothing by itself. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `/page/icons.svg#${name}`);
  svg.append(use);
  return svg;
}

/** A button with a picture and words. */
export function button(kind, name, words, press, attributes = {}) {
  return h("button", { type: "button", class: kind, on: { click: press }, ...attributes }, name && icon(name), words);
}

/** A button with a picture alone; `words` are for who can't see it. */
export function pictured(name, words, press) {
  return h("button", { type: "button", class: "icon", "aria-label": words, title: words, on: { click: press } }, icon(name));
}

export const find = (id) => document.getElementById(id);

/** Tells a screen reader, without moving anything. */
export function announce(words) {
  find("said").textContent = words;
}

/** A note at the foot of the page, with one thing that can be done, which the message `name` names. */
export function note(words, name, act) {
  const card = h("div", { class: "note-card", role: "status" }, h("span", {}, words));
  const gone = () => card.remove();
  if (act) card.append(h("button", { type: "button", "data-say": name, on: { click: () => { gone(); act(); } } }, say(name)));
  card.append(h("button", { type: "button", "aria-label": say("page-dismiss"), "data-say-label": "page-dismiss", on: { click: gone } }, "×"));
  const notes = find("notes");
  while (notes.children.length > 2) notes.firstChild.remove();
  notes.append(card);
  let left = setTimeout(gone, 8000);
  // Whoever is at it is given the time.
  card.addEventListener("focusin", () => clearTimeout(left));
  card.addEventListener("pointerenter", () => clearTimeout(left));
  card.addEventListener("pointerleave", () => { left = setTimeout(gone, 3000); });
}

/** What a browser keeps for this tab or for good; where it keeps nothing, nothing is kept. */
function kept(storage) {
  return {
    get(name) {
      try { return JSON.parse(storage().getItem(`candor.${name}`)); } catch { return null; }
    },
    set(name, value) {
      try {
        if (value === null) storage().removeItem(`candor.${name}`);
        else storage().setItem(`candor.${name}`, JSON.stringify(value));
      } catch { /* It works without. */ }
    },
  };
}
export const tab = kept(() => sessionStorage);
export const lasting = kept(() => localStorage);
