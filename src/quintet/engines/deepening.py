"""The player that looks ahead and estimates: alpha-beta with iterative deepening, for boards too big to be solved.

It knows a game by its theory: how to see a position, the limits of its value, the moves worth trying, and an
`estimate` of what is still open. It looks one move further ahead again and again, until its time or its number of
estimates is used up. Of moves that look equal it takes a random one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from math import inf

from quintet.board import Board, popcount, split
from quintet.engines.rng import Rng
from quintet.gears import bind, gather
from quintet.rules import PASS, Game, Position
from quintet.solve.clock import now
from quintet.solve.searcher import search_names
from quintet.solve.solver import alike
from quintet.solve.theories import generic, theory_of
from quintet.solve.theories.generic import MOST, Features, Symmetries

ESTIMATES = 100_000
"""The most estimates of a move, which are as many positions in memory."""
DECIDED = 2 * MOST
"""Decided positions are worth this much more, or less, than any estimate."""
FURTHEST = 10 * MOST
"""More than any value."""


@dataclass(frozen=True, slots=True)
class Theory:
    """A game's theory bound to its rules, as far as it is needed here."""

    view: Callable[[Board, Symmetries, int, int, int, int], tuple[int, int, Features, int]]
    bounds: Callable[[Board, Features], tuple[int, int]]
    order: Callable[[Board, Features, int], tuple[int, int, int, int, int, int]]
    needless: Callable[[Board, int, int, Features], bool]
    estimate: Callable[[Board, Features], int]
    shift: Callable[[int, int], int]
    gain: Callable[[Board, int, int, int], int]
    TERRITORY: bool


@cache
def bind_theory(game: Game) -> Theory:
    """The theory of a game."""
    return gather(Theory, bind(search_names(game) | {"TERRITORY": game.territory}))


def has_estimate(game: Game) -> bool:
    """Whether a game's theory estimates positions."""
    return theory_of(game).estimate is not generic.estimate


def worthwhile(theory: Theory, board: Board, features: Features) -> Iterator[int]:
    """The claims worth trying."""
    tried = 0
    for cells in theory.order(board, features, -MOST)[:5]:
        for cell in split(cells):
            if not theory.needless(board, cell, tried, features):
                tried |= cell
                yield cell


class OutOfTime(Exception):
    """The time or the estimates are used up."""


@dataclass(eq=False, slots=True)
class Node:
    """A position in the tree, with values for its player to move."""

    mine: int
    theirs: int
    features: Features
    value: int
    """What it is worth without looking ahead."""
    decided: bool
    """Whether that is certain."""
    children: "list[Node]" = field(default_factory=list)
    guess: int = 0
    """What the last search found; the children are tried in this order."""
    depth: int = 0
    """How many moves ahead it looked."""
    low: int = -FURTHEST
    high: int = FURTHEST
    """The limits it found of the value at that depth."""


class Tree:
    """The positions seen in the search for one move."""

    def __init__(self, position: Position, until: float, estimates: int) -> None:
        """Begin with a position; `until` is a time of the clock."""
        self.board, self.theory = position.board, bind_theory(position.game)
        self.until, self.left = until, estimates
        self.nodes: dict[tuple[Features, int], Node] = {}

    def see(self, mine: int, theirs: int, cell: int, ply: int) -> Node:
        """The node of a position, which is new or was seen before; `cell` is the claim that led to it."""
        theory = self.theory
        mine, theirs, features, settled = theory.view(self.board, (), mine, theirs, cell, ply)
        node = self.nodes.get((features, settled))
        if node is None:
            self.spend(1)
            value, decided = self.appraise(features, settled)
            node = self.nodes[features, settled] = Node(mine, theirs, features, value, decided, guess=value)
        return node

    def spend(self, estimates: int) -> None:
        """Raise `OutOfTime` when the time or the estimates are used up."""
        self.left -= estimates
        if self.left < 0 or now() >= self.until:
            raise OutOfTime

    def appraise(self, features: Features, settled: int) -> tuple[int, bool]:
        """What a position is worth, and whether that is certain; what is decided counts more than any estimate."""
        theory = self.theory
        low, high = (theory.shift(limit, settled) for limit in theory.bounds(self.board, features))
        if low > 0 or high < 0:
            return (low + DECIDED if low > 0 else high - DECIDED), True
        if low == high:
            return 0, True
        return theory.estimate(self.board, features) + settled * theory.TERRITORY, False

    def promising(self, position: Position, cells: int) -> int:
        """Those of some cells that come first in the theory's order; all of them where it has none."""
        *_, features, _ = self.theory.view(self.board, (), position.mine, position.theirs, 0, 0)
        found = [some & cells for some in self.theory.order(self.board, features, -MOST)[:5]]
        return next(filter(None, found), cells)

    def after(self, node: Node, claim: int, ply: int) -> Node:
        """The position after a claim."""
        taken = node.mine | self.theory.gain(self.board, node.mine, node.theirs, claim)
        return self.see(node.theirs, taken, claim, ply + 1)

    def search(self, node: Node, depth: int, ply: int, alpha: int, beta: int) -> int:
        """The value of a position, looking `depth` moves ahead: exact between alpha and beta, else a limit."""
        if node.decided or depth == 0:
            return node.value
        if node.depth != depth:
            node.depth, node.low, node.high = depth, -FURTHEST, FURTHEST
        if node.low >= beta or node.high <= alpha or node.low == node.high:
            return node.low if node.low >= beta else node.high
        self.spend(0)
        if not node.children:
            node.children = [
                self.after(node, claim, ply) for claim in worthwhile(self.theory, self.board, node.features)
            ]
        node.children.sort(key=guess_of)
        best, floor = -FURTHEST, alpha
        for child in node.children:
            best = max(best, self.compare(child, depth, ply, alpha, beta, best == -FURTHEST))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        node.guess = best
        if best > floor:
            node.low = best
        if best < beta:
            node.high = best
        return best

    def compare(self, child: Node, depth: int, ply: int, alpha: int, beta: int, first: bool) -> int:
        """What a move to a child is worth to its player; all but the first are asked only whether they are better."""
        if not first:
            found = -self.search(child, depth - 1, ply + 1, -alpha - 1, -alpha)
            if not alpha < found < beta:
                return found
        return -self.search(child, depth - 1, ply + 1, -beta, -alpha)


def guess_of(node: Node) -> int:
    """Sorts children: what is worst for the opponent comes first."""
    return node.guess


def order_of(child: tuple[Node, int]) -> int:
    """Sorts the moves in the same way."""
    return child[0].guess


class Deepening:
    """Looks ahead as far as its time or its estimates go."""

    def __init__(self, estimates: int = ESTIMATES, seed: int | None = None) -> None:
        """Begin with a number of estimates for each move, and a seed."""
        self.estimates = estimates
        self.rng = Rng(seed)
        self.depth = 0
        """How many moves ahead it looked last."""
        self.found = 0
        """What the best move looked like then."""

    def choose(self, position: Position, seconds: float | None = None, among: int = -1) -> int:
        """The move that looks best, of some moves if they are given."""
        cells = position.legal & among
        if not cells:
            return PASS
        tree = Tree(position, inf if seconds is None else now() + seconds, self.estimates)
        self.depth = self.found = 0
        open_cells = popcount(position.board.full & ~(position.mine | position.theirs))
        like = alike(position)
        best = self.rng.pick(tree.promising(position, cells))
        self.tree, self.children = tree, list[tuple[Node, int]]()
        children = self.children
        try:
            # 1. The moves worth trying, one of each kind.
            root = tree.see(position.mine, position.theirs, 0, 0)
            claims = worthwhile(tree.theory, tree.board, root.features)
            moves = [claim for claim in claims if claim & cells] or list(split(cells))
            self.rng.shuffle(moves)
            for move in {like[move]: move for move in moves}.values():
                children.append((tree.after(root, move, 0), move))

            # 2. One move further ahead each time, until it is decided.
            found = 0
            while abs(found) < MOST and self.depth < open_cells:
                children.sort(key=order_of)
                found = -FURTHEST
                for child, move in children:
                    value = tree.compare(child, self.depth + 1, 0, found, FURTHEST, found == -FURTHEST)
                    if value > found:
                        found, best = value, move
                self.depth, self.found = self.depth + 1, found
        except OutOfTime:
            if self.depth == 0 and children:
                best = min(children, key=order_of)[1]
        return best

    def level(self, slack: int, seconds: float) -> list[int]:
        """The moves that look at most `slack` worse than the best, as far as there is time to ask."""
        self.tree.until, self.tree.left = now() + seconds, self.estimates
        least, moves = self.found - slack, []
        try:
            for child, move in self.children if self.depth else ():
                if -self.tree.search(child, self.depth - 1, 1, -least, 1 - least) >= least:
                    moves.append(move)
        except OutOfTime:
            pass
        return moves

    def close(self) -> None:
        """It holds nothing."""
