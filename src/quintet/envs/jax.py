"""Games as pure functions on JAX arrays, for `jit`, `vmap` and `scan`, on a processor or a graphics card.

    env = make("gridlock", size="4x4")
    state = env.init(4096)
    state, rewards, done = env.step(state, actions)

A state has one number for each set of cells. Masks and observations are functions of it, so that a compiled program
that does not use them does not compute them. A policy that is told everything at each step takes turns instead:

    turn = env.begin(4096)
    turn = env.turn(turn, actions)

A game that has ended begins anew at once.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from quintet.board import Board
from quintet.engines.rng import seeded
from quintet.envs import lockstep
from quintet.games import find_game
from quintet.gears.jax import bind_names, word_type
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


class Step(NamedTuple):
    """What a move leads to."""

    state: State
    """The next position; the empty board where the game has ended."""
    rewards: jax.Array
    """For player 0 and player 1: 1, -1 or 0, all 0 before the end."""
    done: jax.Array
    """Whether the game has ended."""


class Turn(NamedTuple):
    """All that a policy is told, in bytes, each array with the games along its last axis.

    A graphics card is bound by its memory here: bytes are the least to write, and side by side they go as whole words.
    """

    state: State
    options: jax.Array
    """The legal actions as the bits of a number."""
    observation: jax.Array
    """Planes, rows, columns and games."""
    mask: jax.Array
    """Actions and games."""
    rewards: jax.Array
    """Players and games."""
    done: jax.Array


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
        return State(jnp.zeros(shape, self.words), jnp.zeros(shape, self.words), jnp.zeros(shape, jnp.int8))

    def options(self, state: State) -> jax.Array:
        """The legal actions as the bits of a number: each cell, and past the last one a pass."""
        cells = self._names["legal"](self.board, state.mine, state.theirs)
        found: jax.Array = self._names["options"](self.board, cells)
        return found.astype(self.words)

    def mask(self, state: State) -> jax.Array:
        """Which actions are legal, 1 or 0."""
        return jnp.moveaxis(spread(self.options(state), self.actions), 0, -1)

    def observe(self, state: State) -> jax.Array:
        """Rows, columns and planes: the cells of the player to move, those of the other, and what cells are worth."""
        return jnp.moveaxis(self.planes(state), (0, 1, 2), (-1, -3, -2))

    def planes(self, state: State) -> jax.Array:
        """The same with planes, rows and columns first."""
        sides = jnp.stack([state.mine, state.theirs])
        seen = jnp.moveaxis(spread(sides, self.board.cells), 0, 1).astype(self._worth.dtype)
        if self._worth.size:
            worth = jnp.broadcast_to(upright(self._worth, state.mine.ndim), seen.shape[1:])
            seen = jnp.concatenate([seen, worth[None]])
        return seen.reshape(-1, self.board.rows, self.board.cols, *state.mine.shape)

    def advance(self, state: State, action: jax.Array) -> tuple[State, jax.Array, jax.Array]:
        """The position after a legal action, whether it is the end, and what that is worth to the player to move."""
        cell = (jnp.ones_like(state.mine) << jnp.asarray(action).astype(self.words)) & self.board.full
        mine, theirs, _, over = self._names["advance"](self.board, state.mine, state.theirs, cell)
        worth = over * self._names["verdict"](self.board, mine, theirs)
        return State(mine, theirs, 1 - state.player), over != 0, worth.astype(jnp.float32)

    def step(self, state: State, action: jax.Array) -> Step:
        """Claim the cell of that number, or pass. An action that is not legal loses at once."""
        after, _, over, first = self.play(state, action)
        return Step(after, first[..., None] * jnp.array([1.0, -1.0], jnp.float32), over != 0)

    def play(self, state: State, action: jax.Array) -> tuple[State, jax.Array, jax.Array, jax.Array]:
        """The position after a step, what may be claimed there, whether a game ended, and its worth to player 0."""
        action = jnp.asarray(action).astype(self.words)
        fine = (self.options(state) >> action) & (action >= 0) & (action < self.actions)
        *parts, cells, over, first = self._names["step"](self.board, *state, action, fine)
        after = State(*(new.astype(old.dtype) for new, old in zip(parts, state, strict=True)))
        return after, cells, over, first

    def begin(self, count: int) -> Turn:
        """So many games and all that a policy is told of them."""
        none = jnp.zeros(count, self.words)
        return self.tell(self.init(count), none + self.game.legal(self.board, 0, 0), none, none)

    def tell(self, state: State, cells: jax.Array, over: jax.Array, first: jax.Array) -> Turn:
        """What has come of a step, written out."""
        options = self._names["options"](self.board, cells).astype(self.words)
        rewards = (first * upright(jnp.array([1, -1], self.words), first.ndim)).astype(jnp.int8)
        return Turn(state, options, self.planes(state), spread(options, self.actions), rewards, over != 0)

    def turn(self, turn: Turn, action: jax.Array, how: str | None = None) -> Turn:
        """A step in every game, written out: by a `kernel` of ours on a graphics card, by JAX elsewhere."""
        if by_kernel(action.size, how):
            return self.turn_kernel(turn, action)
        return self.tell(*self.play(turn.state, action))

    def turn_kernel(self, turn: Turn, action: jax.Array) -> Turn:
        """A step that reads every game once and writes all of it at once."""

        def play(given: Any, told: Turn) -> None:
            turn, action = given
            state, cells, over, first = self.play(State(*(side[...] for side in turn.state)), action[...])
            for reference, side in zip(told.state, state, strict=True):
                reference[...] = side
            for plane, side in enumerate(state[:2]):
                for place, (row, col) in enumerate(np.ndindex(self.board.rows, self.board.cols)):
                    told.observation[plane, row, col, :] = (side >> place & 1).astype(told.observation.dtype)
            # What cells are worth stays where it was written when the games began.
            options = self._names["options"](self.board, cells).astype(self.words)
            told.options[...] = options
            for place in range(self.actions):
                told.mask[place, :] = (options >> place & 1).astype(told.mask.dtype)
            for player, reward in enumerate((first, -first)):
                told.rewards[player, :] = reward.astype(told.rewards.dtype)
            told.done[...] = over != 0

        after: Turn = in_blocks(play, (turn, action), turn, warps=1)
        return after

    def deal(self, count: int, seed: int = 0) -> Lanes:
        """So many games for random players, each with a chance of its own."""
        none = jnp.zeros(count, jnp.int32)
        luck = self._names["seed_luck"](jnp.arange(count, dtype=jnp.uint32), jnp.uint32(seeded(seed)))
        state = self.init(count)
        first = jnp.full(count, self.game.legal(self.board, 0, 0), self.words)
        return Lanes(*state[:2], none, first, luck, none, none)

    def random_step(self, lanes: Lanes) -> Lanes:
        """A random move in every lane."""
        parts = self._names["random_step"](self.board, *lanes)
        return Lanes(*(new.astype(old.dtype) for new, old in zip(parts, lanes, strict=True)))

    @partial(jax.jit, static_argnums=(0, 2, 3))
    def rollout(self, lanes: Lanes, steps: int, how: str | None = None) -> Lanes:
        """So many random moves in every lane: by a `kernel` of ours on a graphics card, by a `scan` elsewhere."""
        if by_kernel(lanes.luck.size, how):
            return self.rollout_kernel(lanes, steps)
        return jax.lax.scan(lambda now, _: (self.random_step(now), None), lanes, None, steps)[0]

    def rollout_kernel(self, lanes: Lanes, steps: int) -> Lanes:
        """Random moves, the lanes held in registers from the first to the last, where a scan keeps them in memory."""

        def play(given: Lanes, made: Lanes) -> None:
            now = Lanes(*(reference[...] for reference in given))
            now = jax.lax.fori_loop(0, steps, lambda _, now: self.random_step(now), now)
            for reference, part in zip(made, now, strict=True):
                reference[...] = part

        after: Lanes = in_blocks(play, lanes, lanes, warps=4)
        return after


def by_kernel(games: int, how: str | None) -> bool:
    """Whether a kernel plays so many games: where it is asked for, else on a graphics card if they fill its blocks."""
    if how == KERNEL and games % BLOCK:
        raise ValueError(f"the kernel takes games in blocks of {BLOCK}")
    return how == KERNEL or (how is None and games % BLOCK == 0 and jax.default_backend() == "gpu")


def in_blocks(play: Callable[[Any, Any], None], given: Any, like: Any, warps: int) -> Any:
    """Run a kernel on every block of games: it reads from `given` and writes over what is `like` it at its beginning.

    The games are the last axis of every array. Without a graphics card the kernel is interpreted, step by step.
    """
    from jax.experimental import pallas
    from jax.experimental.pallas import triton

    def block(array: jax.Array) -> Any:
        before = array.shape[:-1]
        return pallas.BlockSpec((*before, BLOCK), lambda i: (*(0 for _ in before), i))

    inputs, outputs = jax.tree.leaves(given), jax.tree.leaves(like)

    def run(*references: Any) -> None:
        ins, outs = references[: len(inputs)], references[len(inputs) :]
        play(jax.tree.unflatten(jax.tree.structure(given), ins), jax.tree.unflatten(jax.tree.structure(like), outs))

    parts = pallas.pallas_call(
        run,
        jax.eval_shape(lambda: outputs),
        grid=(outputs[0].shape[-1] // BLOCK,),
        in_specs=[block(part) for part in inputs],
        out_specs=[block(part) for part in outputs],
        input_output_aliases={place: place for place in range(len(outputs))},
        compiler_params=triton.CompilerParams(num_warps=warps),
        interpret=jax.default_backend() != "gpu",
    )(*inputs)
    return jax.tree.unflatten(jax.tree.structure(like), parts)


def spread(numbers: jax.Array, count: int) -> jax.Array:
    """The lowest bits of numbers, each as a byte, along a new first axis."""
    found: jax.Array = (numbers >> upright(jnp.arange(count, dtype=numbers.dtype), numbers.ndim)) & 1
    return found.astype(jnp.int8)


def upright(row: Any, more: int) -> jax.Array:
    """A row of numbers as a first axis before so many others."""
    return jnp.reshape(row, (-1, *(1 for _ in range(more))))


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
