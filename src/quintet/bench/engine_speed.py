"""How fast the engines move, how fast the arena plays, and whether `perfect` ever loses a won game."""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from quintet.arena import tournament
from quintet.arena.results import Duel, Result
from quintet.bench.solver_speed import random_position
from quintet.bench.tables import SPREAD, Row, spread
from quintet.engines import make_engine
from quintet.engines.door import ask_engine
from quintet.engines.kinds import LEVELS
from quintet.games import GAMES
from quintet.gears import FAST, PLAIN, ROLLOUTS, VALUES, prefer_compiled
from quintet.notation import read_position, write_position
from quintet.options import start
from quintet.rules import Position
from quintet.solve.oracle import oracle_of, shared
from quintet.solve.solver import Solver
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


def play_empty_boards(
    boards: Sequence[Position],
    others: Sequence[str],
    games: int,
    seconds: float,
    seed: int,
    play: Callable[[Sequence[Duel]], Iterable[Result]],
    progress: Callable[[int, int], None],
) -> Iterator[Row]:
    """Games of `perfect` from the side that a theorem says wins the empty board; from both where none does."""
    yield ("perfect", "side", "theorem", "against", "games", "won", "drawn", "lost")
    winners: dict[str, int | None] = {}
    duels = []
    for empty in boards:
        name, outcome = write_position(empty), Solver(empty.game, empty.board).foresee(empty).outcome
        winners[name] = 1 if outcome == "win" else 2 if outcome == "loss" else None
        for side in (1, 2):
            if winners[name] in (side, None):
                pairs = [("perfect", other) if side == 1 else (other, "perfect") for other in others]
                duels += [Duel(name, pair, -game, seed, seconds) for pair in pairs for game in range(1, games + 1)]
    counts: dict[tuple[str, tuple[str, str]], list[int]] = {}
    sums: dict[tuple[str, str], list[int]] = {}
    totals = [0] * 4
    for done, result in enumerate(play(duels), 1):
        name, players = result.duel.board, result.duel.players
        side = 1 + (players[1] == "perfect")
        empty, won_board = read_position(name), winners[name] is not None
        count = counts.setdefault((name, players), [0] * 4)
        total = sums.setdefault((empty.game.name, players[2 - side]), [0] * 4)
        for i, fact in enumerate((True, result.winner == side, result.winner is None, result.winner == 3 - side)):
            count[i] += fact
            total[i] += fact and won_board
            totals[i] += fact and won_board
        progress(done, len(duels))
        if count[0] == games:
            proved = "wins" if winners[name] else "none"
            yield (f"{empty.game.name} {empty.board.size}", str(side), proved, players[2 - side], *map(str, count))
    if len(boards) > 1:
        for (game, other), total in sums.items():
            if total[0]:
                yield (f"won {game} boards", "", "wins", other, *map(str, total))
    yield ("all won boards", "", "", "", *map(str, totals))
