"""A proof of the values of a whole game: every position that can come up, its value worked out backwards from the ends.

It shares only the rules with the search, which is then asked about every position. Positions are sorted by the number
of claimed cells and then by a key: both players' cells, or less where that is all the future depends on. That it is all
is a claim too, and `check_keys` proves it: it walks again by both players' cells and compares the values.

(Over 300 lines, so that the proof can be checked by reading one file from top to bottom.)
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quintet.board import Board
from quintet.errors import QuintetError
from quintet.gears import FAST, PLAIN
from quintet.gears.arrays import ArrayRules, Numbers, bind_rules, popcount
from quintet.notation import write_position
from quintet.rules import Position
from quintet.solve.searcher import Searcher
from quintet.solve.solver import Solver
from quintet.solve.theories.generic import MOST
from quintet.solve.value import Value, value_of

if TYPE_CHECKING:
    from quintet.solve.searcher import Images, Table

MOST_CELLS = 31
"""Two sets of 31 cells fit in 62 bits."""

MOST_POSITIONS = 60_000_000
"""The most positions in memory, and the most moves looked at together: some 3 GB."""

ALL, SAMPLE = 100_000, 20_000
"""The plain gear compares all of up to 100,000 positions; of more, 20,000, evenly spread."""

Progress = Callable[[str, float], None]


class TooLarge(QuintetError, ValueError):
    """A game with more positions than a proof can take."""


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


class PositionKey(NamedTuple):
    """A way to identify positions: those that share a key have the same future, and as many claimed cells."""

    told_by: str
    function: Callable[[ArrayRules, Board, Numbers, Numbers], Numbers]
    whole: bool
    """Whether the key gives both scores, so that a value is the final margin. Else it is the margin from here on."""


def both_sets(rules: ArrayRules, board: Board, mine: Numbers, theirs: Numbers) -> Numbers:
    """Both players' cells: the position itself, which every rule is a function of."""
    return mine | theirs << board.cells


def claimed_set(rules: ArrayRules, board: Board, mine: Numbers, theirs: Numbers) -> Numbers:
    """The claimed cells, where `legal` and `gain` look at `mine | theirs` alone and a gain counts its cells."""
    return mine | theirs


def tally(rules: ArrayRules, board: Board, mine: Numbers, theirs: Numbers) -> Numbers:
    """How many cells of each value are claimed, and my score; theirs is the rest of what those cells are worth.

    Where `legal` compares values with scores alone, a cell may change places with any other of its value.
    """
    key = rules.score(board, mine)
    for _, where in board.values:
        key = key * (where.bit_count() + 1) + popcount((mine | theirs) & where)
    return key


POSITION_KEYS = {
    "cells": PositionKey("the cells of both players", both_sets, whole=True),
    "claimed": PositionKey("the claimed cells", claimed_set, whole=False),
    "values": PositionKey("the values left and both scores", tally, whole=True),
}
"""By what a game's future depends on."""


class Layer(NamedTuple):
    """The positions with one number of claimed cells."""

    keys: Numbers
    """In ascending order."""
    places: Numbers
    """One position for each key: my cells, and theirs shifted."""
    passed: npt.NDArray[np.bool_]
    """Whether it takes a pass to get there."""


class Walk:
    """All positions that can come up after a position, and their values."""

    def __init__(self, start: Position, key: str | None = None) -> None:
        """Bind the rules to arrays; a key other than the game's own identifies the positions otherwise."""
        if start.board.cells > MOST_CELLS:
            raise TooLarge(f"a proof is limited to {MOST_CELLS} cells; this board has {start.board.cells}")
        self.start, self.game, self.board = start, start.game, start.board
        self.position_key = POSITION_KEYS[key or self.game.future]
        self.rules = bind_rules(self.game)
        self.layers: dict[int, Layer] = {}
        self.values: dict[int, npt.NDArray[np.int16]] = {}

    def sets(self, places: Numbers) -> tuple[Numbers, Numbers]:
        """The cells of the player to move, and the other's."""
        return places & self.board.full, places >> self.board.cells

    def legal(self, mine: Numbers, theirs: Numbers) -> Numbers:
        """The cells the player to move may claim."""
        return self.rules.legal(self.board, mine, theirs)

    def key(self, places: Numbers) -> Numbers:
        """What identifies these positions."""
        return self.position_key.function(self.rules, self.board, *self.sets(places))

    def stuck(self, mine: Numbers, theirs: Numbers) -> npt.NDArray[np.bool_]:
        """Where the player to move must pass."""
        if not self.game.passes:
            return np.zeros(len(mine), np.bool_)
        stuck: npt.NDArray[np.bool_] = (self.legal(mine, theirs) == 0) & (self.legal(theirs, mine) != 0)
        return stuck

    def claims(self, layer: Layer) -> Iterator[tuple[int, npt.NDArray[np.bool_], Numbers, Numbers]]:
        """For each cell: which one, where it may be claimed, what this leads to, and how much the score gains."""
        mine, theirs = self.sets(layer.places)
        legal, score = self.legal(mine, theirs), self.rules.score
        for i in range(self.board.cells):
            able = legal >> i & 1 != 0
            if able.any():
                ours, others = mine[able], theirs[able]
                taken = ours | self.rules.gain(self.board, ours, others, 1 << i)
                yield i, able, others | taken << self.board.cells, score(self.board, taken) - score(self.board, ours)

    def by_claimed(self, places: Numbers) -> Iterator[tuple[int, npt.NDArray[np.bool_]]]:
        """The numbers of claimed cells in these positions, each with the positions that have it."""
        counts = np.bitwise_count(places)
        for count in np.unique(counts):
            yield int(count), counts == count

    def forward(self, progress: Progress) -> None:
        """Find every position, those with fewer claimed cells first."""
        first = np.array([self.start.mine | self.start.theirs << self.board.cells])
        found = {int(np.bitwise_count(first)[0]): [(first, np.zeros(1, np.bool_))]}
        total = 0
        while found:
            claimed = min(found)
            layer = self.collect(found.pop(claimed))
            stuck = self.stuck(*self.sets(layer.places))
            if stuck.any():
                mine, theirs = self.sets(layer.places[stuck])
                turned = theirs | mine << self.board.cells, np.ones(len(mine), np.bool_)
                layer = self.collect([(layer.places, layer.passed), turned])
            self.layers[claimed] = layer
            moves = int(np.bitwise_count(self.legal(*self.sets(layer.places))).sum())
            total += len(layer.keys)
            if max(total, moves) > MOST_POSITIONS:
                what = f"{MOST_POSITIONS:,} positions, and to as many moves from those with equally many claimed cells"
                raise TooLarge(f"a proof is limited to {what}; this game has more")
            for _, able, places, _ in self.claims(layer):
                passed = layer.passed[able]
                for count, such in self.by_claimed(places):
                    found.setdefault(count, []).append((places[such], passed[such]))
            progress("positions", claimed / self.board.cells)

    def collect(self, found: list[tuple[Numbers, npt.NDArray[np.bool_]]]) -> Layer:
        """One position for each key, and whether all ways to it have a pass in them."""
        places, passed = np.concatenate([pair[0] for pair in found]), np.concatenate([pair[1] for pair in found])
        words, first = np.unique(self.key(places) << 1 | passed, return_index=True)
        keys = words >> 1
        new = np.append(True, keys[1:] != keys[:-1])
        return Layer(keys[new], places[first[new]], words[new] & 1 != 0)

    def backward(self, progress: Progress) -> None:
        """Work out the value of every position from those it leads to: of what is still open, if territory counts."""
        for claimed in sorted(self.layers, reverse=True):
            layer = self.layers[claimed]
            best = np.full(len(layer.keys), -MOST, np.int16)
            for _, able, places, gained in self.claims(layer):
                best[able] = np.maximum(best[able], self.before(places, gained))
            mine, theirs = self.sets(layer.places)
            stuck = self.stuck(mine, theirs)
            if self.game.territory:
                best[(self.legal(mine, theirs) == 0) & ~stuck] = 0
            self.values[claimed] = best
            # A pass leads to a position of this very layer, one with a claim.
            if stuck.any():
                best[stuck] = self.before((theirs | mine << self.board.cells)[stuck], np.int64(0))
            progress("values", 1 - claimed / self.board.cells)

    def before(self, places: Numbers, gained: Numbers | np.int64) -> Numbers:
        """The values, one move before and for the other player, of positions that were walked."""
        values = np.empty(len(places), np.int64)
        for count, such in self.by_claimed(places):
            values[such] = -self.values[count][np.searchsorted(self.layers[count].keys, self.key(places[such]))]
        # In a race every move makes the way to the end one longer, for better or worse.
        return values + gained if self.game.territory else values - np.sign(values)

    def numbers(self, claimed: int, whole: bool) -> Numbers:
        """The values of a layer; if whole, together with the margin so far in a game of territory."""
        values = self.values[claimed].astype(np.int64)
        if not (self.game.territory and whole):
            return values
        mine, theirs = self.sets(self.layers[claimed].places)
        return values + self.rules.score(self.board, mine) - self.rules.score(self.board, theirs)

    def before_target(self) -> int:
        """In how many positions the player who moved last has not reached the target."""
        others = (self.sets(layer.places)[1] for layer in self.layers.values())
        return sum(int((self.rules.score(self.board, theirs) != self.board.target).sum()) for theirs in others)

    def value(self) -> Value:
        """The value of the position at the start, which has the fewest claimed cells; after a pass, so has another."""
        claimed = min(self.layers)
        first = np.array([self.start.mine | self.start.theirs << self.board.cells])
        row = np.searchsorted(self.layers[claimed].keys, self.key(first))
        return value_of(self.game, int(self.numbers(claimed, whole=True)[row][0]))


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


def compare(walk: Walk, gear: str, progress: Progress) -> int:
    """Ask the search about the positions, late ones first; how many they were."""
    solver = Solver(walk.game, walk.board, gear)
    solver.ask(walk.start, 0)  # A compiled search has its types from its first call.
    assert isinstance(solver.searcher, Searcher)  # The search by parts is for larger boards.
    search, fixed = solver.searcher.search, solver.searcher.arguments
    first_denied: Callable[..., int] = confirm_for(search, fixed) if gear == FAST else confirm
    total, compared, seen = sum(len(layer.keys) for layer in walk.layers.values()), 0, 0
    for claimed in sorted(walk.layers, reverse=True):
        mine, theirs = walk.sets(walk.layers[claimed].places)
        columns: list[Numbers | list[int]] = [mine, theirs, walk.numbers(claimed, whole=True)]
        if gear == PLAIN:
            every = np.arange(seen, seen + len(mine))
            # The last of equal shares of the positions, so that the start is among them.
            chosen = every * SAMPLE // total != (every + 1) * SAMPLE // total if total > ALL else every >= 0
            columns = [np.asarray(column)[chosen].tolist() for column in columns]
        wrong = int(first_denied(search, solver.step, *fixed, *columns))
        if wrong >= 0:
            own, other, number = (int(column[wrong]) for column in columns)
            position = Position(walk.game, walk.board, own, other, walk.start.player)
            raise Disproved(
                f"the search is wrong: the value of {write_position(position)} is {value_of(walk.game, number)}"
            )
        compared += len(columns[0])
        seen += len(mine)
        progress("search", seen / total)
    return compared


def check_keys(walk: Walk, progress: Progress) -> int:
    """Walk again by both players' cells; how many positions that gives, all with the value of their key."""
    plain = walk
    if walk.position_key.function is not both_sets:
        plain = Walk(walk.start, "cells")
        plain.forward(progress)
        plain.backward(progress)
    for claimed, layer in plain.layers.items():
        keys, wanted = walk.layers[claimed].keys, walk.key(layer.places)
        row = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        wrong = np.flatnonzero((keys[row] != wanted) | (walk.values[claimed][row] != plain.values[claimed]))
        if len(wrong):
            own, other = (int(cells[wrong[0]]) for cells in walk.sets(layer.places))
            position = write_position(Position(walk.game, walk.board, own, other, walk.start.player))
            raise Disproved(f"the key is wrong: {position} has another value than a position with the same key")
    return sum(len(layer.keys) for layer in plain.layers.values())


def ignore_progress(stage: str, share: float) -> None:
    """Report no progress."""


def verify(start: Position, gear: str | None = None, progress: Progress = ignore_progress, keys: bool = False) -> Proof:
    """Prove the value of a position and of all that can come after it, and that the search knows them.

    With `keys`, prove also that positions which count as one have the same value.
    """
    walk = Walk(start)
    walk.forward(progress)
    walk.backward(progress)
    keys_checked = check_keys(walk, progress) if keys else None
    layers = [walk.layers[claimed] for claimed in sorted(walk.layers)]
    positions = sum(len(layer.keys) for layer in layers)
    if gear is None:
        gear = FAST if positions > ALL and find_spec("numba") else PLAIN
    digest, wins, losses = sha256(), 0, 0
    for claimed in sorted(walk.layers):
        numbers = walk.numbers(claimed, walk.position_key.whole)
        digest.update(walk.layers[claimed].keys.astype("<i8").tobytes() + numbers.astype("<i2").tobytes())
        wins += int((numbers > 0).sum())
        losses += int((numbers < 0).sum())
    return Proof(
        positions=positions,
        before_passes=sum(int((~layer.passed).sum()) for layer in layers) if start.game.passes else None,
        before_target=walk.before_target() if start.board.target else None,
        told_by=walk.position_key.told_by,
        wins=wins,
        losses=losses,
        draws=positions - wins - losses,
        compared=compare(walk, gear, progress),
        checksum=digest.hexdigest()[:16],
        value=walk.value(),
        keys_checked=keys_checked,
    )
