// A part of the page that follows what changes.

/** @import { Child } from "../dom.js" */

/** A part of the page that is drawn again only if something in it has changed, so that it keeps the focus. */
export class Part {
  #key = "";

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /**
   * @param {unknown} facts what the part shows
   * @param {() => Child[]} draw
   */
  update(facts, draw) {
    const key = JSON.stringify(facts);
    if (key === this.#key) return;
    this.#key = key;
    const items = draw().flat().flatMap((item) => item || []);
    this.element.replaceChildren(...items);
    this.element.hidden = !items.length;
  }
}
