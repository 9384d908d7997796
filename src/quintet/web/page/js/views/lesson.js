// A game's lesson: a few taps on a board. The service sends all of it at once, with what every tap leads to.

import { Failure, lesson as askLesson } from "../api.js";
import { shake } from "../bubble.js";
import { badge } from "../cell.js";
import { button, h, link } from "../dom.js";
import { tr } from "../language.js";
import { attempt } from "../notices.js";
import { seating, startGame } from "../parts/start-game.js";
import { go } from "../router.js";
import { playEnd, playTone } from "../sound.js";
import { pace, playerName, saveLesson } from "../storage.js";

const BEGINNER = { kind: "engine", who: "level:1", side: "1" };
const INTRO = tr("A few taps, half a minute. You play X.");
const HINT_AFTER = 2;
const DONE = tr("That’s all you need to know. Ready for a real game?");

/**
 * A place in the lesson that Back leads to: the scene, -1 at the end, and the text there about the tap before.
 * @typedef {{ scene: number, said: string, kind: string }} Place
 */

/**
 * @param {HTMLElement} section
 * @param {string} game
 * @param {URLSearchParams} params
 */
export async function show(section, game, params) {
  try {
    return teach(section, await askLesson(game), params);
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 404) throw error;
    return void go(`/rules/${encodeURIComponent(game)}`, { replace: true }); // A game without a lesson still has rules.
  }
}

/**
 * @param {HTMLElement} section
 * @param {Api.LessonInfo} lesson
 * @param {URLSearchParams} params
 */
function teach(section, lesson, params) {
  const { game } = lesson;
  const from = params.get("from") ?? ""; // The table to return to.
  const back = /^\/[^/\\]/.test(from) ? from : "";
  const pause = 2 * pace(); // Between the learner's move and the opponent's.
  /** @type {Place[]} */
  let places = [{ scene: 0, said: INTRO, kind: "" }];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let mistakes = 0; // Wrong taps in this scene.

  const board = h("quintet-board", { "data-testid": "board" });
  board.name = tr("Lesson: {game}", { game: lesson.title });
  const said = h("p", { class: "said", "data-testid": "said" });
  const todo = h("p", { class: "todo", "data-testid": "todo" });
  const dots = h("div", { class: "dots", role: "img" }, Array.from({ length: lesson.steps }, () => h("i")));
  const scores = [1, 2].map((player) => h("b", { class: "score", "data-testid": `score-${player}` }));
  const undo = button(tr("Back"), goBack, { class: "quiet", "data-testid": "back" });
  const skip = link(back || "/", tr("Skip"), { class: "button quiet", "data-testid": "skip" });
  const rules = link(`/rules/${game}`, tr("Rules"), { class: "button" });
  const play = back
    ? link(back, tr("Go to the table"), { class: "button primary" })
    : button(tr("Play"), start, { class: "primary", "data-testid": "play" });

  /** Show a board. @param {number} number */
  function drawBoard(number) {
    const view = lesson.views[number];
    const target = view.target ? ` / ${view.target}` : "";
    board.view = view;
    scores.forEach((score, i) => (score.textContent = lesson.scored ? `${view.scores[i]}${target}` : ""));
  }

  /** Show the text about the last tap, and what to do now. */
  function say(text = "", kind = "", next = "") {
    said.textContent = text;
    said.className = `said ${kind}`;
    if (kind === "wrong") shake(said);
    todo.textContent = next;
  }

  /** Show the scene that waits for a tap. */
  function draw() {
    const { scene: number, said: text, kind } = places[places.length - 1];
    const scene = lesson.scenes[number];
    const over = number < 0;
    [...dots.children].forEach((dot, i) => {
      dot.className = over || i < scene.step ? "done" : i === scene.step ? "now" : "";
    });
    dots.setAttribute("aria-label", over
      ? tr("Lesson finished")
      : tr("Step {number} of {total}", { number: scene.step + 1, total: lesson.steps }));
    undo.disabled = places.length === 1;
    skip.hidden = over;
    rules.hidden = play.hidden = !over;
    board.hush();
    board.fade = board.playable = !over;
    section.classList.toggle("over", over);
    if (over) {
      board.lit = [];
      return say(text, kind, DONE);
    }
    mistakes = 0;
    drawBoard(scene.view);
    // The board refuses by itself what is refused, but here it may be what is asked for.
    board.effects = { ...scene.effects, refused: {} };
    board.lit = scene.lit;
    say(text, kind, scene.text);
  }

  /** @param {string} label */
  function tap(label) {
    const { scene: number } = places[places.length - 1];
    const scene = lesson.scenes[number];
    const found = scene.taps[label];
    const refusal = scene.effects.refused[label];
    if (refusal) {
      board.effects = scene.effects;
      board.refuse(label, ""); // The words stand above the board.
      board.effects = { ...scene.effects, refused: {} };
    }
    if (!found || found.next === number) {
      if (++mistakes >= HINT_AFTER) board.lit = scene.lit.filter((lit) => scene.taps[lit].next !== number);
      return say(found?.text ?? refusal?.why, "wrong", scene.text);
    }
    const kind = refusal ? "wrong" : "right";
    places.push({ scene: found.next ?? -1, said: found.text, kind });
    board.lit = [];
    board.playable = undo.disabled = false;
    board.fade = Boolean(refusal); // What a move closes is to be seen.
    say(found.text, kind);
    if (refusal) timer = setTimeout(draw, 2 * pause);
    else showBoards(found.views);
  }

  /** Show boards one after the other, then what comes next. @param {number[]} numbers */
  function showBoards([first, ...others]) {
    drawBoard(first);
    playTone(lesson.views[first].history.at(-1)?.[0] ?? 1);
    const isLast = !others.length;
    if (isLast && places[places.length - 1].scene < 0) finish();
    else if (isLast) timer = setTimeout(draw, pause / 2);
    else timer = setTimeout(() => showBoards(others), pause);
  }

  function finish() {
    saveLesson(game);
    playEnd(true);
    draw();
    play.focus({ preventScroll: true });
  }

  function goBack() {
    clearTimeout(timer);
    places = places.slice(0, -1);
    draw();
  }

  /** Start a game against a beginner. */
  function start() {
    return attempt(() => startGame({ game, ...seating(BEGINNER), name: playerName() || undefined }));
  }

  board.addEventListener("claim", (event) => tap(event.detail));
  section.classList.add("lesson");
  section.append(
    h("div", { class: "heading" }, h("h1", { text: tr("How to play {game}", { game: lesson.title }) }), dots),
    h("div", { class: "talk", role: "status" }, said, todo),
    board,
    h("ul", { class: "sides" },
      h("li", null, badge(1), tr("You"), scores[0]),
      h("li", null, scores[1], tr("Opponent"), badge(2))),
    h("div", { class: "row lesson-row" }, undo, skip, rules, play),
  );
  draw();
  return () => clearTimeout(timer);
}
