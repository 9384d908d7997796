"""Pictures of games, as another program reads them: PNG, animated GIF, and cards for previews of links."""

import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from boards import every_game
from quintet.board import index, split
from quintet.drawing.canvas import COLOURS, NAMES, Canvas, colour_table
from quintet.drawing.gif import BITS, UNCHANGED, Frame, gif
from quintet.drawing.png import layout_of
from quintet.games import GAMES
from quintet.match import Match
from quintet.options import start
from quintet.pictures import (
    CARD,
    GIF_CELL,
    GIF_WIDTH,
    LAST,
    PAUSE,
    Captioned,
    NoMoves,
    board_png,
    card_png,
    draw_board,
    home_png,
    replay_gif,
)
from quintet.rules import Game

Colour = tuple[int, int, int]


def whole_game(game: Game | str, size: str | None = None, seed: int = 1) -> Match:
    match, rng = Match(start(game, size)), random.Random(seed)
    while not match.outcome:
        match.play(rng.choice(match.position.moves))
    return match


def colours(dark: bool = False) -> dict[str, Colour]:
    table = colour_table(dark)
    return {name: (table[3 * i], table[3 * i + 1], table[3 * i + 2]) for i, name in enumerate(NAMES)}


def frames(data: bytes) -> list[Image.Image]:
    """All pictures of an animation, as they are seen."""
    with Image.open(io.BytesIO(data)) as image:
        found = []
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            found.append(image.convert("RGB"))
        return found


def check_cells(image: Image.Image, captioned: Captioned, ply: int, dark: bool = False) -> None:
    """Every cell of a picture of a replay has the colours of its owner, and the last claim's are outlined."""
    match, layout, named = captioned.match, captioned.layout, colours(dark)
    position = match.positions[ply]
    first, second = position.claims
    fresh = match.positions[ply - 1].gain(match.moves[ply - 1]) if ply and match.moves[ply - 1] else 0
    for cell in split(position.board.full):
        left, top = layout.place(index(cell))
        x, y, side = captioned.left + left, captioned.top + top, layout.side
        owner = 1 if cell & first else 2 if cell & second else 0
        inside = image.getpixel((x + side * 5 // 6, y + side * 5 // 6))
        assert inside == named[("cell", "one-cell", "two-cell")[owner]], (ply, cell)
        assert (image.getpixel((x + side // 2, y + side // 2)) == named["one"]) == (owner == 1)
        assert (image.getpixel((x + side // 2 + side * 12 // 56, y + side // 2)) == named["two"]) == (owner == 2)
        edge = {image.getpixel((x + i, y + side // 2)) for i in range(side // 8)}
        assert (named["ink"] in edge) == bool(cell & fresh) or not fresh or side < 56


@pytest.mark.parametrize(
    ("game", "size"), [*((game, None) for game in GAMES), ("gridlock", "3x4"), ("isolation", "45")]
)
def test_a_replay_shows_every_move_and_holds_the_end(game: str, size: str | None) -> None:
    match = whole_game(game, size)
    data = replay_gif(match, dark=size == "3x4")
    with Image.open(io.BytesIO(data)) as image:
        assert image.format == "GIF" and image.info["loop"] == 0
    shown = frames(data)
    assert len(shown) == match.ply + 1
    layout = layout_of(match.position.board, GIF_CELL, GIF_WIDTH, fold=True)
    captioned = Captioned(match, draw_board(match, 0, layout, False), layout)
    for ply, picture in enumerate(shown):
        check_cells(picture, captioned, ply, size == "3x4")
    with Image.open(io.BytesIO(data)) as image:
        image.seek(match.ply)
        assert image.info["duration"] == 10 * LAST > 10 * PAUSE


def test_the_last_picture_says_who_won_and_each_one_what_the_scores_are() -> None:
    match = whole_game("adjacent-claim")
    layout = layout_of(match.position.board, GIF_CELL, GIF_WIDTH, fold=True)
    board = draw_board(match, match.ply, layout, False)
    wanted = Captioned(match, board, layout).draw(match.ply, board)
    last = frames(replay_gif(match))[-1]
    assert last.tobytes() == wanted.pixels, "the changes lead to what would be drawn at once"


def test_a_game_of_25_moves_is_small() -> None:
    match = whole_game("adjacent-claim")
    assert match.ply == 25 and len(replay_gif(match)) < 300_000


def test_a_game_that_ends_by_resignation_or_with_passes_is_replayed_too() -> None:
    match = Match(start("adjacent-claim", "4"))
    for move in (0b10, 0b1, 0b100, 0, 0b1000):  # Player 2 is shut in and passes.
        match.play(move)
    assert match.outcome and len(frames(replay_gif(match))) == 6
    resigned = Match(start("gridlock"), [1])
    resigned.resign()
    assert len(frames(replay_gif(resigned))) == 2


def test_without_moves_there_is_nothing_to_replay() -> None:
    with pytest.raises(NoMoves, match="no move has been played"):
        replay_gif(Match(start("gridlock")))


@given(st.integers(1, 60), st.binary(min_size=1, max_size=3_000), st.sampled_from([2, 7, COLOURS]))
def test_whatever_the_pixels_are_another_program_reads_the_same(width: int, data: bytes, most: int) -> None:
    canvas = Canvas(width, -(-len(data) // width))
    canvas.numbers[: len(data)] = bytes(byte % most for byte in data)
    with Image.open(io.BytesIO(gif([Frame(canvas, 0, 0, 1)]))) as image:
        assert image.convert("RGB").tobytes() == canvas.pixels


@pytest.mark.parametrize("pattern", ["noise", "runs", "one"])
def test_a_large_picture_fills_the_table_of_codes(pattern: str) -> None:
    """More codes than a table has room for: it starts again."""
    rng = random.Random(7)
    canvas = Canvas(400, 300)
    most = {"noise": COLOURS, "runs": 3, "one": 1}[pattern]
    cells = bytearray()
    while len(cells) < 400 * 300:
        cells += bytes([rng.randrange(most)]) * (rng.randrange(1, 90) if pattern == "runs" else 1)
    canvas.numbers = cells[: 400 * 300]
    data = gif([Frame(canvas, 0, 0, 1)])
    with Image.open(io.BytesIO(data)) as image:
        assert image.convert("RGB").tobytes() == canvas.pixels
    assert UNCHANGED < 1 << BITS


@pytest.mark.parametrize("size", [None, "20x20", "400"])
@every_game
def test_pictures_of_positions_and_cards(game: Game, size: str | None) -> None:
    match = Match(start(game, size))
    for _ in range(2):
        match.play(random.Random(3).choice(match.position.moves))
    dark = size == "20x20"
    named = colours(dark)
    for data in (board_png(match, dark), board_png(match, dark, caption=True), card := card_png(match, dark=dark)):
        with Image.open(io.BytesIO(data)) as image:
            assert image.format == "PNG" and max(image.size) <= 1_300
            assert (image.size == CARD) == (data == card)
            seen = {colour for _, colour in image.convert("RGB").getcolors(999) or []}
            assert {named["one"], named["two"], named["one-cell"], named["two-cell"], named["ink"]} <= seen


def test_cells_are_named_as_on_screens_or_as_in_the_rule_book() -> None:
    for game, same in (("adjacent-claim", True), ("gridlock", False)):
        match = whole_game(game)
        assert (board_png(match) == board_png(match, screen=False)) == same
        assert (replay_gif(match) == replay_gif(match, screen=False)) == same


def test_the_card_of_all_games() -> None:
    with Image.open(io.BytesIO(home_png())) as image:
        assert image.size == CARD
