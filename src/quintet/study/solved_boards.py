"""The page of solved boards, made from the program."""

from collections.abc import Callable, Iterator

from quintet.games import GAMES
from quintet.options import start
from quintet.rules import Game, Position
from quintet.solve.solution import Solution, solve
from quintet.solve.theories import theory_of

WIDTH = 100

INTRODUCTION = """# Solved boards

The result of best play from the empty board. `quintet solutions` writes this page, and a test compares the two. The
value is for the first player: a margin of cells, or the moves to the end when the winner hurries and the loser delays.
A `*` marks a best opening move. The positions are those the search visited, the same in every gear. Every statement
about a game is proved on this page, unless it is called a conjecture.
"""


def page(progress: Callable[[str], None] = lambda _: None) -> str:
    """The page, Markdown."""
    parts = [INTRODUCTION]
    for game in GAMES.values():
        parts += section(game, progress)
    return "\n".join(parts)


def section(game: Game, progress: Callable[[str], None]) -> Iterator[str]:
    """The solved boards of one game."""
    theory = theory_of(game)
    _, _, proof = (theory.__doc__ or "").partition(": ")
    yield f"## {game.title}\n"
    yield f"{proof[:1].upper()}{proof[1:].rstrip()}\n"
    if theory.CONJECTURE:
        yield f"**Conjecture.** {' '.join(theory.CONJECTURE.split())}\n"
    if theory.FACT:
        yield f"{theory.FACT}\n"
    yield "| board | value | best opening moves | positions |"
    yield "|---|---|---|---|"
    drawings = []
    for size in theory.BOARDS:
        progress(f"{game.name} {size}")
        empty = start(game, size)
        solution = solve(empty)
        if not solution.complete:
            raise KeyboardInterrupt
        yield f"| {size} | {solution.value} | {best_moves(empty, solution)} | {solution.nodes:,} |"
        drawings.append(draw_best(empty, size, solution))
    yield "\n```"
    yield side_by_side(drawings)
    yield "```\n"


def best_moves(position: Position, solution: Solution) -> str:
    """The best moves, in few words."""
    if len(solution.best) == len(position.moves):
        return "any"
    labels = [position.label(move) for move in solution.best]
    return "; ".join(labels) if len(labels) <= 6 else f"{len(labels)} of {len(position.moves)}"


def draw_best(position: Position, size: str, solution: Solution) -> list[str]:
    """The best opening moves on the board, under its size."""
    board = position.board
    marks = ["*" if 1 << i in solution.best else "." for i in range(board.cells)]
    return [size, *(" ".join(marks[i : i + board.cols]) for i in range(0, board.cells, board.cols)), ""]


def side_by_side(drawings: list[list[str]]) -> str:
    """Drawings in rows as wide as the page."""
    lines: list[str] = []
    row: list[list[str]] = []
    for drawing in [*drawings, None]:
        if drawing and sum(len(max(d, key=len)) + 3 for d in [*row, drawing]) <= WIDTH:
            row.append(drawing)
            continue
        for i in range(max(map(len, row), default=0)):
            cells = (d[i] if i < len(d) else "" for d in row)
            lines.append(
                "   ".join(f"{text:<{len(max(d, key=len))}}" for text, d in zip(cells, row, strict=True)).rstrip()
            )
        row = [drawing] if drawing else []
    return "\n".join(lines).rstrip()
