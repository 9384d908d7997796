// Elements made from a name, properties and children. Text always goes in as text, never as markup.

import { urlOf } from "./site.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * What an element may contain; what is absent is left out.
 * @typedef {Node | string | 0 | false | null | undefined} Item
 * @typedef {Item | Item[]} Child
 */

/**
 * Attributes by name; `text` is the text inside, and what begins with `on` listens to an event.
 * @typedef {Record<string, unknown>} Properties
 */

/**
 * @template {Element} Kind
 * @param {Kind} element
 * @param {Properties | null | undefined} properties
 * @param {Child[]} children
 * @returns {Kind}
 */
function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === "href" || name === "src") element.setAttribute(name, urlOf(String(value)));
    else if (name === "text") element.textContent = String(value);
    else if (name === "value" || name === "checked") Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().flatMap((child) => (child || child === "" ? [child] : [])));
  return element;
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties | null} [properties]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);

/**
 * A text with the command in it shown as one.
 * @param {string} text
 * @param {string | null} [command]
 * @param {string} [kind] its class
 * @returns {Item[]}
 */
export function withCode(text, command, kind) {
  if (!command) return [text];
  const [before, after] = text.split(command);
  return [before, h("code", { class: kind, text: command }), after];
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties | null} [properties]
 * @param {Child[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export const s = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);

/**
 * A link.
 * @param {string} href
 * @param {string} text
 * @param {Properties} [properties]
 */
export const link = (href, text, properties) => h("a", { href, ...properties }, text);

/**
 * A button that does something.
 * @param {Child} content
 * @param {() => unknown} onclick
 * @param {Properties} [properties]
 */
export const button = (content, onclick, properties) =>
  h("button", { type: "button", onclick, ...properties }, content);

let ids = 0;

/** An id that nothing else has, for labels to refer to. @param {string} word */
export const newId = (word) => `${word}-${++ids}`;

/**
 * A table with a name, that scrolls by itself where the screen is narrow, with the keyboard too.
 * @param {string} name
 * @param {string[]} headings
 * @param {HTMLTableRowElement[]} rows
 */
export function dataTable(name, headings, rows) {
  const head = h("tr", null, headings.map((text) => h("th", { scope: "col", text })));
  const table = h("table", null, h("thead", null, head), h("tbody", null, rows));
  return h("div", { class: "scroll card", role: "region", "aria-label": name, tabindex: 0 }, table);
}

/**
 * An element of index.html.
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function elementById(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`index.html has no ${kind.name} with the id ${id}`);
  return found;
}

/**
 * The element that an event happened on or in; null if it is none of these.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | SVGElement | null}
 */
export const closest = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);
