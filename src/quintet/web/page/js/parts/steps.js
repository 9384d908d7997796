// The moves of a game as a list to step through, by buttons, clicks and the keys , and .

import { button, h } from "../dom.js";
import { badge } from "../cell.js";
import { icon } from "./icons.js";

/** Where one is in a game that is stepped through. */
export const placeText = (at, end) => (at ? `After move ${at} of ${end}.` : "Before the first move.");

export class Steps {
  #moves = [];
  #at = 0;

  /** `onstep` is told the number of moves to show. */
  constructor(onstep, title = "Moves") {
    this.onstep = onstep;
    this.list = h("ol", { class: "moves", "aria-label": title });
    const step = (label, sign, to) =>
      button(icon(sign), () => this.#go(to()), { class: "icon", "aria-label": label, title: label });
    this.buttons = [
      step("To the beginning", "first", () => 0),
      step("Back", "back", () => this.#at - 1),
      step("Forward", "forward", () => this.#at + 1),
      step("To the end", "last", () => this.#moves.length),
    ];
    this.element = h("section", { class: "steps", "aria-label": title },
      h("div", { class: "row steps-bar" }, h("h2", { text: title }), h("div", { class: "stepper" }, this.buttons)),
      this.list);
  }

  #go(at) {
    const to = Math.max(0, Math.min(this.#moves.length, at));
    if (to === this.#at) return;
    this.#at = to; // At once: the next step may be asked for before this one is shown.
    this.onstep(to);
  }

  /** Show a history [[player, move], ...] with the place `at`, and a note for each move where there is one. */
  update(moves, at, notes = []) {
    const hadFocus = this.list.contains(document.activeElement);
    this.#moves = moves;
    this.#at = at;
    const items = moves.map(([player, move], i) => this.#item(i + 1, player, move, notes[i]));
    this.list.replaceChildren(...(items.length ? items : [h("li", { class: "small", text: "No move yet." })]));
    this.buttons.forEach((element, i) => (element.disabled = i < 2 ? at === 0 : at === moves.length));
    const current = this.list.querySelector("[aria-current]");
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
    if (hadFocus) current?.focus();
  }

  #item(ply, player, move, note) {
    const words = [`Move ${ply}, ${"XO"[player - 1]}: ${move}`, note].filter(Boolean).join(", ");
    const sign = note && h("em", { class: `note ${note}`, text: note });
    return h("li", null, button([badge(player), h("span", { text: move }), sign], () => this.#go(ply), {
      "aria-label": words,
      "aria-current": ply === this.#at ? "step" : null,
    }));
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
