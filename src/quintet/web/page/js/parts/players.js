// The two players above a board: mark, name, score, clock, and whose turn it is.

import { h } from "../dom.js";
import { badge } from "../cell.js";
import { tr } from "../language.js";
import { face } from "./face.js";

/** @typedef {{ name: string, note?: string, picture?: string | null }} Person */

const LOW_TIME = 20_000;
const SEATS = /** @type {const} */ ([1, 2]);

/** Milliseconds as 4:05, and as 9.3 in the last ten seconds. @param {number} left */
function clockText(left) {
  const ms = Math.max(0, left);
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The seats that nobody has taken. @param {Api.Table} table */
export function freeSeats({ players, state }) {
  const isFree = /** @param {1 | 2} seat */ (seat) => players[seat].who === "human" && !players[seat].joined;
  return SEATS.filter((seat) => isFree(seat) && !state.over);
}

/**
 * Who plays, as it is shown.
 * @param {Api.Table} table
 * @param {number[]} seats those of this browser
 * @returns {Person[]}
 */
export function peopleAt(table, seats) {
  const free = freeSeats(table);
  const blank = seats.length < 2 ? "\u00a0" : ""; // As high as a note, so that nothing moves when one comes.
  return SEATS.map((seat) => {
    const { name, who, level, picture } = table.players[seat];
    if (free.includes(seat)) return { name: tr("Waiting …"), note: blank };
    if (level) return { name, picture, note: tr("level {level}", { level }) };
    return { name, note: who === "human" ? (seats.join() === String(seat) ? tr("you") : blank) : tr("engine") };
  });
}

/**
 * Whose turn it is, or who has won.
 * @param {Api.Table} table
 * @param {number[]} seats those of this browser
 */
export function turnText(table, seats) {
  const { state, players } = table;
  const { winner } = state.result ?? {};
  const player = state.over ? winner : state.view.player;
  if (state.over && !winner) return tr("Draw");
  if (freeSeats(table).length) return seats.length ? tr("Waiting for the other player") : tr("Not started yet");
  if (!player) return "";
  const { name } = players[player === 1 ? "1" : "2"];
  const isYou = seats.join() === String(player);
  if (state.over) return isYou ? tr("You win") : seats.length === 1 ? tr("You lose") : tr("{name} wins", { name });
  if (state.thinking) return tr("{name} is thinking …", { name });
  return isYou ? tr("Your turn") : tr("{name}’s turn ({mark})", { name, mark: "XO"[player - 1] });
}

/**
 * A text with the players' own names, if they can be told apart.
 * @param {string} text
 * @param {string[]} names
 */
export const withPlayers = (text, names) =>
  (names[0] === names[1] ? [] : names).reduce(
    (known, name, i) => known.replaceAll(tr("Player {number}", { number: i + 1 }), () => name), text);

/** One player. */
class Side {
  /** @type {string | null | undefined} */
  #picture;

  /** @param {1 | 2} player */
  constructor(player) {
    this.player = player;
    this.name = h("span", { class: "name" });
    this.note = h("small");
    this.score = h("b", { title: tr("Score"), "data-testid": `score-${player}` });
    this.after = h("span", { class: "then", hidden: true });
    this.clock = h("span", { class: "clock", role: "timer", "data-testid": `clock-${player}`, hidden: true });
    this.count = h("span", { class: "score" }, this.score, this.after);
    this.mark = h("span", { class: "mark-place" }, badge(player));
    this.element = h("li", { class: `player side-${player}`, "data-testid": `player-${player}` },
      this.mark, h("span", { class: "who" }, this.name, this.note), this.clock, this.count);
  }

  /**
   * @param {Api.View} view
   * @param {Person} person
   */
  update(view, person) {
    this.name.textContent = person.name;
    if (person.picture !== this.#picture) {
      this.#picture = person.picture;
      this.mark.replaceChildren(...(person.picture ? [face(person)] : []), badge(this.player));
    }
    this.note.textContent = person.note ?? "";
    const digits = String(view.target ?? view.cells.length).length;
    this.score.style.minInlineSize = `${view.target ? 2 * digits + 1.7 : digits}ch`; // A higher score moves nothing.
    this.target = view.target ? ` / ${view.target}` : "";
    this.score.textContent = `${view.scores[this.player - 1]}${this.target}`;
    this.count.hidden = !view.scored;
    this.preview();
    this.element.classList.toggle("turn", view.player === this.player);
    this.element.classList.toggle("winner", view.winner === this.player);
  }

  /** Show what a claim would make of the score. @param {number[]} [scores] before and after */
  preview(scores) {
    this.after.hidden = !scores || scores[0] === scores[1];
    this.after.textContent = `${scores?.join(" → ")}${this.target}`;
  }

  /**
   * @param {Api.ClockFace | null} clock
   * @param {number} elapsed milliseconds since the service sent it
   */
  updateClock(clock, elapsed) {
    this.clock.hidden = !clock;
    if (!clock) return;
    const left = clock[this.player === 1 ? "1" : "2"] - (clock.running === this.player ? elapsed : 0);
    this.clock.textContent = clockText(left);
    this.clock.classList.toggle("low", left < LOW_TIME);
  }
}

export class Players {
  /** @type {Api.ClockFace | null} */
  #clock = null;
  #since = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  constructor() {
    this.sides = [new Side(1), new Side(2)];
    this.element = h("ul", { class: "players", "aria-label": tr("Players") }, this.sides.map((side) => side.element));
  }

  /**
   * @param {Api.View} view
   * @param {Person[]} people both players
   * @param {Api.ClockFace | null} clock
   */
  update(view, people, clock = null) {
    this.sides.forEach((side, i) => side.update(view, people[i]));
    this.#clock = clock;
    this.#since = performance.now();
    clearInterval(this.#timer);
    if (clock?.running) this.#timer = setInterval(() => this.#tick(), 100);
    this.#tick();
  }

  /** Show what a claim would make of the scores. @param {{ scores: Record<number, number[]> } | null} claim */
  preview(claim) {
    this.sides.forEach((side) => side.preview(claim?.scores[side.player]));
  }

  #tick() {
    this.sides.forEach((side) => side.updateClock(this.#clock, performance.now() - this.#since));
  }

  stop() {
    clearInterval(this.#timer);
  }
}
