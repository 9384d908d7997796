// A tournament as it is now, asked for again and again; and what this browser knows about its own entry.

import { Failure, ask } from "../api.js";
import { tr } from "../language.js";
import { saveMatch, tokensOf, tournamentOf } from "../storage.js";

/** Milliseconds between two questions; longer for large groups, which may share an address and its rate limit. */
const POLL = 1500;
const POLL_PER_ENTRY = 40;
const POLL_HIDDEN = 8000;

/** The address of a tournament's API. @param {string} id */
export const pathOf = (id) => `/api/tournaments/${encodeURIComponent(id)}`;

/** The entry of this browser. @param {Api.TournamentInfo} cup */
export const ownEntry = (cup) => cup.entries.find(({ number }) => number === tournamentOf(cup.id).entry);

/** The name of an entry. @type {(cup: Api.TournamentInfo, number: number | null) => string} */
export const nameOf = (cup, number) => cup.entries.find((entry) => entry.number === number)?.name ?? "";

/** Seconds as minutes and seconds. @param {number} seconds */
export const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/**
 * This browser's game in the latest round; its seat is saved, so that the table knows it.
 * @param {Api.TournamentInfo} cup
 */
export function ownGame(cup) {
  const { entry, token } = tournamentOf(cup.id);
  const game = entry && cup.played.at(-1)?.pairings.find(({ one, two }) => one === entry || two === entry);
  if (!game) return null;
  const seat = game.one === entry ? 1 : 2;
  if (game.match && token && tokensOf(game.match)[seat] !== token) saveMatch(game.match, { [seat]: token });
  return { ...game, opponent: seat === 1 ? game.two : game.one };
}

/** The games of the latest round that are still played. @param {Api.TournamentInfo} cup */
export const openGames = (cup) => cup.played.at(-1)?.pairings.filter(({ result }) => !result) ?? [];

export class TournamentFeed {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isOver = false;
  #revision = -1;
  #entries = 0;

  /**
   * @param {string} id
   * @param {(cup: Api.TournamentInfo) => void} onState
   * @param {(isConnected: boolean) => void} [onConnection]
   */
  constructor(id, onState, onConnection = () => undefined) {
    this.id = id;
    this.onState = onState;
    this.onConnection = onConnection;
    document.addEventListener("visibilitychange", this.look);
    this.#wait();
  }

  /** Show a state, unless another server process has shown a newer one. @param {Api.TournamentInfo} cup */
  take(cup) {
    if (this.#isOver || cup.revision < this.#revision) return;
    this.#revision = cup.revision;
    this.#entries = cup.entries.length;
    this.onState(cup);
  }

  #wait() {
    clearTimeout(this.#timer);
    // Not all at the same moment.
    const usual = POLL + POLL_PER_ENTRY * this.#entries;
    const pause = document.hidden ? POLL_HIDDEN : usual * (0.8 + 0.4 * Math.random());
    if (!this.#isOver) this.#timer = setTimeout(this.look, pause);
  }

  /** Ask now, and from then on again and again. @type {() => Promise<void>} */
  look = async () => {
    clearTimeout(this.#timer);
    try {
      this.take(await ask(pathOf(this.id)));
      this.onConnection(true);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.status === 404) return this.stop(); // It was deleted.
      this.onConnection(false);
    }
    this.#wait();
  };

  stop() {
    this.#isOver = true;
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.look);
  }
}

/** The time for a game. @param {Api.ClockSettings | null} clock */
export function clockText(clock) {
  if (!clock) return tr("no clock");
  const time = minutes(clock.seconds);
  return clock.increment ? tr("{time} + {seconds} s per move", { time, seconds: clock.increment }) : time;
}
