// The finished games of this browser, reviewed by the service one after the other; each answer is saved here.

import { Failure, ask } from "../api.js";
import { playedGames, savePlayed, savedMatches } from "../storage.js";
import { summaries } from "./summaries.js";

/** The matches in which this browser had one seat: id and player. */
const ownSeats = () => savedMatches().flatMap(({ id, tokens }) => {
  const seats = Object.keys(tokens);
  return seats.length === 1 ? [{ id, player: seats[0] }] : [];
});

/**
 * Review what was not reviewed yet; gives how many games could not be.
 * @param {(done: number, all: number) => void} onstep
 * @param {() => boolean} isOver whether nobody waits any more
 */
export async function reviewGames(onstep, isOver) {
  const known = playedGames();
  const own = ownSeats().filter(({ id, player }) => !known[`${id}.${player}`]);
  const found = await summaries(own.map(({ id }) => id));
  const over = new Set(found.filter(({ result }) => ["1-0", "0-1", "1/2"].includes(result)).map(({ id }) => id));
  const waiting = own.filter(({ id }) => over.has(id)).toReversed(); // The oldest first, as they are shown.
  let missed = 0;
  for (const [i, { id, player }] of waiting.entries()) {
    if (isOver()) return 0;
    onstep(i, waiting.length);
    try {
      savePlayed(`${id}.${player}`, await ask(`/api/matches/${encodeURIComponent(id)}/progress?player=${player}`));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      missed++;
    }
  }
  onstep(waiting.length, waiting.length);
  return missed;
}
