"""Pictures of games to send to others: a board as PNG, a game as animated GIF, cards for link previews.

Nothing that a person typed is in them: they say the game's title, the scores and who won.
"""

from functools import cache
from random import Random

from quintet.board import index, screen_corner, split
from quintet.drawing.canvas import Canvas, text_width
from quintet.drawing.gif import UNCHANGED, Frame, gif
from quintet.drawing.png import Layout, layout_of, mask, paste_cells, pixels, png
from quintet.errors import QuintetError
from quintet.games import GAMES
from quintet.match import Match, random_opening
from quintet.options import start

PNG_CELL, PNG_WIDTH = 96, 1_100
"""The largest cell of a picture, and how wide its board may be."""
GIF_CELL, GIF_WIDTH = 72, 440
PAUSE, SHORTEST, FIRST, LAST = 70, 12, 100, 350
"""Hundredths of a second: for a move, for a move of a long game, for the first and for the last picture."""
ALL_MOVES = 2_000
"""The time for all moves, if there are so many that each gets less."""
CARD = 1_200, 630
"""The size that sites ask for which show previews of links."""
EDGE = 45
COLUMN = 520
"""The width of the text beside the board of a card."""
NAME = "QUINTET"
LINE = "SMALL GAMES, PLAYED PERFECTLY"


class NoMoves(QuintetError):
    """A game without moves, of which there is nothing to replay."""


def last_gain(match: Match, ply: int) -> int:
    """The cells that the last claim before a ply gained."""
    claims = (at for at in reversed(range(ply)) if match.moves[at])
    return next((match.positions[at].gain(match.moves[at]) for at in claims), 0)


def draw_board(match: Match, ply: int, layout: Layout, dots: bool, screen: bool = True) -> Canvas:
    """The board after some moves, with dots on the legal cells; cells are named as on screens or in the rule book."""
    position = match.positions[ply]
    legal = position.legal if dots and not (ply == match.ply and match.outcome) else 0
    corner = screen_corner(position.board) if screen else position.game.corner
    return pixels(position.board, corner, *position.claims, legal, last_gain(match, ply), layout)


def board_png(match: Match, dark: bool = False, caption: bool = False, screen: bool = True) -> bytes:
    """The board of a match as it is now, with the game's title and the scores if there is a caption."""
    layout = layout_of(match.position.board, PNG_CELL, PNG_WIDTH, fold=True)
    board = draw_board(match, match.ply, layout, True, screen)
    return png(Captioned(match, board, layout).draw(match.ply, board) if caption else board, dark)


def replay_gif(match: Match, dark: bool = False, screen: bool = True) -> bytes:
    """A match, move by move."""
    if not match.moves:
        raise NoMoves("there is nothing to replay: no move has been played")
    layout = layout_of(match.position.board, GIF_CELL, GIF_WIDTH, fold=True)
    empty = draw_board(match, 0, layout, False, screen)
    captioned = Captioned(match, empty, layout)
    pause = max(SHORTEST, min(PAUSE, ALL_MOVES // match.ply))
    frames = [Frame(captioned.draw(0, empty), 0, 0, FIRST)]
    for ply in range(1, match.ply + 1):
        frames.append(captioned.change(ply, screen, LAST if ply == match.ply else pause))
    return gif(frames, dark)


class Captioned:
    """A board between the game's title and a line with the scores."""

    def __init__(self, match: Match, board: Canvas, layout: Layout) -> None:
        """Find the place of everything."""
        self.match, self.layout = match, layout
        self.letters = max(14, min(28, round(board.width / 22)))
        """Pixels of a capital letter."""
        title = match.position.game.title.upper()
        states = (state_width(state_parts(match, ply), self.letters) for ply in (0, match.ply))
        self.width = max(board.width, round(max(text_width(title, self.letters), *states)) + 4 * self.letters)
        self.left, self.top = (self.width - board.width) // 2, 2 * self.letters
        self.bottom = self.top + board.height - (layout.margin // 2 if layout.down > 1 else 0)
        self.height = self.bottom + 9 * self.letters // 4
        self.title = title

    def draw(self, ply: int, board: Canvas) -> Canvas:
        """The whole picture, with a board that was drawn before."""
        canvas = Canvas(self.width, self.height)
        canvas.paste(board, self.left, self.top)
        canvas.write(self.title, self.letters, (self.width / 2, 1.5 * self.letters))
        canvas.paste(self.state(ply), 0, self.bottom)
        return canvas

    def state(self, ply: int) -> Canvas:
        """The line below the board."""
        canvas = Canvas(self.width, self.height - self.bottom)
        parts = state_parts(self.match, ply)
        write_state(
            canvas, parts, self.letters, ((self.width - state_width(parts, self.letters)) / 2, 0.75 * self.letters)
        )
        return canvas

    def change(self, ply: int, screen: bool, hundredths: int) -> Frame:
        """What changes with the move before a ply: the smallest rectangle that holds it."""
        position = self.match.positions[ply]
        gains = last_gain(self.match, ply - 1), last_gain(self.match, ply)
        cells = gains[0] | gains[1] if self.match.moves[ply - 1] else 0
        board = Canvas(*self.layout.size, UNCHANGED)
        corner = screen_corner(position.board) if screen else position.game.corner
        paste_cells(board, position.board, corner, cells, *position.claims, 0, gains[1], self.layout)
        canvas = Canvas(self.width, self.height, UNCHANGED)
        canvas.paste(board, self.left, self.top)
        places = [self.layout.place(index(cell)) for cell in split(cells)]
        left = min([self.left + x for x, _ in places], default=0)
        right = max([self.left + x + self.layout.side for x, _ in places], default=1)
        top = min([self.top + y for _, y in places], default=self.bottom)
        bottom = max([self.top + y + self.layout.side for _, y in places], default=self.bottom + 1)
        if state_parts(self.match, ply) != state_parts(self.match, ply - 1):
            canvas.paste(self.state(ply), 0, self.bottom)
            left, right, top, bottom = 0, self.width, min(top, self.bottom), self.height
        return Frame(canvas.crop(left, top, right - left, bottom - top), left, top, hundredths)


Parts = list[tuple[int, str]]
"""Marks of players, 0 for none, each with the text after it."""


def state_parts(match: Match, ply: int) -> Parts:
    """The scores, or who is to move where they do not count, and who won."""
    position = match.positions[ply]
    outcome = match.outcome if ply == match.ply else None
    winner = outcome.winner if outcome else None
    draw = [(0, "DRAW")] if outcome and not winner else []
    if position.game.territory or position.board.target:
        scores = zip((1, 2), position.scores, strict=True)
        return [(player, f"{score} WINS" if player == winner else str(score)) for player, score in scores] + draw
    return draw or [(winner, "WINS") if winner else (position.player, "TO MOVE")]


def state_width(parts: Parts, letters: float) -> float:
    """How wide these are in pixels, with a gap between two."""
    marks = sum(1.7 * letters for player, _ in parts if player)
    return sum(text_width(text, letters) for _, text in parts) + marks + 2 * letters * (len(parts) - 1)


def write_state(canvas: Canvas, parts: Parts, letters: float, at: tuple[float, float]) -> None:
    """Write them from a place on, in the middle of their line."""
    left, middle = at
    side = round(2.4 * letters)
    for player, text in parts:
        if player:
            mark, name = ("cross", "one") if player == 1 else ("ring", "two")
            canvas.paint(mask(mark, side), name, round(left + 0.55 * letters - side / 2), round(middle - side / 2))
            left += 1.7 * letters
        width = text_width(text, letters)
        canvas.write(text, letters, (left + width / 2, middle))
        left += width + 2 * letters


def card_png(match: Match, title: str | None = None, dark: bool = False) -> bytes:
    """A card for the preview of a link: the board of a match, and beside it the game's title or another."""
    canvas, (width, height) = Canvas(*CARD), CARD
    room = width - COLUMN - 2 * EDGE
    layout = layout_of(match.position.board, PNG_CELL, room, fold=True)
    while layout.side > 4 and (layout.size[0] > room or layout.size[1] > height - 2 * EDGE):
        layout = layout._replace(side=layout.side - 1)
    board = draw_board(match, match.ply, layout, False)
    canvas.paste(board, EDGE + (room - board.width) // 2, (height - board.height) // 2)
    words = (title or match.position.game.title).upper().split()
    letters = min(54.0, *(54 * COLUMN / text_width(word, 54) for word in words))
    left, top = width - COLUMN - EDGE, 150.0
    for word in words:
        canvas.write(word, letters, (left + text_width(word, letters) / 2, top))
        top += 1.7 * letters
    write_state(canvas, state_parts(match, match.ply), 30, (left, top + 20))
    write_name(canvas, 26, left, height - 110)
    return png(canvas, dark)


def write_name(canvas: Canvas, letters: float, left: int, middle: int) -> None:
    """Write the program's name after its sign, five squares."""
    square = round(letters / 2.4)
    for row, col, name in ((0, 0, "one"), (0, 2, "two"), (1, 1, "ink"), (2, 0, "two"), (2, 2, "one")):
        at = left + col * (square + 1), middle - 3 * square // 2 + row * (square + 1)
        canvas.fill(name, *at, square, square)
    left += round(4.2 * square)
    canvas.write(NAME, letters, (left + text_width(NAME, letters) / 2, middle))


@cache
def home_png(dark: bool = False) -> bytes:
    """A card with all games."""
    canvas, (width, height) = Canvas(*CARD), CARD
    letters, line = 72, 24
    write_name(canvas, letters, round((width - text_width(NAME, letters) - 1.75 * letters) / 2), 150)
    canvas.write(LINE, line, (width / 2, height - 95))
    room = (width - 2 * EDGE) // len(GAMES)
    for number, game in enumerate(GAMES.values()):
        empty = start(game)
        match = Match(empty, random_opening(empty, Random(2), 7))
        across = max(match.position.board.rows, match.position.board.cols)
        layout = layout_of(match.position.board)._replace(side=4 * room // (4 * across + 5))
        board = draw_board(match, match.ply, layout, False)
        left = EDGE + number * room + (room - board.width) // 2
        canvas.paste(board, left, (height - board.height) // 2 + 35)
    return png(canvas, dark)
