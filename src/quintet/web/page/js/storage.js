// What this browser saves: seats, name, choices, lessons, streak. Without storage the page still works.

/**
 * A match of this browser, with the tokens of the seats it holds.
 * @typedef {{ id: string, tokens: Record<string, string> }} SavedMatch
 */
/**
 * A request to join a match that was not answered yet: it may have to be sent again, with the same key.
 * @typedef {{ id: string, name: string, seat: number, key: string }} PendingJoin
 */
/**
 * Puzzles solved in a row, and the longest such row.
 * @typedef {{ now: number, best: number }} Streak
 */

/**
 * How a puzzle went: `day` only for a puzzle of the day, `at` by the service's clock, `answer` the right move.
 * @typedef {object} PuzzleResult
 * @property {string | null} day
 * @property {string} game
 * @property {number} rating
 * @property {number} tries
 * @property {boolean} solved
 * @property {string} at
 * @property {string} [answer]
 */

/** What could not be stored lives here until the page is left. @type {Map<string, unknown>} */
const unsaved = new Map();

/**
 * @template Value
 * @param {string} key
 * @param {Value} otherwise
 * @returns {Value}
 */
export function read(key, otherwise) {
  try {
    const text = localStorage.getItem(`quintet.${key}`);
    if (text !== null) return JSON.parse(text);
  } catch {
    // Storage is switched off.
  }
  return /** @type {Value} */ (unsaved.get(key) ?? otherwise);
}

/**
 * @param {string} key
 * @param {unknown} value
 */
export function write(key, value) {
  try {
    localStorage.setItem(`quintet.${key}`, JSON.stringify(value));
    unsaved.delete(key);
  } catch {
    unsaved.set(key, value); // Storage is full or switched off.
  }
}

const MAX_MATCHES = 200;

/** The matches of this browser, the latest first. */
export const savedMatches = () => read("matches", /** @type {SavedMatch[]} */ ([]));

/** The tokens this browser holds for a match. @param {string} id */
export const tokensOf = (id) => savedMatches().find((match) => match.id === id)?.tokens ?? {};

/**
 * Save a match, with the tokens of the seats taken in it.
 * @param {string} id
 * @param {Record<string, string>} [tokens]
 */
export function saveMatch(id, tokens = {}) {
  const others = savedMatches().filter((match) => match.id !== id);
  write("matches", [{ id, tokens: { ...tokensOf(id), ...tokens } }, ...others].slice(0, MAX_MATCHES));
}

/** @param {string} id */
export const removeMatch = (id) => write("matches", savedMatches().filter((match) => match.id !== id));

/**
 * What this browser has in a tournament: its entry and the token of that, the organiser's token, and the name of a
 * request to join that was not answered yet.
 * @typedef {{ entry?: number, token?: string, organiser?: string, name?: string }} SavedTournament
 */

const MAX_TOURNAMENTS = 50;

/** @returns {[string, SavedTournament][]} the latest first */
const savedTournaments = () => read("tournaments", /** @type {[string, SavedTournament][]} */ ([]));

/** @param {string} id @returns {SavedTournament} */
export const tournamentOf = (id) => savedTournaments().find(([known]) => known === id)?.[1] ?? {};

/**
 * Save something about a tournament; what is undefined is forgotten.
 * @param {string} id
 * @param {SavedTournament} facts
 */
export function saveTournament(id, facts) {
  const others = savedTournaments().filter(([known]) => known !== id);
  write("tournaments", [[id, { ...tournamentOf(id), ...facts }], ...others].slice(0, MAX_TOURNAMENTS));
}

export const pendingJoin = () => read("joining", /** @type {PendingJoin | null} */ (null));
/** @param {PendingJoin | null} join */
export const savePendingJoin = (join) => write("joining", join);

export const playerName = () => read("name", "");
/** @param {string} name */
export const savePlayerName = (name) => write("name", name);

/**
 * Whom this browser plays: an engine, or a person by link or here.
 * @typedef {{ kind: string, who: string, side: string }} Opponent
 */

/** The last opponent; for a start, an engine that a beginner can beat. */
export const opponent = () => read("opponent", /** @type {Opponent} */ ({ kind: "engine", who: "level:2", side: "1" }));
/** @param {Opponent | undefined} last */
export const saveOpponent = (last) => write("opponent", last);

/** Milliseconds after which an engine's move is shown. */
export const pace = () => read("pace", 450);
/** @param {number} ms */
export const savePace = (ms) => write("pace", ms);

export const isSoundOn = () => read("sound", false);
/** @param {boolean} on */
export const saveSound = (on) => write("sound", on);

/** The games whose lesson was finished. */
export const finishedLessons = () => read("lessons", /** @type {string[]} */ ([]));
/** @param {string} game */
export const saveLesson = (game) => write("lessons", [...new Set([...finishedLessons(), game])]);

/** How well this browser's games were played, by match and player, as the service has said. */
export const playedGames = () => read("played", /** @type {Record<string, Api.PlayedGame>} */ ({}));
/**
 * @param {string} key the match and the player
 * @param {Api.PlayedGame} game
 */
export function savePlayed(key, game) {
  write("played", Object.fromEntries(Object.entries({ ...playedGames(), [key]: game }).slice(-MAX_MATCHES)));
}

/** The levels that were beaten, by the name of the game. @returns {Record<string, number[]>} */
export const beatenLevels = () => read("beaten", {});
/**
 * @param {string} game
 * @param {number} level
 */
export function saveBeaten(game, level) {
  const beaten = beatenLevels();
  write("beaten", { ...beaten, [game]: [...new Set([...(beaten[game] ?? []), level])].sort((a, b) => a - b) });
}

export const streak = () => read("streak", /** @type {Streak} */ ({ now: 0, best: 0 }));
/** @param {Streak} value */
export const saveStreak = (value) => write("streak", value);

const MAX_RESULTS = 5000;

/** The puzzles that are over, in the order in which they were. */
export function puzzleResults() {
  const found = read("puzzles", /** @type {PuzzleResult[]} */ ([]));
  return Array.isArray(found) ? found : [];
}

/** The result of a day's puzzle, if it is over. @param {string | null} day */
export const resultOf = (day) => puzzleResults().find((result) => result.day === day);

/** Save a result; the first result of a day's puzzle stays. @param {PuzzleResult} result */
export function savePuzzleResult(result) {
  if (!result.day || !resultOf(result.day)) write("puzzles", [...puzzleResults(), result].slice(-MAX_RESULTS));
}

const allTries = () => read("tries", /** @type {Record<string, string[]>} */ ({}));

/** The wrong answers to a day's puzzle that is not over. @param {string} day */
export const triesOf = (day) => allTries()[day] ?? [];

/**
 * @param {string} day
 * @param {string[]} wrong empty when the puzzle is over
 */
export function saveTries(day, wrong) {
  const { [day]: _, ...others } = allTries();
  write("tries", wrong.length ? { ...others, [day]: wrong } : others);
}

/** @type {boolean | undefined} */
let isSaving;

/** Whether this browser remembers anything when the page is left: tried once, because other tabs are told of it. */
export function canSave() {
  if (isSaving !== undefined) return isSaving;
  try {
    localStorage.setItem("quintet.test", "");
    localStorage.removeItem("quintet.test");
    isSaving = true;
  } catch {
    isSaving = false;
  }
  return isSaving;
}

/**
 * Theme and language are saved as plain text, because they are read before any module runs. Gives whether it could.
 * @param {"theme" | "language"} name
 * @param {string} choice
 */
export function saveEarly(name, choice) {
  try {
    localStorage.setItem(`quintet.${name}`, choice);
    return true;
  } catch {
    return false; // It lasts until the page is left.
  }
}

/** Everything that belongs to a person's progress or settings, for a file; what was never saved is left out. */
export const readAll = (/** @type {string[]} */ keys) =>
  Object.fromEntries(keys.map((key) => [key, read(key, undefined)]).filter(([, value]) => value !== undefined));

/** @param {Record<string, unknown>} values by key */
export function writeAll(values) {
  for (const [key, value] of Object.entries(values)) write(key, value);
}

/** The operator's token, which this browser forgets when its tab is closed. */
export function operatorToken() {
  try {
    return sessionStorage.getItem("quintet.operator") ?? "";
  } catch {
    return ""; // Storage is switched off.
  }
}

/** @param {string} token empty to forget it */
export function saveOperatorToken(token) {
  try {
    if (token) sessionStorage.setItem("quintet.operator", token);
    else sessionStorage.removeItem("quintet.operator");
  } catch {
    // It lasts until the page is left.
  }
}
