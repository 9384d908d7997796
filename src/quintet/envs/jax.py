"""Games as pure functions on JAX arrays, for `jit`, `vmap` and `scan`, on a processor or a graphics card.

    env = make("gridlock", size="4x4")
    state = env.init(4096)
    state, rewards, done = env.step(state, actions)

A state has one number for each set of cells. Masks and observations are functions of it, so that a compiled program
that does not use them does not compute them. A game that has ended begins anew at once.
"""

from collections.abc import Sequence
from functools import partial
from math import gcd
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from quintet.board import Board
from quintet.engines.dice import seeded
from quintet.envs import lockstep
from quintet.games import find_game
from quintet.gears.jax import HALF_CELLS, bind_names, word_type
from quintet.options import start
from quintet.rules import Game

SCAN, KERNEL = "scan", "kernel"
BLOCK = 256
"""Lanes that a piece of a graphics card plays at once."""


class State(NamedTuple):
    """Positions of any shape, seen by the players to move."""

    mine: jax.Array
    theirs: jax.Array
    player: jax.Array
    """Who is to move: 0 began, 1 answered."""
    cells: jax.Array
    """What may be claimed, kept because every step needs it twice: to be checked, and as a mask."""


class Step(NamedTuple):
    """What a move leads to."""

    state: State
    """The next position; the empty board where the game has ended."""
    rewards: jax.Array
    """For player 0 and player 1: 1, -1 or 0, all 0 before the end."""
    done: jax.Array
    """Whether the game has ended."""


class Lanes(NamedTuple):
    """Games of random players: the positions, the cells that may be claimed, chance, and what has come of it so far."""

    mine: jax.Array
    theirs: jax.Array
    player: jax.Array
    cells: jax.Array
    luck: jax.Array
    games: jax.Array
    """How many games have ended."""
    balance: jax.Array
    """How many more of them player 0 has won than lost."""


class JaxEnv:
    """One game on one board."""

    def __init__(self, game: Game, board: Board) -> None:
        """Bind the rules to JAX."""
        self.game, self.board = game, board
        self.words = word_type(board)
        self.actions = lockstep.count_actions(game, board)
        self._worth = lockstep.worth(board)
        self._names = bind_names(lockstep.statement(game, board))

    def init(self, shape: int | Sequence[int] = ()) -> State:
        """Empty boards."""
        empty = jnp.zeros(shape, self.words)
        first = jnp.full(shape, self.game.legal(self.board, 0, 0), self.words)
        return State(empty, empty, jnp.zeros(shape, jnp.int32), first)

    def options(self, state: State) -> jax.Array:
        """The legal actions as the bits of a number: each cell, and past the last one a pass."""
        found: jax.Array = self._names["options"](self.board, state.cells)
        return found.astype(self.words)

    def mask(self, state: State) -> jax.Array:
        """Which actions are legal, 1 or 0."""
        return spread(self.options(state), self.actions)

    def observe(self, state: State) -> jax.Array:
        """Rows, columns and planes: the cells of the player to move, those of the other, and what cells are worth."""
        if not self._worth.size:
            seen = pair(state.mine, state.theirs, self.board.cells)
        else:
            # Written cell by cell rather than stacked: one pass over the result and nothing to copy.
            plane, place = jnp.arange(3), jnp.arange(self.board.cells, dtype=self.words)[:, None]
            cells = jnp.where(plane == 0, state.mine[..., None, None], state.theirs[..., None, None])
            bits = ((cells >> place) & 1).astype(self._worth.dtype)
            seen = jnp.where(plane == 2, self._worth[:, None], bits)
        return seen.reshape(*state.mine.shape, self.board.rows, self.board.cols, seen.shape[-1])

    def advance(self, state: State, action: jax.Array) -> tuple[State, jax.Array, jax.Array]:
        """The position after a legal action, whether it is the end, and what that is worth to the player to move."""
        cell = (jnp.ones_like(state.mine) << jnp.asarray(action).astype(self.words)) & self.board.full
        mine, theirs, cells, over = self._names["advance"](self.board, state.mine, state.theirs, cell)
        worth = over * self._names["verdict"](self.board, mine, theirs)
        return State(mine, theirs, 1 - state.player, cells), over != 0, worth.astype(jnp.float32)

    def step(self, state: State, action: jax.Array) -> Step:
        """Claim the cell of that number, or pass. An action that is not legal loses at once."""
        action = jnp.asarray(action).astype(self.words)
        fine = (self.options(state) >> action) & (action >= 0) & (action < self.actions)
        *parts, over, first = self._names["step"](self.board, *state[:3], action, fine)
        after = State(*(new.astype(old.dtype) for new, old in zip(parts, state, strict=True)))
        return Step(after, first[..., None] * jnp.array([1.0, -1.0], jnp.float32), over != 0)

    def deal(self, count: int, seed: int = 0) -> Lanes:
        """So many games for random players, each with a chance of its own."""
        none = jnp.zeros(count, jnp.int32)
        luck = self._names["seed_luck"](jnp.arange(count, dtype=jnp.uint32), jnp.uint32(seeded(seed)))
        return Lanes(*self.init(count), luck, none, none)

    def random_step(self, lanes: Lanes) -> Lanes:
        """A random move in every lane."""
        parts = self._names["random_step"](self.board, *lanes)
        return Lanes(*(new.astype(old.dtype) for new, old in zip(parts, lanes, strict=True)))

    @partial(jax.jit, static_argnums=(0, 2, 3))
    def rollout(self, lanes: Lanes, steps: int, how: str | None = None) -> Lanes:
        """So many random moves in every lane: by a `kernel` of ours on a graphics card, by a `scan` elsewhere."""
        fits = lanes.luck.size % BLOCK == 0
        if how == KERNEL or (how is None and fits and jax.default_backend() == "gpu"):
            return self.kernel(lanes, steps, interpret=jax.default_backend() != "gpu")
        return jax.lax.scan(lambda now, _: (self.random_step(now), None), lanes, None, steps)[0]

    def kernel(self, lanes: Lanes, steps: int, interpret: bool = False) -> Lanes:
        """Random moves with the lanes held in registers from the first to the last, where a scan keeps them in memory.

        Interpreted, it does the same step by step without a graphics card.
        """
        from jax.experimental import pallas
        from jax.experimental.pallas import triton

        def play(*references: Any) -> None:
            now = Lanes(*(reference[...] for reference in references[: len(lanes)]))
            now = jax.lax.fori_loop(0, steps, lambda _, now: self.random_step(now), now)
            for reference, part in zip(references[len(lanes) :], now, strict=True):
                reference[...] = part

        if lanes.luck.size % BLOCK:
            raise ValueError(f"the kernel takes lanes in blocks of {BLOCK}")
        blocks = [pallas.BlockSpec((BLOCK,), lambda i: (i,))] * len(lanes)
        parts = pallas.pallas_call(
            play,
            list(jax.eval_shape(lambda same: same, lanes)),
            grid=(lanes.luck.size // BLOCK,),
            in_specs=blocks,
            out_specs=blocks,
            compiler_params=triton.CompilerParams(num_warps=4),
            interpret=interpret,
        )(*lanes)
        return Lanes(*parts)


WIDE = {4: jnp.uint32, 2: jnp.uint16, 1: jnp.uint8}
"""Numbers of so many bytes."""


def pieces(numbers: jax.Array, count: int, width: int) -> jax.Array:
    """The lowest bits of numbers, so many at a time."""
    numbers = numbers.astype(jnp.uint32 if count <= HALF_CELLS else numbers.dtype)
    some = ((1 << width) - 1) * jnp.ones((), numbers.dtype)
    if numbers.ndim == 0 or jax.default_backend() != "gpu":
        found: jax.Array = (numbers[..., None] >> jnp.arange(0, count, width, dtype=numbers.dtype)) & some
        return found.astype(jnp.uint32)
    # A graphics card does best when it counts through the result by itself.
    each = count // width
    place = jax.lax.iota(jnp.uint32, numbers.size * each)
    lane = jax.lax.div(place, jnp.uint32(each))
    place = (place - lane * jnp.uint32(each)) * jnp.uint32(width)
    bits: jax.Array = numbers.ravel().at[lane].get(mode="promise_in_bounds", indices_are_sorted=True)
    found = (bits >> place.astype(numbers.dtype)) & some
    return found.astype(jnp.uint32)


def spread(numbers: jax.Array, count: int) -> jax.Array:
    """The lowest bits of numbers, each as a byte."""
    # A graphics card spends more on where a byte belongs than on the byte, so several are written in one number.
    width = gcd(count, 4)
    found = (pieces(numbers, count, width) * 0x204081) & 0x01010101
    return in_bytes(found.astype(WIDE[width])).reshape(*numbers.shape, count)


def pair(first: jax.Array, second: jax.Array, count: int) -> jax.Array:
    """The lowest bits of two numbers side by side, each as a byte."""
    width = gcd(count, 2)
    found = pieces(first, count, width) | pieces(second, count, width) << 8
    found = (found | found << 15) & 0x01010101
    return in_bytes(found.astype(WIDE[2 * width])).reshape(*first.shape, count, 2)


def in_bytes(numbers: jax.Array) -> jax.Array:
    """The bytes of numbers, the lowest first."""
    return jax.lax.bitcast_convert_type(numbers, jnp.int8)


def make(
    game: str,
    size: str | None = None,
    target: int | None = None,
    values: str | Sequence[int] | None = None,
    shuffle: int | None = None,
) -> JaxEnv:
    """The environment of a game on a board."""
    empty = start(find_game(game), size, target, values, shuffle)
    return JaxEnv(empty.game, empty.board)
