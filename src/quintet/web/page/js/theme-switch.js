// The button that changes between the light and the dark theme.

import { tr } from "./language.js";
import { saveEarly } from "./storage.js";

/** Make a button the switch for the theme. @param {HTMLButtonElement} button */
export function connectThemeSwitch(button) {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const other = () => (isDark() ? "light" : "dark");
  const update = () => {
    const label = isDark() ? tr("Switch to the light theme") : tr("Switch to the dark theme");
    button.setAttribute("aria-label", label);
    button.title = label;
  };
  button.addEventListener("click", () => {
    root.dataset.theme = other();
    saveEarly("theme", root.dataset.theme);
    update();
  });
  system.addEventListener("change", update);
  update();
}
