// The review: a finished game with the exact value of every position, and another try at every mistake.

import { analysis, ask, optionsOf, position } from "../api.js";
import { attempt } from "../app.js";
import { button, dataTable, h, link } from "../dom.js";
import { toggle } from "../parts/forms.js";
import { SLIPS, remark } from "../parts/grades.js";
import { valueGraph } from "../parts/graph.js";
import { Latest } from "../parts/latest.js";
import { Players } from "../parts/players.js";
import { Steps, placeText } from "../parts/steps.js";
import { Overlay, inWords } from "../parts/values.js";

const HEADINGS = ["Player", "Accuracy", "Best", "Good", "Inaccuracies", "Mistakes", "Blunders"];
const percent = (share) => (share === null ? "–" : `${Math.round(share * 100)} %`);

export async function show(section, id) {
  const path = `/api/matches/${encodeURIComponent(id)}`;
  const [table, review] = await Promise.all([ask(path), ask(`${path}/review`)]);
  const game = table.state.view;
  const end = game.history.length;
  const notes = review.moves.map(({ grade }) => (SLIPS.includes(grade) ? grade : ""));
  let at = end;
  let trying = null; // The move that is to be bettered.
  const latest = new Latest();

  const board = h("quintet-board", { "data-testid": "board" });
  const players = new Players();
  const steps = new Steps((ply) => step(ply));
  const graph = valueGraph(review, (ply) => step(ply));
  const status = h("p", { class: "status", role: "status", "data-testid": "status" });
  const said = h("p", { class: "explanation", role: "status", "data-testid": "remark" });
  const again = button("Try again", () => retry(), { class: "primary", "data-testid": "try-again" });
  const give = button("Show me", () => reveal());
  const overlay = new Overlay(board, () => undefined);
  const values = toggle("Show what each move is worth", false, (on) => look(on), { "data-testid": "values" });

  function look(on) {
    overlay.on = values.firstElementChild.checked = on;
    overlay.show(optionsOf(game, at));
  }

  const step = (ply) => attempt(() => {
    trying = null;
    at = ply;
    return draw();
  });

  async function draw() {
    const found = await latest.of(at === end ? { view: game } : position(optionsOf(game, at)));
    if (!found) return;
    const { view } = found;
    const move = review.moves[at - 1];
    board.playable = Boolean(trying);
    board.view = view;
    players.update(view, [1, 2].map((seat) => ({ name: table.players[seat].name, about: accuracy(seat) })), null);
    steps.update(game.history, trying ? at + 1 : at, notes);
    graph.mark(at);
    again.hidden = Boolean(trying) || !notes[at - 1];
    give.hidden = !trying;
    values.hidden = Boolean(trying);
    said.textContent = trying ? "" : move ? remark(review, move) : "The beginning.";
    status.textContent = headline();
    overlay.show(trying ? null : optionsOf(game, at));
  }

  function headline() {
    if (trying) return `${"XO"[trying.player - 1]} played ${trying.move} here. Find a better move.`;
    if (at === end && table.state.result) return `${table.state.result.reason}.`;
    return placeText(at, end);
  }

  function accuracy(seat) {
    const { accuracy: share, judged } = review.accuracy[seat - 1];
    return share === null ? "no move to judge" : `${percent(share)} of ${judged} best`;
  }

  const retry = () => attempt(() => {
    trying = review.moves[at - 1];
    at -= 1;
    return draw();
  });

  async function reveal(words = `${trying.better} was better.`) {
    trying = null;
    await attempt(draw);
    said.textContent = words;
    look(true);
  }

  /** Judge another try by the exact values of the position. */
  const judge = (label) => attempt(async () => {
    const mistake = trying;
    const found = await analysis(optionsOf(game, at));
    const move = found.moves.find((other) => other.move === label);
    if (!mistake || mistake !== trying || !move) return;
    if (move.best) await reveal(`Right: ${label} ${inWords(move)}; no move is better.`);
    else if (label === mistake.move) said.textContent = `${label} is what was played; it ${inWords(move)}.`;
    else if (move.outcome === found.value.outcome) said.textContent = `${label} ${inWords(move)}, but there is better.`;
    else said.textContent = `Not yet: ${label} ${inWords(move)}.`;
  });

  function rowOf(row) {
    const cells = [percent(row.accuracy), row.best, row.good, row.inaccuracy, row.mistake, row.blunder];
    const name = `${table.players[row.player].name} (${"XO"[row.player - 1]})`;
    return h("tr", null, h("th", { scope: "row", text: name }), cells.map((text) => h("td", { text })));
  }

  board.addEventListener("claim", (event) => judge(event.detail));
  section.append(
    h("div", { class: "heading" },
      h("h1", { text: `Review of ${game.title}` }),
      link(`/match/${id}`, "To the table", { class: "small" })),
    h("div", { class: "table" },
      h("div", { class: "stage" }, players.element, board, h("div", { class: "under" }, status)),
      h("div", { class: "side" }, graph,
        h("section", { class: "card coach", "aria-label": "This move" },
          said, h("div", { class: "row" }, again, give), values),
        steps.element)),
    h("section", { class: "below stack", "data-testid": "accuracy" },
      h("h2", { text: "How well it was played" }),
      h("p", { text: review.turned_text }),
      dataTable("How well it was played", HEADINGS, review.accuracy.map(rowOf))),
  );
  const deaf = steps.listen();
  await draw();
  return deaf;
}
