"""How fast the engines move, how fast the arena plays, and whether `perfect` ever loses a won game."""

import random
import time
from collections.abc import Callable, Iterator, Sequence

from quintet.arena import tournament
from quintet.bench.solver_speed import random_position
from quintet.bench.tables import SPREAD, Row, spread
from quintet.engines import make_engine
from quintet.engines.door import ask_engine
from quintet.engines.kinds import LEVELS
from quintet.games import GAMES
from quintet.gears import FAST, PLAIN, ROLLOUTS, VALUES, prefer_compiled
from quintet.notation import write_position
from quintet.options import start
from quintet.solve.oracle import oracle_of, shared
from quintet.workers import Workers


def time_moves(positions: int, compiled: bool) -> Iterator[Row]:
    """The time engines take for a move in random positions; an engine's first move is not counted."""
    yield ("engine moves", "engine", "gear", *SPREAD, "positions")
    if compiled:
        prefer_compiled(ROLLOUTS, VALUES)
    for game in GAMES.values():
        for who in ("greedy", "mcts:200", *LEVELS[::3]):
            engine = make_engine(who, 1)
            assert engine is not None
            shared.clear()
            ask_engine(engine, random_position(game, random.Random(0)))
            rng = random.Random(1)
            times = []
            for _ in range(positions):
                position = random_position(game, rng)
                begun = time.perf_counter()
                ask_engine(engine, position)
                times.append(1000 * (time.perf_counter() - begun))
            yield (game.name, who, FAST if compiled else PLAIN, *spread(times), str(positions))


def time_arena(games: int, workers: Workers, gears: Sequence[str]) -> Iterator[Row]:
    """Arena games per second, `random` against `greedy`; the start of the worker processes counts."""
    yield ("random against greedy", "gear", "games", "seconds", "per second")
    boards = [write_position(start(game)) for game in GAMES.values()]
    for gear in gears:
        duels = tournament.schedule([("random", "greedy")], boards, games)
        if gear == FAST:  # Compile before the clock starts.
            list(tournament.run(duels[: 2 * len(GAMES)], 1, compiled=True))
        begun = time.perf_counter()
        played = sum(1 for _ in tournament.run(duels, workers, gear == FAST))
        took = time.perf_counter() - begun
        yield ("", gear, f"{played:,}", f"{took:.2f}", f"{played / took:,.0f}")


def check_perfect(games: int, workers: Workers, seed: int, progress: Callable[[int, int], None]) -> Iterator[Row]:
    """Games of `perfect` against every engine from both sides, and the won positions it did not win."""
    yield ("perfect", "against", "games", "won at start", "won", "drawn", "lost", "missed wins")
    others = ["random", "greedy", "mcts:200", *LEVELS]
    pairs = [("perfect", other) for other in others]
    totals = [0] * 6
    for game in GAMES.values():
        board = write_position(start(game))
        duels = tournament.schedule(pairs, [board], -(-games // len(others)), seed)
        counts = {other: [0] * 6 for other in others}
        for done, result in enumerate(tournament.run(duels, workers), 1):
            side = 1 + (result.duel.players[1] == "perfect")
            count = counts[result.duel.players[2 - side]]
            opening = tournament.opening(result.duel)
            number = oracle_of(opening).number(opening)
            won = number > 0 if opening.player == side else number < 0
            lost = result.winner == 3 - side
            facts = (1, won, result.winner == side, result.winner is None, lost, won and result.winner != side)
            for i, fact in enumerate(facts):
                count[i] += fact
                totals[i] += fact
            progress(done, len(duels))
        for other, count in counts.items():
            yield (game.name, other, *(f"{number:,}" for number in count))
    yield ("all games", "", *map(str, totals))
