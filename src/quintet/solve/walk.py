"""All positions that can come up after a position, and their values, worked out backwards from the ends.

It knows the rules and nothing of the search. Positions are sorted by the number of claimed cells, their layer, and then
by a key. A layer is cut into parts, each with a range of keys, so that one part at a time is in memory. These are the
pieces of work, each finished when its arrays are saved:

- *expand* a part: make all claims in its positions. What they lead to is saved in runs, sorted by key.
- *merge* the runs that lead to a layer, part by part: each key once.
- *evaluate* a part, last layer first: the best of the values of the positions that its claims lead to.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quintet.gears.arrays import Numbers
from quintet.rules import Position
from quintet.solve.layers import Array, LayerStore, Saved
from quintet.solve.positions import Flags, Layer, Positions
from quintet.solve.theories.generic import MOST

ENTRIES = 1 << 22
"""How many positions are sorted together where no memory limit is given."""

PART = 1 << 20
"""How many positions a part has at most, even if memory has room for more: parts are the pieces of work."""

ENTRY_BYTES = {True: 40, False: 100}
"""The memory that sorting takes for each position, whether or not its key is the position itself."""

UNKNOWN = -(1 << 15)
"""Stands for the value of a position that was not found."""

LATER = 1 << 20
"""More than any rank: what a pass leads to comes after what claims lead to."""

Values = npt.NDArray[np.int16]


class Piece(NamedTuple):
    """A piece of work."""

    stage: str
    claimed: int
    part: int

    @property
    def name(self) -> str:
        """The name of its record."""
        return f"{self.stage}-{self.claimed:02}-{self.part:05}"


class Walk(Positions):
    """All positions that can come up after a position, and their values, in a store."""

    def __init__(self, start: Position, store: LayerStore, key: str, memory: int | None = None) -> None:
        """Sort no more positions together than fit in the memory."""
        super().__init__(start, key)
        self.store, self.memory = store, memory
        self.entries = max(1, memory // ENTRY_BYTES[self.plain]) if memory else ENTRIES
        self.bounds = lru_cache(self.read_bounds)

    def __reduce__(self) -> tuple[type["Walk"], tuple[Position, LayerStore, str, int | None]]:
        return Walk, (self.start, self.store, self.key_name, self.memory)

    def expand(self, claimed: int, part: int) -> int:
        """Save what the claims in a part lead to; how many positions that is."""
        layer, runs = self.layer(claimed, part), []
        for number, rows in enumerate(self.slices(claimed, len(layer.keys))):
            for target, run in self.after(claimed, layer.rows(rows)):
                name = f"run-{target:02}-{claimed:02}-{part:05}-{number:04}"
                runs.append((target, self.store.save(name, run)))
        self.store.finish(Piece("expand", claimed, part).name, {"rows": len(layer.keys), "runs": runs})
        return sum(saved.rows for _, saved in runs)

    def slices(self, claimed: int, rows: int) -> Iterator[slice]:
        """Rows of a part, a few at a time, so that all that their claims lead to can be sorted."""
        step = max(1, self.entries // max(4, self.board.cells - claimed))
        return (slice(first, first + step) for first in range(0, rows, step))

    def after(self, claimed: int, layer: Layer) -> Iterator[tuple[int, Numbers]]:
        """The runs of what claims lead to: for each number of claimed cells, columns of words as in `distinct`."""
        found: dict[int, list[Numbers]] = {}
        for cell, able, places, _ in self.claims(layer.places):
            passed = layer.passed[able]
            for count, such in self.by_claimed(places):
                # Of several positions with one key, the first that was found stands for it.
                rank = np.int64(claimed * self.board.area + cell)
                found.setdefault(count, []).append(self.columns(places[such], passed[such], rank))
        for count in list(found):
            run = distinct(np.concatenate(found.pop(count), axis=1))
            yield count, self.with_passes(run)

    def columns(self, places: Numbers, passed: Flags, rank: Numbers | np.int64) -> Numbers:
        """Positions as words of key and pass, and unless the word tells all, the positions and their ranks."""
        words = self.key(places) << 1 | passed
        return words[np.newaxis] if self.plain else np.stack(np.broadcast_arrays(words, places, rank))

    def with_passes(self, run: Numbers) -> Numbers:
        """A run, and what passes lead to from its positions: those of the same cells with the other player to move."""
        places = run[0] >> 1 if self.plain else run[1]
        stuck = self.stuck(*self.sets(places))
        if not stuck.any():
            return run
        turned = self.turn(places[stuck])
        more = self.columns(turned, np.ones(len(turned), np.bool_), run[-1][stuck] + LATER)
        return distinct(np.concatenate([run, more], axis=1))

    def runs(self, target: int) -> list[Saved]:
        """All runs that lead to a layer, in the order in which their positions were found."""
        found = [Saved(*saved) for count, saved in self.store.get("start")["runs"] if count == target]
        for claimed in self.claimed_before(target):
            for part in self.parts(claimed):
                record = self.store.get(Piece("expand", claimed, part).name)
                found += [Saved(*saved) for count, saved in record["runs"] if count == target]
        return found

    def claimed_before(self, target: int) -> list[int]:
        """The layers before one."""
        return [claimed for claimed in range(target) if self.store.find(Piece("plan", claimed, 0).name)]

    def begin(self) -> None:
        """Save the position at the start as the first run."""
        first = np.array([self.start.mine | self.start.theirs << self.board.area])
        run = self.with_passes(self.columns(first, np.zeros(1, np.bool_), np.int64(0)))
        claimed = int(np.bitwise_count(first)[0])
        self.store.finish("start", {"runs": [(claimed, self.store.save("run-start", run))]})

    def plan(self, claimed: int) -> None:
        """Cut a layer into parts: save the first key of each."""
        runs = self.runs(claimed)
        total = sum(saved.rows for saved in runs)
        size = min(self.entries, PART)
        number = -(-total // size)
        step = max(1, size // (64 * len(runs)))
        samples = np.sort(np.concatenate([self.store.load(saved)[0, ::step] >> 1 for saved in runs]))
        bounds = np.unique(samples[np.arange(number) * len(samples) // number])
        self.store.finish(Piece("plan", claimed, 0).name, {"bounds": bounds.tolist()})

    def read_bounds(self, claimed: int) -> Numbers:
        """The first key of each part of a layer."""
        return np.array(self.store.get(Piece("plan", claimed, 0).name)["bounds"], np.int64)

    def merge(self, claimed: int, part: int) -> int:
        """Save a part of a layer: each key once, from all runs that lead there; how many positions that is."""
        ends = self.bounds(claimed)[part : part + 2] << 1
        found = []
        for saved in self.runs(claimed):
            run = self.store.load(saved)
            first, last = [*np.searchsorted(run[0], ends), run.shape[1]][:2]
            found.append(run[:, first:last])
        run = distinct(np.concatenate(found, axis=1))
        name = f"{claimed:02}-{part:05}"
        record = {"rows": run.shape[1], "keys": self.store.save(f"keys-{name}", run[0] >> 1)}
        if not self.plain:
            record["places"] = self.store.save(f"places-{name}", run[1])
        if self.game.passes:
            record["passed"] = self.store.save(f"passed-{name}", run[0] & 1 != 0)
        self.store.finish(Piece("merge", claimed, part).name, record)
        return int(run.shape[1])

    def load(self, stage: str, claimed: int, part: int, column: str) -> Array | None:
        """A column that a stage has saved of a part, if it has."""
        saved = self.store.get(Piece(stage, claimed, part).name).get(column)
        return None if saved is None else self.store.load(Saved(*saved))

    def keys(self, claimed: int, part: int) -> Numbers:
        """The keys of a part."""
        keys = self.load("merge", claimed, part, "keys")
        assert keys is not None
        return keys

    def layer(self, claimed: int, part: int) -> Layer:
        """The positions of a part."""
        keys = self.keys(claimed, part)
        places = self.load("merge", claimed, part, "places")
        passed = self.load("merge", claimed, part, "passed")
        return Layer(
            keys, keys if places is None else places, np.zeros(len(keys), np.bool_) if passed is None else passed
        )

    def parts(self, claimed: int) -> range:
        """The numbers of a layer's parts."""
        return range(len(self.bounds(claimed)))

    def rows_of(self, claimed: int, part: int) -> int:
        """How many positions a part has."""
        return int(self.store.get(Piece("merge", claimed, part).name)["rows"])

    def rows(self, claimed: int) -> int:
        """How many positions a layer has."""
        return sum(self.rows_of(claimed, part) for part in self.parts(claimed))

    def evaluate(self, claimed: int, part: int) -> int:
        """Save the values of a part: of what is still open, if territory counts. How many positions that is."""
        layer, values = self.layer(claimed, part), []
        for rows in self.slices(claimed, len(layer.keys)):
            places = layer.places[rows]
            best = self.best(places)
            stuck = self.stuck(*self.sets(places))
            if stuck.any():
                best[stuck] = self.earlier(-self.best(self.turn(places[stuck])), np.int64(0))
            values.append(best)
        saved = self.store.save(f"values-{claimed:02}-{part:05}", np.concatenate(values).astype(np.int16))
        self.store.finish(Piece("evaluate", claimed, part).name, {"rows": saved.rows, "values": saved})
        return saved.rows

    def best(self, places: Numbers) -> Numbers:
        """The best that claims lead to; where there are none the game is over, or a pass leads elsewhere."""
        best = np.full(len(places), -MOST, np.int64)
        for _, able, after, gained in self.claims(places):
            best[able] = np.maximum(best[able], self.before(after, gained))
        if self.game.territory:
            best[self.legal(*self.sets(places)) == 0] = 0
        return best

    def before(self, places: Numbers, gained: Numbers) -> Numbers:
        """The values, one move before and for the other player, of positions that were walked."""
        values = np.empty(len(places), np.int64)
        for count, such in self.by_claimed(places):
            values[such] = self.find(count, self.key(places[such]))
        return self.earlier(-values, gained)

    def find(self, claimed: int, keys: Numbers) -> Values:
        """The values of these keys of a layer; `UNKNOWN` for others."""
        order = np.argsort(keys)  # So that each part is read once, from its beginning to its end.
        wanted = keys[order]
        found = np.empty(len(keys), np.int16)
        ends = [0, *np.searchsorted(wanted, self.bounds(claimed)[1:]), len(wanted)]
        for part, (first, last) in enumerate(pairwise(ends)):
            if first < last:
                known, such = self.keys(claimed, part), wanted[first:last]
                rows = np.minimum(np.searchsorted(known, such), len(known) - 1)
                values = self.values(claimed, part)
                found[order[first:last]] = np.where(known[rows] == such, values[rows], np.int16(UNKNOWN))
        return found

    def values(self, claimed: int, part: int) -> Values:
        """The values of a part."""
        values = self.load("evaluate", claimed, part, "values")
        assert values is not None
        return values

    def numbers(self, claimed: int, part: int, whole: bool) -> Numbers:
        """The values of a part; if whole, together with the margin so far in a game of territory."""
        values = self.values(claimed, part).astype(np.int64)
        if not (self.game.territory and whole):
            return values
        mine, theirs = self.sets(self.layer(claimed, part).places)
        return values + self.rules.score(self.board, mine) - self.rules.score(self.board, theirs)


def distinct(run: Numbers) -> Numbers:
    """Positions sorted by key, each key once: one without a pass before others, and then one of a lower rank.

    The first row has words, twice the key and one more after a pass. The others, if any, are positions and ranks.
    """
    if len(run) == 1:
        run.sort()
    else:
        run = run[:, np.lexsort((run[2], run[0]))]
    keys = run[0] >> 1
    return run[:, np.append(True, keys[1:] != keys[:-1])]
