"""Write the golden data of the tests and the output shown in the documentation: `make goldens`. Review the diff.

`python tests/goldens.py --docs` writes only what the documentation shows.
"""

import random
import sys
from contextlib import redirect_stdout
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from documents import write_documents
from quintet.cli.play import rules
from quintet.games import GAMES
from quintet.gears import PLAIN
from quintet.match import Match
from quintet.notation import list_moves, write_position
from quintet.options import start
from quintet.perft import perft
from quintet.rules import Game
from quintet.solve.solver import Solver
from quintet.solve.theories import theory_of
from quintet.study.remarks import report
from quintet.study.reviews import review
from quintet.study.value_graph import value_graph

DATA = Path(__file__).parent / "data"
PICTURES = Path(__file__).parent.parent / "docs" / "images"
RULES = Path(__file__).parent.parent / "docs" / "rules"
MOST_LEAVES = 4_000_000
DEEPEST = 8
MOST_NODES = 15_000
SIZES = (None, "2x3", "3x4", "18")
DAY = date(2026, 11, 16)


def perft_file(game: Game) -> str:
    """Counts at several sizes, as deep as they stay affordable."""
    lines = ["# size, then the number of move sequences of length 1, 2, 3, ..."]
    for size in SIZES:
        counts: list[int] = []
        for depth in range(1, DEEPEST + 1):
            number = perft(start(game, size), depth)
            if number == 0 or number > MOST_LEAVES:
                break
            counts.append(number)
        lines.append(" ".join([start(game, size).board.size, *map(str, counts)]))
    return "\n".join(lines) + "\n"


def playthrough(game: Game) -> str:
    """A random game at the rule book's size and one on a small even board, every position in full."""
    parts = []
    for size in (None, "2x4"):
        match = Match(start(game, size))
        rng = random.Random(1)
        while True:
            position = match.position
            parts += [
                f"## {game.name} {position.board.size}, ply {match.ply}, Player {position.player} to move",
                str(position),
                write_position(position),
                f"scores: {position.scores[0]} {position.scores[1]}",
                f"moves: {list_moves(position)}",
            ]
            if not position.moves:
                parts += [f"result: {position.outcome}", ""]
                break
            move = rng.choice(position.moves)
            parts += [f"plays: {position.label(move)}", ""]
            match.play(move)
    return "\n".join(parts)


def nodes_file(game: Game) -> str:
    """The search's signature: value and positions visited from the empty board, the same in both gears."""
    lines = ["# board, value, positions visited"]
    for size in theory_of(game).BOARDS:
        solver = Solver(game, start(game, size).board, PLAIN)
        value = solver.value(start(game, size))
        lines.append(f"{size}: {value}, {solver.nodes}")
        if solver.nodes > MOST_NODES:
            break
    return "\n".join(lines) + "\n"


def reviewed(game: Game) -> str:
    """The review of a random game at the rule book's size, and its graph."""
    rng = random.Random(1)
    match = Match(start(game))
    while match.position.moves:
        match.play(rng.choice(match.position.moves))
    found = review(match)
    return f"{report(found)}\n\n{value_graph(found)}"


def rules_page(game: Game) -> str:
    """What `quintet rules` prints."""
    with redirect_stdout(StringIO()) as printed:
        rules(game.name)
    return printed.getvalue()


def rules_index() -> str:
    """The index of the rules pages."""
    lines = [
        "# Rules",
        "",
        "One page per game, with a ruling wherever the rule book contradicts itself. `quintet rules GAME`",
        "prints the same text. `make goldens` writes these pages.",
        "",
        "| game | board | summary |",
        "|---|---|---|",
        *(f"| [{game.title}]({game.name}.md) | {start(game).board.size} | {game.summary} |" for game in GAMES.values()),
        "",
        "You can play every game on other boards too: `--size 6x7`, or `--size 20` for a line.",
    ]
    return "\n".join(lines) + "\n"


def screen_dump(game: Game) -> str:
    """The app without its colours: the first screen, the form, a game under way, and the same with room to spare."""
    from driving import LARGE, SMALL, choose, drive, set_up, text_of

    async def story(pilot: Any) -> str:
        await choose(pilot, game.name)
        await pilot.pause()
        parts = [("menu", SMALL, text_of(pilot))]
        await set_up(pilot, game.name)
        parts.append(("form", SMALL, text_of(pilot)))
        await pilot.press("escape")
        await under_way(pilot, game)
        for size in (SMALL, LARGE):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            parts.append(("table", size, text_of(pilot)))
        return "\n".join(f"## {name} {size[0]}x{size[1]}\n{text}" for name, size, text in parts)

    # The first screen names the puzzle of the day.
    with patch("quintet.terminal.home_screen.today", lambda: DAY):
        return str(drive(story))


def screenshot(game: Game) -> str:
    """A picture of the app in its colours, with room to spare: a game under way and what every move is worth."""
    from driving import LARGE, drive, picture_of, until

    async def table(pilot: Any) -> str:
        screen = await under_way(pilot, game)
        await pilot.press("v")
        await until(pilot, lambda: any(cell.value for cell in screen.board.view.cells))
        await pilot.pause()
        return picture_of(pilot, f"Quintet: {game.title}")

    return str(drive(table, LARGE))


async def under_way(pilot: Any, game: Game) -> Any:
    """The screen of a game after four moves."""
    from driving import begin, click

    screen = await begin(pilot, game.name)
    rng = random.Random(2)
    for _ in range(4):
        await click(pilot, rng.choice(screen.match.position.moves).bit_length() - 1)
    await pilot.pause()
    return screen


def write_goldens() -> None:
    """Write the rules pages, the data that tests compare with, and the pictures of the app."""
    (RULES / "README.md").write_text(rules_index())
    for game in GAMES.values():
        (RULES / f"{game.name}.md").write_text(rules_page(game))
        (DATA / "perft" / f"{game.name}.txt").write_text(perft_file(game))
        (DATA / "nodes" / f"{game.name}.txt").write_text(nodes_file(game))
        (DATA / "reviews" / f"{game.name}.txt").write_text(reviewed(game))
        (DATA / "playthroughs" / f"{game.name}.txt").write_text(playthrough(game))
        (DATA / "screens" / f"{game.name}.txt").write_text(screen_dump(game))
        (PICTURES / f"app-{game.name}.svg").write_text(screenshot(game))


if __name__ == "__main__":
    if "--docs" not in sys.argv[1:]:
        write_goldens()
    write_documents()
