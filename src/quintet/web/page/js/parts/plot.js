// A figure of accuracy over time: a dot for each game, and a line through the average of the latest games.

import { h, s } from "../dom.js";
import { percent, tr, trCount } from "../language.js";

const WIDTHS = { wide: 720, narrow: 340 };
const HEIGHT = 190;
const LEFT = 44;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 12;
const LINES = [0, 0.5, 1];

/** @param {Api.Point[]} points the oldest first */
export function accuracyPlot(points) {
  const width = WIDTHS[matchMedia("(max-width: 46rem)").matches ? "narrow" : "wide"];
  const step = (width - LEFT - RIGHT) / Math.max(1, points.length - 1);
  const x = /** @param {number} i */ (i) => (points.length > 1 ? LEFT + i * step : (LEFT + width - RIGHT) / 2);
  const y = /** @param {number} share */ (share) => HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
  const last = points[points.length - 1];
  const name = trCount("Accuracy over {count} game, now {recent}", "Accuracy over {count} games, now {recent}",
    points.length, { recent: percent(last.recent) });
  return s("svg", { class: "plot", viewBox: `0 0 ${width} ${HEIGHT}`, preserveAspectRatio: "xMinYMid",
    role: "img", "aria-label": name },
    LINES.flatMap((share) => [
      s("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(share), y2: y(share) }),
      s("text", { x: LEFT - 8, y: y(share) + 4, "text-anchor": "end", text: percent(share) }),
    ]),
    points.map(({ accuracy, title }, i) =>
      s("circle", { class: "dot", cx: x(i), cy: y(accuracy), r: 4.5 },
        s("title", { text: tr("{game}: {accuracy}", { game: title, accuracy: percent(accuracy) }) }))),
    s("polyline", { class: "trend", points: points.map(({ recent }, i) => `${x(i)},${y(recent)}`).join(" ") }),
  );
}

/**
 * A table whose numbers are drawn as bars too.
 * @param {string} name
 * @param {[string, number, string][]} rows what is measured, its share of the longest bar, and the number in words
 * @param {string} [colour]
 */
export function barTable(name, rows, colour = "") {
  return h("table", { "aria-label": name }, h("tbody", null, rows.map(([title, share, text]) => {
    const bar = h("span", { class: `bar ${share ? colour : "away"}`, "aria-hidden": "true" });
    bar.style.setProperty("--share", String(share));
    return h("tr", null, h("th", { scope: "row", text: title }),
      h("td", null, h("span", { class: "measure" }, bar, h("span", { text }))));
  })));
}
