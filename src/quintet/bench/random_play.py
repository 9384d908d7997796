"""Random legal play in each environment, ours and those of other libraries; each is loaded when it is measured."""

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from quintet.engines.rng import Rng
from quintet.engines.rollout import bind_rollouts
from quintet.games import GAMES
from quintet.gears import FAST, PLAIN
from quintet.options import start
from quintet.rules import Game

if TYPE_CHECKING:
    import jax

    from quintet.envs.jax import Turn

Run = Callable[[], int]
"""Plays for a short time; returns the number of steps."""
State = TypeVar("State")

PEER_GAME = "tic-tac-toe"


class Contender(NamedTuple):
    """An environment to measure."""

    key: str
    label: str
    needs: tuple[str, ...]
    """The packages that must be installed."""
    prepare: Callable[..., Run]
    """Takes a game if it is ours, and the number of games at once if it is `batched`."""
    ours: bool = True
    batched: bool = False


def plain(game: Game) -> Run:
    """Whole games on Python's integers."""
    simulate, board, rng = bind_rollouts(game).simulate, start(game).board, Rng(1)
    return lambda: sum(simulate(board, 0, 0, 0, 0, rng.next(), rng.next()) >> 2 for _ in range(200))


def arrays(gear: str, steps: int) -> Callable[[Game, int], Run]:
    """A batch on NumPy arrays, or compiled by Numba."""

    def prepare(game: Game, batch: int) -> Run:
        from quintet.envs.batch import Batch

        games = Batch(game.name, count=batch, seed=1, gear=gear)

        def run() -> int:
            games.play(steps)
            return batch * steps

        return run

    return prepare


def rollout(game: Game, batch: int, method: str | None = None) -> Run:
    """JAX, random play with masks and without observations."""
    from quintet.envs.jax import make

    env = make(game.name)
    lanes = env.deal(batch, 1)
    steps = short_run(1024)

    def run() -> int:
        nonlocal lanes
        lanes = env.rollout(lanes, steps, method)
        lanes.rng_state.block_until_ready()
        return batch * steps

    return run


def scan(game: Game, batch: int) -> Run:
    """The same as a plain scan, which on a GPU goes through its memory at every step."""
    from quintet.envs.kernel import SCAN

    return rollout(game, batch, SCAN)


def observed(game: Game, batch: int) -> Run:
    """JAX with observations, masks and rewards written to memory at each step, as a policy needs them."""
    import jax.numpy as jnp

    from quintet.envs.jax import make

    env = make(game.name)

    def take(turn: "Turn", choose: "Callable[[jax.Array], jax.Array]") -> "Turn":
        return env.turn(turn, choose(turn.options).astype(jnp.int8))

    return policy_loop(env.begin(batch), take, env.actions, batch)


def through_pgx(env: Any, batch: int) -> Run:
    """An environment of Pgx with Pgx's own restart; its state, with all that it holds, is written at each step."""
    import jax
    import jax.numpy as jnp
    from pgx import State as PgxState
    from pgx.experimental.wrappers import auto_reset

    step, keys = jax.vmap(auto_reset(env.step, env.init)), jax.random.split(jax.random.PRNGKey(0), batch)
    places = jnp.arange(env.num_actions)

    def take(state: PgxState, choose: Callable[[jax.Array], jax.Array]) -> PgxState:
        bits = (state.legal_action_mask.astype(jnp.int32) << places).sum(-1, dtype=jnp.int32)
        return step(state, choose(bits), keys)

    return policy_loop(jax.vmap(env.init)(keys), take, env.num_actions, batch)


def our_pgx(game: Game, batch: int) -> Run:
    """Our games through the interface of Pgx."""
    from quintet.envs.pgx import make

    return through_pgx(make(game.name), batch)


def pgx_peer(batch: int) -> Run:
    """Pgx's own tic-tac-toe."""
    import pgx

    return through_pgx(pgx.make("tic_tac_toe"), batch)


def policy_loop(
    first: State,
    take: "Callable[[State, Callable[[jax.Array], jax.Array]], State]",
    actions: int,
    batch: int,
) -> Run:
    """Turns of a JAX environment by the cheapest random policy: the first legal action from a random one on.

    The policy gets the legal actions as the bits of a number.
    """
    import jax
    import jax.numpy as jnp

    from quintet.envs.jax import make

    steps_of = make(next(iter(GAMES))).steps
    steps = short_run(128)

    @jax.jit
    def play(state: State, begin: jax.Array) -> State:
        def move(state: State, number: jax.Array) -> tuple[State, None]:
            # Random numbers come from the numbers of game and step: memory is the bottleneck already.
            random_states = steps_of.seed_states(jax.lax.iota(jnp.uint32, batch), number * jnp.uint32(0x9E3779B9))

            def choose(bits: jax.Array) -> jax.Array:
                bits = bits & ((1 << actions) - 1)
                onward = bits & (-1 << steps_of.share(random_states, actions).astype(bits.dtype))
                onward = jnp.where(onward == 0, bits, onward)
                return steps_of.popcount((onward & -onward) - 1)

            return take(state, choose), None

        return jax.lax.scan(move, state, begin + jnp.arange(steps, dtype=jnp.uint32))[0]

    state, played = first, 0

    def run() -> int:
        nonlocal state, played
        state = jax.tree.map(lambda array: array.block_until_ready(), play(state, jnp.uint32(played)))
        played += steps
        return batch * steps

    return run


def our_zoo(game: Game) -> Run:
    """Our games through PettingZoo."""
    from quintet.envs.pettingzoo import Module

    return through_zoo(Module(game).raw_env())


def zoo_peer() -> Run:
    """PettingZoo's own tic-tac-toe."""
    from pettingzoo.classic.tictactoe.tictactoe import raw_env

    return through_zoo(raw_env())


def through_zoo(env: Any) -> Run:
    """An environment of PettingZoo: observe, then take a random legal action."""
    rng = random.Random(1)

    def run() -> int:
        steps = 0
        for _ in range(20):
            env.reset()
            while True:
                agent = env.agent_selection
                if env.terminations[agent]:
                    break
                legal = env.observe(agent)["action_mask"].nonzero()[0]
                env.step(int(legal[int(rng.random() * len(legal))]))
                steps += 1
        return steps

    return run


def spiel_peer() -> Run:
    """OpenSpiel's tic-tac-toe, in C++, from Python."""
    import pyspiel

    game, rng = pyspiel.load_game("tic_tac_toe"), random.Random(1)

    def run() -> int:
        steps = 0
        for _ in range(200):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(rng.random() * len(legal))])
                steps += 1
        return steps

    return run


def short_run(most: int) -> int:
    """The steps of a short run: fewer without a GPU."""
    import jax

    return most if jax.default_backend() == "gpu" else most // 32


CONTENDERS = (
    Contender("openspiel", "OpenSpiel from Python", ("pyspiel",), spiel_peer, ours=False),
    Contender("pettingzoo", "PettingZoo", ("pettingzoo", "pygame"), zoo_peer, ours=False),
    Contender("pgx", "Pgx", ("jax", "pgx"), pgx_peer, ours=False, batched=True),
    Contender("python", "plain Python", (), plain),
    Contender("our-pettingzoo", "our PettingZoo", ("pettingzoo", "quintet.envs.pettingzoo"), our_zoo),
    Contender("numpy", "NumPy", ("numpy",), arrays(PLAIN, 8), batched=True),
    Contender("numba", "Numba, one core", ("numba",), arrays(FAST, 128), batched=True),
    Contender("jax", "JAX, masks", ("jax",), rollout, batched=True),
    Contender("jax-scan", "JAX, masks, scan", ("jax",), scan, batched=True),
    Contender("jax-observe", "JAX, observations", ("jax",), observed, batched=True),
    Contender("our-pgx", "our Pgx", ("jax", "pgx"), our_pgx, batched=True),
)
"""Other libraries first, so that ours can be compared with them."""
