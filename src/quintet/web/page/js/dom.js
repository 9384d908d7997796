// Elements made from a name, properties and children. Text always goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element. */
export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);

/** An SVG element. */
export const s = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);

/** A link that stays on the page. */
export const link = (href, text, properties) => h("a", { href, ...properties }, text);

/** A button that does something. */
export const button = (text, onclick, properties) => h("button", { type: "button", onclick, ...properties }, text);

/** The number of an idea: a counter for the ids that labels need. */
let ids = 0;
export const newId = (word) => `${word}-${++ids}`;

/** A labelled form field; a hint is read with it. */
export function field(label, control, hint) {
  const id = (control.id ||= newId("field"));
  const note = hint && h("small", { id: `${id}-hint`, text: hint });
  if (note) control.setAttribute("aria-describedby", note.id);
  return h("div", { class: "field" }, h("label", { for: id, text: label }), control, note);
}

/** A table with a name, that scrolls by itself where the screen is narrow, with the keyboard too. */
export const scroller = (name, table) => h("div", { class: "scroll card", role: "region", "aria-label": name, tabindex: 0 }, table);

/** A few choices of which one is taken, as radio buttons. `choices` are [value, text, about]. */
export function choice(legend, name, choices, chosen, onchange, kind = "segments") {
  const group = h("fieldset", { class: kind }, h("legend", { text: legend }));
  for (const [value, text, about] of choices) {
    const radio = h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange?.(value) });
    group.append(h("label", null, radio, h("span", null, h("b", { text }), about && h("small", { text: about }))));
  }
  return group;
}

/** A switch with two states. */
export function toggle(text, checked, onchange, properties) {
  const box = h("input", { type: "checkbox", role: "switch", checked, onchange: () => onchange(box.checked), ...properties });
  return h("label", { class: "switch" }, box, h("span", { class: "track", "aria-hidden": "true" }), h("span", { text }));
}
