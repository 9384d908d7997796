// One cell of a board: what it looks like and what a screen reader says about it.

import { s } from "./dom.js";
import { joined, tr, trCount } from "./language.js";
import { signed } from "./names.js";

export const SIDE = 56;
const HALF = SIDE / 2;
const OWNERS = [tr("empty"), "X", "O"];
const KINDS = ["free", "one", "two"];

/** What each cell shows. @type {WeakMap<Element, string>} */
const drawn = new WeakMap();

/** Lines across a cell, which say without colour that it may not be claimed. */
const HATCH = [-24, -12, 0, 12, 24].map((k) => {
  const [low, high] = [Math.max(8, 8 + k), Math.min(48, 48 + k)];
  return `M${low} ${56 + k - low} ${high} ${56 + k - high}`;
}).join("");

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
 * @param {[number, number]} place
 * @param {boolean} isPicture
 */
export function makeCell(index, [x, y], isPicture) {
  const grid = isPicture ? {} : { role: "gridcell", tabindex: -1 };
  return s(
    "g",
    { "data-cell": index, transform: `translate(${x} ${y})`, ...grid },
    s("rect", { class: "tile", x: 2, y: 2, width: SIDE - 4, height: SIDE - 4, rx: 9 }),
    s("path", { class: "hatch", d: HATCH }),
    s("rect", { class: "ring", x: 4, y: 4, width: SIDE - 8, height: SIDE - 8, rx: 7 }),
    s("g", { class: "inside" }),
  );
}

/** The colour of a part of the board, as a hue. @param {number} part */
export const hueOf = (part) => (part * 137 + 95) % 360;

/**
 * What carries the number of a move to come: square for Player 1, round for Player 2.
 * @param {number} player
 * @param {boolean} isBadge whether it is in a corner, beside the cell's own name
 */
function stone(player, isBadge) {
  const [x, y, r] = isBadge ? [SIDE - 15, 15, 11] : [HALF, HALF, 15];
  const place = { x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: player === 1 ? 5 : r };
  return s("rect", { class: `stone ${KINDS[player]}`, ...place });
}

/**
 * How a cell is to be drawn.
 * @typedef {object} Look
 * @property {string} name what screens call it
 * @property {CellValue} [value] the overlay's entry for this cell
 * @property {number | null} player whose turn it is; nobody's when the game is over
 * @property {boolean} isLast whether it was claimed last
 * @property {boolean} playable whether the board takes claims
 * @property {boolean} showName whether the cell shows its own name
 * @property {boolean} animate whether a new mark is written slowly
 * @property {boolean} isLit
 * @property {number} step its number in a line of moves; 0 if it has none
 * @property {number} mover the player who makes that move
 * @property {number | undefined} part the part of the board it belongs to
 * @property {number} ghost the player whose mark is shown faintly, because the claim that is previewed takes the cell
 * @property {string} gain what a claim adds to the score, such as "+5"
 * @property {string} closing for whom the claim that is previewed closes it: one, two or both
 */

/**
 * Draw a cell.
 * @param {SVGGElement} element
 * @param {Api.Cell} cell
 * @param {Look} look
 */
export function drawCell(element, cell, look) {
  const { value, player, isLast, playable, showName, step, mover, part, ghost, gain, closing } = look;
  const owner = cell.owner ?? 0;
  const legal = Boolean(cell.legal);
  const before = element.dataset.owner;
  const { animate, ...shown } = look;
  const key = JSON.stringify([cell, shown]);
  if (drawn.get(element) === key) return;
  drawn.set(element, key);
  element.dataset.owner = String(owner);
  element.dataset.label = cell.label;
  const flags = [
    KINDS[owner],
    legal ? "legal" : !owner && player && "shut",
    playable && legal && "open",
    cell.fresh && "fresh",
    isLast && "last",
    look.isLit && "lit",
    ghost && "ghosted",
    closing && `closing-${closing}`,
    part !== undefined && "part",
    value && `value-${value.outcome}`,
    value?.best && "best",
    animate && owner && before === "0" && "new",
  ];
  element.setAttribute("class", ["cell", ...flags.filter(Boolean)].join(" "));
  if (part !== undefined) element.style.setProperty("--hue", String(hueOf(part)));
  if (element.hasAttribute("role")) element.setAttribute("aria-label", inWords(cell, look));
  if (playable) element.setAttribute("aria-disabled", String(!legal));
  else element.removeAttribute("aria-disabled");

  /** @type {(kind: string, x: number, y: number, words: string | number) => SVGTextElement} */
  const text = (kind, x, y, words) => s("text", { class: kind, x, y, text: words });
  /** @type {Element[]} */
  const parts = [];
  /** @type {[number, number, number]} */
  const place = showName ? [HALF, HALF - 4, 10] : [HALF, HALF, 11]; // Above the cell's name.
  if (owner) parts.push(mark(owner, "mark", ...place));
  if (ghost && !gain && !step) parts.push(mark(ghost, "ghost", ...place));
  const isBadge = Boolean(step && showName);
  const inner = isBadge ? 0 : step || gain || (value && signed(value.text)) || (!owner && cell.worth);
  if (step) parts.push(stone(mover, isBadge));
  if (isBadge) parts.push(text("step order", SIDE - 15, 15, step));
  if (inner) {
    const kind = inner === step ? "step" : gain ? `gain ${KINDS[ghost]}` : value ? "value" : "worth";
    parts.push(text(kind, HALF, HALF, inner));
  } else if (showName && !owner && !ghost) {
    parts.push(text("worth", isBadge ? 20 : HALF, isBadge ? 36 : HALF, look.name));
  } else if (legal && !ghost) parts.push(s("circle", { class: "dot", cx: HALF, cy: HALF, r: 4 }));
  if (cell.worth && inner !== cell.worth && !gain) parts.push(text("corner", 12, 13.5, cell.worth));
  if (showName && (owner || inner || ghost)) parts.push(text("corner", HALF, SIDE - 10, look.name));
  if (value?.best && !isBadge) parts.push(s("circle", { class: "star", cx: SIDE - 13, cy: 13, r: 3.5 }));
  element.lastElementChild?.replaceChildren(...parts);
}

/**
 * A cell in words, such as "C3, empty, legal move, wins by 5, best".
 * @param {Api.Cell} cell
 * @param {Look} look
 */
function inWords(cell, { name, value, isLast, step }) {
  const words = [name, OWNERS[cell.owner ?? 0]];
  if (cell.worth) words.push(trCount("{count} point", "{count} points", cell.worth));
  if (cell.legal) words.push(tr("legal move"));
  if (value) words.push(signed(value.words));
  if (value?.best) words.push(tr("best"));
  if (step) words.push(tr("move {number} of the line", { number: step }));
  if (isLast) words.push(tr("last move"));
  else if (cell.fresh) words.push(tr("just captured"));
  return joined(words);
}
