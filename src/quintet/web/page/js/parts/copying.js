// A button that copies a text, and says whether it could.

import { button, h } from "../dom.js";

/** `text` gives what is to be copied. */
export function copyButton(label, text, properties) {
  const said = h("span", { role: "status", class: "small" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      said.textContent = "Copied.";
    } catch {
      // Browsers allow it on secure addresses only.
      said.textContent = `Copy it from here: ${text()}`;
    }
  };
  return h("div", { class: "row" }, button(label, copy, properties), said);
}
