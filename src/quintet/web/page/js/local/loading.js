// A line that says that Python is still loading, where something waits for it.

import { h } from "../dom.js";
import { tr } from "../language.js";

/** Milliseconds after which waiting is worth a line. */
const SOON = 200;

/** @type {HTMLElement | null} */
let line = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {boolean} isWaiting */
export function showLoading(isWaiting) {
  if (isWaiting && (timer || line)) return;
  clearTimeout(timer);
  timer = undefined;
  if (isWaiting) timer = setTimeout(show, SOON);
  else line?.remove();
  if (!isWaiting) line = null;
}

function show() {
  const text = tr("The engines are loading, which takes a few seconds. You can begin already.");
  const bar = h("progress", { "aria-label": text });
  line = h("p", { class: "loading", role: "status", "data-testid": "loading" }, bar, text);
  document.body.append(line);
}
