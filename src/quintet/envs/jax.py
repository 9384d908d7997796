"""Games as pure functions on JAX arrays, for `jit`, `vmap` and `scan`, on CPU or GPU.

    env = make("gridlock", size="4x4")
    state = env.init(4096)
    state, rewards, done = env.step(state, actions)

A state has one number for each set of cells. Masks and observations are functions of it, so that a compiled program
that does not use them does not compute them. A policy that needs all of them at each step takes turns instead:

    turn = env.begin(4096)
    turn = env.turn(turn, actions)

A game that has ended starts again at once.

A set of cells is a 32-bit number; on a board of more than 31 cells it is a `Pair` of them. `env.make_sets` makes sets
of Python's integers, and `to_numbers` makes 64-bit numbers of sets.

With `make(..., devices=jax.devices())` the games are spread over several devices, each of which plays its share.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar, Unpack

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax.sharding import Mesh, NamedSharding

from quintet.board import Board
from quintet.engines.rng import seeded
from quintet.envs import lockstep
from quintet.envs.kernel import GAMES_AXIS, last_axis, read, run_kernel, uses_kernel, write
from quintet.envs.lockstep import Steps
from quintet.envs.space import InvalidSetting
from quintet.gears import gather
from quintet.gears import jax as gear
from quintet.gears.jax import Sets, bind_names, bit, first_axis, gear_board, lowest_word, to_bits
from quintet.options import ValueOptions, start
from quintet.rules import Game

Given = TypeVar("Given")


class State(NamedTuple):
    """Positions, as arrays of any shape, seen by the players to move."""

    mine: Sets
    theirs: Sets
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
    options: Sets
    """The legal actions as bits, like a set of cells."""
    observation: jax.Array
    """Planes, rows, columns and games."""
    mask: jax.Array
    """Actions and games."""
    rewards: jax.Array
    """Players and games."""
    done: jax.Array


class Lanes(NamedTuple):
    """Games of random players: positions, legal cells, the state of the random numbers, and results so far."""

    mine: Sets
    theirs: Sets
    player: jax.Array
    cells: Sets
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
        self.gear_board = gear_board(board)
        self.actions = lockstep.count_actions(game, board)
        self.steps: Steps[Any] = gather(Steps, bind_names(lockstep.names_for(game, board), board))
        self._values = lockstep.cell_values(board)

    def init(self, shape: int | Sequence[int] = ()) -> State:
        """Empty boards."""
        empty = self.make_sets(np.zeros(shape, np.int64))
        return self.spread(State(empty, empty, jnp.zeros(shape, jnp.int8)))

    def make_sets(self, numbers: Sequence[int] | npt.NDArray[np.integer]) -> Sets:
        """Sets of cells, given as numbers: cell `i` is bit `i`."""
        return gear.make_sets(self.board, numbers)

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

    def options(self, state: State) -> Sets:
        """The legal actions as bits: the cells, and after the last one a pass."""
        return self.options_of(self.steps.legal(self.gear_board, state.mine, state.theirs), state.mine)

    def options_of(self, cells: Sets, like: Sets) -> Sets:
        """The legal actions where these cells may be claimed, as sets of the type of others."""
        options: Sets = cast_to(self.steps.options(self.gear_board, cells), like)
        return options

    def mask(self, state: State) -> jax.Array:
        """1 for every legal action, 0 for the others."""
        return jnp.moveaxis(to_bits(self.options(state), self.actions), 0, -1)

    def observe(self, state: State) -> jax.Array:
        """Rows, columns and planes: the cells of the player to move, those of the opponent, and the cells' values."""
        return jnp.moveaxis(self.planes(state), (0, 1, 2), (-1, -3, -2))

    def planes(self, state: State) -> jax.Array:
        """The same with planes, rows and columns first."""
        sides = [to_bits(side, self.board.area) for side in (state.mine, state.theirs)]
        seen = jnp.stack(sides).astype(self._values.dtype)
        if self._values.size:
            values = jnp.broadcast_to(first_axis(self._values, state.player.ndim), seen.shape[1:])
            seen = jnp.concatenate([seen, values[None]])
        return seen.reshape(-1, self.board.rows, self.board.cols, *state.player.shape)

    def advance(self, state: State, action: jax.Array) -> tuple[State, jax.Array, jax.Array]:
        """The position after a legal action, whether the game has ended, and the result for the player to move."""
        board = self.gear_board
        cell = self.steps.cell_at(jnp.asarray(action).astype(jnp.int32), 1) & board.full
        mine, theirs, _, over = self.steps.advance(board, state.mine, state.theirs, cell)
        result = over * self.steps.result(board, mine, theirs)
        return State(mine, theirs, 1 - state.player), over != 0, result.astype(jnp.float32)

    def step(self, state: State, action: jax.Array) -> Step:
        """Claim the cell of that number, or pass. An action that is not legal loses at once."""
        after, _, over, reward = self.play(state, action)
        return Step(after, reward[..., None] * jnp.array([1.0, -1.0], jnp.float32), over != 0)

    def play(self, state: State, action: jax.Array) -> tuple[State, Sets, jax.Array, jax.Array]:
        """The position after a step, its legal cells, whether the game ended, and the reward of player 0."""
        action = jnp.asarray(action).astype(jnp.int32)
        is_legal = lowest_word(self.options(state) >> action) & (action >= 0) & (action < self.actions)
        *parts, cells, over, reward = self.steps.step(self.gear_board, *state, action, is_legal)
        return cast_to(State(*parts), state), cells, over, reward

    def begin(self, count: int) -> Turn:
        """The first turn of a number of games."""
        none = jnp.zeros(count, jnp.int32)
        return self.spread(self.make_turn(self.init(count), self.first_cells(count), none, none))

    def first_cells(self, count: int) -> Sets:
        """The cells that may be claimed on each of a number of empty boards."""
        return self.make_sets(np.full(count, self.game.legal(self.board, 0, 0)))

    def make_turn(self, state: State, cells: Sets, over: jax.Array, reward: jax.Array) -> Turn:
        """The result of a step as a turn."""
        options = self.options_of(cells, state.mine)
        rewards = (reward * first_axis(np.array([1, -1], np.int32), reward.ndim)).astype(jnp.int8)
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
            state, cells, over, reward = self.play(read(turn.state), action[...])
            write(made.state, state)
            for plane, side in enumerate(state[:2]):
                for place, (row, col) in enumerate(np.ndindex(self.board.rows, self.board.cols)):
                    made.observation[plane, row, col, :] = bit(side, place).astype(made.observation.dtype)
            # The plane of the values stays as `begin` wrote it.
            options = self.options_of(cells, state.mine)
            write(made.options, options)
            for place in range(self.actions):
                made.mask[place, :] = bit(options, place).astype(made.mask.dtype)
            for player, value in enumerate((reward, -reward)):
                made.rewards[player, :] = value.astype(made.rewards.dtype)
            made.done[...] = over != 0

        return run_kernel(play, (turn, action), turn, 1, self.mesh)

    def deal(self, count: int, seed: int = 0) -> Lanes:
        """A number of games for random players, each with its own random numbers."""
        none = jnp.zeros(count, jnp.int32)
        states = self.steps.seed_states(jnp.arange(count, dtype=jnp.uint32), jnp.uint32(seeded(seed)))
        state = self.init(count)
        return self.spread(Lanes(*state[:2], none, self.first_cells(count), states, none, none))

    def random_step(self, lanes: Lanes) -> Lanes:
        """A random move in every game."""
        return cast_to(Lanes(*self.steps.random_step(self.gear_board, *lanes)), lanes)

    @partial(jax.jit, static_argnums=(0, 2, 3))
    def rollout(self, lanes: Lanes, steps: int, method: str | None = None) -> Lanes:
        """A number of random moves in every game: with our own kernel on a GPU, with a scan elsewhere."""
        if uses_kernel(lanes.rng_state.size, method, self.mesh):
            return self.rollout_kernel(lanes, steps)
        return jax.lax.scan(lambda now, _: (self.random_step(now), None), lanes, None, steps)[0]

    def rollout_kernel(self, lanes: Lanes, steps: int) -> Lanes:
        """Random moves with the games in registers from the first to the last, where a scan keeps them in memory."""

        def play(given: Lanes, made: Lanes) -> None:
            write(made, jax.lax.fori_loop(0, steps, lambda _, now: self.random_step(now), read(given)))

        return run_kernel(play, lanes, lanes, 4, self.mesh)


def cast_to(given: Given, like: Given) -> Given:
    """Arrays in the types of others."""
    cast: Given = jax.tree.map(lambda array, other: array.astype(other.dtype), given, like)
    return cast


def make(
    game: str,
    size: str | None = None,
    devices: Sequence[jax.Device] = (),
    **options: Unpack[ValueOptions],
) -> JaxEnv:
    """The environment of a game on a board; its games are spread over the devices, if several are given."""
    empty = start(game, size, **options)
    return JaxEnv(empty.game, empty.board, devices)
