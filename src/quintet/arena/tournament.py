"""Tournaments: every opening from both sides, on many workers."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import combinations
from zlib import crc32

from quintet.arena.results import Duel, Result
from quintet.engines import Engine, EngineFault, UnknownPlayer, make_engine, read_player
from quintet.engines.door import ask_engine, close_engine
from quintet.engines.rng import seeded
from quintet.engines.rollout import WIN, bind_rollouts
from quintet.gears import FAST, ROLLOUTS, gear_board, prefer_compiled, prefers_compiled
from quintet.match import random_opening
from quintet.notation import read_position
from quintet.rules import Position, play_all
from quintet.solve.clock import count_processor_time
from quintet.workers import Signals, Work, Workers, read_workers

Pair = tuple[str, str]
Batch = tuple[Duel, ...]
Ending = tuple[int | None, int, str]
"""A result without its game: the winner, the number of moves, and the fault."""
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
    return random_opening(empty_board(duel.board), rng, rng.randint(0, OPENING_PLIES) if duel.opening >= 0 else 0)


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


class Games(Work[Batch, list[Ending]]):
    """Games in batches. A plug-in that ends its worker process loses that game, and the others are played on."""

    def __init__(self, compiled: bool, cpu_time: bool) -> None:
        """Whether to compile rollouts, and whether time limits count processor time."""
        self.compiled, self.cpu_time = compiled, cpu_time

    def prepare(self) -> None:
        """Choose the clock, and compile rollouts if asked to."""
        count_processor_time(self.cpu_time)
        prepare(self.compiled)

    def do(self, batch: Batch, signals: Signals) -> list[Ending]:
        """Play several games in a row."""
        results = [play(duel, signals.announce) for duel in batch]
        return [(result.winner, result.plies, result.fault) for result in results]

    def parts(self, batch: Batch) -> list[Batch]:
        """The games one by one."""
        return [(duel,) for duel in batch]

    def blame(self, batch: Batch, announced: int, how: str) -> list[Ending] | None:
        """The loss of the plug-in that was thinking."""
        (duel,) = batch
        if announced and read_player(duel.players[announced - 1]).kind.plugin:
            return [(3 - announced, 0, f"it ended the worker process {how}")]
        return None

    def title(self, batch: Batch) -> str:
        """Who plays."""
        return f"a game between {' and '.join(batch[0].players)}"


def run(
    duels: Sequence[Duel],
    workers: Workers | str | int | None = None,
    compiled: bool | None = None,
    cpu_time: bool = False,
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
    with workers.pool(Games(compiled, cpu_time), ahead=2 if size > 1 else 1) as pool:
        for batch in batches:
            pool.give(batch)
        while answers := pool.answers():
            for batch, endings in answers:
                for duel, ending in zip(batch, endings, strict=True):
                    yield Result(duel, *ending)


def prepare(compiled: bool) -> None:
    """Compile rollouts if asked to. Exact values are found fast enough without."""
    if compiled:
        prefer_compiled(ROLLOUTS)
