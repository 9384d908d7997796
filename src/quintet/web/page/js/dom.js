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
  const isThere = (child) => child !== null && child !== undefined && child !== false;
  element.append(...children.flat(Infinity).filter(isThere));
  return element;
}

/** An HTML element. */
export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);

/** An SVG element. */
export const s = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);

/** A link. */
export const link = (href, text, properties) => h("a", { href, ...properties }, text);

/** A button that does something. */
export const button = (text, onclick, properties) => h("button", { type: "button", onclick, ...properties }, text);

let ids = 0;

/** An id that nothing else has, for labels to refer to. */
export const newId = (word) => `${word}-${++ids}`;

/** A table with a name, that scrolls by itself where the screen is narrow, with the keyboard too. */
export function dataTable(name, headings, rows) {
  const head = h("tr", null, headings.map((text) => h("th", { scope: "col", text })));
  const table = h("table", null, h("thead", null, head), h("tbody", null, rows));
  return h("div", { class: "scroll card", role: "region", "aria-label": name, tabindex: 0 }, table);
}
