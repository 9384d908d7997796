"""Rollouts: games played to the end at random or greedily, and a tree search over them (UCT); plain or compiled.

Like the exact search it is written once; the rules are bound to it for each game and gear, and the moves are the same
in both gears.
"""

import sys
from collections.abc import Callable
from functools import cache
from math import log, sqrt
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from quintet import board as geometry
from quintet.board import Board, popcount
from quintet.engines import rng
from quintet.engines.rng import next_state, pick
from quintet.gears import PLAIN, bind, gather, names_of, rules_of
from quintet.rules import Game
from quintet.solve.theories.generic import gain, legal, score

if TYPE_CHECKING:
    from quintet.gears.arrays import Numbers

    Rows: TypeAlias = list[list[int]] | Numbers
    Row: TypeAlias = list[int] | Numbers
    """Lists in the plain gear, arrays in the compiled one."""

PASSES = False
TERRITORY = False
CELLS = 1024
"""More cells than any board has."""

WON = CELLS**3
"""More than any greedy score."""

WIN, DRAW, LOSS = 2, 1, 0

# A node of the tree is a row: the position, the cells not tried yet, whether the player must pass, its place in the
# tree, the move that leads to it, and its visits and results for the player who made that move, in half points.
MINE, THEIRS, UNTRIED, PASSING, CHILD, SIBLING, PARENT, MOVE, VISITS, POINTS = range(10)
ROW = 10

# The state of a tree search is the number of nodes and the state of the random numbers.
NODES, RNG_STATE = 0, 1

EXPLORATION = 1.4
"""The weight of moves that were seldom tried, in half points."""


def greedy_score(board: Board, mine: int, theirs: int, cell: int) -> int:
    """How good a claim looks at once: the most score where scores count, then the fewest replies."""
    taken = mine | gain(board, mine, theirs, cell)
    found = -popcount(legal(board, theirs, taken))
    if TERRITORY or board.target:
        found += CELLS * score(board, taken)
    return found


def wins_at_once(board: Board, mine: int, theirs: int, cell: int) -> bool:
    """Whether the game is over after a claim, and won."""
    taken = mine | gain(board, mine, theirs, cell)
    if legal(board, theirs, taken) or (PASSES and legal(board, taken, theirs)):
        return False
    return result(board, theirs, taken) == LOSS


def greedy_cells(board: Board, mine: int, theirs: int, cells: int) -> int:
    """The cells that win at once; if there are none, those with the best greedy score."""
    best, most = 0, -CELLS
    while cells:
        cell = cells & -cells
        cells ^= cell
        found = greedy_score(board, mine, theirs, cell)
        if found % CELLS == 0 and wins_at_once(board, mine, theirs, cell):  # A win at once leaves no replies.
            found = WON
        if found > most:
            best, most = 0, found
        if found == most:
            best |= cell
    return best


def result(board: Board, mine: int, theirs: int) -> int:
    """How a finished game ended for the player to move."""
    if not TERRITORY:
        return LOSS
    ahead = score(board, mine) - score(board, theirs)
    return WIN if ahead > 0 else LOSS if ahead < 0 else DRAW


def simulate(
    board: Board, mine: int, theirs: int, greedy: int, other_greedy: int, rng_state: int, other_rng_state: int
) -> int:
    """A whole game between random or greedy players: four times the plies, plus the result for the player to move."""
    plies, turn = 0, 0
    while True:
        cells = legal(board, mine, theirs)
        if cells:
            if greedy:
                cells = greedy_cells(board, mine, theirs, cells)
            rng_state = next_state(rng_state)
            mine |= gain(board, mine, theirs, pick(cells, rng_state))
        elif not (PASSES and legal(board, theirs, mine)):
            break
        mine, theirs = theirs, mine
        greedy, other_greedy = other_greedy, greedy
        rng_state, other_rng_state = other_rng_state, rng_state
        plies += 1
        turn ^= 1
    ended = result(board, mine, theirs)
    return 4 * plies + (WIN - ended if turn else ended)


def expand(board: Board, tree: "Rows", state: "Row", mine: int, theirs: int, parent: int, move: int) -> int:
    """Add a node to the tree."""
    node: int = state[NODES]
    state[NODES] = node + 1
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


def select_child(tree: "Rows", node: int) -> int:
    """The child with the highest upper confidence bound."""
    best, most = 0, -1.0
    child = tree[node][CHILD]
    exploration = EXPLORATION * EXPLORATION * log(tree[node][VISITS])
    while child:
        visits = tree[child][VISITS]
        bound = tree[child][POINTS] / visits + sqrt(exploration / visits)
        if bound > most:
            best, most = child, bound
        child = tree[child][SIBLING]
    return best


def run_rollouts(board: Board, tree: "Rows", state: "Row", rollouts: int) -> None:
    """Play a number of games out, each from a new node."""
    for _ in range(rollouts):
        # 1. Select: walk down to a node with something untried.
        node = 0
        while tree[node][UNTRIED] == 0 and tree[node][CHILD]:
            node = select_child(tree, node)

        # 2. Expand: add a child.
        mine, theirs = tree[node][MINE], tree[node][THEIRS]
        if tree[node][UNTRIED]:
            state[RNG_STATE] = next_state(state[RNG_STATE])
            cell = pick(tree[node][UNTRIED], state[RNG_STATE])
            tree[node][UNTRIED] ^= cell
            node = expand(board, tree, state, theirs, mine | gain(board, mine, theirs, cell), node, cell)
        elif tree[node][PASSING]:
            node = expand(board, tree, state, theirs, mine, node, 0)

        # 3. Simulate: play the game to its end.
        rng_state = state[RNG_STATE] = next_state(state[RNG_STATE])
        other_state = rng_state ^ 0x5BD1E995 or rng_state
        points = WIN - simulate(board, tree[node][MINE], tree[node][THEIRS], 0, 0, rng_state, other_state) % 4

        # 4. Back up: add the result to every node on the way.
        while node:
            tree[node][VISITS] += 1
            tree[node][POINTS] += points
            points = WIN - points
            node = tree[node][PARENT]
        tree[0][VISITS] += 1


class Rollouts(NamedTuple):
    """These functions bound to a game's rules and to a gear."""

    greedy_score: Callable[[Board, int, int, int], int]
    greedy_cells: Callable[[Board, int, int, int], int]
    simulate: Callable[[Board, int, int, int, int, int, int], int]
    expand: Callable[[Board, "Rows", "Row", int, int, int, int], int]
    run_rollouts: Callable[[Board, "Rows", "Row", int], None]


@cache
def bind_rollouts(game: Game, gear: str = PLAIN) -> Rollouts:
    """The rollouts of a game, in a gear."""
    names = names_of(sys.modules[__name__], geometry, rng) | rules_of(game)
    if gear == PLAIN:
        return gather(Rollouts, bind(names))
    from quintet.gears.fast import compile_names

    return gather(Rollouts, compile_names(names, "expand", "run_rollouts", "simulate", label=game.name))
