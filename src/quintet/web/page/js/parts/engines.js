// Choosing an engine: the levels on a slider, every other engine by name.

import { choice, h, newId } from "../dom.js";

const LEVEL = /^level:(\d+)$/;

/** The element has `who`, the engine as the service names it. */
export function enginePicker(legend, engines) {
  const levels = engines.filter((engine) => LEVEL.test(engine.who));
  const others = engines.filter((engine) => !LEVEL.test(engine.who));
  const id = newId("level");
  const slider = h("input", { id, type: "range", min: 0, max: levels.length - 1, step: 1, value: Math.floor(levels.length / 3), "data-testid": "level" });
  const shown = h("output", { for: id, class: "level" });
  const about = h("p", { class: "small about" });
  const scale = h("div", { class: "slider" }, h("label", { for: id, text: "Level" }), slider, shown);
  let kind = "level";

  const element = h("div", { class: "engine card" },
    choice(legend, newId("engine"), [["level", "A level"], ...others.map(({ who, title }) => [who, title])], kind, (value) => {
      kind = value;
      tell();
    }), scale, about);

  function tell() {
    const engine = kind === "level" ? levels[slider.value] : others.find(({ who }) => who === kind);
    scale.hidden = kind !== "level";
    shown.textContent = levels[slider.value].title;
    slider.setAttribute("aria-valuetext", levels[slider.value].title);
    about.textContent = engine.about;
    element.who = engine.who;
  }
  slider.addEventListener("input", tell);
  tell();
  return element;
}
