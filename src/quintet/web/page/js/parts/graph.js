// The value of a game over its moves as a picture: above the middle Player 1 is ahead, below it Player 2.

import { h, s } from "../dom.js";
import { SLIPS } from "./grades.js";

const WIDTH = 400;
const HEIGHT = 150;
const LEFT = 12;
const MIDDLE = HEIGHT / 2;
const LEGEND = "Above the line X is winning, below it O. Dots are moves that gave something away.";

/** How high each value stands, from -1 to 1; null where it is not known. */
function heights(values) {
  const most = Math.max(5, ...values.map((value) => Math.abs(value.margin ?? 0)));
  const longest = Math.max(1, ...values.map((value) => value.plies ?? 0));
  return values.map(({ outcome, margin, plies }) => {
    if (margin !== null) return margin / most;
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
  const known = points.flatMap((height, ply) => (height === null ? [] : [[x(ply), y(height)]]));
  const line = known.map((point) => point.join()).join(" ");
  const area = known.length ? `${known[0][0]},${MIDDLE} ${line} ${known.at(-1)[0]},${MIDDLE}` : "";
  const half = (id, top) => s("clipPath", { id }, s("rect", { y: top, width: WIDTH, height: MIDDLE }));
  const shade = (side, id) => s("polygon", { class: `area ${side}`, points: area, "clip-path": `url(#${id})` });
  const place = s("line", { class: "place", y1: 4, y2: HEIGHT - 4 });

  const slips = review.moves.filter(({ grade, ply }) => SLIPS.includes(grade) && points[ply] !== null);
  const dots = slips.map(({ ply, player, move, grade }) => s("circle",
    { class: `slip ${player === 1 ? "one" : "two"}`, cx: x(ply), cy: y(points[ply]), r: 5.5 },
    s("title", { text: `Move ${ply}, ${move}: ${grade}` })));

  const name = "The value of the game over its moves";
  const picture = s("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": name },
    half("graph-upper", 0), half("graph-lower", MIDDLE),
    shade("one", "graph-upper"), shade("two", "graph-lower"),
    s("line", { class: "level", x1: 0, x2: WIDTH, y1: MIDDLE, y2: MIDDLE }),
    place, s("polyline", { class: "curve", points: line }), dots);
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const ply = Math.round((((event.clientX - box.left) / box.width) * WIDTH - LEFT) / step);
    onstep(Math.max(0, Math.min(points.length - 1, ply)));
  });
  const legend = h("figcaption", { class: "small", text: LEGEND });
  const figure = h("figure", { class: "card graph-card", "data-testid": "graph" }, picture, legend);
  figure.mark = (ply) => ["x1", "x2"].forEach((end) => place.setAttribute(end, x(ply)));
  return figure;
}
