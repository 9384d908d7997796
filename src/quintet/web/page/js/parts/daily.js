// The puzzle of the day, of which home, the puzzle's own page and the archive show parts: what day it is by the
// service's clock, how long it lasts, the streak, and the text to share.

import { ask, query } from "../api.js";
import { tr, trCount } from "../language.js";
import { fullUrl } from "../site.js";

/** @import { PuzzleResult } from "../storage.js" */

const DAY = 86_400_000;
const SECOND = 1000;
/** Milliseconds after which a question without answer is asked again. */
const PATIENCE = 10_000;

/** @type {(day?: string) => Promise<Api.DailyAnswer>} */
export const dailyPuzzle = (day) => ask(`/api/puzzles/daily${query({ day })}`);

/** The date of a time in UTC. @param {number} ms */
export const dayOf = (ms) => new Date(ms).toISOString().slice(0, 10);

/** @param {string} day @param {number} days */
export const addDays = (day, days) => dayOf(Date.parse(day) + days * DAY);

/** The service's clock: the day is the same for everybody, whatever the clock of this device says. */
export class ServiceClock {
  #ahead = 0;
  /** When the service may be asked for the next puzzle. */
  #askAt = 0;

  /** @param {string} now what the service's clock shows */
  constructor(now) {
    this.#ahead = Date.parse(now) - Date.now();
    this.#askAt = Date.parse(now.slice(0, 10)) + DAY;
  }

  /** The next day's puzzle as soon as that day has begun, asked for again after a while if there is no answer. */
  async nextPuzzle() {
    if (this.now() < this.#askAt) return null;
    this.#askAt = this.now() + PATIENCE;
    return dailyPuzzle().catch(() => null);
  }

  now() {
    return Date.now() + this.#ahead;
  }

  today() {
    return dayOf(this.now());
  }

  /** The time until the next puzzle, such as 05:12:44. */
  countdown() {
    const left = Math.min(Math.ceil((DAY - (this.now() % DAY)) / SECOND), DAY / SECOND - 1);
    return new Date(left * SECOND).toISOString().slice(11, 19);
  }
}

/** Whether a result counts for the streak: the puzzle was solved on its own day. @param {PuzzleResult} result */
export const isInTime = ({ solved, day, at }) => solved && day === at.slice(0, 10);

/**
 * On how many days in a row the puzzle was solved: until now, and at most. Today's can still be solved.
 * @param {PuzzleResult[]} results
 * @param {string} today
 */
export function dailyStreak(results, today) {
  const days = new Set(results.filter(isInTime).map(({ day }) => day));
  const isOver = results.some(({ day }) => day === today);
  const length = /** @param {string} last */ (last) => {
    let count = 0;
    while (days.has(addDays(last, -count))) count += 1;
    return count;
  };
  const best = Math.max(0, ...[...days].map((day) => length(day ?? "")));
  return { now: length(isOver ? today : addDays(today, -1)), best };
}

/** A result in a few words. @param {PuzzleResult} result */
export const resultText = ({ solved, tries }) =>
  solved ? trCount("Solved in {count} try", "Solved in {count} tries", tries) : tr("Not solved");

/** @param {number} count */
export const streakText = (count) => trCount("Streak: {count} day", "Streak: {count} days", count);

/**
 * A result without its answer.
 * @param {PuzzleResult} result
 * @param {{ number: number | null, tries: number }} puzzle
 */
export function shareText({ solved, tries, day }, puzzle) {
  const squares = "🟥".repeat(solved ? tries - 1 : tries) + (solved ? "🟩" : "");
  const score = `Quintet #${puzzle.number} ${solved ? tries : "X"}/${puzzle.tries}`;
  return [score, squares, fullUrl(`/daily/${day}`)].join("\n");
}

/** A date as people write it. @param {string} day */
export const dateText = (day) =>
  new Date(day).toLocaleDateString(document.documentElement.lang, { dateStyle: "long", timeZone: "UTC" });
