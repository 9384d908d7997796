// A button that copies a text, and says whether it could.

import { button, h } from "../dom.js";
import { tr } from "../language.js";

/** @import { Properties } from "../dom.js" */

/**
 * @param {string} label
 * @param {() => string} getText
 * @param {Properties} [properties]
 */
export function copyButton(label, getText, properties) {
  const result = h("span", { role: "status", class: "small" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(getText());
      result.textContent = tr("Copied.");
    } catch {
      // Browsers allow it on secure addresses only.
      result.textContent = tr("Copy this: {text}", { text: getText() });
    }
  };
  return h("div", { class: "row" }, button(label, copy, properties), result);
}
