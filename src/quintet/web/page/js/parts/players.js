// The two players above a board: mark, name, score, clock, and whose turn it is.

import { h } from "../dom.js";
import { badge } from "../cell.js";

/** Milliseconds as 4:05, and as 9.3 in the last ten seconds. */
export function clockText(left) {
  const ms = Math.max(0, left);
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class Players {
  #clock = null;
  #since = 0;
  #timer = null;

  constructor() {
    this.sides = [1, 2].map((player) => {
      const parts = {
        name: h("span", { class: "name" }),
        about: h("small"),
        score: h("span", { class: "score", "data-testid": `score-${player}` }),
        clock: h("span", { class: "clock", role: "timer", "data-testid": `clock-${player}`, hidden: true }),
      };
      parts.element = h("li", { class: `player side-${player}`, "data-testid": `player-${player}` },
        badge(player), h("span", { class: "who" }, parts.name, parts.about), parts.clock, parts.score);
      return parts;
    });
    this.element = h("ul", { class: "players", "aria-label": "Players" }, this.sides.map((side) => side.element));
  }

  /** `people` are [{name, about}] of both players; `clock` as the service tells it. */
  update(view, people, clock) {
    this.sides.forEach((side, i) => {
      side.name.textContent = people[i].name;
      side.about.textContent = people[i].about ?? "";
      const target = view.target ? ` / ${view.target}` : "";
      side.score.textContent = `${view.scores[i]}${target}`;
      side.score.setAttribute("title", "Score");
      side.element.classList.toggle("turn", view.player === i + 1);
      side.element.classList.toggle("winner", view.winner === i + 1);
    });
    this.#clock = clock;
    this.#since = performance.now();
    clearInterval(this.#timer);
    if (clock?.running) this.#timer = setInterval(() => this.#tick(), 100);
    this.#tick();
  }

  #tick() {
    this.sides.forEach((side, i) => {
      side.clock.hidden = !this.#clock;
      if (!this.#clock) return;
      const gone = this.#clock.running === i + 1 ? performance.now() - this.#since : 0;
      const left = this.#clock[i + 1] - gone;
      side.clock.textContent = clockText(left);
      side.clock.classList.toggle("low", left < 20_000);
    });
  }

  stop() {
    clearInterval(this.#timer);
  }
}
