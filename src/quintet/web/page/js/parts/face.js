// The picture of an opponent.

import { h } from "../dom.js";

/**
 * The picture of a level; for other players a disc with the first letter of the name.
 * @param {{ name: string, picture?: string | null }} player
 * @param {string} [size] a class that says how large it is
 */
export function face({ name, picture }, size = "") {
  const look = { class: `face ${size}`, "aria-hidden": "true" };
  return picture ? h("img", { ...look, src: picture, alt: "" }) : h("span", { ...look, text: [...name][0] ?? "?" });
}
