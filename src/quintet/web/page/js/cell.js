// One cell of a board: what it looks like and what a screen reader says about it.

import { s } from "./dom.js";

export const SIDE = 56;
const HALF = SIDE / 2;
const OWNERS = ["empty", "X", "O"];

/** What claiming a cell is worth, as it is shown. @typedef {Api.CellValue} CellValue */

/**
 * The mark of a player around a point: a cross for Player 1, a ring for Player 2.
 * @param {number | null} player
 */
export function mark(player, kind = "mark", x = HALF, y = HALF, r = 11) {
  if (player === 2) return s("circle", { class: `${kind} two`, cx: x, cy: y, r: r + 1, pathLength: 1 });
  const d = `M${x - r} ${y - r} ${x + r} ${y + r}M${x + r} ${y - r} ${x - r} ${y + r}`;
  return s("path", { class: `${kind} one`, d, pathLength: 1 });
}

/** A small picture of a player's mark, for beside a name. @param {number} player */
export const badge = (player) =>
  s("svg", { class: "badge", viewBox: "0 0 24 24", "aria-hidden": "true" }, mark(player, "mark", 12, 12, 6));

/**
 * An empty cell at its place; in a mere picture it has no part in the grid.
 * @param {number} index
 * @param {number} x
 * @param {number} y
 * @param {boolean} isPicture
 */
export function makeCell(index, x, y, isPicture) {
  return s(
    "g",
    { "data-cell": index, transform: `translate(${x} ${y})`, ...(isPicture ? {} : { role: "gridcell", tabindex: -1 }) },
    s("rect", { class: "tile", x: 2, y: 2, width: SIDE - 4, height: SIDE - 4, rx: 9 }),
    s("rect", { class: "ring", x: 4, y: 4, width: SIDE - 8, height: SIDE - 8, rx: 7 }),
    s("g", { class: "inside" }),
  );
}

/**
 * How a cell is to be drawn.
 * @typedef {object} Look
 * @property {CellValue} [value] the overlay's entry for this cell
 * @property {number | null} player whose turn it is
 * @property {boolean} isLast whether it was claimed last
 * @property {boolean} playable whether the board takes claims
 * @property {boolean} showLabel whether the cell shows its own label
 * @property {boolean} animate whether a new mark is written slowly
 */

/**
 * Draw a cell.
 * @param {SVGGElement} element
 * @param {Api.Cell} cell
 * @param {Look} look
 */
export function drawCell(element, cell, { value, player, isLast, playable, showLabel, animate }) {
  const owner = cell.owner ?? 0;
  const legal = Boolean(cell.legal);
  const before = element.dataset.owner;
  const shown = [owner, cell.worth, legal, cell.fresh, value?.text, value?.best, player, isLast, playable, showLabel];
  const key = shown.join();
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  element.dataset.owner = String(owner);
  element.dataset.label = cell.label;
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
  if (element.hasAttribute("role")) element.setAttribute("aria-label", inWords(cell, value, isLast));
  if (playable) element.setAttribute("aria-disabled", String(!legal));
  else element.removeAttribute("aria-disabled");

  /** @type {(kind: string, x: number, y: number, words: string | number) => SVGTextElement} */
  const text = (kind, x, y, words) => s("text", { class: kind, x, y, text: words });
  /** @type {Element[]} */
  const parts = [];
  /** @type {[number, number, number]} */
  const place = showLabel ? [HALF, HALF - 5, 9] : [HALF, HALF, 11]; // Above the cell's label.
  if (owner) parts.push(mark(owner, "mark", ...place));
  if (playable && legal) parts.push(mark(player, "ghost", ...place));
  if (value) parts.push(text("value", HALF, HALF, value.text.replace("-", "−")));
  else if (cell.worth && !owner) parts.push(text("worth", HALF, HALF, cell.worth));
  else if (legal) parts.push(s("circle", { class: "dot", cx: HALF, cy: HALF, r: 3.5 }));
  if (cell.worth && (owner || value)) parts.push(text("corner", 10.5, 12, cell.worth));
  if (showLabel) parts.push(text("corner name-in", 9, SIDE - 13, cell.label));
  if (value?.best) parts.push(s("circle", { class: "star", cx: SIDE - 13, cy: 13, r: 3.5 }));
  element.lastElementChild?.replaceChildren(...parts);
}

/**
 * A cell in words, such as "C3, empty, legal move, wins by 5, best".
 * @param {Api.Cell} cell
 * @param {CellValue | undefined} value
 * @param {boolean} isLast
 */
function inWords(cell, value, isLast) {
  const words = [cell.label, OWNERS[cell.owner ?? 0]];
  if (cell.worth) words.push(`${cell.worth} point${cell.worth === 1 ? "" : "s"}`);
  if (cell.legal) words.push("legal move");
  if (value) words.push(value.words);
  if (value?.best) words.push("best");
  if (isLast) words.push("last move");
  else if (cell.fresh) words.push("just captured");
  return words.join(", ");
}
