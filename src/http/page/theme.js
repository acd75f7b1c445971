// Sets the colours and the language before the first paint, so that nothing flashes.
"use strict";
const kept = (name) => {
  try { return localStorage.getItem(`candor.${name}`); } catch {
    // A browser that keeps nothing shows what the system asks for.
    return null;
  }
};
const chosen = kept("theme");
if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;

const wanted = [(kept("language") ?? "").replaceAll('"', ""), ...navigator.languages].map((tag) => tag.split("-")[0]);
const spoken = wanted.find((code) => document.documentElement.dataset.languages.split(" ").includes(code)) ?? "en";
document.documentElement.lang = spoken;
// What stands in the file is English: it is not seen until the words are there.
if (spoken !== "en") document.documentElement.dataset.unsaid = "";
