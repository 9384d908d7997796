"""Games played out on integers: what greed sees, games to the end, and a tree of them; plain, or compiled.

As the search, it is written once; the rules are bound anew for each game and gear, and the moves are the same in both.
"""

from functools import cache
from importlib.util import find_spec
from math import log, sqrt
from typing import Any

from quintet import board as geometry
from quintet.board import Board, popcount
from quintet.engines import dice
from quintet.engines.dice import pick, stir
from quintet.gears import Names, bind
from quintet.rules import Game
from quintet.solve.solver import FAST, PLAIN, reachable
from quintet.solve.theories.generic import gain, legal, score

PASSES = False
TERRITORY = False
CELLS = 1024
"""No player has so many legal moves."""

WIN, DRAW, LOSS = 2, 1, 0

# A node of the tree is a row: the position, what is not tried yet, its place in the tree, and how it has done for the
# player who moved to it, in half points.
MINE, THEIRS, UNTRIED, PASSING, CHILD, SIBLING, PARENT, MOVE, VISITS, POINTS = range(10)
ROW = 10

PLAYOUTS, VALUES = "playouts", "values"
compiled: set[str] = set()
"""What runs compiled on every board. Compiling takes longer than most moves, so it is asked for, not guessed."""

BOLDNESS = 1.4
"""How much a move that was seldom tried is worth another try, in half points."""


def promise(board: Board, mine: int, theirs: int, cell: int) -> int:
    """How good a claim looks at once: most score where scores count, then fewest legal moves left to them."""
    taken = mine | gain(board, mine, theirs, cell)
    worth = -popcount(legal(board, theirs, taken))
    if TERRITORY or board.target:
        worth += CELLS * score(board, taken)
    return worth


def keen(board: Board, mine: int, theirs: int, cells: int) -> int:
    """The cells that look best at once."""
    best, most = 0, -CELLS
    while cells:
        cell = cells & -cells
        cells ^= cell
        worth = promise(board, mine, theirs, cell)
        if worth > most:
            best, most = 0, worth
        if worth == most:
            best |= cell
    return best


def result(board: Board, mine: int, theirs: int) -> int:
    """How a finished game ended for the player to move."""
    if not TERRITORY:
        return LOSS
    ahead = score(board, mine) - score(board, theirs)
    return WIN if ahead > 0 else LOSS if ahead < 0 else DRAW


def duel(board: Board, mine: int, theirs: int, greed: int, other_greed: int, luck: int, other_luck: int) -> int:
    """A whole game of players who choose at random, or with greed: four times the plies, and the result on top."""
    plies, turn = 0, 0
    while True:
        cells = legal(board, mine, theirs)
        if cells:
            if greed:
                cells = keen(board, mine, theirs, cells)
            luck = stir(luck)
            mine |= gain(board, mine, theirs, pick(cells, luck))
        elif not (PASSES and legal(board, theirs, mine)):
            break
        mine, theirs = theirs, mine
        greed, other_greed = other_greed, greed
        luck, other_luck = other_luck, luck
        plies += 1
        turn ^= 1
    ended = result(board, mine, theirs)
    return 4 * plies + (WIN - ended if turn else ended)


def plant(board: Board, tree: Any, head: Any, mine: int, theirs: int, parent: int, move: int) -> int:
    """A new node."""
    node: int = head[0]
    head[0] = node + 1
    row = tree[node]
    row[MINE], row[THEIRS], row[PARENT], row[MOVE] = mine, theirs, parent, move
    row[UNTRIED] = legal(board, mine, theirs)
    row[PASSING] = 0
    if PASSES and row[UNTRIED] == 0:
        row[PASSING] = legal(board, theirs, mine) != 0
    row[CHILD], row[VISITS], row[POINTS] = 0, 0, 0
    if node:
        row[SIBLING] = tree[parent][CHILD]
        tree[parent][CHILD] = node
    return node


def favourite(tree: Any, node: int) -> int:
    """The child most worth another look: it did well, or was seldom looked at."""
    best, most = 0, -1.0
    child = tree[node][CHILD]
    curiosity = BOLDNESS * BOLDNESS * log(tree[node][VISITS])
    while child:
        visits = tree[child][VISITS]
        worth = tree[child][POINTS] / visits + sqrt(curiosity / visits)
        if worth > most:
            best, most = child, worth
        child = tree[child][SIBLING]
    return best


def grow(board: Board, tree: Any, head: Any, playouts: int) -> None:
    """Play so many games out, each from a new node; `head` holds how many nodes there are, and the luck."""
    for _ in range(playouts):
        # 1. Walk down where everything was tried, always to the favourite.
        node = 0
        while tree[node][UNTRIED] == 0 and tree[node][CHILD]:
            node = favourite(tree, node)

        # 2. Try something new.
        mine, theirs = tree[node][MINE], tree[node][THEIRS]
        if tree[node][UNTRIED]:
            head[1] = stir(head[1])
            cell = pick(tree[node][UNTRIED], head[1])
            tree[node][UNTRIED] ^= cell
            node = plant(board, tree, head, theirs, mine | gain(board, mine, theirs, cell), node, cell)
        elif tree[node][PASSING]:
            node = plant(board, tree, head, theirs, mine, node, 0)

        # 3. Play it out.
        head[1] = stir(head[1])
        luck = head[1]
        points = WIN - duel(board, tree[node][MINE], tree[node][THEIRS], 0, 0, luck, luck ^ 0x5BD1E995 or luck) % 4

        # 4. Tell everyone on the way back.
        while node:
            tree[node][VISITS] += 1
            tree[node][POINTS] += points
            points = WIN - points
            node = tree[node][PARENT]
        tree[0][VISITS] += 1


def warm(*parts: str) -> bool:
    """Run these parts compiled from now on: `PLAYOUTS`, `VALUES`; false where the compiled gear is not installed."""
    if find_spec("numba"):
        compiled.update(parts)
        return True
    return False


def is_warm(part: str, board: Board) -> bool:
    """Whether a part of the engines is to run compiled on this board."""
    return part in compiled and board.cells <= 63


@cache
def bind_playout(game: Game, gear: str = PLAIN, entry: str = "grow") -> Names:
    """These functions bound to a game's rules and to a gear."""
    names = {name: value for name, value in globals().items() if not name.startswith("_")}
    for source in (geometry, dice):
        names |= {name: value for name, value in vars(source).items() if not name.startswith("_")}
    names |= {"legal": game.legal, "gain": game.gain, "score": game.score}
    names |= {"PASSES": game.passes, "TERRITORY": game.territory}
    if gear == PLAIN:
        return bind(names)
    from quintet.gears.fast import compile_names

    return compile_names(reachable(names, entry), entry, game.name)


def gear_board(board: Board, gear: str) -> Board:
    """The board as a gear takes it: what is compiled needs values of some kind."""
    return board._replace(values=((0, 0),)) if gear == FAST and not board.values else board
