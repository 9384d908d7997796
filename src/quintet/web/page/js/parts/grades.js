// What a review says of a move, in a sentence.

import { inWords } from "./values.js";

/** The grades of moves that gave something away. */
export const SLIPS = ["inaccuracy", "mistake", "blunder"];

const NAMES = {
  forced: "the only move",
  open: "not decided",
  inaccuracy: "an inaccuracy",
  mistake: "a mistake",
  blunder: "a blunder",
};
const LONGEST = 8;

/** A graded move: what it is, what would have been better, and what refutes it. */
export function remark({ ply, move, grade, better, before, after, refutation }) {
  const parts = [`Move ${ply}, ${move}: ${NAMES[grade] ?? grade}.`];
  parts.push(better ? `${better} ${inWords(before)}; this ${inWords(after)}.` : `It ${inWords(after)}.`);
  if (SLIPS.includes(grade) && refutation.length) parts.push(`It goes on ${refutation.slice(0, LONGEST).join(", ")}.`);
  return parts.join(" ");
}
