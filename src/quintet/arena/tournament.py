"""Tournaments: every opening from both sides, on many workers, and the strength of the players that they show."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import msgspec

from quintet.arena.ratings import Points, Rating, rate, wilson
from quintet.arena.results import Duel, Result
from quintet.engines import Engine, EngineFault, UnknownPlayer, make_engine, read_player
from quintet.engines.door import ask_engine, close_engine
from quintet.engines.rng import seeded
from quintet.engines.rollout import WIN, bind_rollouts
from quintet.files import whole_file
from quintet.gears import FAST, ROLLOUTS, gear_board, prefer_compiled, prefers_compiled
from quintet.notation import read_position
from quintet.rules import Position, play_all
from quintet.workers import Signals, Work, Workers, read_workers

Pair = tuple[str, str]
Batch = tuple[Duel, ...]
Announce = Callable[[int], None]
"""Says which player is asked next."""

OPENING_PLIES = 2
"""The random moves of an opening, at most."""
BATCH = 64
"""Quick games in a batch for a worker; other games go one by one, so that little is lost in a crash."""
MANY = 1000
"""From this number of games on, the compiled gear is worth its compile time."""
GREED = {"random": 0, "greedy": 1}
"""The players whose games can be compiled whole."""


def every_pair(players: Sequence[str]) -> list[Pair]:
    """All play all."""
    return list(combinations(players, 2))


def neighbours(players: Sequence[str]) -> list[Pair]:
    """Each plays the next."""
    return list(zip(players[1:], players, strict=False))


def schedule(
    pairs: Sequence[Pair], boards: Sequence[str], games: int, seed: int = 0, seconds: float | None = None
) -> list[Duel]:
    """At least that number of games for each pair, divided equally among the boards, every opening from both sides."""
    openings = -(-games // (2 * len(boards)))
    return [
        Duel(board, players, opening, seed, seconds)
        for opening in range(openings)
        for board in boards
        for pair in pairs
        for players in (pair, pair[::-1])
    ]


@cache
def empty_board(text: str) -> Position:
    """The board that a text describes, made once."""
    return read_position(text)


def opening(duel: Duel) -> Position:
    """The position after the opening moves."""
    return play_all(empty_board(duel.board), opening_moves(duel))


def opening_moves(duel: Duel) -> list[int]:
    """A few random moves from the empty board, the same for all players; they never end the game."""
    rng = random.Random(f"{duel.seed} {duel.opening} {duel.board}")
    position = empty_board(duel.board)
    moves: list[int] = []
    for _ in range(rng.randint(0, OPENING_PLIES) if duel.opening >= 0 else 0):
        move = rng.choice(position.moves)
        position = position.play(move)
        if position.outcome:
            break
        moves.append(move)
    return moves


def seed_of(duel: Duel, player: int) -> int:
    """The seed of a player, different in every game."""
    return crc32(f"{duel.seed} {duel.opening} {duel.board} {duel.players} {player}".encode())


def ignore(player: int) -> None:
    """Do nothing about who is asked."""


def play(duel: Duel, announce: Announce = ignore) -> Result:
    """Play a game. An engine that cannot be made or gives no legal move loses it."""
    position = opening(duel)
    if prefers_compiled(ROLLOUTS, position.board) and set(duel.players) <= set(GREED) and not duel.seconds:
        return play_compiled(duel, position)
    engines: list[Engine] = []
    plies = 0
    try:
        for player, who in enumerate(duel.players, 1):
            announce(player)
            try:
                engine = make_engine(who, seed_of(duel, player))
            except UnknownPlayer as error:
                return Result(duel, 3 - player, 0, str(error))
            assert engine
            engines.append(engine)
        while not position.outcome:
            announce(position.player)
            try:
                position = position.play(ask_engine(engines[position.player - 1], position, duel.seconds))
            except EngineFault as fault:
                return Result(duel, position.other, plies, str(fault))
            plies += 1
    finally:
        for player, engine in enumerate(engines, 1):
            announce(player)
            close_engine(engine)
        announce(0)
    return Result(duel, position.outcome.winner, plies)


def play_compiled(duel: Duel, position: Position) -> Result:
    """The same game, in one compiled call."""
    board = gear_board(position.board, FAST)
    greed = [GREED[who] for who in duel.players]
    rng_states = [seeded(seed_of(duel, player)) for player in (1, 2)]
    me, other = position.player - 1, position.other - 1
    run = bind_rollouts(position.game, FAST).simulate
    game = run(board, position.mine, position.theirs, greed[me], greed[other], rng_states[me], rng_states[other])
    plies, ended = divmod(game, 4)
    winner = None if ended == WIN // 2 else position.player if ended == WIN else position.other
    return Result(duel, winner, plies)


class Games(Work[Batch, list[Result]]):
    """Games in batches. A plug-in that ends its worker process loses that game, and the others are played on."""

    def __init__(self, compiled: bool) -> None:
        """Whether to compile rollouts."""
        self.compiled = compiled

    def prepare(self) -> None:
        """Compile rollouts if asked to."""
        prepare(self.compiled)

    def do(self, batch: Batch, signals: Signals) -> list[Result]:
        """Play several games in a row."""
        return [play(duel, signals.announce) for duel in batch]

    def parts(self, batch: Batch) -> list[Batch]:
        """The games one by one."""
        return [(duel,) for duel in batch]

    def blame(self, batch: Batch, announced: int, how: str) -> list[Result] | None:
        """The loss of the plug-in that was thinking."""
        (duel,) = batch
        if announced and read_player(duel.players[announced - 1]).kind.plugin:
            return [Result(duel, 3 - announced, 0, f"it ended the worker process {how}")]
        return None

    def title(self, batch: Batch) -> str:
        """Who plays."""
        return f"a game between {' and '.join(batch[0].players)}"


def run(
    duels: Sequence[Duel], workers: Workers | str | int | None = None, compiled: bool | None = None
) -> Iterator[Result]:
    """Play games on workers, by default one process per core, and give results as they come."""
    workers = read_workers(workers)
    if compiled is None:
        compiled = len(duels) >= MANY and find_spec("numba") is not None
    # Board by board: what an oracle learns in one game serves the next.
    order = sorted(duels, key=lambda duel: duel.board)
    quick = all(who in GREED for duel in duels for who in duel.players)
    size = max(1, min(BATCH, len(duels) // (4 * workers.most))) if quick else 1
    batches = [tuple(order[i : i + size]) for i in range(0, len(order), size)]
    for results in workers.run(Games(compiled), batches, ahead=2 if size > 1 else 1):
        yield from results


def prepare(compiled: bool) -> None:
    """Compile rollouts if asked to. Exact values are found fast enough without."""
    if compiled:
        prefer_compiled(ROLLOUTS)


def tally(results: Sequence[Result]) -> Points:
    """Points and games of each pair, the players of a pair in order of their first game."""
    points: dict[Pair, tuple[float, int]] = {}
    for result in results:
        first, second = result.duel.players
        pair, scored = (first, second), result.points
        if (second, first) in points:
            pair, scored = (second, first), 1 - result.points
        before, games = points.get(pair, (0.0, 0))
        points[pair] = before + scored, games + 1
    return points


class Standing(NamedTuple):
    """What a tournament shows."""

    ratings: list[Rating]
    points: Points
    faults: dict[str, int]
    """The number of games lost for each reason."""

    def score(self, player: str, other: str) -> tuple[float, int]:
        """A player's points and games against another."""
        if (player, other) in self.points:
            return self.points[player, other]
        points, games = self.points.get((other, player), (0.0, 0))
        return games - points, games


def standing(players: Sequence[str], results: Sequence[Result]) -> Standing:
    """Ratings, points and faults of a tournament."""
    points = tally(results)
    faults: dict[str, int] = {}
    for result in results:
        if result.fault:
            loser = result.duel.players[2 - (result.winner or 0)]
            reason = f"{loser}: {result.fault}"
            faults[reason] = faults.get(reason, 0) + 1
    return Standing(rate(players, points), points, faults)


def rating_table(found: Standing) -> list[str]:
    """The ratings and the crosstable: the score of a row against each column, in percent."""
    names = [rating.player for rating in found.ratings]
    wide = max(map(len, names), default=0) + 2
    columns = [max(len(name), 4) + 2 for name in names]
    head = f"{'player':<{wide}}{'rating':>7}{'+/-':>6}{'score':>8}{'games':>7}  "
    lines = [head + "".join(f"{name:>{column}}" for name, column in zip(names, columns, strict=True))]
    for rating in found.ratings:
        line = f"{rating.player:<{wide}}{rating.rating:>7.0f}{rating.margin:>6.0f}"
        line += f"{share(rating.points, rating.games):>8}{rating.games:>7}  "
        cells = [share(*found.score(rating.player, other)) for other in names]
        lines.append(line + "".join(f"{cell:>{column}}" for cell, column in zip(cells, columns, strict=True)))
    faults = found.faults.items()
    return lines + [f"{number} game{'' if number == 1 else 's'} lost by {reason}" for reason, number in faults]


def share(points: float, games: int) -> str:
    """A score in percent; a dash if no game was played."""
    return f"{100 * points / games:.1f}" if games else "-"


class Rung(msgspec.Struct, frozen=True):
    """A player of the ladder: its score against the one below, with its 95 % interval, and its rating."""

    player: str
    against: str
    games: int
    score: float
    low: float
    high: float
    rating: float
    error: float
    """Half the width of the 95 % interval of the rating."""


def ladder(players: Sequence[str], found: Standing) -> list[Rung]:
    """Each player against the one below."""
    rated = {rating.player: rating for rating in found.ratings}
    rungs = []
    for player, other in neighbours(players):
        points, games = found.score(player, other)
        rating = rated[player]
        rungs.append(Rung(player, other, games, points / games, *wilson(points, games), rating.rating, rating.margin))
    return rungs


def ladder_table(rungs: Sequence[Rung]) -> list[str]:
    """The ladder as a Markdown table."""
    lines = ["| player | against | games | score | 95 % interval | rating |", "|---|---|---|---|---|---|"]
    for rung in rungs:
        lines.append(
            f"| {rung.player} | {rung.against} | {rung.games} | {100 * rung.score:.1f} % "
            f"| {100 * rung.low:.1f} - {100 * rung.high:.1f} % | {rung.rating:.0f} ± {rung.error:.0f} |"
        )
    return lines


def facts(found: Standing) -> dict[str, object]:
    """A tournament as JSON."""
    return {
        "ratings": [rating._asdict() for rating in found.ratings],
        "pairs": [
            {"players": list(pair), "points": points, "games": games, "interval": list(wilson(points, games))}
            for pair, (points, games) in found.points.items()
        ],
        "faults": found.faults,
    }


def plot(found: Standing, path: Path) -> None:
    """Plot the ratings with their intervals to a file."""
    from matplotlib.figure import Figure

    ratings = found.ratings[::-1]
    figure = Figure(figsize=(7, 1.2 + 0.4 * len(ratings)), layout="constrained")
    axes = figure.add_subplot()
    axes.errorbar(
        [rating.rating for rating in ratings],
        [rating.player for rating in ratings],
        xerr=[rating.margin for rating in ratings],
        fmt="o",
        capsize=4,
    )
    axes.set_xlabel("rating, with 95 % intervals")
    axes.grid(axis="x", alpha=0.3)
    with whole_file(path) as file:
        figure.savefig(file, format=path.suffix[1:] or None)
