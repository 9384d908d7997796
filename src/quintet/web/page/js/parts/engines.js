// Choosing an engine: the levels on a slider, every other engine by name.

import { h, newId } from "../dom.js";
import { choice } from "./forms.js";

const LEVEL = /^level:(\d+)$/;

/** The element has `who`, the engine as the service names it. */
export function enginePicker(legend, engines) {
  const levels = engines.filter((engine) => LEVEL.test(engine.who));
  const others = engines.filter((engine) => !LEVEL.test(engine.who));
  const id = newId("level");
  const slider = h("input", { id, type: "range", min: 0, max: levels.length - 1, "data-testid": "level" });
  slider.value = Math.floor(levels.length / 3);
  const shown = h("output", { for: id, class: "level" });
  const about = h("p", { class: "small about" });
  const scale = h("div", { class: "slider" }, h("label", { for: id, text: "Level" }), slider, shown);
  const kinds = [["level", "A level"], ...others.map(({ who, title }) => [who, title])];
  let kind = "level";

  const pick = choice(legend, newId("engine"), kinds, kind, (value) => {
    kind = value;
    tell();
  });
  const element = h("div", { class: "engine card" }, pick, scale, about);

  function tell() {
    const level = levels[slider.value];
    const engine = kind === "level" ? level : others.find(({ who }) => who === kind);
    scale.hidden = kind !== "level";
    shown.textContent = level.title;
    slider.setAttribute("aria-valuetext", level.title);
    about.textContent = engine.about;
    element.who = engine.who;
  }
  slider.addEventListener("input", tell);
  tell();
  return element;
}
