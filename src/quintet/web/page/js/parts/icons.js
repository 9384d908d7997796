// Small drawings for buttons.

import { s } from "../dom.js";

const PATHS = {
  first: "M6 5v14M18 5l-8 7 8 7",
  back: "m15 5-8 7 8 7",
  forward: "m9 5 8 7-8 7",
  last: "M18 5v14M6 5l8 7-8 7",
  keyboard: "M3 6h18v12H3zM7 10h.01M12 10h.01M17 10h.01M8 14h8",
};

/** @param {keyof typeof PATHS} name */
export const icon = (name) => s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: PATHS[name] }));
