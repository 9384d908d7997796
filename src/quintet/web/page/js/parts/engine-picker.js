// Choosing an engine: the levels with their pictures on a slider, every other engine by name.

import { h, newId } from "../dom.js";
import { tr } from "../language.js";
import { face } from "./face.js";
import { choice } from "./forms.js";

export class EnginePicker {
  #kind = "level";

  /**
   * @param {string} legend
   * @param {Api.EngineInfo[]} engines
   * @param {string} [chosen] the one to begin with
   */
  constructor(legend, engines, chosen = "level:4") {
    this.levels = engines.filter((engine) => engine.level);
    this.others = engines.filter((engine) => !engine.level);
    const id = newId("level");
    const last = this.levels.length - 1;
    const label = tr("Strength");
    this.slider = h("input", { id, type: "range", min: 0, max: last, "aria-label": label, "data-testid": "level" });
    this.slider.value = String(Math.max(0, this.levels.findIndex(({ who }) => who === chosen)));
    if (this.others.some(({ who }) => who === chosen)) this.#kind = chosen;
    this.title = h("output", { for: id, class: "engine-name" });
    this.face = h("span", { class: "engine-face" });
    // All of them in one place, so that the room for the longest is always there.
    this.about = engines.map((engine) => h("p", { class: "small", text: engine.about }));
    this.engines = engines;
    /** @type {[string, string][]} */
    const kinds = [["level", tr("Levels 1–{last}", { last: this.levels.length })], ...this.others.map(named)];
    const pick = choice(legend, newId("engine"), kinds, this.#kind, (kind) => {
      this.#kind = kind;
      this.#update();
    });
    this.element = h("div", { class: "engine card" }, pick,
      h("div", { class: "engine-chosen" }, this.face, this.title, this.slider),
      h("div", { class: "stacked" }, this.about));
    this.slider.addEventListener("input", () => this.#update());
    this.#update();
  }

  /** The engine that is chosen. */
  get #engine() {
    return this.others.find(({ who }) => who === this.#kind) ?? this.levels[Number(this.slider.value)];
  }

  /** The chosen engine as the service names it. */
  get who() {
    return this.#engine.who;
  }

  #update() {
    const engine = this.#engine;
    this.slider.classList.toggle("away", !engine.level);
    this.title.textContent = engine.title;
    this.slider.setAttribute("aria-valuetext", engine.title);
    this.face.replaceChildren(face(engine, "large"));
    this.about.forEach((text, i) => text.classList.toggle("away", this.engines[i] !== engine));
  }
}

/** @type {(engine: Api.EngineInfo) => [string, string]} */
const named = ({ who, title }) => [who, title];
