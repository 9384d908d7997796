// Choosing an engine: the levels on a slider, every other engine by name.

import { h, newId } from "../dom.js";
import { choice } from "./forms.js";

const LEVEL = /^level:(\d+)$/;

export class EnginePicker {
  #kind = "level";

  /**
   * @param {string} legend
   * @param {Api.EngineInfo[]} engines
   * @param {string} [chosen] the one to begin with
   */
  constructor(legend, engines, chosen = "level:4") {
    this.levels = engines.filter((engine) => LEVEL.test(engine.who));
    this.others = engines.filter((engine) => !LEVEL.test(engine.who));
    const id = newId("level");
    const last = this.levels.length - 1;
    this.slider = h("input", { id, type: "range", min: 0, max: last, "data-testid": "level" });
    this.slider.value = String(Math.max(0, this.levels.findIndex(({ who }) => who === chosen)));
    if (this.others.some(({ who }) => who === chosen)) this.#kind = chosen;
    this.shown = h("output", { for: id, class: "level" });
    this.about = h("p", { class: "small about" });
    this.scale = h("div", { class: "slider" }, h("label", { for: id, text: "Strength" }), this.slider, this.shown);
    /** @type {[string, string][]} */
    const kinds = [["level", `Levels 1–${this.levels.length}`], ...this.others.map(named)];
    const pick = choice(legend, newId("engine"), kinds, this.#kind, (kind) => {
      this.#kind = kind;
      this.#update();
    });
    this.element = h("div", { class: "engine card" }, pick, this.scale, this.about);
    this.slider.addEventListener("input", () => this.#update());
    this.#update();
  }

  get #level() {
    return this.levels[Number(this.slider.value)];
  }

  /** The engine that is chosen. */
  get #engine() {
    return this.others.find(({ who }) => who === this.#kind) ?? this.#level;
  }

  /** The chosen engine as the service names it. */
  get who() {
    return this.#engine.who;
  }

  #update() {
    this.scale.hidden = this.#kind !== "level";
    this.shown.textContent = this.#level.title;
    this.slider.setAttribute("aria-valuetext", this.#level.title);
    this.about.textContent = this.#engine.about;
  }
}

/** @type {(engine: Api.EngineInfo) => [string, string]} */
const named = ({ who, title }) => [who, title];
