// What a review says of a move.

import { inWords } from "./values.js";

/** The grades of moves that gave something away. */
export const SLIPS = ["inaccuracy", "mistake", "blunder"];

const NAMES = { forced: "the only move", open: "not decided" };

/** A move in a sentence: the review's own where it gave something away. */
export function remark(review, { ply, move, grade, after }) {
  return review.remarks[ply] ?? `Move ${ply}, ${move}: ${NAMES[grade] ?? grade}. It ${inWords(after)}.`;
}
