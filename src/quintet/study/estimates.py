"""What moves look like where it cannot be proved what they are worth: an estimate, always marked as one."""

from dataclasses import dataclass
from math import inf

from quintet.engines.deepening import DECIDED, ESTIMATES, FURTHEST, Node, OutOfTime, Tree, has_estimate
from quintet.engines.mcts import Mcts
from quintet.engines.rollout import CHILD, MOVE, POINTS, SIBLING, VISITS, WIN
from quintet.language import decimal, percent, tr, tr_count
from quintet.rules import Position
from quintet.solve.clock import now
from quintet.solve.solver import alike
from quintet.solve.theories.generic import MOST
from quintet.solve.value import Value

CLOSE = 8
"""How far a move may be behind the best one, and its estimate is still as good as that one's."""
DEEP = 2
"""A search that looked fewer moves ahead tells which moves look best, but its numbers mean little."""
ROLLOUTS = 20_000
"""The most games that are played out."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What each move looks like, after a search that looked some moves ahead, or after random games."""

    moves: dict[int, int]
    """What moves look like to their player: the lead as the game's theory estimates it, or the percentage of random
    games that they win. A move that is far behind, or that no random game began with, is missing."""
    territory: bool
    depth: int = 0
    """How many moves ahead the search looked; 0 if there was none."""
    rollouts: int = 0
    """How many random games were played; 0 if there was a search."""

    @property
    def has_numbers(self) -> bool:
        """Whether it reached far enough for its numbers to be shown."""
        return self.rollouts > 0 or self.depth >= DEEP

    @property
    def how(self) -> str:
        """What it is: `searched 6 moves deep`."""
        if self.depth:
            return tr_count("searched {count} move deep", "searched {count} moves deep", self.depth)
        return tr("after {games} random games", games=decimal(self.rollouts))

    @property
    def how_first(self) -> str:
        """The same at the beginning of a sentence."""
        if self.depth:
            return tr_count("Searched {count} move deep", "Searched {count} moves deep", self.depth)
        return tr("After {games} random games", games=decimal(self.rollouts))

    def text(self, move: int, proved: Value) -> str:
        """What a move looks like, as a cell shows it: `~+3`, `~0`, `~W` or `~62%`; empty if it was not looked at."""
        found = self.moves.get(move)
        if found is None:
            return ""
        if self.rollouts:
            return f"~{found}%"
        if not self.territory and abs(found) >= MOST:
            return "~W" if found > 0 else "~L"
        lead = self.lead(found, proved)
        return f"~{lead:+d}" if lead else "~0"

    def words(self, move: int, proved: Value) -> str:
        """The same in words."""
        found = self.moves.get(move)
        if found is None:
            return ""
        if self.rollouts:
            return tr("wins about {share} of random games", share=percent(found / 100))
        if not self.territory and abs(found) >= MOST:
            return tr("looks won") if found > 0 else tr("looks lost")
        lead = self.lead(found, proved)
        if not lead:
            return tr("about even")
        if self.territory:
            if lead > 0:
                return tr_count("about {count} cell ahead", "about {count} cells ahead", lead)
            return tr_count("about {count} cell behind", "about {count} cells behind", -lead)
        if lead > 0:
            return tr_count("about {count} open cell ahead", "about {count} open cells ahead", lead)
        return tr_count("about {count} open cell behind", "about {count} open cells behind", -lead)

    def lead(self, found: int, proved: Value) -> int:
        """An estimated lead. A margin is within its proved limits."""
        if abs(found) >= MOST:
            found += DECIDED if found < 0 else -DECIDED
        return max(proved.low, min(proved.high, found)) if self.territory else found


def estimate_moves(position: Position, seconds: float) -> Estimate:
    """Look at every move for some time; at least at what it leads to at once."""
    if has_estimate(position.game):
        return look_ahead(position, seconds)
    return play_out(position, seconds)


def look_ahead(position: Position, seconds: float) -> Estimate:
    """Search one move deeper each time, until time is up or everything is decided."""
    until = now() + seconds
    tree = Tree(position, inf, ESTIMATES)
    like = alike(position)
    root = tree.see(position.mine, position.theirs, 0, 0)
    children = {move: tree.after(root, move, 0) for move in dict.fromkeys(like.values())}
    found, depth = {move: -child.value for move, child in children.items()}, 1
    tree.until = until
    try:
        while depth < position.board.cells and any(abs(value) < MOST for value in found.values()):
            found, depth = (
                search_moves(tree, children, sorted(found, key=found.__getitem__, reverse=True), depth),
                depth + 1,
            )
    except OutOfTime:
        pass  # The last depth that was finished counts.
    if depth > 1:  # Of a move that is far behind, only a limit is known, which is not an estimate.
        found = {move: value for move, value in found.items() if value > max(found.values()) - CLOSE}
    seen = {move: found[first] for move, first in like.items() if first in found}
    return Estimate(seen, position.game.territory, depth)


def search_moves(tree: Tree, children: dict[int, Node], moves: list[int], depth: int) -> dict[int, int]:
    """What moves are worth to their player, looking `depth` moves further ahead; of moves far behind, at most."""
    found: dict[int, int] = {}
    best = -FURTHEST
    for move in moves:
        found[move] = -tree.search(children[move], depth, 1, -FURTHEST, CLOSE - best)
        best = max(best, found[move])
    return found


def play_out(position: Position, seconds: float) -> Estimate:
    """Play random games, most of them after the moves that do best. Moves that a symmetry swaps count as one."""
    tree = Mcts(ROLLOUTS, seed=0).grow(position, seconds)
    like = alike(position)
    won, played = (dict.fromkeys(like.values(), 0) for _ in range(2))
    child = int(tree[0][CHILD])
    while child:
        row = tree[child]
        first = like[int(row[MOVE])]
        won[first] += int(row[POINTS])
        played[first] += int(row[VISITS])
        child = int(row[SIBLING])
    # One game of two more is won: after few games nothing is certain.
    shares = {first: round(100 * (won[first] / WIN + 1) / (played[first] + 2)) for first in won if played[first]}
    found = {move: shares[first] for move, first in like.items() if first in shares}
    return Estimate(found, False, rollouts=int(tree[0][VISITS]))
