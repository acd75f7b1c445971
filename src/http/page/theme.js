// Sets the colours before the first paint, so that nothing flashes.
"use strict";
try {
  const chosen = localStorage.getItem("candor.theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
} catch {
  // A browser that keeps nothing shows what the system asks for.
}
