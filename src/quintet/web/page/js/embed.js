// A board for pages of other sites: a position or a match, to step through. It stores nothing and changes nothing.

import "./board.js";
import { Failure, ask, optionsOf, position, query } from "./api.js";
import { badge } from "./cell.js";
import { elementById, h, link } from "./dom.js";
import { tr } from "./language.js";
import { LatestRequest } from "./parts/latest-request.js";
import { Steps, placeText } from "./parts/steps.js";

const OPTIONS = ["game", "size", "target", "values", "shuffle", "first", "position", "moves"];

/** What is shown: the whole game, the players' names, and the page where it can be played or explored. */
async function load() {
  const params = new URLSearchParams(location.search);
  const id = params.get("match");
  if (id) {
    /** @type {Api.Table} */
    const { players, state } = await ask(`/api/matches/${encodeURIComponent(id)}`);
    return { view: state.view, names: [players["1"].name, players["2"].name], address: `/match/${id}` };
  }
  const { game = "", ...rest } = Object.fromEntries(OPTIONS.flatMap((name) => {
    const value = params.get(name);
    return value ? [[name, value]] : [];
  }));
  const { view } = await position({ game, ...rest });
  return { view, names: ["", ""], address: `/explore/${encodeURIComponent(view.game)}${query(rest)}` };
}

/** @param {HTMLElement} place */
async function show(place) {
  const { view, names, address } = await load();
  const end = view.history.length;
  const request = new LatestRequest();
  const board = h("quintet-board", { "data-testid": "board" });
  const players = h("p", { class: "players" });
  const status = h("p", { class: "status", role: "status", "data-testid": "status" });
  const steps = new Steps((ply) => draw(ply));

  /** @param {number} at */
  async function draw(at) {
    const shown = await request.wait(at === end ? view : position(optionsOf(view, at)).then((found) => found.view));
    if (!shown) return;
    board.view = shown;
    steps.update(view, at);
    status.textContent = at < end ? placeText(at, end) : view.result ? view.event : view.status;
    players.replaceChildren(...[0, 1].map((i) =>
      h("span", null, badge(i + 1), names[i], view.scored && h("b", { text: String(shown.scores[i]) }))));
  }

  await draw(end);
  document.title = `${view.title} · Quintet`;
  place.replaceChildren(
    h("h1", { text: view.title }),
    players,
    board,
    h("div", { class: "under" }, status, steps.stepper),
    link(address, tr("Open in Quintet"), { target: "_blank", rel: "noopener", class: "small" }),
  );
  steps.stepper.hidden = !end;
  steps.listen();
}

const place = elementById("main", HTMLElement);
show(place).catch((error) => {
  if (!(error instanceof Failure)) throw error;
  place.replaceChildren(h("p", { role: "alert", text: error.message }));
});
