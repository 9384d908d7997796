// One cell of a board: what it looks like and what a screen reader says of it.

import { s } from "./dom.js";

export const SIDE = 56;
const HALF = SIDE / 2;
const NAMES = ["empty", "X", "O"];

/** The mark of a player around a point: a cross for Player 1, a ring for Player 2. */
export function mark(player, kind = "mark", x = HALF, y = HALF, r = 11) {
  if (player === 2) return s("circle", { class: `${kind} two`, cx: x, cy: y, r: r + 1, pathLength: 1 });
  const d = `M${x - r} ${y - r} ${x + r} ${y + r}M${x + r} ${y - r} ${x - r} ${y + r}`;
  return s("path", { class: `${kind} one`, d, pathLength: 1 });
}

/** A small picture of a player's mark, for beside a name. */
export const badge = (player) =>
  s("svg", { class: "badge", viewBox: "0 0 24 24", "aria-hidden": "true" }, mark(player, "mark", 12, 12, 6));

/** An empty cell at its place; in a mere picture it has no part in the grid. */
export function makeCell(index, x, y, mini) {
  return s(
    "g",
    { "data-cell": index, transform: `translate(${x} ${y})`, ...(mini ? {} : { role: "gridcell", tabindex: -1 }) },
    s("rect", { class: "tile", x: 2, y: 2, width: SIDE - 4, height: SIDE - 4, rx: 9 }),
    s("rect", { class: "ring", x: 4, y: 4, width: SIDE - 8, height: SIDE - 8, rx: 7 }),
    s("g", { class: "inside" }),
  );
}

/** Draw what there is to see. `value` is the overlay's entry for this cell; `named` shows the cell's label in it. */
export function drawCell(element, cell, { value, player, isLast, playable, named, animate }) {
  const owner = cell.owner ?? 0;
  const legal = Boolean(cell.legal);
  const before = element.dataset.owner;
  const key = [owner, cell.worth, legal, cell.fresh, value?.text, value?.best, player, isLast, playable, named].join();
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  element.dataset.owner = owner;
  element.setAttribute("data-label", cell.label);
  const flags = [
    ["free", "one", "two"][owner],
    legal && "legal",
    playable && legal && "open",
    cell.fresh && "fresh",
    isLast && "last",
    value && `value-${value.outcome}`,
    value?.best && "best",
    animate && owner && before === "0" && "new",
  ];
  element.setAttribute("class", ["cell", ...flags.filter(Boolean)].join(" "));
  if (element.hasAttribute("role")) element.setAttribute("aria-label", say(cell, value, isLast));
  if (playable) element.setAttribute("aria-disabled", String(!legal));
  else element.removeAttribute("aria-disabled");

  const inside = element.lastElementChild;
  const text = (kind, x, y, words) => s("text", { class: kind, x, y, text: words });
  const parts = [];
  const place = named ? [HALF, HALF - 5, 9] : []; // Above the cell's label.
  if (owner) parts.push(mark(owner, "mark", ...place));
  if (playable && legal) parts.push(mark(player, "ghost", ...place));
  if (value) parts.push(text("value", HALF, HALF, value.text));
  else if (cell.worth && !owner) parts.push(text("worth", HALF, HALF, cell.worth));
  else if (legal) parts.push(s("circle", { class: "dot", cx: HALF, cy: HALF, r: 3.5 }));
  if (cell.worth && (owner || value)) parts.push(text("corner", 10.5, 12, cell.worth));
  if (named) parts.push(text("corner name-in", 9, SIDE - 13, cell.label));
  if (value?.best) parts.push(s("circle", { class: "star", cx: SIDE - 13, cy: 13, r: 3.5 }));
  inside.replaceChildren(...parts);
}

/** A cell in words, such as "C3, empty, may be claimed, wins by 5, best". */
function say(cell, value, isLast) {
  const words = [cell.label, NAMES[cell.owner ?? 0]];
  if (cell.worth) words.push(`${cell.worth} point${cell.worth === 1 ? "" : "s"}`);
  if (cell.legal) words.push("may be claimed");
  if (value) words.push(value.words);
  if (value?.best) words.push("best");
  if (isLast) words.push("claimed last");
  else if (cell.fresh) words.push("just captured");
  return words.join(", ");
}
