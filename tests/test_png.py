"""The picture in pixels shows what the picture in SVG shows."""

import io
import random
import re

import pytest
from PIL import Image

from quintet.board import index
from quintet.drawing.canvas import LETTERS, NAMES, Canvas, colour_table, letter
from quintet.drawing.png import png
from quintet.drawing.svg import CELL, MARGIN
from quintet.games import GAMES
from quintet.match import Match
from quintet.options import start


def played(game: str, size: str | None, seed: int) -> Match:
    """A match in the middle of it."""
    match, dice = Match(start(GAMES[game], size)), random.Random(seed)
    for _ in range(dice.randrange(1, 12)):
        if match.outcome:
            break
        match.play(dice.choice(match.position.moves))
    return match


def colour(canvas: Canvas, x: float, y: float) -> str:
    """The name of a pixel's colour; empty if it is between two."""
    number = canvas.numbers[int(y) * canvas.width + int(x)]
    return NAMES[number] if number < len(NAMES) else ""


@pytest.mark.parametrize("size", [None, "3x7", "20x20", "400", "1", "4x4-A2-C3"])
@pytest.mark.parametrize("game", GAMES)
def test_every_cell_shows_its_owner(game: str, size: str | None) -> None:
    match = played(game, size, 5)
    position = match.position
    fresh = position.theirs & ~match.positions[-2].mine
    canvas = position.pixels(fresh)
    board, (first, second) = position.board, position.claims
    side = min(CELL, (canvas.width - 2) // board.cols) if board.cells > 1 else CELL
    side = next(s for s in range(side, 0, -1) if s * board.cols + 2 * (MARGIN * s // CELL) == canvas.width)
    margin = MARGIN * side // CELL
    for cell in (1 << i for i in range(board.area)):
        row, col = divmod(index(cell), board.cols)
        x, y = margin + (col + 0.5) * side, margin + (row + 0.5) * side
        if cell & board.holes:
            assert {colour(canvas, x - side / 2 + i, y) for i in range(side)} <= {"paper", "line", ""}
            continue
        middle, ring = colour(canvas, x, y), colour(canvas, x + 12 * side / CELL, y)
        # Without the edge, which may show that the cell is fresh, and the number in a corner.
        corner = colour(canvas, x - 0.34 * side, y + 0.34 * side)
        assert corner == ("one-cell" if cell & first else "two-cell" if cell & second else "cell")
        assert (middle == "one") == bool(cell & first)
        assert (ring == "two") == bool(cell & second)
        edge = {colour(canvas, x - side / 2 + i, y) for i in range(side // 6)}
        assert ("ink" in edge) == bool(cell & fresh) or side < CELL


def test_a_png_holds_the_pixels() -> None:
    for game in GAMES:
        canvas = played(game, None, 2).position.pixels()
        with Image.open(io.BytesIO(png(canvas))) as image:
            assert image.format == "PNG" and image.size == (canvas.width, canvas.height)
            assert image.convert("RGB").tobytes() == bytes(canvas.pixels)


def test_it_is_as_large_as_the_drawing() -> None:
    for game in GAMES:
        position = start(GAMES[game])
        size = re.search(r'viewBox="0 0 (\d+) (\d+)"', position.picture())
        canvas = position.pixels()
        assert size and (canvas.width, canvas.height) == tuple(map(int, size.groups()))


def test_pictures_stay_within_what_assistants_take() -> None:
    for game in GAMES:
        for size in ("20x20", "400", "1x399"):
            canvas = start(GAMES[game], size).pixels()
            assert max(canvas.width, canvas.height) <= 8000


def test_letters_differ() -> None:
    letters = {letter(character, 12) for character in LETTERS}
    assert len(letters) == len(LETTERS) and set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") < LETTERS.keys()


def test_light_and_dark_are_the_same_pixels() -> None:
    canvas = played("gridlock", None, 3).position.pixels()
    for dark in (False, True):
        with Image.open(io.BytesIO(png(canvas, dark))) as image:
            assert image.tobytes() == bytes(canvas.numbers)
            assert bytes(image.getpalette() or ())[: len(colour_table(dark))] == colour_table(dark)
