// The moves of a game as a list to step through, by buttons, clicks and the keys , and .

import { button, h } from "../dom.js";
import { badge } from "../cell.js";

export class Steps {
  #moves = [];
  #at = 0;

  /** `onstep` is told the number of moves to show. */
  constructor(onstep, { title = "Moves" } = {}) {
    this.onstep = onstep;
    this.list = h("ol", { class: "moves", "aria-label": title });
    const step = (label, sign, to) => button(sign, () => this.#go(to()), { class: "icon", "aria-label": label, title: label });
    this.buttons = [
      step("To the beginning", "⇤", () => 0),
      step("Back", "←", () => this.#at - 1),
      step("Forward", "→", () => this.#at + 1),
      step("To the end", "⇥", () => this.#moves.length),
    ];
    this.element = h("section", { class: "steps", "aria-label": title },
      h("div", { class: "row steps-bar" }, h("h2", { text: title }), h("div", { class: "stepper" }, this.buttons)),
      this.list);
  }

  #go(at) {
    const to = Math.max(0, Math.min(this.#moves.length, at));
    if (to !== this.#at) this.onstep(to);
  }

  /** Show a history [[player, move], ...] with the place `at`, and a note for each move where there is one. */
  update(moves, at, notes = []) {
    const focused = this.list.contains(document.activeElement) ? at : null;
    this.#moves = moves;
    this.#at = at;
    this.list.replaceChildren(...moves.map(([player, move], i) => h("li", null, button(
      [badge(player), h("span", { text: move }), notes[i] && h("em", { class: `note ${notes[i]}`, text: notes[i] })],
      () => this.#go(i + 1),
      { "aria-current": i + 1 === at ? "step" : null, "aria-label": `Move ${i + 1}, ${"XO"[player - 1]}: ${move}${notes[i] ? `, ${notes[i]}` : ""}` },
    ))));
    if (!moves.length) this.list.replaceChildren(h("li", { class: "small", text: "No move yet." }));
    this.buttons.forEach((element, i) => (element.disabled = i < 2 ? at === 0 : at === moves.length));
    const current = this.list.querySelector("[aria-current]");
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
    if (focused !== null) current?.focus();
  }

  /** The keys , and . step back and forward anywhere outside a field; returns how to stop listening. */
  listen() {
    const onkey = (event) => {
      if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
      const by = { ",": -1, ".": 1 }[event.key];
      if (by) this.#go(this.#at + by);
    };
    document.addEventListener("keydown", onkey);
    return () => document.removeEventListener("keydown", onkey);
  }
}
