// Where the cells of a board are: in rows and columns; a line as one row, or to and fro where that would be too small.

import { s } from "./dom.js";
import { SIDE, makeCell } from "./cell.js";

const MARGIN = 22;
const RIGHT = 8;
const GAP = 14;
export const TOUCH = 44;
/** What separates the tiles of two cells. */
const BETWEEN = 4;
const TINY = 20;

/**
 * How many cells are side by side. Of the ways to fold a line, the first with cells for a finger, or the largest cells.
 * @param {Api.View} view
 * @param {number} width
 * @param {number} height
 * @param {boolean} isPicture
 */
export function cellsAcross({ rows, cols }, width, height, isPicture) {
  if (rows > 1 || !width) return cols;
  let best = cols;
  let largest = 0;
  for (let lines = 1; lines <= cols; lines++) {
    const across = Math.ceil(cols / lines);
    const size = Math.min(width / across, height / lines / (1 + GAP / SIDE));
    if (size >= (isPicture ? TINY : TOUCH + BETWEEN)) return across;
    if (size > largest) [best, largest] = [across, size];
  }
  return best;
}

/**
 * A board without its marks: the picture, its cells, and how wide it is in units of a cell's side.
 * @param {Api.View} view
 * @param {number} across
 * @param {boolean} isPicture
 */
export function buildBoard(view, across, isPicture) {
  const { column_labels, row_labels } = view;
  const left = column_labels.length && !isPicture ? MARGIN : 0;
  const right = left && RIGHT;
  const lines = Math.ceil(view.cells.length / across);
  const isFolded = view.rows === 1 && lines > 1;
  const pitch = SIDE + (isFolded ? GAP : 0);
  const pad = isFolded ? 3 : 0;
  const places = view.cells.map((_, i) => {
    const row = Math.floor(i / across);
    const col = isFolded && row % 2 ? across - 1 - (i % across) : i % across;
    return /** @type {[number, number]} */ ([left + pad + col * SIDE, left + pad + row * pitch]);
  });
  /** By number; a hole has no element. @type {SVGGElement[]} */
  const cells = [];
  view.cells.forEach(({ label }, i) => label && (cells[i] = makeCell(i, places[i], isPicture)));
  const rows = Array.from({ length: lines }, (_, row) =>
    s("g", { role: isPicture ? null : "row" }, cells.slice(row * across, (row + 1) * across)));
  /** @type {(words: string, x: number, y: number) => SVGTextElement} */
  const text = (words, x, y) => s("text", { class: "edge", x, y, text: words });
  const middles = places.filter((_, i) => cells[i]).map(([x, y]) => `${x + SIDE / 2} ${y + SIDE / 2}`);
  const edges = s(
    "g",
    { "aria-hidden": "true" },
    view.rows === 1 && s("path", { class: "lane", d: `M${middles.join("L")}` }),
    left && column_labels.map((words, col) => text(words, left + (col + 0.5) * SIDE, MARGIN / 2)),
    left && row_labels.map((words, row) => text(words, MARGIN / 2, left + (row + 0.5) * SIDE)),
  );
  const width = left + across * SIDE + 2 * pad + right;
  const height = left + lines * pitch - (isFolded ? GAP : 0) + 2 * pad;
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, role: isPicture ? "img" : "grid" }, edges, rows);
  return { svg, cells, width, height };
}

/** The number of the cell nearest to the middle. @param {Api.View} view */
export function middleCell(view) {
  const middle = Math.floor(view.cells.length / 2);
  const numbers = view.cells.flatMap(({ label }, i) => (label ? [i] : []));
  return numbers.reduce((best, i) => (distance(view, i, middle) < distance(view, best, middle) ? i : best));
}

/**
 * How many steps apart two cells are.
 * @param {Api.View} view
 * @param {number} i
 * @param {number} j
 */
export function distance({ cols }, i, j) {
  return Math.abs(Math.floor(i / cols) - Math.floor(j / cols)) + Math.abs((i % cols) - (j % cols));
}
