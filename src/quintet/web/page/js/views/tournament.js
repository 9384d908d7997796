// A tournament: joining it, the standings as they are now, one's own game, the rounds; and what its organiser can do.

import { Failure, ask, askWithKey, engines, newKey } from "../api.js";
import { button, h, link } from "../dom.js";
import { listed, tr, trCount } from "../language.js";
import { attempt } from "../notices.js";
import { confirmed } from "../parts/confirm.js";
import { field, select } from "../parts/forms.js";
import { nameInput } from "../parts/invitation.js";
import { Part } from "../parts/redrawn.js";
import { inviteOthers } from "../parts/tournament-invitation.js";
import {
  TournamentFeed, clockText, minutes, nameOf, openGames, ownEntry, ownGame, pathOf,
} from "../parts/tournament-feed.js";
import { crosstable, roundCard, standings, tieText } from "../parts/tournament-tables.js";
import { savePlayerName, saveTournament, tournamentOf } from "../storage.js";

/** @import { Child } from "../dom.js" */

/** The answers to a request to join that make it pointless to send it again. */
const REFUSED = [404, 409, 422];

/**
 * @param {HTMLElement} section
 * @param {string} id
 */
export async function show(section, id) {
  /** @type {Api.TournamentInfo} */
  let cup = await ask(pathOf(id));
  const [players, invited] = await Promise.all([
    engines(),
    /** @type {Promise<Api.Invitation | null>} */ (ask(`${pathOf(id)}/invitation`).catch(() => null)),
  ]);
  const title = cup.name || tr("{game} tournament", { game: cup.title });
  const lost = h("p", { class: "reconnecting", role: "status" });
  const own = new Part(h("section", { class: "card cup-own", "aria-label": tr("You"), "data-testid": "own" }));
  const countdown = h("p", { class: "cup-countdown", "data-testid": "countdown", hidden: true });
  const joining = joinForm();
  const engine = select("engine", players.map(({ who, title: shown }) => [who, shown]));
  engine.value = players.find(({ level }) => level)?.who ?? engine.value;
  const starting = new Part(h("div", null));
  const adding = h("div", { class: "cup-engine" }, field(tr("Add an engine"), engine),
    button(tr("Add"), addEngine, { "data-testid": "add-engine" }));
  const removable = new Part(h("div", { class: "row" }));
  const removing = h("details", null, h("summary", { text: tr("Remove somebody") }), removable.element);
  const organising = h("section", { class: "card stack", "aria-label": tr("Organiser"), "data-testid": "organiser" },
    h("h2", { text: tr("You organise this tournament") }), starting.element, adding, removing);
  const about = h("p", { class: "small" });
  const invitation = new Part(h("details", { class: "card cup-invite" }));
  const table = new Part(h("div", { class: "stack" }));
  const rounds = new Part(h("div", { class: "stack cup-rounds" }));
  const cross = h("details");
  let isInviting = cup.stage === "open";

  const mine = () => tournamentOf(id);

  /**
   * Send a request with a token; what comes back is shown.
   * @type {(what: string, token: string, body?: object) => unknown}
   */
  const send = (what, token, body = {}) =>
    attempt(async () => feed.take(await ask(`${pathOf(id)}/${what}`, { body, token })));

  /** @type {(what: string, body: object) => unknown} */
  const organise = (what, body) => send(what, mine().organiser ?? "", body);

  /** Add the engine that is chosen: one, however often the button is tapped meanwhile. */
  async function addEngine() {
    const add = /** @type {HTMLButtonElement} */ (adding.lastElementChild);
    add.disabled = true;
    await organise("engines", { who: engine.value });
    add.disabled = false;
  }

  /** @param {string} name */
  const join = (name) => attempt(async () => {
    const token = mine().token ?? newKey();
    saveTournament(id, { token, name }); // Before it is sent: leaving the page now must not lose the entry.
    try {
      /** @type {Api.TakenEntry} */
      const taken = await askWithKey(`${pathOf(id)}/entries`, { name, key: token });
      saveTournament(id, { entry: taken.entry, name: undefined });
      feed.take(await ask(pathOf(id)));
      draw();
    } catch (error) {
      if (error instanceof Failure && REFUSED.includes(error.status)) saveTournament(id, { name: undefined });
      throw error;
    }
  });

  function joinForm() {
    const input = nameInput();
    input.required = true;
    input.placeholder = tr("Your name");
    const onsubmit = /** @param {Event} event */ (event) => {
      event.preventDefault();
      savePlayerName(input.value.trim());
      join(input.value.trim());
    };
    return h("form", { class: "card cup-join", onsubmit, "data-testid": "join" },
      field(tr("Your name"), input),
      h("button", { type: "submit", class: "primary big", text: tr("Join") }));
  }

  const leave = async () => {
    const wasOpen = cup.stage === "open";
    const question = wasOpen ? tr("Leave this tournament?") : tr("Leave this tournament? Your open game is lost.");
    if (!(await confirmed(question, tr("Leave"), tr("Stay")))) return;
    await send("leave", mine().token ?? "");
    if (wasOpen) saveTournament(id, { entry: undefined, token: undefined }); // Another time it is another entry.
    draw();
  };

  /** @param {Api.EntryInfo} entry */
  const remove = async (entry) => {
    if (await confirmed(tr("Remove {name}?", { name: entry.name }), tr("Remove the player"), tr("Cancel")))
      organise("remove", { entry: entry.number });
  };

  /** What this browser's player has to know and to do now. @returns {Child[]} */
  function ownItems() {
    const entry = ownEntry(cup);
    const game = ownGame(cup);
    const played = cup.played.length;
    const place = cup.places.find((one) => one.entry === entry?.number);
    const say = /** @param {string} text */ (text) => h("p", { class: "lead", role: "status", text });
    const winners = cup.places.filter(({ rank }) => rank === 1).map((one) => nameOf(cup, one.entry));
    if (cup.stage === "over") {
      const text = winners.length === 1
        ? tr("{name} wins the tournament", { name: winners[0] })
        : tr("{names} share the first place", { names: listed(winners) });
      return [h("h2", { text }), place && say(tr("Your place: {rank}", { rank: place.rank })),
        link("/tournament/new", tr("New tournament"), { class: "button" })];
    }
    if (!entry) return cup.stage === "running" ? [say(tr("You are watching.")), countdown] : [];
    const leaving = button(tr("Leave"), leave);
    if (entry.removed) return [say(tr("The organiser removed you from this tournament."))];
    if (entry.left)
      return [say(tr("You left the tournament.")),
        button(tr("Return"), () => send("return", mine().token ?? ""), { class: "primary" })];
    if (cup.stage === "open")
      return [say(tr("You are in, {name}. Wait for the start.", { name: entry.name })), leaving];
    if (game?.match && !game.result)
      return [say(tr("Round {round}: you play {name}", { round: played, name: nameOf(cup, game.opponent) })),
        h("div", { class: "row" },
          link(`/match/${game.match}`, tr("Play"), { class: "button primary big", "data-testid": "play" }), leaving)];
    const open = openGames(cup).length;
    const waiting = trCount("Waiting for {count} game of this round.", "Waiting for {count} games of this round.",
      open);
    if (game && game.two === null && open)
      return [say(tr("You have a bye in this round.")), h("p", { text: waiting }), leaving];
    return [open > 0 && say(waiting), countdown, leaving];
  }

  /** @returns {Child[]} */
  function startItems() {
    const next = cup.played.length + 1;
    const canStart = cup.stage === "open" ? cup.entries.length > 1 : Boolean(cup.played.at(-1)?.ended);
    const text = cup.stage === "open" ? tr("Start the tournament") : tr("Start round {round} now", { round: next });
    const hint = cup.stage === "open" && !canStart && h("p", { class: "small", text: tr("Two are enough to start.") });
    if (cup.stage !== "open" && !canStart) return [];
    return [
      button(text, () => organise("start", { round: next }),
        { class: "primary big", disabled: !canStart, "data-testid": "start" }), hint,
    ];
  }

  /** What the organiser can do. A choice that is being made stays while others join. */
  function drawOrganiser() {
    const active = cup.entries.filter(({ removed }) => !removed);
    organising.hidden = !mine().organiser || cup.stage === "over";
    starting.update([cup.stage, cup.entries.length, cup.played.length, cup.played.at(-1)?.ended], startItems);
    adding.hidden = !cup.joinable;
    removing.hidden = !active.length;
    removable.update(active, () => active.map((entry) =>
      button(tr("Remove {name}", { name: entry.name }), () => remove(entry), { class: "cup-remove" })));
  }

  /** The game, the board, who plays whom, the clock. */
  function aboutText() {
    const format = cup.format === "all" ? tr("everybody plays everybody")
      : trCount("{count} Swiss round", "{count} Swiss rounds", cup.rounds);
    return [cup.title, cup.size, format, clockText(cup.clock)].join(" · ");
  }

  /** The crosstable, which stays open if it is. */
  function showCross() {
    cross.replaceChildren(h("summary", { text: tr("Crosstable") }), crosstable(cup));
    return cross;
  }

  /** @returns {Child[]} */
  function tableItems() {
    const active = cup.entries.filter(({ removed }) => !removed);
    if (cup.stage !== "open")
      return [h("h2", { text: tr("Standings") }), standings(cup, mine().entry), tieText(),
        cup.format === "all" && showCross()];
    const names = active.map(({ name, number }) => h("li", { class: number === mine().entry && "own", text: name }));
    return [
      h("h2", { text: trCount("{count} player", "{count} players", active.length) }),
      names.length
        ? h("ul", { class: "cup-names", "data-testid": "entries" }, names)
        : h("p", { text: tr("Nobody has joined yet.") }),
    ];
  }

  function draw() {
    const { starts_in: left, ...facts } = cup;
    const held = mine();
    own.update([facts, held], ownItems);
    joining.hidden = Boolean(ownEntry(cup)) || !cup.joinable;
    countdown.hidden = left === null;
    const round = cup.played.length + 1;
    countdown.textContent = tr("Round {round} starts in {time}", { round, time: minutes(left ?? 0) });
    about.textContent = aboutText();
    drawOrganiser();
    invitation.update([cup.joinable], () => inviteOthers(cup, id, invited));
    if (isInviting !== (cup.stage === "open")) invitation.element.removeAttribute("open");
    isInviting = cup.stage === "open";
    table.update([cup.stage, cup.places, cup.entries, cup.played, held.entry], tableItems);
    const isOrganiser = Boolean(held.organiser) && cup.stage === "running";
    const game = ownGame(cup);
    const isReady = cup.stage === "running" && game?.match && !game.result;
    if (section.isConnected) document.title = [isReady ? tr("Your game is ready") : title, "Quintet"].join(" · ");
    rounds.update([cup.played, cup.entries, isOrganiser], () =>
      cup.played.map((_, i) => roundCard(cup, i, isOrganiser && i === round - 2 ? organise : null)).reverse());
  }

  const feed = new TournamentFeed(id, (found) => {
    cup = found;
    draw();
  }, (isConnected) => (lost.textContent = isConnected ? "" : tr("Connection lost. Reconnecting …")));
  if (isInviting && mine().organiser) invitation.element.setAttribute("open", "");
  section.append(
    h("div", { class: "heading" }, h("h1", { class: "cup-title", text: title }),
      about,
      h("p", { class: "small links" }, link(`/rules/${cup.game}`, tr("Rules")))),
    lost,
    h("div", { class: "cup" },
      h("div", { class: "stack" }, own.element, joining, organising, invitation.element),
      h("div", { class: "stack" }, table.element, rounds.element)),
  );
  draw();
  const { name, entry } = mine();
  if (name && !entry) join(name); // The answer was lost.
  return () => feed.stop();
}
