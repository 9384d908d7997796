// Form fields: a labelled control, a choice, a switch.

import { h, newId } from "../dom.js";

/** @import { Properties } from "../dom.js" */

/**
 * A control with its label; a screen reader reads the hint with it.
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} control
 * @param {string} [hint]
 */
export function field(label, control, hint) {
  const id = (control.id ||= newId("field"));
  const note = hint && h("small", { id: `${id}-hint`, text: hint });
  if (note) control.setAttribute("aria-describedby", note.id);
  return h("div", { class: "field" }, h("label", { for: id, text: label }), control, note);
}

/**
 * A few choices [value, text, description] of which one is taken, as radio buttons.
 * @param {string} legend
 * @param {string} name
 * @param {[string, string, string?][]} choices
 * @param {string} chosen
 * @param {(value: string) => void} onchange
 */
export function choice(legend, name, choices, chosen, onchange, style = "segments") {
  const group = h("fieldset", { class: style }, h("legend", { text: legend }));
  for (const [value, text, description] of choices) {
    const checked = value === chosen;
    const radio = h("input", { type: "radio", name, value, checked, onchange: () => onchange(value) });
    const note = description && h("small", { text: description });
    group.append(h("label", null, radio, h("span", null, h("b", { text }), note)));
  }
  return group;
}

/**
 * A list to select from, of [value, text].
 * @param {string} name
 * @param {[string | number, string][]} options
 */
export const select = (name, options) =>
  h("select", { name }, options.map(([value, text]) => h("option", { value, text })));

/** A switch with two states. */
export class Toggle {
  /**
   * @param {string} text
   * @param {boolean} checked
   * @param {(checked: boolean) => void} onchange
   * @param {Properties} [properties]
   */
  constructor(text, checked, onchange, properties) {
    const changed = () => onchange(this.box.checked);
    this.box = h("input", { type: "checkbox", role: "switch", checked, onchange: changed, ...properties });
    const track = h("span", { class: "track", "aria-hidden": "true" });
    this.element = h("label", { class: "switch" }, this.box, track, h("span", { text }));
  }
}
