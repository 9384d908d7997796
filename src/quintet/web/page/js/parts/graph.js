// The value of a game over its moves as a picture: above the middle Player 1 is ahead, below it Player 2.

import { h, s } from "../dom.js";
import { tr } from "../language.js";

const WIDTH = 400;
const HEIGHT = 150;
const LEFT = 12;
const MIDDLE = HEIGHT / 2;
const NAME = tr("Value of the game after each move");
const LEGEND = tr("Above the line X is winning, below it O. Dots mark inaccuracies, mistakes and blunders.");

export class ValueGraph {
  /**
   * @param {Api.ReviewReport} review
   * @param {(ply: number) => void} onstep is given the number of moves that was clicked
   */
  constructor({ heights, moves }, onstep) {
    const step = (WIDTH - 2 * LEFT) / Math.max(1, heights.length - 1);
    this.x = /** @param {number} ply */ (ply) => LEFT + ply * step;
    this.place = s("line", { class: "place", y1: 4, y2: HEIGHT - 4 });
    const known = heights.flatMap((height, ply) => (height === null ? [] : [[this.x(ply), y(height)]]));
    const line = known.map((point) => point.join()).join(" ");
    const area = known.length ? `${known[0][0]},${MIDDLE} ${line} ${known[known.length - 1][0]},${MIDDLE}` : "";
    const dots = moves.flatMap((move) => this.#dot(move, heights[move.ply]));
    const picture = s("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": NAME },
      half("graph-upper", 0), half("graph-lower", MIDDLE),
      shade("one", "graph-upper", area), shade("two", "graph-lower", area),
      s("line", { class: "level", x1: 0, x2: WIDTH, y1: MIDDLE, y2: MIDDLE }),
      this.place, s("polyline", { class: "curve", points: line }), dots);
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect();
      const ply = Math.round((((event.clientX - box.left) / box.width) * WIDTH - LEFT) / step);
      onstep(Math.max(0, Math.min(heights.length - 1, ply)));
    });
    const legend = h("figcaption", { class: "small", text: LEGEND });
    this.element = h("figure", { class: "card graph-card", "data-testid": "graph" }, picture, legend);
  }

  /**
   * @param {Api.GradeReport} move
   * @param {number | null} height
   */
  #dot({ ply, player, fault, remark }, height) {
    if (!fault || height === null) return [];
    const place = { cx: this.x(ply), cy: y(height), r: 5.5 };
    return [s("circle", { class: `fault ${player === 1 ? "one" : "two"}`, ...place }, s("title", { text: remark }))];
  }

  /** Show the place in the game. @param {number} ply */
  mark(ply) {
    for (const end of ["x1", "x2"]) this.place.setAttribute(end, String(this.x(ply)));
  }
}

/** Where a height from -1 to 1 stands. @param {number} height */
const y = (height) => MIDDLE - height * (MIDDLE - 14);

/** @type {(id: string, top: number) => SVGElement} */
const half = (id, top) => s("clipPath", { id }, s("rect", { y: top, width: WIDTH, height: MIDDLE }));

/** @type {(side: string, id: string, points: string) => SVGElement} */
const shade = (side, id, points) => s("polygon", { class: `area ${side}`, points, "clip-path": `url(#${id})` });
