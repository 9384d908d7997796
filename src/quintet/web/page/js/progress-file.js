// Progress as a file: everything in it is checked before anything is saved.

import { tr } from "./language.js";
import { readAll, writeAll } from "./storage.js";

/** @import { PuzzleResult, SavedMatch } from "./storage.js" */
/** @typedef {(value: unknown) => boolean} Check */

const FORMAT = "quintet-progress";
const VERSION = 1;
const LARGEST = 1_000_000;
const MAX = { matches: 200, puzzles: 2000, games: 40 };
const PARTS = ["matches", "beaten", "puzzles", "played"];
const SETTINGS = ["name", "opponent", "pace", "sound", "lessons", "streak"];

/** @type {(value: unknown) => value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @type {(most: number, pattern?: RegExp) => Check} */
const text = (most, pattern) => (value) =>
  typeof value === "string" && value.length <= most && (!pattern || pattern.test(value));
/** @type {(least: number, most: number) => Check} */
const whole = (least, most) => (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
/** @type {(...values: unknown[]) => Check} */
const oneOf = (...values) => (value) => values.includes(value);
/** @type {(one: Check, most: number) => Check} */
const list = (one, most) => (value) => Array.isArray(value) && value.length <= most && value.every(one);
/** @type {(key: Check, one: Check, most: number) => Check} */
const table = (key, one, most) => (value) =>
  isObject(value) && Object.keys(value).length <= most && Object.entries(value).every(([k, v]) => key(k) && one(v));
/** @type {(needed: Record<string, Check>, extra?: Record<string, Check>) => Check} */
const shape = (needed, extra = {}) => (value) => {
  if (!isObject(value) || Object.keys(needed).some((name) => !Object.hasOwn(value, name))) return false;
  const checks = new Map(Object.entries({ ...extra, ...needed }));
  return Object.entries(value).every(([name, one]) => checks.get(name)?.(one) ?? false);
};

const bool = oneOf(true, false);
const game = text(40, /^[a-z][a-z0-9-]*$/);
const day = text(10, /^\d{4}-\d\d-\d\d$/);
const moment = text(40, /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/);
const count = whole(0, 10_000);
const counts = table(text(20, /^[a-z]+$/), count, 3);

/** What each part of a file may be. @type {Record<string, Check>} */
const CHECKS = {
  matches: list(shape({ id: text(20, /^[0-9a-z]+$/),
    tokens: table(oneOf("1", "2"), text(100, /^[\w-]+$/), 2) }), MAX.matches),
  beaten: table(game, list(whole(1, 10), 10), MAX.games),
  puzzles: list(shape({ day: (value) => value === null || day(value), game, rating: whole(1, 10), tries: whole(0, 99),
    solved: bool, at: moment }, { answer: text(20) }), MAX.puzzles),
  played: table(text(24, /^[0-9a-z]+\.[12]$/), shape({ game, when: moment, result: oneOf("won", "lost", "draw"),
    judged: count, best: count, sizes: counts, phases: counts, kinds: counts }), MAX.matches),
  name: text(40),
  opponent: shape({ kind: oneOf("engine", "friend", "here"), who: text(40), side: oneOf("1", "2", "random") }),
  pace: whole(0, 10_000),
  sound: bool,
  lessons: list(game, MAX.games),
  streak: shape({ now: count, best: count }, { day: (value) => value === null || day(value) }),
};

/** This browser's progress and settings as the text of a file. */
export function writeProgress() {
  const progress = readAll(PARTS);
  return JSON.stringify({ format: FORMAT, version: VERSION, ...progress, settings: readAll(SETTINGS) }, null, 1);
}

/**
 * What a file holds; an Error with one line if anything in it is not valid.
 * @param {string} content
 * @returns {Record<string, any>} parts and settings by key
 */
export function readProgress(content) {
  /** @type {unknown} */
  let found;
  try {
    found = content.length <= LARGEST ? JSON.parse(content) : null;
  } catch {
    found = null;
  }
  if (!isObject(found) || found.format !== FORMAT || found.version !== VERSION) {
    throw new Error(tr("This is not a file with Quintet progress. Nothing was imported."));
  }
  const { format: _, version: __, settings = {}, ...parts } = found;
  const all = { ...parts, ...(isObject(settings) ? settings : { settings }) };
  const places = [[parts, PARTS], [isObject(settings) ? settings : { settings }, SETTINGS]];
  for (const [values, known] of /** @type {[Record<string, unknown>, string[]][]} */ (places)) {
    const wrong = Object.keys(values).find((key) => !known.includes(key) || !CHECKS[key](values[key]));
    if (wrong !== undefined) {
      throw new Error(tr("The file is damaged at “{part}”. Nothing was imported.", { part: wrong.slice(0, 40) }));
    }
  }
  return all;
}

/** Add what a file holds to what this browser has; a setting made here stays. @param {string} content */
export function importProgress(content) {
  const found = readProgress(content);
  const own = readAll([...PARTS, ...SETTINGS]);
  writeAll({
    ...found,
    ...own,
    matches: mergeMatches(own.matches ?? [], found.matches ?? []),
    beaten: mergeBeaten(own.beaten ?? {}, found.beaten ?? {}),
    puzzles: mergePuzzles(own.puzzles ?? [], found.puzzles ?? []),
    played: Object.fromEntries(Object.entries({ ...found.played, ...own.played }).slice(-MAX.matches)),
    lessons: [...new Set([...(own.lessons ?? []), ...(found.lessons ?? [])])],
  });
}

/** @type {(own: SavedMatch[], more: SavedMatch[]) => SavedMatch[]} */
function mergeMatches(own, more) {
  const known = new Map([...more, ...own].map((match) => [match.id, match]));
  const ids = [...new Set([...own, ...more].map(({ id }) => id))].slice(0, MAX.matches);
  return ids.flatMap((id) => known.get(id) ?? []);
}

/** @type {(own: Record<string, number[]>, more: Record<string, number[]>) => Record<string, number[]>} */
const mergeBeaten = (own, more) => Object.fromEntries(Object.keys({ ...more, ...own }).map((name) =>
  [name, [...new Set([...(own[name] ?? []), ...(more[name] ?? [])])].sort((a, b) => a - b)]));

/** @type {(own: PuzzleResult[], more: PuzzleResult[]) => PuzzleResult[]} */
function mergePuzzles(own, more) {
  const all = new Map([...more, ...own].map((result) => [result.day ?? result.at, result]));
  return [...all.values()].sort((a, b) => (a.at < b.at ? -1 : 1)).slice(-MAX.puzzles);
}
