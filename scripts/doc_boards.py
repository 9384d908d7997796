"""The boards of the documentation, live: each is fed with the view that the web page would get, made at build time."""

import argparse
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
from quintet.notation import read_moves, read_position, write_position
from quintet.options import start
from quintet.rules import Position, play_all
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
        game, pieces, end = "", list[str](), 0
        text = text.replace("A `*` marks a best opening move.", "An outline marks a best opening move.")
        for fence in FENCE.finditer(text):
            before = text[end : fence.start()]
            for title in re.findall(r"^## (.*)$", before, re.MULTILINE):
                game = named(title)
            pieces += [before, self.live(fence[0], fence[1], fence[2], game)]
            end = fence.end()
        text = "".join([*pieces, text[end:]])
        text = MARKED.sub(lambda mark: self.figure(shown_by("show", shlex.split(mark[1]))[0]), text)
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
        boards = {write_position(position): (position, seconds) for position, seconds in asked(inside)}
        return whole + "".join(self.figure(position, seconds) for position, seconds in boards.values())

    def figure(self, position: Position, seconds: float | None = None, stars: frozenset[int] | None = None) -> str:
        """A board: a picture, which the script replaces with the page's own element. `seconds` are for its values."""
        self.number += 1
        name = f"{'-'.join(self.page.with_suffix('').parts)}-{self.number}"
        match = Match(position)
        feed: dict[str, object] = {"view": msgspec.to_builtins(make_view(match))}
        if stars is not None:
            feed["lit"] = [position.label(cell) for i, cell in enumerate(split(position.board.full)) if i in stars]
        else:
            feed["effects"] = msgspec.to_builtins(effects(position))
            options = {"at": f"/explore/{position.game.name}", "position": write_position(position)}
            feed["explore"] = f"{self.play}?{urlencode(options, safe='/')}"
        if seconds is not None:
            found = explained_analysis(match, analyze(position, seconds=seconds))
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


def asked(session: str) -> Iterator[tuple[Position, float | None]]:
    """The positions that the commands of a session show, with the seconds for the values of those that are graded."""
    for command in ASKS.finditer(session):
        position, seconds = shown_by(command[1], shlex.split(command[2]))
        yield position, seconds if command[1] == "analyze" else None


def shown_by(command: str, words: list[str]) -> tuple[Position, float]:
    """The position that a command shows, and its time limit."""
    if command == "puzzle":
        return puzzle(words), 0
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    for option in ("--size", "--moves", "--position"):
        parser.add_argument(option)
    parser.add_argument("--time", type=float, default=LONGEST_ANALYSIS)
    parser.add_argument("--parts", action="store_true")
    given = parser.parse_args(words)
    position = read_position(given.position) if given.position else start(given.game, given.size)
    return play_all(position, read_moves(position, given.moves or "")), given.time


def puzzle(words: list[str]) -> Position:
    """The position of a puzzle, by the program itself."""
    program = [sys.executable, "-m", "quintet", "puzzle", *(word for word in words if word != "--solution"), "--json"]
    found = json.loads(subprocess.run(program, capture_output=True, text=True, check=True, cwd=ROOT).stdout)
    return read_position((found[0] if isinstance(found, list) else found)["position"])


def solved(text: str) -> Iterator[tuple[str, frozenset[int]]]:
    """Boards of the page of solved boards, side by side under their sizes: each with the cells that have a star."""
    for row in text.split("\n\n"):
        head, *lines = row.strip("\n").splitlines()
        sizes = list(SIZES.finditer(head))
        if not sizes or SIZES.sub("", head).strip():
            continue
        for size, after in zip(sizes, [*sizes[1:], None], strict=True):
            cells = " ".join(line[size.start() : after.start() if after else None] for line in lines).split()
            yield size[0], frozenset(i for i, cell in enumerate(cells) if cell == "*")
