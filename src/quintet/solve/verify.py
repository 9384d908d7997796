"""A proof of the values of a whole game: every position that can come up, its value worked out backwards from the ends.

The walk (`walk.py`, in the stages of `stages.py`) shares only the rules with the search, which is then asked about
every position. Positions are identified by a key: both players' cells, or less where that is all the future depends
on. That it is all is a claim too, and `check_keys` proves it: it walks again by both players' cells and compares the
values.
"""

import json
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import numpy as np

from quintet.board import Board
from quintet.errors import QuintetError
from quintet.gears import FAST, PLAIN
from quintet.gears.arrays import Numbers
from quintet.notation import write_position
from quintet.rules import Position
from quintet.solve.position_keys import CELLS
from quintet.solve.positions import Flags
from quintet.solve.searcher import Searcher, search_digest
from quintet.solve.solver import Solver
from quintet.solve.stages import MEMORY, PieceWork, Progress, do_pieces, ignore_progress, open_walk, pieces_of, walk_all
from quintet.solve.value import Value, value_of
from quintet.solve.walk import Piece, Walk
from quintet.workers import Signals, Workers
from quintet.workers.here import Here

if TYPE_CHECKING:
    from quintet.solve.searcher import Images, Table

ALL, SAMPLE = 100_000, 20_000
"""The plain gear compares all of up to 100,000 positions; of more, 20,000, evenly spread."""


class Disproved(QuintetError, ValueError):
    """The search gives a position another value than the proof does: a check has failed."""

    status = 1


class Proof(NamedTuple):
    """What was proven. Wins, losses and draws are those of the player to move."""

    positions: int
    """How many positions there are."""
    before_passes: int | None
    """How many of them come up without a pass, in a game that has passes."""
    before_target: int | None
    """In how many of them no player has reached the target, in a game that has one."""
    told_by: str
    """What identifies a position: two that share it have the same future and count as one."""
    wins: int
    losses: int
    draws: int
    compared: int
    """How many positions the search was asked about."""
    checksum: str
    """A digest of all positions and values."""
    value: Value
    """The value of the position at the start."""
    keys_checked: int | None = None
    """How many positions there are by both players' cells, all with the value of their key; `None` if not checked."""


def confirm(
    search: Callable[..., int],
    step: int,
    board: Board,
    symmetries: "Images",
    table: "Table",
    mine: Sequence[int],
    theirs: Sequence[int],
    numbers: Sequence[int],
) -> int:
    """The first position whose value the search denies, asked whether it is as much and whether it is more; else -1."""
    for i in range(len(numbers)):
        number = numbers[i]
        if search(board, symmetries, table, mine[i], theirs[i], 0, 0, number) < number:
            return i
        if search(board, symmetries, table, mine[i], theirs[i], 0, 0, number + step) >= number + step:
            return i
    return -1


@cache
def compile_confirm(kind: Any) -> Callable[..., int]:  # Numba has no types, nor has what it compiles.
    """The questions compiled, for all searches of one signature."""
    import numba

    # The search goes in by its address: Numba cannot link a recursive function that it has read back from its cache.
    columns = [numba.int64[::1]] * 3
    types = (numba.types.FunctionType(kind), numba.int64, *kind.args[:3], *columns)
    compiled: Callable[..., int] = numba.njit(types, nogil=True)(confirm)
    return compiled


def confirm_for(search: Any, fixed: "tuple[Board, Images, Table]") -> Callable[..., int]:
    """The questions compiled for a compiled search, which has been called with these arguments."""
    import numba

    # It has another signature for boards with more values.
    type_of: Callable[[object], object] = numba.typeof
    given = tuple(map(type_of, fixed))
    return compile_confirm(next(kind for kind in search.nopython_signatures if kind.args[:3] == given))


class Compare(PieceWork):
    """Asks the search about positions, a part of a layer at a time."""

    def __init__(self, walk: Walk, layers: list[int], gear: str) -> None:
        """Late positions come first, and number those before each layer."""
        super().__init__(walk)
        self.gear = gear
        self.before, self.total = dict[int, int](), 0
        """How many positions come before a layer, and how many there are."""
        for claimed in reversed(layers):
            self.before[claimed] = self.total
            self.total += walk.rows(claimed)
        # With another search, or with other positions or values, it is all to be asked again.
        pieces = [piece for stage in ("merge", "evaluate") for piece in pieces_of(walk, stage, layers)]
        records = json.dumps([walk.store.get(piece.name) for piece in pieces])
        self.stage = f"compare-{gear}-{search_digest(walk.game)}-{crc32(records.encode()):08x}"

    def prepare(self) -> None:
        """Make a solver; what it has found out serves the next part."""
        self.solver = Solver(self.walk.game, self.walk.board, self.gear, self.walk.memory or MEMORY)
        self.solver.ask(self.walk.start, 0)  # A compiled search has its types from its first call.

    def do(self, task: Piece, signals: Signals) -> int:
        """Ask about a part; how many positions that were."""
        walk, searcher = self.walk, self.solver.searcher
        assert isinstance(searcher, Searcher)  # The search by parts is for larger boards.
        search, fixed = searcher.search, searcher.arguments
        first_denied: Callable[..., int] = confirm_for(search, fixed) if self.gear == FAST else confirm
        mine, theirs = walk.sets(walk.layer(task.claimed, task.part).places)
        columns: list[Numbers | list[int]] = [mine, theirs, walk.numbers(task.claimed, task.part, whole=True)]
        if self.gear == PLAIN:
            chosen = self.sample(task, len(mine))
            columns = [np.asarray(column)[chosen].tolist() for column in columns]
        wrong = int(first_denied(search, self.solver.step, *fixed, *columns))
        if wrong >= 0:
            own, other, number = (int(column[wrong]) for column in columns)
            position = Position(walk.game, walk.board, own, other, walk.start.player)
            raise Disproved(
                f"the search is wrong: the value of {write_position(position)} is {value_of(walk.game, number)}"
            )
        walk.store.finish(task.name, {"rows": len(mine), "compared": len(columns[0])})
        return len(mine)

    def sample(self, task: Piece, rows: int) -> Flags:
        """The positions of a part that the plain gear is asked about."""
        earlier = (self.walk.rows_of(task.claimed, part) for part in range(task.part))
        every = np.arange(rows) + self.before[task.claimed] + sum(earlier)
        # The last of equal shares of the positions, so that the start is among them.
        chosen: Flags = every * SAMPLE // self.total != (every + 1) * SAMPLE // self.total
        return chosen if self.total > ALL else every >= 0


def compare(walk: Walk, layers: list[int], gear: str, workers: Workers, progress: Progress) -> int:
    """Ask the search about the positions, late ones first; how many they were."""
    work = Compare(walk, layers, gear)
    pieces = pieces_of(walk, work.stage, reversed(layers))
    with workers.pool(work) as pool:
        for share, _ in do_pieces(pool, walk, pieces):
            progress("search", share, round(share * work.total))
    return sum(int(walk.store.get(piece.name)["compared"]) for piece in pieces)


def check_keys(walk: Walk, layers: list[int], workers: Workers, progress: Progress) -> int:
    """Walk again by both players' cells; how many positions that gives, all with the value of their key."""
    plain, checked = walk, 0
    if not walk.plain:
        plain = Walk(walk.start, walk.store.inner(CELLS), CELLS, walk.memory)
        layers = walk_all(plain, workers, progress)
    for claimed in layers:
        for part in plain.parts(claimed):
            places = plain.layer(claimed, part).places
            wrong = np.flatnonzero(walk.find(claimed, walk.key(places)) != plain.values(claimed, part))
            if len(wrong):
                own, other = (int(cells[wrong[0]]) for cells in walk.sets(places))
                position = write_position(Position(walk.game, walk.board, own, other, walk.start.player))
                raise Disproved(f"the key is wrong: {position} has another value than a position with the same key")
            checked += len(places)
            progress("keys", claimed / layers[-1] if layers[-1] else 1, checked)
    return checked


class Figures(NamedTuple):
    """What there is to count in all positions."""

    wins: int
    losses: int
    before_passes: int
    before_target: int
    checksum: str


def count(walk: Walk, layers: list[int], progress: Progress) -> Figures:
    """Count positions, and make a digest of all keys and values, layer by layer."""
    digest, wins, losses, no_pass, no_target, done = sha256(), 0, 0, 0, 0, 0
    for claimed in layers:
        for part in walk.parts(claimed):
            layer = walk.layer(claimed, part)
            digest.update(layer.keys.astype("<i8", copy=False).data)
            no_pass += int((~layer.passed).sum())
            # In how many positions the player who moved last has not reached the target.
            no_target += int((walk.rules.score(walk.board, walk.sets(layer.places)[1]) != walk.board.target).sum())
        for part in walk.parts(claimed):
            numbers = walk.numbers(claimed, part, walk.position_key.whole)
            digest.update(numbers.astype("<i2").data)
            wins += int((numbers > 0).sum())
            losses += int((numbers < 0).sum())
        done += walk.rows(claimed)
        progress("checksum", claimed / walk.board.cells, done)
    return Figures(wins, losses, no_pass, no_target, digest.hexdigest()[:16])


def value_at_start(walk: Walk, claimed: int) -> Value:
    """The value of the position at the start, which is in the first layer; after a pass, so is another."""
    start = walk.start
    first = np.array([start.mine | start.theirs << walk.board.area])
    part = int(np.searchsorted(walk.bounds(claimed), walk.key(first), side="right")[0]) - 1
    row = np.searchsorted(walk.keys(claimed, part), walk.key(first))
    return value_of(walk.game, int(walk.numbers(claimed, part, whole=True)[row][0]))


def verify(
    start: Position,
    gear: str | None = None,
    progress: Progress = ignore_progress,
    keys: bool = False,
    folder: Path | None = None,
    workers: Workers | None = None,
    memory: int = MEMORY,
) -> Proof:
    """Prove the value of a position and of all that can come after it, and that the search knows them.

    With `keys`, prove also that positions which count as one have the same value. With a `folder`, all is saved there,
    and a proof that was interrupted is continued; each worker takes about `memory` bytes.
    """
    workers = workers or Here()
    with open_walk(start, folder, workers, memory) as walk:
        layers = walk_all(walk, workers, progress)
        keys_checked = check_keys(walk, layers, workers, progress) if keys else None
        positions = sum(map(walk.rows, layers))
        if gear is None:
            gear = FAST if positions > ALL and find_spec("numba") else PLAIN
        found = count(walk, layers, progress)
        return Proof(
            positions=positions,
            before_passes=found.before_passes if start.game.passes else None,
            before_target=found.before_target if start.board.target else None,
            told_by=walk.position_key.told_by,
            wins=found.wins,
            losses=found.losses,
            draws=positions - found.wins - found.losses,
            compared=compare(walk, layers, gear, workers, progress),
            checksum=found.checksum,
            value=value_at_start(walk, layers[0]),
            keys_checked=keys_checked,
        )
