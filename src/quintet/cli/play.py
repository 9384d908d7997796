"""Commands to play: `games`, `rules`, `play`, `resume`."""

import shlex
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from quintet.cli.board_options import GameName, Moves, Setup, Shuffle, Size, Target, Values
from quintet.cli.common import (
    Json,
    MoveTime,
    Player1,
    Player2,
    Seed,
    Usage,
    print_json,
)
from quintet.safe_text import escape

if TYPE_CHECKING:
    from quintet.engines import Engine
    from quintet.match import Match


class First(StrEnum):
    """Who goes first."""

    p1 = "p1"
    p2 = "p2"
    random = "random"


def games(json: Json = False) -> None:
    """List the games."""
    from quintet.games import GAMES
    from quintet.options import describe, start

    if json:
        print_json(
            [
                {
                    "name": game.name,
                    "title": game.title,
                    "summary": game.summary,
                    "options": describe(start(game).board),
                }
                for game in GAMES.values()
            ]
        )
        return
    for game in GAMES.values():
        print(f"{game.name:<16}{start(game).board.size:<6}{game.summary}")


def rules(game: GameName) -> None:
    """Print the rules of a game."""
    from quintet.options import start

    position = start(game)
    print(f"# {position.game.title}\n\n{position.game.manual}\n```\n{position}\n```")


def play(
    game: GameName,
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    p1: Player1 = "human",
    p2: Player2 = "human",
    first: Annotated[First | None, typer.Option(help="Who goes first (default: Player 1).")] = None,
    moves: Moves = "",
    setup: Setup = None,
    seed: Seed = None,
    time: MoveTime = None,
    no_save: Annotated[bool, typer.Option("--no-save", help="Do not save the game.")] = False,
) -> None:
    """Play a game line by line, in the words of its rule book."""
    import random

    from quintet.engines.players import shown_name
    from quintet.match import open_match
    from quintet.protocol import LONGEST_TIME

    opener = {None: None, "p1": 1, "p2": 2}.get(first, random.Random(seed).choice((1, 2)))
    match = open_match(game, size, target, values, shuffle, opener, moves, setup)
    if time is not None and time > LONGEST_TIME:
        raise Usage(f"--time must be at most {LONGEST_TIME:.0f} seconds")
    engines = make_engines(p1, p2, seed)
    match.names = shown_name(p1), shown_name(p2)
    run_dialogue(match, engines, time, not no_save, players=(p1, p2))


def resume(
    id: Annotated[str | None, typer.Argument(metavar="ID", help="ID of the saved game (default: the latest).")] = None,
    p1: Annotated[str | None, typer.Option(metavar="WHO", help="Replace Player 1.")] = None,
    p2: Annotated[str | None, typer.Option(metavar="WHO", help="Replace Player 2.")] = None,
    seed: Seed = None,
) -> None:
    """Continue a saved game. The players stay the same unless you name others."""
    from quintet.engines.players import shown_name
    from quintet.record import UNFINISHED
    from quintet.store.matches import Store

    with Store() as store:
        if id is None:
            unfinished = store.entries(1, unfinished=True, online=False)
            if not unfinished:
                raise Usage("no saved game is unfinished. Start one with: quintet play GAME")
            id = unfinished[0].id
        match, result = store.load(id), store.record(id).result
        if result != UNFINISHED:
            raise Usage(f"game {id} is over ({result})")
        saved = store.players(id)
        players = p1 or saved_player(saved[0], 1), p2 or saved_player(saved[1], 2)
        engines = make_engines(*players, seed)
        if p1 or p2:
            match.names = shown_name(p1) if p1 else match.names[0], shown_name(p2) if p2 else match.names[1]
            store.change_players(id, players, match.names)
    run_dialogue(match, engines, id=id)


def make_engines(p1: str, p2: str, seed: int | None) -> "list[Engine | None]":
    """The players that two descriptions name; `None` is a person."""
    from quintet.engines import make_engine

    return [make_engine(who, None if seed is None else 2 * seed + seat) for seat, who in enumerate((p1, p2))]


def saved_player(who: str, number: int) -> str:
    """Who continues a saved game. A program is not started unless it is named again."""
    from quintet.engines.players import stored_player

    player = stored_player(who)
    if player is None:
        raise Usage(f"Player {number} is a program. To run it again, add: --p{number} {shlex.quote(who)}")
    return str(player)


def run_dialogue(
    match: "Match",
    engines: "list[Engine | None]",
    seconds: float | None = None,
    save: bool = True,
    id: str | None = None,
    players: tuple[str, str] = ("human", "human"),
) -> None:
    """Play a match in the dialogue and save it, under its id if it has one already, otherwise with its players."""
    from quintet.store.autosave import Autosave
    from quintet.terminal.dialogue import Dialogue

    def warn(reason: str) -> None:
        print(f"quintet: this game is not saved: {escape(reason)}", file=sys.stderr)

    autosave = Autosave(match, warn, id, players=players) if save else None
    try:
        Dialogue(match, engines, sys.stdin, sys.stdout, seconds, autosave).run()
    finally:
        if autosave:
            autosave.close()
    if match.outcome and match.outcome.kind == "forfeit":
        raise typer.Exit(1)
