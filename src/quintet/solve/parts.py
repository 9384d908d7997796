"""The exact search of games whose unclaimed cells fall apart: each connected part is a game of its own.

In such a game a claim gains cells of one part, whoever makes it, and the parts it leaves depend on that part alone. A
claim is never worse than waiting. So two equal parts cancel: whoever is glad of a claim in one of them is answered by
the same claim in the other. A position is then a set of shapes, none of them twice, and a claim removes one shape and
adds, or cancels, what it leaves. Shapes are equal up to translations, turns and mirrors.
"""

from quintet.board import Board, near, popcount, split
from quintet.rules import Game
from quintet.solve.alarm import Alarm
from quintet.solve.theories.generic import Symmetries, image_of

Shapes = frozenset[int]
"""A position: the numbers of the shapes that have no equal."""
Claim = tuple[int, Shapes]
"""What a claim gains, and the shapes it removes or adds."""

ENTRY_BYTES = 1000
"""What the search remembers of a position takes about as much."""
STEP = 2
"""Margins have the parity of the cells."""


class Halted(Exception):
    """The search was told to stop."""


class PartSearcher:
    """A search over sets of shapes, for boards of any size."""

    def __init__(self, game: Game, board: Board, symmetries: Symmetries, memory: int, holes: int = 0) -> None:
        """Begin without shapes, and remember as much as fits in `memory` bytes.

        The board is one without holes: shapes are moved over it, also to where there is no cell. A hole takes no part
        in the game, as a claimed cell takes none.
        """
        self.game, self.board, self.symmetries, self.holes = game, board, symmetries, holes
        self.first_column = board.full & ~board.west
        self.numbers: dict[int, int] = {}
        """The number of each shape, by its least image."""
        self.placed: dict[int, int] = {}
        """The number of each part that was seen, by its cells."""
        self.cells: list[int] = []
        """Of each shape: its cells, somewhere on the board."""
        self.top: list[int] = []
        """Of each shape: the largest gain."""
        self.claims: list[list[Claim]] = []
        """Of each shape: the claims in it; none before they are asked for."""
        self.known: dict[Shapes, tuple[int, int]] = {}
        self.entries = 0
        """How many values, claims and parts it remembers."""
        self.most = memory // ENTRY_BYTES
        self.visited = 0
        self.stopped: int = False

    def stop_at(self, until: float) -> None:
        """Stop by itself at a time of the clock."""
        self.stopped = Alarm(until)

    @property
    def fill(self) -> float:
        """The share of the memory that is taken."""
        return min(1.0, self.entries / self.most)

    @property
    def progress(self) -> str:
        """What a progress line says besides the positions visited and the value."""
        return f"memory {self.fill:.0%} full"

    def ask(self, mine: int, theirs: int, bound: int) -> int:
        """A limit of a position's value: a lower one if that is `bound` or more, an upper one if not."""
        settled = popcount(mine) - popcount(theirs)
        shapes = self.shapes_of(self.board.full & ~(self.holes | mine | theirs))
        try:
            reached = self.reaches(shapes, bound - settled)
        except Halted:
            return -bound
        low, high = self.limits(shapes)
        return settled + (low if reached else high)

    def grundy(self, _: int) -> int:
        """No Grundy number: the margin counts, not who claims last."""
        return -1

    def limits(self, shapes: Shapes) -> tuple[int, int]:
        """What is known of the open margin: from nothing to the largest gain, by parity, or what was found out."""
        found = self.known.get(shapes)
        if found:
            return found
        odd, most = 0, 0
        for shape in shapes:
            odd ^= popcount(self.cells[shape]) & 1
            most = max(most, self.top[shape])
        return odd, most - ((most ^ odd) & 1)

    def reaches(self, shapes: Shapes, wanted: int) -> bool:
        """Whether the open margin is `wanted` or more."""
        low, high = self.limits(shapes)
        if low >= wanted or high < wanted:
            return low >= wanted
        self.visited += 1
        if self.stopped:
            raise Halted
        hopeful = []
        reached = False
        for gain, change in self.list_claims(shapes, wanted):
            left = shapes ^ change
            least, most = self.limits(left)
            reached = most <= gain - wanted
            if reached:
                break
            if least <= gain - wanted:
                hopeful.append((gain, left))
        for gain, left in hopeful:
            reached = reached or not self.reaches(left, gain - wanted + STEP)
        if self.entries >= self.most:
            self.forget()
        self.entries += 1
        self.known[shapes] = (wanted, high) if reached else (low, wanted - STEP)
        return reached

    def list_claims(self, shapes: Shapes, wanted: int) -> list[Claim]:
        """The claims that gain `wanted` or more, the largest gain first."""
        found = []
        for shape in sorted(shapes):
            if self.top[shape] >= wanted:
                if not self.claims[shape]:
                    self.claims[shape] = self.claims_in(shape)
                    self.entries += len(self.claims[shape])
                found += [claim for claim in self.claims[shape] if claim[0] >= wanted]
        return sorted(found, key=gain_first)

    def claims_in(self, shape: int) -> list[Claim]:
        """The claims in a shape, each kind once."""
        cells = self.cells[shape]
        outside = self.board.full & ~cells
        found: dict[Claim, None] = {}
        for cell in split(cells):
            if self.stopped:
                raise Halted
            gained = self.game.gain(self.board, outside, 0, cell)
            found[popcount(gained), self.shapes_of(cells & ~gained) ^ {shape}] = None
        return list(found)

    def shapes_of(self, cells: int) -> Shapes:
        """The shapes of the parts of a set of cells; equal ones cancel."""
        found: set[int] = set()
        while cells:
            part, grown = 0, cells & -cells
            while grown != part:
                part, grown = grown, (grown | near(self.board, grown)) & cells
            cells ^= part
            number = self.placed.get(part)
            found ^= {self.number_of(part) if number is None else number}
        return frozenset(found)

    def number_of(self, part: int) -> int:
        """The number of a part's shape; a new one for a new shape."""
        least = min(map(self.move_to_corner, (part, *(image_of(symmetry, part) for symmetry in self.symmetries))))
        number = self.numbers.setdefault(least, len(self.numbers))
        if number == len(self.cells):
            outside = self.board.full & ~least
            gains = (popcount(self.game.gain(self.board, outside, 0, cell)) for cell in split(least))
            self.cells.append(least)
            self.top.append(max(gains))
            self.claims.append([])
        self.placed[part] = number
        self.entries += 1
        return number

    def forget(self) -> None:
        """Forget everything but the numbers of the shapes."""
        self.known.clear()
        self.placed.clear()
        self.claims = [[] for _ in self.claims]
        self.entries = 0

    def move_to_corner(self, part: int) -> int:
        """A part moved up and to the left as far as it goes."""
        part >>= ((part & -part).bit_length() - 1) // self.board.cols * self.board.cols
        while not part & self.first_column:
            part >>= 1
        return part


def gain_first(claim: Claim) -> int:
    """Sorts claims, the largest gain first."""
    return -claim[0]
