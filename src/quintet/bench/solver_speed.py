"""How fast the solver is: random positions, empty boards, and positions in the middle of a game."""

import random
import statistics
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec

from quintet.bench.tables import SPREAD, Row, spread
from quintet.games import GAMES
from quintet.gears import FAST, PLAIN, WORD_CELLS, choose_gear
from quintet.match import Match
from quintet.options import start
from quintet.rules import Game, Position
from quintet.solve.solution import solve
from quintet.solve.solver import MEMORY, Solver
from quintet.solve.theories import theory_of
from quintet.study.puzzles import random_game

RANDOM_POSITIONS = 200
"""Random positions of each game, in each gear."""
MIDGAME_POSITIONS = 10
LARGEST_PLAIN_BOARD = 36
"""Cells of the largest board on which the plain gear is compared with the compiled one."""


def installed_gears() -> list[str]:
    """The gears that can be used here."""
    return [PLAIN, FAST] if find_spec("numba") else [PLAIN]


def random_position(game: Game, rng: random.Random) -> Position:
    """An unfinished position of a random game; each position of it is equally likely."""
    return rng.choice(random_game(start(game), rng).positions[:-1])


def time_random_positions(names: Sequence[str]) -> Iterator[Row]:
    """The time to grade every move of a random position with an empty table, at the rule books' sizes."""
    yield ("random positions", "gear", *SPREAD, "positions")
    for game in (GAMES[name] for name in names):
        for gear in installed_gears():
            Solver(game, start(game).board, gear).grade(start(game))
            rng = random.Random(1)
            times = []
            for _ in range(RANDOM_POSITIONS):
                position = random_position(game, rng)
                begun = time.perf_counter()
                Solver(game, position.board, gear).grade(position)
                times.append(1000 * (time.perf_counter() - begun))
            yield (game.name, gear, *spread(times), str(RANDOM_POSITIONS))


def time_empty_boards(names: Sequence[str], limit: float, memory: int = MEMORY) -> Iterator[Row]:
    """The time to solve empty boards of growing size. The ratio is the plain gear's time over the compiled one's."""
    yield ("empty boards", "gear", "value", "positions", "seconds", "per second", "ratio")
    for name in names:
        game = GAMES[name]
        theory = theory_of(game)
        for gear in installed_gears():  # Compile before the clock starts.
            solve(start(game, "2x2"), gear)
        for size in (*theory.BOARDS, *theory.BIG_BOARDS):
            empty = start(game, size)
            took: dict[str, float] = {}
            for gear in reversed(installed_gears()):
                if (gear == FAST and empty.board.area > WORD_CELLS) or (
                    gear == PLAIN and took and empty.board.cells > LARGEST_PLAIN_BOARD
                ):
                    continue
                solution = solve(empty, gear, memory, limit)
                if not solution.complete and solution.seconds < limit * 0.5:
                    raise KeyboardInterrupt
                took[gear] = solution.seconds
                yield (
                    f"{name} {size}",
                    gear,
                    str(solution.value),
                    f"{solution.nodes:,}",
                    f"{solution.seconds:.3f}",
                    f"{solution.nodes / max(solution.seconds, 1e-6):,.0f}",
                    f"{took[PLAIN] / took[FAST]:.0f}" if len(took) == 2 else "",
                )


def time_threads(empty: Position, counts: Sequence[int], memory: int = MEMORY) -> Iterator[Row]:
    """The time to solve an empty board by number of threads. The ratio is the time of one thread over theirs."""
    yield (f"{empty.game.name} {empty.board.size}", "value", "positions", "seconds", "ratio")
    for count in counts:  # Compile before the clock starts.
        solve(start(empty.game, "2x2"), FAST, threads=count)
    found = {count: solve(empty, FAST, memory, threads=count) for count in counts}
    for count, solution in found.items():
        yield (
            f"{count} thread{'s' if count > 1 else ''}",
            str(solution.value),
            f"{solution.nodes:,}",
            f"{solution.seconds:.3f}",
            f"{found[counts[0]].seconds / solution.seconds:.2f}",
        )


def time_midgames(names: Sequence[str], limit: float, memory: int = MEMORY) -> Iterator[Row]:
    """The time to solve positions of the largest boards after some random moves."""
    yield ("midgame positions", "moves played", "positions", "p50 s", "max s", "unsolved")
    for name in names:
        game = GAMES[name]
        theory = theory_of(game)
        empty = max((start(game, size) for size in (*theory.BOARDS, *theory.BIG_BOARDS)), key=lambda p: p.board.cells)
        moves = empty.board.cells // 8
        solve(start(game, "2x2"), choose_gear(empty.board))  # Compile before the clock starts.
        rng = random.Random(1)
        times, unsolved = [], 0
        for _ in range(MIDGAME_POSITIONS):
            match = Match(empty)
            while match.position.moves and match.ply < moves:
                match.play(rng.choice(match.position.moves))
            solution = solve(match.position, memory=memory, seconds=limit)
            times.append(solution.seconds)
            unsolved += not solution.value.exact
        middle, longest = f"{statistics.median(times):.3f}", f"{max(times):.3f}"
        yield (f"{name} {empty.board.size}", str(moves), str(MIDGAME_POSITIONS), middle, longest, str(unsolved))
