// Form fields: a labelled control, a choice, a switch.

import { h, newId } from "../dom.js";

/** A control with its label; a hint is read with it. */
export function field(label, control, hint) {
  const id = (control.id ||= newId("field"));
  const note = hint && h("small", { id: `${id}-hint`, text: hint });
  if (note) control.setAttribute("aria-describedby", note.id);
  return h("div", { class: "field" }, h("label", { for: id, text: label }), control, note);
}

/** A few choices [value, text, about] of which one is taken, as radio buttons. */
export function choice(legend, name, choices, chosen, onchange, kind = "segments") {
  const group = h("fieldset", { class: kind }, h("legend", { text: legend }));
  for (const [value, text, about] of choices) {
    const checked = value === chosen;
    const radio = h("input", { type: "radio", name, value, checked, onchange: () => onchange(value) });
    group.append(h("label", null, radio, h("span", null, h("b", { text }), about && h("small", { text: about }))));
  }
  return group;
}

/** A switch with two states. */
export function toggle(text, checked, onchange, properties) {
  const tell = () => onchange(box.checked);
  const box = h("input", { type: "checkbox", role: "switch", checked, onchange: tell, ...properties });
  const track = h("span", { class: "track", "aria-hidden": "true" });
  return h("label", { class: "switch" }, box, track, h("span", { text }));
}
