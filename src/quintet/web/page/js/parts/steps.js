// The moves of a game as a list to step through, by buttons, clicks and the keys , and .

import { button, closest, h } from "../dom.js";
import { badge } from "../cell.js";
import { tr } from "../language.js";
import { moveName } from "../names.js";
import { icon } from "./icons.js";

/**
 * Where one is in a game that is stepped through.
 * @param {number} at
 * @param {number} end
 */
export const placeText = (at, end) =>
  at ? tr("After move {number} of {total}.", { number: at, total: end }) : tr("Before the first move.");

/** What is noted of a move: its kind, and that in words. @typedef {[string, string]} Note */

export class Steps {
  /** @type {Api.View["history"]} */
  #moves = [];
  #at = 0;

  /** @param {(ply: number) => void} onstep is given the number of moves to show */
  constructor(onstep) {
    this.onstep = onstep;
    this.list = h("ol", { class: "moves", "aria-label": tr("Move list") });
    /** @type {(label: string, sign: Parameters<typeof icon>[0], to: () => number) => HTMLButtonElement} */
    const step = (label, sign, to) =>
      button(icon(sign), () => this.#go(to()), { class: "icon", "aria-label": label, title: label });
    this.buttons = [
      step(tr("Go to the start"), "first", () => 0),
      step(tr("Back"), "back", () => this.#at - 1),
      step(tr("Forward"), "forward", () => this.#at + 1),
      step(tr("Go to the end"), "last", () => this.#moves.length),
    ];
    /** The buttons; a view may put them elsewhere. */
    const name = tr("Step through the moves");
    this.stepper = h("div", { class: "stepper", role: "group", "aria-label": name }, this.buttons);
    this.element = h("section", { class: "steps", "aria-label": tr("Move list") },
      h("div", { class: "row steps-bar" }, h("h2", { text: tr("Move list") }), this.stepper),
      this.list);
  }

  /** @param {number} at */
  #go(at) {
    const to = Math.max(0, Math.min(this.#moves.length, at));
    if (to === this.#at) return;
    this.#at = to; // At once: the next step may be asked for before this one is shown.
    this.onstep(to);
  }

  /**
   * Show the moves of a game, the place in it, and a note for each move where there is one.
   * @param {Api.View} view
   * @param {number} at
   * @param {(Note | null)[]} [notes]
   * @param {Api.View["history"]} [moves] the moves, where the view shows an earlier place
   */
  update(view, at, notes = [], moves = view.history) {
    const hadFocus = this.list.contains(document.activeElement);
    this.#moves = moves;
    this.#at = at;
    const items = moves.map(([player, move], i) => this.#item(i + 1, player, moveName(view, move), notes[i]));
    this.list.replaceChildren(...(items.length ? items : [h("li", { class: "small", text: tr("No moves yet.") })]));
    this.buttons.forEach((element, i) => (element.disabled = i < 2 ? at === 0 : at === moves.length));
    /** @type {HTMLElement | null} */
    const current = this.list.querySelector("[aria-current]");
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
    if (hadFocus) current?.focus({ preventScroll: true }); // The list has scrolled to it.
  }

  /**
   * @param {number} ply
   * @param {number} player
   * @param {string} name what the screen calls the move
   * @param {Note | null} [note]
   */
  #item(ply, player, name, note) {
    const words = tr("Move {number}, {mark}: {move}", { number: ply, mark: "XO"[player - 1], move: name });
    const [kind = "", text] = note ?? [];
    const sign = kind && h("em", { class: `note ${kind}`, text });
    return h("li", null, button([badge(player), h("span", { text: name }), sign], () => this.#go(ply), {
      "aria-label": text ? `${words}, ${text}` : words,
      "aria-current": ply === this.#at ? "step" : null,
    }));
  }

  /** The keys , and . step back and forward anywhere outside a field; returns how to stop listening. */
  listen() {
    const onkey = /** @param {KeyboardEvent} event */ (event) => {
      if (closest(event, "input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === ",") this.#go(this.#at - 1);
      if (event.key === ".") this.#go(this.#at + 1);
    };
    document.addEventListener("keydown", onkey);
    return () => document.removeEventListener("keydown", onkey);
  }
}
