"""The boards of the documentation, live: each is fed with the view that the web page would get, made at build time."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from urllib.parse import urlencode

import msgspec

from quintet.board import split
from quintet.effects import effects
from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_position, write_position
from quintet.options import start
from quintet.rules import Position
from quintet.study.analysis import analyze
from quintet.study.reports import explained_analysis
from quintet.view import make_view

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```([\w-]*)\n(.*?)^```$\n?", re.MULTILINE | re.DOTALL)
ASKS = re.compile(r"^\$ quintet (show|analyze|puzzle) (.*)$", re.MULTILINE)
"""Commands that print a board."""
MARKED = re.compile(r"^<!-- board: (.*?) -->\n", re.MULTILINE)
"""A board for the site alone, by the options of `quintet show`."""
SIZES = re.compile(r"\d+(?:x\d+)?")
LONGEST_ANALYSIS = 5.0
"""Seconds for the values of a board."""


class Boards:
    """The boards of a page."""

    def __init__(self, page: Path, play: str, folder: Path) -> None:
        """A page by its path on the site; `play` is the address of the playable page; pictures go to `folder`."""
        self.page = page
        self.folder = folder
        self.up = "../" * len(page.parts[:-1])
        self.play = play if "//" in play else self.up + play
        self.number = 0

    def make_live(self, text: str) -> str:
        """The page with its boards, and the script that they need."""
        game = ""
        pieces, end = [], 0
        for fence in FENCE.finditer(text):
            before = text[end : fence.start()]
            for title in re.findall(r"^## (.*)$", before, re.MULTILINE):
                game = named(title)
            pieces += [before, self.live(fence[0], fence[1], fence[2], game)]
            end = fence.end()
        text = "".join([*pieces, text[end:]])
        text = MARKED.sub(lambda mark: self.figure(shown_by("show", mark[1])), text)
        return f'{text}\n<script type="module" src="{self.up}site/boards.js"></script>\n' if self.number else text

    def live(self, whole: str, language: str, inside: str, game: str) -> str:
        """A block of code, or the boards in its place or below it."""
        if self.page.parent.name == "rules" and self.page.stem in GAMES and not language:
            return self.figure(start(self.page.stem))
        if self.page.name == "solutions.md" and not language and game:
            grids = "".join(self.figure(start(game, size), stars=stars) for size, stars in solved(inside))
            return f'<div class="solved-boards" markdown="0">\n{grids}</div>\n' if grids else whole
        if language != "console":
            return whole
        boards = {write_position(position): (command, position) for command, position in asked(inside)}
        figures = (self.figure(position, graded=command == "analyze") for command, position in boards.values())
        return whole + "".join(figures)

    def figure(self, position: Position, graded: bool = False, stars: frozenset[int] | None = None) -> str:
        """A board: a picture, which the script replaces with the page's own element."""
        self.number += 1
        name = f"{'-'.join(self.page.with_suffix('').parts)}-{self.number}"
        match = Match(position)
        feed: dict[str, object] = {"view": msgspec.to_builtins(make_view(match))}
        if stars is not None:
            feed["lit"] = [position.label(cell) for i, cell in enumerate(split(position.board.full)) if i in stars]
        else:
            feed["effects"] = msgspec.to_builtins(effects(position))
            query = urlencode({"position": write_position(position)})
            feed["explore"] = f"{self.play}explore/{position.game.name}?{query}"
        if graded:
            found = explained_analysis(match, analyze(position, seconds=LONGEST_ANALYSIS))
            feed["values"] = msgspec.to_builtins(found.values)
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / f"{name}.svg").write_text(position._repr_svg_())
        board = position.board
        title = f"{position.game.title} {board.size}"
        kind = "mini" if stars is not None else "wide" if board.rows == 1 else "board"
        return (
            f'<figure class="live-board {kind}" data-feed="{escape(json.dumps(feed, separators=(",", ":")))}" '
            f'style="--cols: {board.cols}">'
            f'<img src="{self.up}site/boards/{name}.svg" alt="{escape(title)}">'
            f"<figcaption>{escape(board.size if stars is not None else title)}</figcaption></figure>\n"
        )


def named(title: str) -> str:
    """The name of the game with this title, if it is one."""
    return next((game.name for game in GAMES.values() if game.title == title), "")


def asked(session: str) -> Iterator[tuple[str, Position]]:
    """The positions that the commands of a session show."""
    for command in ASKS.finditer(session):
        yield command[1], shown_by(command[1], command[2])


def shown_by(command: str, arguments: str) -> Position:
    """The position that a command shows."""
    words = [word for word in shlex.split(arguments) if word not in ("--parts", "--solution", "--json")]
    if "--time" in words:
        del words[words.index("--time") : words.index("--time") + 2]
    program = [sys.executable, "-c", "from quintet.__main__ import main; main()"]
    told = ["puzzle", *words, "--json"] if command == "puzzle" else ["show", *words]
    said = subprocess.run(
        [*program, *told], capture_output=True, text=True, check=True, cwd=ROOT, env={"PYTHONPATH": str(ROOT / "src")}
    ).stdout
    if command != "puzzle":
        return read_position(said.rpartition("Position: ")[2].strip())
    puzzles = json.loads(said)
    return read_position((puzzles[0] if isinstance(puzzles, list) else puzzles)["position"])


def solved(text: str) -> Iterator[tuple[str, frozenset[int]]]:
    """Boards of the page of solved boards, drawn side by side under their sizes: each with the cells that have a star."""
    for row in text.split("\n\n"):
        head, *lines = row.strip("\n").splitlines()
        sizes = list(SIZES.finditer(head))
        if not sizes or SIZES.sub("", head).strip():
            continue
        for size, after in zip(sizes, [*sizes[1:], None], strict=True):
            cells = " ".join(line[size.start() : after.start() if after else None] for line in lines).split()
            yield size[0], frozenset(i for i, cell in enumerate(cells) if cell == "*")
