"""Benchmarks of the product, gear against gear in one run: these are commands, not tests."""

import random
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec

from quintet.arena import tournament as arena
from quintet.engines import make_engine
from quintet.engines.kinds import LEVELS
from quintet.games import GAMES
from quintet.gears import FAST, PLAIN, PLAYOUTS, VALUES, WORD_CELLS, choose_gear, warm
from quintet.match import Match
from quintet.notation import write_position
from quintet.options import start
from quintet.rules import Game, Position
from quintet.solve.oracle import oracle_of, shared
from quintet.solve.solution import solve
from quintet.solve.solver import MEMORY, Solver
from quintet.solve.theories import theory_of

Row = tuple[str, ...]
GRADED = 200
"""Random positions graded for each game and gear."""
MIDGAMES = 10
PLAIN_BOARD = 36
"""The plain gear is timed beside the compiled one on boards of up to so many cells."""


def gears() -> list[str]:
    """The gears that are installed."""
    return [PLAIN, FAST] if find_spec("numba") else [PLAIN]


def print_table(rows: Iterable[Row]) -> None:
    """Rows as they come, the heading first."""
    for first, *others in rows:
        print(f"{first:<22}" + "".join(f"{word:>13}" for word in others), flush=True)


def random_position(game: Game, rng: random.Random) -> Position:
    """An unfinished position of a random game, any of them with the same chance."""
    match = Match(start(game))
    while match.position.moves:
        match.play(rng.choice(match.position.moves))
    return rng.choice(match.positions[:-1])


def grading(names: Sequence[str]) -> Iterator[Row]:
    """How long it takes to grade every move of a random position from an empty table, at the rule books' sizes."""
    yield ("grading every move", "gear", "median ms", "99 % ms", "most ms", "positions")
    for game in (GAMES[name] for name in names):
        for gear in gears():
            Solver(game, start(game).board, gear).grade(start(game))
            rng = random.Random(1)
            times = []
            for _ in range(GRADED):
                position = random_position(game, rng)
                begun = time.perf_counter()
                Solver(game, position.board, gear).grade(position)
                times.append(1000 * (time.perf_counter() - begun))
            tail = statistics.quantiles(times, n=100)[98]
            yield (game.name, gear, f"{statistics.median(times):.2f}", f"{tail:.1f}", f"{max(times):.1f}", str(GRADED))


def boards(names: Sequence[str], limit: float, memory: int = MEMORY) -> Iterator[Row]:
    """Values of empty boards, with what they took; the ratio is the plain gear's time to the compiled one's."""
    yield ("empty board", "gear", "value", "positions", "seconds", "a second", "plain/fast")
    for name in names:
        game = GAMES[name]
        theory = theory_of(game)
        for gear in gears():  # What is compiled is compiled before the clock runs.
            solve(start(game, "2x2"), gear)
        for size in (*theory.BOARDS, *theory.BIG_BOARDS):
            empty = start(game, size)
            took: dict[str, float] = {}
            for gear in reversed(gears()):
                if (gear == FAST and empty.board.cells > WORD_CELLS) or (
                    gear == PLAIN and took and empty.board.cells > PLAIN_BOARD
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


def midgame(names: Sequence[str], limit: float, memory: int = MEMORY) -> Iterator[Row]:
    """Values of random positions on the largest boards, a few moves into the game."""
    yield ("after random moves", "moves", "positions", "median s", "most s", "undecided")
    for name in names:
        game = GAMES[name]
        theory = theory_of(game)
        empty = max((start(game, size) for size in (*theory.BOARDS, *theory.BIG_BOARDS)), key=lambda p: p.board.cells)
        moves = empty.board.cells // 8
        solve(start(game, "2x2"), choose_gear(empty.board))  # What is compiled is compiled before the clock runs.
        rng = random.Random(1)
        times, undecided = [], 0
        for _ in range(MIDGAMES):
            match = Match(empty)
            while match.position.moves and match.ply < moves:
                match.play(rng.choice(match.position.moves))
            solution = solve(match.position, memory=memory, seconds=limit)
            times.append(solution.seconds)
            undecided += not solution.value.exact
        median, most = statistics.median(times), max(times)
        yield (f"{name} {empty.board.size}", str(moves), str(MIDGAMES), f"{median:.3f}", f"{most:.3f}", str(undecided))


def answers(positions: int, compiled: bool) -> Iterator[Row]:
    """How long engines take for a move in random positions, each engine's first one not counted."""
    yield ("a move", "engine", "gear", "median ms", "99 % ms", "most ms", "positions")
    if compiled:
        warm(PLAYOUTS, VALUES)
    for game in GAMES.values():
        for who in ("greedy", "mcts:200", *LEVELS[::3]):
            engine = make_engine(who, 1)
            assert engine is not None
            shared.clear()
            engine.choose(random_position(game, random.Random(0)))
            rng = random.Random(1)
            times = []
            for _ in range(positions):
                position = random_position(game, rng)
                begun = time.perf_counter()
                engine.choose(position)
                times.append(1000 * (time.perf_counter() - begun))
            tail = statistics.quantiles(times, n=100)[98]
            spread = (f"{statistics.median(times):.2f}", f"{tail:.1f}", f"{max(times):.1f}")
            yield (game.name, who, FAST if compiled else PLAIN, *spread, str(positions))


def rule_book_boards() -> list[str]:
    """The empty boards of all games, as positions are written."""
    return [write_position(start(game)) for game in GAMES.values()]


def throughput(games: int, jobs: int | None, names: Sequence[str]) -> Iterator[Row]:
    """Games of random against greedy in a second, the start of the processes included."""
    yield ("random against greedy", "gear", "games", "seconds", "a second")
    for gear in names:
        duels = arena.schedule([("random", "greedy")], rule_book_boards(), games)
        if gear == FAST:  # What is compiled is compiled before the clock runs.
            list(arena.run(duels[: 2 * len(GAMES)], 1, compiled=True))
        begun = time.perf_counter()
        played = sum(1 for _ in arena.run(duels, jobs, gear == FAST))
        took = time.perf_counter() - begun
        yield ("", gear, f"{played:,}", f"{took:.2f}", f"{played / took:,.0f}")


def perfection(games: int, jobs: int | None, seed: int, progress: Callable[[int, int], None]) -> Iterator[Row]:
    """Games of `perfect` against everyone from both sides, and how many of those it had won at the start it lost."""
    yield ("perfect", "against", "games", "won at start", "won", "drawn", "lost", "won but lost")
    others = ["random", "greedy", "mcts:200", *LEVELS]
    pairs = [("perfect", other) for other in others]
    totals = [0] * 6
    for game in GAMES.values():
        board = write_position(start(game))
        duels = arena.schedule(pairs, [board], -(-games // len(others)), seed)
        counts = {other: [0] * 6 for other in others}
        for done, result in enumerate(arena.run(duels, jobs), 1):
            side = 1 + (result.duel.players[1] == "perfect")
            count = counts[result.duel.players[2 - side]]
            begun = arena.opening(result.duel)
            number = oracle_of(begun).number(begun)
            won = number > 0 if begun.player == side else number < 0
            lost = result.winner == 3 - side
            facts = (1, won, result.winner == side, result.winner is None, lost, won and result.winner != side)
            for i, fact in enumerate(facts):
                count[i] += fact
                totals[i] += fact
            progress(done, len(duels))
        for other, count in counts.items():
            yield (game.name, other, *(f"{number:,}" for number in count))
    yield ("all games", "", *map(str, totals))
