// Lists that the Tab key enters once: inside, arrows lead from row to row, and j and k from anywhere.

const CONTROLS = "a[href], button:not(:disabled), input, summary";
const STEPS = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
const lists = new Set();

/**
 * Makes one stop of the rows in `place` that match `rows`. What it returns is to be told when they are
 * others: `settle(row)`, where `row` is the one that Tab enters; `fill(children)` replaces them.
 */
export function roving(place, rows) {
  let current = null;
  const all = () => [...place.querySelectorAll(rows)].filter((row) => controls(row).length);
  const settle = (wanted) => {
    const found = all();
    current = [wanted, current].find((row) => found.includes(row)) ?? found[0] ?? null;
    for (const row of found) for (const control of controls(row)) reach(control, row === current);
  };
  const fill = (children) => {
    const inside = place !== document.activeElement && place.contains(document.activeElement);
    place.replaceChildren(...children);
    settle(place.querySelector("[aria-current]")?.closest(rows));
    if (inside && current) controls(current)[0].focus();
  };
  /** Goes on by so many rows, into the same column. */
  const move = (step) => {
    const found = all();
    const at = found.findIndex((row) => row.contains(document.activeElement));
    const next = at < 0 ? current ?? found[0] : found[Math.min(Math.max(at + step, 0), found.length - 1)];
    if (!next) return;
    const column = at < 0 ? 0 : controls(found[at]).indexOf(document.activeElement);
    settle(next);
    const row = controls(next);
    row[Math.min(Math.max(column, 0), row.length - 1)].focus();
    next.scrollIntoView({ block: "nearest" });
  };
  place.addEventListener("focusin", ({ target }) => {
    const row = target.closest(rows);
    if (row && row !== current) settle(row);
  });
  place.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (!(key in STEPS) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (!target.closest(rows) || !target.matches(CONTROLS) || target.closest("form")) return;
    event.preventDefault();
    move(STEPS[key]);
  });
  const list = { place, settle, fill, move };
  lists.add(list);
  return list;
}

/** Moves in the list that has the focus, or in the first that is seen. */
export function moveOn(step) {
  const seen = [...lists].filter(({ place }) => place.isConnected && place.checkVisibility());
  const list = seen.find(({ place }) => place.contains(document.activeElement)) ?? seen[0];
  list?.move(step);
}

function controls(row) {
  return row.matches(CONTROLS) ? [row] : [...row.querySelectorAll(CONTROLS)].filter((one) => !one.closest("form"));
}

function reach(control, within) {
  const index = within ? 0 : -1;
  if (control.tabIndex !== index) control.tabIndex = index;
}
