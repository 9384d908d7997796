"""The positions at which a search is divided, what is proved of them, and which of them can still decide a question.

They are identified by the keys of the search's table, so those that a symmetry makes of each other are one. Limits are
of what is still open at a position, as in the table. A position is a leaf, which a worker searches, or it is divided:
then its limits follow from those of the positions that its moves lead to. The moves are those that the search tries.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, sqrt
from typing import NamedTuple, TypeAlias

from quintet.board import Board
from quintet.gears import bind, gather
from quintet.rules import Game
from quintet.solve.proved import Proved
from quintet.solve.searcher import images_of, search_names
from quintet.solve.theories.generic import MOST, Features, Symmetries

NEVER = inf
"""The effort of what cannot be."""


@dataclass(frozen=True, slots=True)
class Theory:
    """A game's rules and theory, as the search uses them."""

    view: Callable[[Board, Symmetries, int, int, int, int], tuple[int, int, Features, int]]
    key: Callable[[Board, Symmetries, Features], Features]
    bounds: Callable[[Board, Features], tuple[int, int]]
    order: Callable[[Board, Features, int], tuple[int, int, int, int, int, int]]
    needless: Callable[[Board, int, int, Features], bool]
    shift: Callable[[int, int], int]
    legal: Callable[[Board, int, int], int]
    gain: Callable[[Board, int, int, int], int]
    PASSES: bool
    TERRITORY: bool
    STEP: int


@dataclass(eq=False, slots=True)
class Node:
    """A position of the front."""

    entry: Features
    mine: int
    theirs: int
    features: Features
    settled: int
    """What is settled here."""
    low: int
    high: int
    effort: "Effort"
    """What a question about it takes while it is a leaf."""
    divided: bool = False
    moves: "dict[int, Moves]" = field(default_factory=dict)
    """By the value wanted."""


class Moves(NamedTuple):
    """The moves worth trying at a position if only a certain value or more will do."""

    children: list[tuple[Node, int]]
    """Where each leads, and what is settled there, seen from here."""
    asked: "list[Question]"
    """What has to be asked about them."""
    spare: int
    """A limit for the moves left out."""


Question: TypeAlias = tuple[Node, int]
"""Is a position worth this much or more?"""


class Effort(NamedTuple):
    """An estimate of what a question takes if the answer is yes, and if it is no."""

    yes: float
    no: float


class Front:
    """The front of one board."""

    def __init__(self, game: Game, board: Board, proved: Proved) -> None:
        """Begin with what is proved already."""
        self.theory = gather(Theory, bind(search_names(game)))
        self.board, self.images = board, images_of(board)
        self.proved = proved
        self.nodes: dict[Features, Node] = {}
        self.factor = sqrt(max(board.cells / 2, 2))
        """What a search takes with one more move to play: with n moves at each position, about the root of n."""
        self.efforts: dict[Question, Effort] = {}
        """Of all questions on which the last one depends."""

    def place(self, mine: int, theirs: int, cell: int = 0, ply: int = 0) -> tuple[Node, int]:
        """The node of a position, and what is settled there. `cell` was claimed last, `ply` moves were played."""
        depth = (mine | theirs).bit_count()
        theory, board = self.theory, self.board
        mine, theirs, features, settled = theory.view(board, self.images, mine, theirs, cell, ply)
        entry = theory.key(board, self.images, features)
        node = self.nodes.get(entry)
        if node is None:
            low, high = theory.bounds(board, features)
            known_low, known_high = self.proved.limits.get(entry, (-MOST, MOST))
            here = settled if theory.TERRITORY else settled - ply
            low, high = max(low, known_low), min(high, known_high)
            node = Node(entry, mine, theirs, features, here, low, high, self.guess(features, depth))
            node.divided = entry in self.proved.divided
            self.nodes[entry] = node
        return node, settled

    def guess(self, features: Features, depth: int) -> Effort:
        """What a leaf takes: less with each claim. A yes needs one good move; a no needs an answer to all of them."""
        *sets, _ = self.theory.order(self.board, features, -MOST)
        base = self.factor**-depth
        return Effort(base, base * sum(cells.bit_count() for cells in sets) / self.factor)

    def wanted(self, bound: int, settled: int) -> int:
        """The question that a bound means for what is still open. In a race all those between loss and win are one."""
        wanted = self.theory.shift(bound, -settled)
        return wanted if self.theory.TERRITORY or abs(wanted) > MOST // 2 else 1

    def bound(self, question: Question) -> int:
        """The bound that asks a question about the position itself."""
        node, wanted = question
        return self.theory.shift(wanted, node.settled)

    def answer(self, question: Question, limit: int) -> None:
        """Take a limit of the position itself: a lower one if that is the bound or more, an upper one if not."""
        node, wanted = question
        found = self.theory.shift(limit, -node.settled)
        self.narrow(node, found if found >= wanted else -MOST, MOST if found >= wanted else found)

    def narrow(self, node: Node, low: int, high: int) -> None:
        """Take limits that were proved."""
        if low > node.low or high < node.high:
            node.low, node.high = max(low, node.low), min(high, node.high)
            self.proved.add(node.entry, node.low, node.high)

    def divide(self, node: Node) -> None:
        """From now on ask about the moves of a position."""
        node.divided = True
        self.proved.add_divided(node.entry)

    def moves(self, node: Node, wanted: int) -> Moves:
        """The moves that the search would try."""
        if wanted not in node.moves:
            node.moves[wanted] = self.list_moves(node, wanted)
        return node.moves[wanted]

    def list_moves(self, node: Node, wanted: int) -> Moves:
        """The same, found out now. A pass is a claim of nothing."""
        theory, board, mine, theirs = self.theory, self.board, node.mine, node.theirs
        children: dict[tuple[Node, int], None] = {}
        must_pass = theory.PASSES and not theory.legal(board, mine, theirs)
        *sets, spare = theory.order(board, node.features, wanted)
        tried = 0
        for cells in sets:
            while cells or must_pass:
                claim = cells & -cells
                cells ^= claim
                must_pass = False
                if not theory.needless(board, claim, tried, node.features):
                    tried |= claim
                    taken = mine | theory.gain(board, mine, theirs, claim)
                    children[self.place(theirs, taken, claim, 1)] = None
        bound = theory.STEP - self.bound((node, wanted))
        asked = [(child, self.wanted(bound, settled)) for child, settled in children]
        return Moves(list(children), list(dict.fromkeys(asked)), spare)

    def weigh(self, question: Question) -> bool:
        """Whether a question is open, after all that is proved; find out on which others it depends."""
        self.efforts = {}
        self.effort(question)
        return is_open(question)

    def effort(self, question: Question) -> Effort:
        """What a question takes. Limits of divided positions are narrowed on the way."""
        node, wanted = question
        if node.low >= wanted:
            return Effort(0, NEVER)
        if node.high < wanted:
            return Effort(NEVER, 0)
        if question in self.efforts:
            return self.efforts[question]
        found = node.effort
        if node.divided:
            efforts = [self.effort(asked) for asked in self.moves(*question).asked]
            found = Effort(min((effort.no for effort in efforts), default=NEVER), sum(effort.yes for effort in efforts))
            if NEVER in found:
                self.narrow(node, *self.limits(question))
                return found
        self.efforts[question] = found
        return found

    def limits(self, question: Question) -> tuple[int, int]:
        """The limits of a divided position that follow from those of its moves."""
        shift, (node, _) = self.theory.shift, question
        low, high = -MOST, max(self.moves(*question).spare, -MOST)
        for child, settled in self.moves(*question).children:
            low = max(low, shift(-shift(child.high, settled), -node.settled))
            high = max(high, shift(-shift(child.low, settled), -node.settled))
        return low, high

    def leaves(self, question: Question, most: int) -> list[Question]:
        """Open questions about leaves, up to `most`, those first that may decide the most.

        Of the moves of a position those come first that take the least to be shown good enough: one of them may be
        enough, and if none is, all have to be asked about anyway.
        """
        found: list[Question] = []
        waiting, seen = [question], {question}
        while waiting and len(found) < most:
            question = waiting.pop()
            if not question[0].divided:
                found.append(question)
                continue
            asked = [one for one in self.moves(*question).asked if one in self.efforts and one not in seen]
            seen.update(asked)
            waiting += sorted(asked, key=lambda one: self.efforts[one].no)[::-1]
        return found


def is_open(question: Question) -> bool:
    """Whether the limits of a position do not answer a question about it."""
    node, wanted = question
    return node.low < wanted <= node.high
