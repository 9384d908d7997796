// What this browser remembers: its seats, its name, its choices, its streak. One that keeps nothing still plays.

const held = new Map();

function read(key, otherwise) {
  try {
    const text = localStorage.getItem(`quintet.${key}`);
    return text === null ? held.get(key) ?? otherwise : JSON.parse(text);
  } catch {
    return held.get(key) ?? otherwise;
  }
}

function write(key, value) {
  held.set(key, value);
  try {
    localStorage.setItem(`quintet.${key}`, JSON.stringify(value));
  } catch {
    // Storage is full or switched off: `held` has it until the page is left.
  }
}

const MOST_MATCHES = 200;

/** The matches of this browser, the latest first: [{id, tokens: {seat: token}}]. */
export const matches = () => read("matches", []);

/** The tokens this browser holds for a match. */
export const tokensOf = (id) => matches().find((match) => match.id === id)?.tokens ?? {};

/** Keep a match, with the seats won in it. */
export function keepMatch(id, tokens = {}) {
  const others = matches().filter((match) => match.id !== id);
  write("matches", [{ id, tokens: { ...tokensOf(id), ...tokens } }, ...others].slice(0, MOST_MATCHES));
}

export const forgetMatch = (id) => write("matches", matches().filter((match) => match.id !== id));

export const playerName = () => read("name", "");
export const keepName = (name) => write("name", name);

export const isSoundOn = () => read("sound", false);
export const keepSound = (on) => write("sound", on);

/** The streak of puzzles: how many right in a row, the best ever, and which day's puzzle was solved last. */
export const streak = () => read("streak", { now: 0, best: 0, day: null });
export const keepStreak = (value) => write("streak", value);

/** The theme is kept as plain text, because it is read before any module runs. */
export function keepTheme(theme) {
  try {
    localStorage.setItem("quintet.theme", theme);
  } catch {
    // It lasts until the page is left.
  }
}
