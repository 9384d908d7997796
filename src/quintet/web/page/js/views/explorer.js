// The explorer: any line of a game, with the value of every move. Each position has its own address.

import { games, optionsOf, position, query } from "../api.js";
import { button, h, link } from "../dom.js";
import { tr } from "../language.js";
import { attempt } from "../notices.js";
import { field } from "../parts/forms.js";
import { gameLinks, gameTabs } from "../parts/game-tabs.js";
import { Insight } from "../parts/insight.js";
import { LatestRequest } from "../parts/latest-request.js";
import { MoveField } from "../parts/move-field.js";
import { showEffects } from "../parts/overlay.js";
import { Players } from "../parts/players.js";
import { Pointing, withNames } from "../parts/pointing.js";
import { shareMenu } from "../parts/share.js";
import { Steps } from "../parts/steps.js";
import { go, here, setAddress } from "../router.js";
import { urlOf } from "../site.js";

const OPTIONS = ["size", "target", "values", "shuffle", "first", "position"];
const PLAYERS = [1, 2].map((number) => ({ name: tr("Player {number}", { number }) }));

/**
 * @param {HTMLElement} section
 * @param {string} game
 * @param {URLSearchParams} params
 */
export async function show(section, game, params) {
  if (!game) return void go(`/explore/${(await games())[0].name}`, { replace: true });
  const given = OPTIONS.filter((name) => params.has(name)).map((name) => [name, params.get(name)]);
  const options = { game, ...Object.fromEntries(given) };
  let { view } = await position({ ...options, moves: params.get("moves") ?? undefined });
  const request = new LatestRequest();
  let line = view.history; // The whole line, of which the position may be an earlier point.

  const board = h("quintet-board", { "data-testid": "board" });
  board.playable = true;
  const players = new Players();
  const steps = new Steps((ply) => follow(line.slice(0, ply).map(([, move]) => move)));
  const status = h("p", { class: "status", role: "status", "data-testid": "status" });
  const explanation = h("p", { class: "explanation", role: "status", "data-testid": "explanation" });
  const best = h("div", { class: "best-line" });
  const pass = button(tr("Pass"), () => play("pass"), { class: "primary", "data-testid": "pass" });
  const moveField = new MoveField((text) => play(text));
  const playFromHere = link("/new", tr("Play from here"), { class: "button primary" });

  const insight = new Insight(board, true, (found, message = "") => {
    explanation.replaceChildren(...withNames(view, found ? found.explanation : message));
    const moves = found?.line ?? [];
    const play = /** @param {number} count */ (count) => follow([...played(), ...moves.slice(0, count)]);
    best.replaceChildren(...pointing.line(view, tr("Best play from here"), moves, play));
  });
  const pointing = new Pointing(board, explanation, best, insight.element);

  const played = () => view.history.map(([, move]) => move);
  /** @param {string} move */
  const play = (move) => follow([...played(), move]);

  /** Go to the position after these moves. A point of the line keeps what comes after it. @param {string[]} moves */
  const follow = (moves) => attempt(async () => {
    const found = await request.wait(position({ ...options, moves: moves.join("; ") || undefined }));
    if (!found) return;
    view = found.view;
    if (!played().every((move, i) => line[i]?.[1] === move)) line = view.history;
    if (address() !== here()) setAddress(address());
    draw();
  });

  const share = shareMenu(() => {
    const { game: name, ...rest } = optionsOf(view);
    const described = query({ game: name, ...rest });
    return {
      title: view.title,
      url: location.href,
      png: `/api/picture.png${query({ game: name, ...rest, shape: "captioned" })}`,
      gif: view.history.length ? `/api/replay.gif${described}` : undefined,
      embed: `/embed${described}`,
    };
  });

  function address() {
    const { game: name, ...rest } = { ...options, moves: played().join("; ") || undefined };
    return `/explore/${name}${query(rest)}`;
  }

  function draw() {
    pointing.keep([]);
    board.view = view;
    players.update(view, PLAYERS);
    steps.update(view, view.history.length, [], line);
    status.textContent = view.status;
    pass.hidden = !view.must_pass;
    playFromHere.hidden = view.player === null;
    playFromHere.href = urlOf(`/new${query({ ...options, moves: played().join("; ") })}`);
    moveField.enable(view.player !== null);
    insight.show(optionsOf(view));
    showEffects(board, optionsOf(view));
  }

  const size = h("input", { value: view.size, maxlength: 2000, name: "size" });
  const onsubmit = /** @param {Event} event */ (event) => {
    event.preventDefault();
    go(`/explore/${game}${query({ size: size.value.trim() })}`);
  };
  const resize = h("form", { class: "typing", onsubmit },
    field(tr("Board size"), size), h("button", { type: "submit", text: tr("Change") }));

  board.addEventListener("preview", (event) => players.preview(event.detail));
  board.addEventListener("claim", (event) => play(event.detail));
  section.append(
    h("div", { class: "heading" }, h("h1", { text: tr("Explore {game}", { game: view.title }) }),
      gameLinks(game, "explore")),
    await gameTabs(game, (name) => `/explore/${name}`),
    h("div", { class: "table" },
      h("div", { class: "stage" },
        players.element, board, h("div", { class: "under" }, status, pass, steps.stepper), moveField.element),
      h("div", { class: "side" },
        h("section", { class: "card coach", "aria-label": tr("Values") }, insight.element, explanation, best),
        h("div", { class: "row" }, playFromHere, share),
        steps.element, resize)),
  );
  const stopListening = steps.listen();
  draw();
  return () => {
    request.cancel();
    stopListening();
  };
}
