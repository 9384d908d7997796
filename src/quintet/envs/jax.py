"""Games as pure functions on JAX arrays, for `jit`, `vmap` and `scan`, on CPU or GPU.

    env = make("gridlock", size="4x4")
    state = env.init(4096)
    state, rewards, done = env.step(state, actions)

A state has one number for each set of cells. Masks and observations are functions of it, so that a compiled program
that does not use them does not compute them. A policy that needs all of them at each step takes turns instead:

    turn = env.begin(4096)
    turn = env.turn(turn, actions)

A game that has ended starts again at once.

With `make(..., devices=jax.devices())` the games are spread over several devices, each of which plays its share.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, TypeVar, Unpack

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.typing import ArrayLike

from quintet.board import Board
from quintet.engines.rng import seeded
from quintet.envs import lockstep
from quintet.envs.kernel import GAMES_AXIS, last_axis, run_kernel, uses_kernel
from quintet.envs.lockstep import Steps
from quintet.envs.space import InvalidSetting
from quintet.gears import gather
from quintet.gears.jax import bind_names, word_type
from quintet.options import ValueOptions, start
from quintet.rules import Game

Given = TypeVar("Given")


class State(NamedTuple):
    """Positions, as arrays of any shape, seen by the players to move."""

    mine: jax.Array
    theirs: jax.Array
    player: jax.Array
    """The player to move: 0 went first, 1 second."""


class Step(NamedTuple):
    """The result of a step."""

    state: State
    """The next position; the empty board if the game has ended."""
    rewards: jax.Array
    """For player 0 and player 1: 1, -1 or 0; both 0 before the end."""
    done: jax.Array
    """Whether the game has ended."""


class Turn(NamedTuple):
    """Everything a policy needs, in bytes, each array with the games along its last axis.

    On a GPU, memory is the bottleneck: bytes are the least to write, and side by side they are written as whole words.
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
    """Games of random players: positions, legal cells, the state of the random numbers, and results so far."""

    mine: jax.Array
    theirs: jax.Array
    player: jax.Array
    cells: jax.Array
    rng_state: jax.Array
    games: jax.Array
    """How many games have ended."""
    balance: jax.Array
    """Player 0's wins minus losses in them."""


class JaxEnv:
    """One game on one board."""

    def __init__(self, game: Game, board: Board, devices: Sequence[jax.Device] = ()) -> None:
        """Bind the rules to JAX; games are spread over the devices, if there are several."""
        self.game, self.board = game, board
        self.mesh = Mesh(np.array(devices), (GAMES_AXIS,)) if len(devices) > 1 else None
        self.words = word_type(board)
        self.actions = lockstep.count_actions(game, board)
        self.steps: Steps[jax.Array] = gather(Steps, bind_names(lockstep.names_for(game, board)))
        self._values = lockstep.cell_values(board)

    def init(self, shape: int | Sequence[int] = ()) -> State:
        """Empty boards."""
        empty = jnp.zeros(shape, self.words)
        return self.spread(State(empty, empty, jnp.zeros(shape, jnp.int8)))

    def spread(self, games: Given) -> Given:
        """Arrays with their games, which are along the last axis, spread over the devices."""
        mesh = self.mesh
        if mesh is None:
            return games
        for array in jax.tree.leaves(games):
            if not array.ndim or array.shape[-1] % mesh.size:
                raise InvalidSetting(f"the number of games must be a multiple of the {mesh.size} devices")
        spread: Given = jax.device_put(games, jax.tree.map(lambda array: NamedSharding(mesh, last_axis(array)), games))
        return spread

    def options(self, state: State) -> jax.Array:
        """The legal actions as the bits of a number: the cells, and after the last one a pass."""
        cells = self.steps.legal(self.board, state.mine, state.theirs)
        return self.steps.options(self.board, cells).astype(self.words)

    def mask(self, state: State) -> jax.Array:
        """1 for every legal action, 0 for the others."""
        return jnp.moveaxis(to_bits(self.options(state), self.actions), 0, -1)

    def observe(self, state: State) -> jax.Array:
        """Rows, columns and planes: the cells of the player to move, those of the opponent, and the cells' values."""
        return jnp.moveaxis(self.planes(state), (0, 1, 2), (-1, -3, -2))

    def planes(self, state: State) -> jax.Array:
        """The same with planes, rows and columns first."""
        sides = jnp.stack([state.mine, state.theirs])
        seen = jnp.moveaxis(to_bits(sides, self.board.cells), 0, 1).astype(self._values.dtype)
        if self._values.size:
            values = jnp.broadcast_to(first_axis(self._values, state.mine.ndim), seen.shape[1:])
            seen = jnp.concatenate([seen, values[None]])
        return seen.reshape(-1, self.board.rows, self.board.cols, *state.mine.shape)

    def advance(self, state: State, action: jax.Array) -> tuple[State, jax.Array, jax.Array]:
        """The position after a legal action, whether the game has ended, and the result for the player to move."""
        cell = (jnp.ones_like(state.mine) << jnp.asarray(action).astype(self.words)) & self.board.full
        mine, theirs, _, over = self.steps.advance(self.board, state.mine, state.theirs, cell)
        result = over * self.steps.result(self.board, mine, theirs)
        return State(mine, theirs, 1 - state.player), over != 0, result.astype(jnp.float32)

    def step(self, state: State, action: jax.Array) -> Step:
        """Claim the cell of that number, or pass. An action that is not legal loses at once."""
        after, _, over, reward = self.play(state, action)
        return Step(after, reward[..., None] * jnp.array([1.0, -1.0], jnp.float32), over != 0)

    def play(self, state: State, action: jax.Array) -> tuple[State, jax.Array, jax.Array, jax.Array]:
        """The position after a step, its legal cells, whether the game ended, and the reward of player 0."""
        action = jnp.asarray(action).astype(self.words)
        is_legal = (self.options(state) >> action) & (action >= 0) & (action < self.actions)
        *parts, cells, over, reward = self.steps.step(self.board, *state, action, is_legal)
        after = State(*(new.astype(old.dtype) for new, old in zip(parts, state, strict=True)))
        return after, cells, over, reward

    def begin(self, count: int) -> Turn:
        """The first turn of a number of games."""
        none = jnp.zeros(count, self.words)
        return self.spread(self.make_turn(self.init(count), none + self.game.legal(self.board, 0, 0), none, none))

    def make_turn(self, state: State, cells: jax.Array, over: jax.Array, reward: jax.Array) -> Turn:
        """The result of a step as a turn."""
        options = self.steps.options(self.board, cells).astype(self.words)
        rewards = (reward * first_axis(jnp.array([1, -1], self.words), reward.ndim)).astype(jnp.int8)
        return Turn(state, options, self.planes(state), to_bits(options, self.actions), rewards, over != 0)

    def turn(self, turn: Turn, action: jax.Array, method: str | None = None) -> Turn:
        """A step in every game: with our own kernel on a GPU, with plain JAX elsewhere; `method` can choose."""
        if uses_kernel(action.size, method, self.mesh):
            return self.turn_kernel(turn, action)
        return self.make_turn(*self.play(turn.state, action))

    def turn_kernel(self, turn: Turn, action: jax.Array) -> Turn:
        """A step that reads every game once and writes everything at once."""

        def play(given: tuple[Turn, jax.Array], made: Turn) -> None:
            turn, action = given
            state, cells, over, reward = self.play(State(*(side[...] for side in turn.state)), action[...])
            for reference, side in zip(made.state, state, strict=True):
                reference[...] = side
            for plane, side in enumerate(state[:2]):
                for place, (row, col) in enumerate(np.ndindex(self.board.rows, self.board.cols)):
                    made.observation[plane, row, col, :] = (side >> place & 1).astype(made.observation.dtype)
            # The plane of the values stays as `begin` wrote it.
            options = self.steps.options(self.board, cells).astype(self.words)
            made.options[...] = options
            for place in range(self.actions):
                made.mask[place, :] = (options >> place & 1).astype(made.mask.dtype)
            for player, value in enumerate((reward, -reward)):
                made.rewards[player, :] = value.astype(made.rewards.dtype)
            made.done[...] = over != 0

        return run_kernel(play, (turn, action), turn, 1, self.mesh)

    def deal(self, count: int, seed: int = 0) -> Lanes:
        """A number of games for random players, each with its own random numbers."""
        none = jnp.zeros(count, jnp.int32)
        states = self.steps.seed_states(jnp.arange(count, dtype=jnp.uint32), jnp.uint32(seeded(seed)))
        state = self.init(count)
        first = jnp.full(count, self.game.legal(self.board, 0, 0), self.words)
        return self.spread(Lanes(*state[:2], none, first, states, none, none))

    def random_step(self, lanes: Lanes) -> Lanes:
        """A random move in every game."""
        parts = self.steps.random_step(self.board, *lanes)
        return Lanes(*(new.astype(old.dtype) for new, old in zip(parts, lanes, strict=True)))

    @partial(jax.jit, static_argnums=(0, 2, 3))
    def rollout(self, lanes: Lanes, steps: int, method: str | None = None) -> Lanes:
        """A number of random moves in every game: with our own kernel on a GPU, with a scan elsewhere."""
        if uses_kernel(lanes.rng_state.size, method, self.mesh):
            return self.rollout_kernel(lanes, steps)
        return jax.lax.scan(lambda now, _: (self.random_step(now), None), lanes, None, steps)[0]

    def rollout_kernel(self, lanes: Lanes, steps: int) -> Lanes:
        """Random moves with the games in registers from the first to the last, where a scan keeps them in memory."""

        def play(given: Lanes, made: Lanes) -> None:
            now = Lanes(*(reference[...] for reference in given))
            now = jax.lax.fori_loop(0, steps, lambda _, now: self.random_step(now), now)
            for reference, part in zip(made, now, strict=True):
                reference[...] = part

        return run_kernel(play, lanes, lanes, 4, self.mesh)


def to_bits(numbers: jax.Array, count: int) -> jax.Array:
    """The lowest `count` bits of numbers, each as a byte, along a new first axis."""
    found: jax.Array = (numbers >> first_axis(jnp.arange(count, dtype=numbers.dtype), numbers.ndim)) & 1
    return found.astype(jnp.int8)


def first_axis(row: ArrayLike, others: int) -> jax.Array:
    """A row of numbers as the first axis, before a number of other axes."""
    return jnp.reshape(row, (-1, *(1 for _ in range(others))))


def make(
    game: str,
    size: str | None = None,
    devices: Sequence[jax.Device] = (),
    **options: Unpack[ValueOptions],
) -> JaxEnv:
    """The environment of a game on a board; its games are spread over the devices, if several are given."""
    empty = start(game, size, **options)
    return JaxEnv(empty.game, empty.board, devices)
