// The review: a finished game with the exact value of every position, and another try at every mistake.

import { analysis, ask, optionsOf, position } from "../api.js";
import { attempt } from "../app.js";
import { button, h, link, scroller, toggle } from "../dom.js";
import { valueGraph } from "../parts/graph.js";
import { Players } from "../parts/players.js";
import { Steps } from "../parts/steps.js";
import { Overlay, inWords } from "../parts/values.js";

const SLIPS = ["inaccuracy", "mistake", "blunder"];
const articled = (word) => `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;

export async function show(section, id) {
  const path = `/api/matches/${encodeURIComponent(id)}`;
  const [table, review] = await Promise.all([ask(path), ask(`${path}/review`)]);
  const game = table.state.view;
  const notes = review.moves.map((move) => (SLIPS.includes(move.grade) ? move.grade : ""));
  let at = game.history.length;
  let trying = null; // The move that is to be bettered.

  const board = h("quintet-board", { "data-testid": "board" });
  const players = new Players();
  const steps = new Steps((ply) => step(ply));
  const graph = valueGraph(review, (ply) => step(ply));
  const status = h("p", { class: "status", role: "status", "data-testid": "status" });
  const remark = h("p", { class: "explanation", "data-testid": "remark" });
  const again = button("Try again", () => retry(), { class: "primary", hidden: true, "data-testid": "try-again" });
  const give = button("Show me", () => reveal(), { hidden: true });
  const overlay = new Overlay(board, () => undefined);
  const values = toggle("Show what each move is worth", false, (on) => {
    overlay.on = on;
    overlay.show(optionsOf(game, at));
  }, { "data-testid": "values" });

  const step = (ply) => attempt(async () => {
    trying = null;
    at = ply;
    await draw();
  });

  async function draw() {
    const { view } = at === game.history.length ? { view: game } : await position(optionsOf(game, at));
    board.playable = Boolean(trying);
    board.view = view;
    players.update(view, [1, 2].map((seat) => ({ name: table.players[seat].name, about: accuracy(seat) })), null);
    steps.update(game.history, trying ? at + 1 : at, notes);
    graph.mark(at);
    const move = review.moves[at - 1];
    again.hidden = Boolean(trying) || !SLIPS.includes(move?.grade);
    give.hidden = !trying;
    values.hidden = Boolean(trying);
    remark.textContent = trying ? "" : say(move);
    status.textContent = trying ? `Player ${trying.player} (${"XO"[trying.player - 1]}) played ${trying.move} here. Find a better move.`
      : at === game.history.length && table.state.result ? `${table.state.result.reason}.` : `After move ${at} of ${game.history.length}.`;
    overlay.show(trying ? null : optionsOf(game, at));
  }

  function accuracy(seat) {
    const { accuracy: share, judged } = review.accuracy[seat - 1];
    return share === null ? "no move to judge" : `${Math.round(share * 100)} % of ${judged} best`;
  }

  function say(move) {
    if (!move) return "The beginning.";
    const words = { forced: "the only move", open: "not decided" }[move.grade] ?? (SLIPS.includes(move.grade) ? articled(move.grade) : move.grade);
    const better = move.better ? ` ${move.better} ${inWords(move.before)}; this ${inWords(move.after)}.` : ` It ${inWords(move.after)}.`;
    const refuted = move.refutation.length && SLIPS.includes(move.grade) ? ` It goes on ${move.refutation.slice(0, 8).join(", ")}.` : "";
    return `Move ${move.ply}, ${move.move}: ${words}.${better}${refuted}`;
  }

  const retry = () => attempt(async () => {
    trying = review.moves[at - 1];
    at -= 1;
    await draw();
  });

  const reveal = () => attempt(async () => {
    const better = trying.better;
    trying = null;
    await draw();
    remark.textContent = better ? `${better} was better.` : "";
    overlay.on = values.querySelector("input").checked = true;
    overlay.show(optionsOf(game, at));
  });

  board.addEventListener("claim", ({ detail: label }) => attempt(async () => {
    const mistake = trying;
    const found = await analysis(optionsOf(game, at));
    const move = found.moves.find((other) => other.move === label);
    if (!mistake || !move) return;
    if (move.best) {
      await reveal();
      remark.textContent = `Right: ${label} ${inWords(move)}; no move is better.`;
    } else {
      const kept = move.outcome === found.value.outcome;
      remark.textContent = label === mistake.move ? `${label} is what was played; it ${inWords(move)}.`
        : kept ? `${label} ${inWords(move)}: good, but there is better.` : `Not yet: ${label} ${inWords(move)}.`;
    }
  }));

  const summary = scroller("How well it was played", h("table", { "data-testid": "accuracy" },
    h("thead", null, h("tr", null, ["Player", "Accuracy", "Best", "Good", "Inaccuracies", "Mistakes", "Blunders"].map((text) => h("th", { scope: "col", text })))),
    h("tbody", null, review.accuracy.map((row, i) => h("tr", null,
      h("th", { scope: "row", text: `${table.players[i + 1].name} (${"XO"[i]})` }),
      [row.accuracy === null ? "–" : `${Math.round(row.accuracy * 100)} %`, row.best, row.good, row.inaccuracy, row.mistake, row.blunder].map((text) => h("td", { text: String(text) })))))));

  section.append(
    h("div", { class: "heading" }, h("h1", { text: `Review of ${game.title}` }), link(`/match/${id}`, "To the table", { class: "small" })),
    h("div", { class: "table" },
      h("div", { class: "stage" }, players.element, board, h("div", { class: "under" }, status)),
      h("div", { class: "side" }, graph,
        h("section", { class: "card coach", "aria-label": "This move", "aria-live": "polite" }, remark, h("div", { class: "row" }, again, give), values),
        steps.element)),
    h("section", { class: "below stack" }, h("h2", { text: "How well it was played" }), summary),
  );
  const deaf = steps.listen();
  await draw();
  return deaf;
}
