// Starting a game: against the last opponent with one tap, or as a form says.

import { Failure, askWithKey, newKey } from "../api.js";
import { go } from "../router.js";
import { opponent, saveMatch, saveOpponent } from "../storage.js";

/** @import { Opponent } from "../storage.js" */

/** A side as a player's number. @param {string} side */
export const sideNumber = (side) => (side === "random" ? 1 + Math.floor(Math.random() * 2) : Number(side));

/**
 * Who sits where, and which seats are this browser's.
 * @param {Opponent} opponent
 */
export function seating({ kind, who, side }) {
  const mine = sideNumber(side);
  if (kind === "friend") return { seats: { 1: "human", 2: "human" }, take: [mine] };
  if (kind === "here") return { seats: { 1: "human", 2: "human" }, take: [1, 2] };
  return { seats: { [mine]: "human", [3 - mine]: who }, take: [mine] };
}

/** The last request, if it was not answered, and its key: the same request again gives the same match. */
let sent = { text: "", key: "" };

/** Create a match and go to its table. @param {Record<string, unknown>} body */
export async function startGame(body) {
  const text = JSON.stringify(body);
  if (text !== sent.text) sent = { text, key: newKey() };
  /** @type {Api.CreatedMatch} */
  const match = await askWithKey("/api/matches", { ...body, key: sent.key });
  sent = { text: "", key: "" };
  saveMatch(match.id, match.tokens);
  await go(match.url);
}

/**
 * Play the last opponent, on a board as these options say.
 * @param {Record<string, unknown>} options
 */
export async function playAgain(options) {
  try {
    await startGame({ ...options, ...seating(opponent()) });
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 422) throw error;
    saveOpponent(undefined); // It does not play here any more.
    await startGame({ ...options, ...seating(opponent()) });
  }
}
