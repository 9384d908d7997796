// What screens call cells: `C3` in all games, numbers on a line. Moves are sent and saved as the rule book writes them.

import { tr } from "./language.js";

/**
 * What the screen calls a cell.
 * @param {Api.View} view
 * @param {number} index
 */
export function cellName({ row_labels, column_labels, cols }, index) {
  return row_labels.length ? row_labels[Math.floor(index / cols)] + column_labels[index % cols] : String(index + 1);
}

/**
 * What the screen calls a move, given as the rule book writes it.
 * @param {Api.View} view
 * @param {string} label
 */
export function moveName(view, label) {
  const index = view.cells.findIndex((cell) => cell.label === label);
  if (label === "pass") return tr("pass");
  return index < 0 ? label : cellName(view, index);
}

/**
 * What a sentence calls a move: on a line `#7`, which is not just any number.
 * @param {Api.View} view
 * @param {string} label
 */
export const sentenceName = (view, label) =>
  moveName(view, label).replace(/^\d+$/, "#$&");

/** A text with real minus signs, and space after the `~` of estimates. @param {string} text */
export const signed = (text) => text.replace(/(?<![\w-])-(?=\d)/g, "−").replace(/~(?=.)/g, "~\u2009");

/**
 * The cell with this name, in the rule book or on screens; -1 if there is none.
 * @param {Api.View} view
 * @param {string} name
 */
export function findCell(view, name) {
  const plain = /** @param {string} text */ (text) => text.replace(/\s/g, "").toLowerCase();
  const wanted = plain(name);
  return view.cells.findIndex(({ label }, i) =>
    label && (plain(cellName(view, i)) === wanted || plain(label) === wanted));
}
