// The value of a game over its moves as a picture: above the middle Player 1 is ahead, below it Player 2.

import { h, s } from "../dom.js";

const WIDTH = 400;
const HEIGHT = 150;
const LEFT = 12;
const MIDDLE = HEIGHT / 2;

/** How high each value stands, from -1 to 1; null where it is not known. */
function heights(values) {
  const most = Math.max(5, ...values.map((value) => Math.abs(value.margin ?? 0)));
  const longest = Math.max(1, ...values.map((value) => value.plies ?? 0));
  return values.map(({ outcome, margin, plies }) => {
    if (margin !== null && margin !== undefined) return margin / most;
    if (!outcome) return null;
    // A win is worth the more the nearer it is, from half the height on.
    return { win: 1, loss: -1, draw: 0 }[outcome] * (1 - (plies ?? 0) / longest / 2);
  });
}

/** The graph; `onstep` is told the number of moves that was pointed at. It has `mark(ply)` to show the place. */
export function valueGraph(review, onstep) {
  const points = heights(review.values);
  const step = (WIDTH - 2 * LEFT) / Math.max(1, points.length - 1);
  const x = (ply) => LEFT + ply * step;
  const y = (height) => MIDDLE - height * (MIDDLE - 14);
  const known = points.map((height, ply) => [ply, height]).filter(([, height]) => height !== null);
  const area = known.length && `M${x(known[0][0])} ${MIDDLE}${known.map(([ply, height]) => `L${x(ply)} ${y(height)}`).join("")}L${x(known.at(-1)[0])} ${MIDDLE}Z`;
  const place = s("line", { class: "place", y1: 4, y2: HEIGHT - 4 });
  const dots = review.moves.filter((move) => ["inaccuracy", "mistake", "blunder"].includes(move.grade) && points[move.ply] !== null)
    .map((move) => s("circle", { class: `slip ${move.grade} ${move.player === 1 ? "one" : "two"}`, cx: x(move.ply), cy: y(points[move.ply]), r: 5.5 },
      s("title", { text: `Move ${move.ply}, ${move.move}: ${move.grade}` })));
  const upper = s("clipPath", { id: "graph-upper" }, s("rect", { width: WIDTH, height: MIDDLE }));
  const lower = s("clipPath", { id: "graph-lower" }, s("rect", { y: MIDDLE, width: WIDTH, height: MIDDLE }));
  const picture = s("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "The value of the game over its moves" },
    upper, lower,
    area && s("path", { class: "area one", d: area, "clip-path": "url(#graph-upper)" }),
    area && s("path", { class: "area two", d: area, "clip-path": "url(#graph-lower)" }),
    s("line", { class: "level", x1: 0, x2: WIDTH, y1: MIDDLE, y2: MIDDLE }), place,
    s("polyline", { class: "curve", points: known.map(([ply, height]) => `${x(ply)},${y(height)}`).join(" ") }), dots);
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const ply = Math.round((((event.clientX - box.left) / box.width) * WIDTH - LEFT) / step);
    onstep(Math.max(0, Math.min(points.length - 1, ply)));
  });
  const figure = h("figure", { class: "card graph-card", "data-testid": "graph" }, picture,
    h("figcaption", { class: "small", text: "Above the line Player 1 (X) is winning, below it Player 2 (O). Dots are moves that gave something away." }));
  figure.mark = (ply) => ["x1", "x2"].forEach((name) => place.setAttribute(name, x(ply)));
  return figure;
}
