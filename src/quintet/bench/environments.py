"""Random legal play, steps a second: ours beside the peers that are installed, in one run.

`quintet bench play` shows it; `python -m quintet.bench.environments` needs nothing but Python and what it measures.
"""

import argparse
import json
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

from quintet.engines.playout import bind_playouts
from quintet.engines.rng import Rng
from quintet.games import GAMES
from quintet.options import start
from quintet.rules import Game

Run = Callable[[], int]
"""Plays for a moment and says how many steps that were."""


class Contender(NamedTuple):
    """A way to play."""

    key: str
    label: str
    needs: tuple[str, ...]
    """The packages that must be there."""
    prepare: Callable[..., Run]
    """Given a game, and for those in `batched` the number of games at once."""
    ours: bool = True
    batched: bool = False


class Row(NamedTuple):
    """What was measured."""

    key: str
    label: str
    game: str
    batch: int
    """Games at once."""
    rate: float
    """Steps a second: the best of many short runs."""
    missing: str = ""
    """What is not installed, where nothing was measured."""


def plain(game: Game) -> Run:
    """Whole games on Python's integers."""
    simulate, board, rng = bind_playouts(game).simulate, start(game).board, Rng(1)
    return lambda: sum(simulate(board, 0, 0, 0, 0, rng.next(), rng.next()) >> 2 for _ in range(200))


def lanes(gear: str, steps: int) -> Callable[[Game, int], Run]:
    """A batch in lock-step on NumPy arrays, or compiled by Numba."""

    def prepare(game: Game, batch: int) -> Run:
        from quintet.envs.batch import Batch

        games = Batch(game.name, count=batch, seed=1, gear=gear)

        def run() -> int:
            games.play(steps)
            return batch * steps

        return run

    return prepare


def rollout(game: Game, batch: int, how: str | None = None) -> Run:
    """JAX, random play with masks and without observations."""
    from quintet.envs.jax import make

    env = make(game.name)
    now = [env.deal(batch, 1)]
    steps = moment(1024)

    def run() -> int:
        now[0] = env.rollout(now[0], steps, how)
        now[0].mine.block_until_ready()
        return batch * steps

    return run


def scan(game: Game, batch: int) -> Run:
    """The same as a plain scan, which a graphics card takes through its memory at every step."""
    return rollout(game, batch, "scan")


def observed(game: Game, batch: int) -> Run:
    """JAX with observations, masks and rewards written to memory at each step, as a policy needs them."""
    import jax.numpy as jnp

    from quintet.envs.jax import make

    env = make(game.name)

    def turn(now: Any, choose: Any) -> Any:
        return env.turn(now, choose(now.options).astype(jnp.int8))

    return policy_loop(env.begin(batch), turn, env.actions, batch)


def through_pgx(env: Any, batch: int) -> Run:
    """A Pgx environment with Pgx's own restart; all that its state holds, it writes at each step."""
    import jax
    import jax.numpy as jnp
    from pgx.experimental.wrappers import auto_reset  # type: ignore[import-untyped]

    step, keys = jax.vmap(auto_reset(env.step, env.init)), jax.random.split(jax.random.PRNGKey(0), batch)
    places = jnp.arange(env.num_actions)

    def turn(state: Any, choose: Any) -> Any:
        bits = (state.legal_action_mask.astype(jnp.int32) << places).sum(-1, dtype=jnp.int32)
        return step(state, choose(bits), keys)

    return policy_loop(jax.vmap(env.init)(keys), turn, env.num_actions, batch)


def our_pgx(game: Game, batch: int) -> Run:
    """Our games through the interface of Pgx."""
    from quintet.envs.pgx import make

    return through_pgx(make(game.name), batch)


def pgx_peer(batch: int) -> Run:
    """Pgx's own tic-tac-toe."""
    import pgx  # type: ignore[import-untyped]

    return through_pgx(pgx.make("tic_tac_toe"), batch)


def policy_loop(state: Any, turn: Any, actions: int, batch: int) -> Run:
    """Turns of a JAX environment by the cheapest random policy: the first legal action from a random one on.

    It is given the legal actions as the bits of a number.
    """
    import jax
    import jax.numpy as jnp

    from quintet.envs import lockstep
    from quintet.gears.jax import bind_names

    game = next(iter(GAMES.values()))
    names = bind_names(lockstep.statement(game, start(game).board))
    steps = moment(128)

    @jax.jit
    def play(state: Any, begun: Any) -> Any:
        def move(state: Any, number: Any) -> Any:
            # Chance is made anew from the numbers of lane and step: memory has enough to do.
            luck = names["seed_luck"](jax.lax.iota(jnp.uint32, batch), number * jnp.uint32(0x9E3779B9))

            def choose(bits: Any) -> Any:
                bits = bits & ((1 << actions) - 1)
                onward = bits & (-1 << names["share"](luck, actions).astype(bits.dtype))
                onward = jnp.where(onward == 0, bits, onward)
                return names["popcount"]((onward & -onward) - 1)

            return turn(state, choose), None

        return jax.lax.scan(move, state, begun + jnp.arange(steps, dtype=jnp.uint32))[0]

    now = [state, 0]

    def run() -> int:
        now[0] = jax.block_until_ready(play(now[0], jnp.uint32(now[1])))  # type: ignore[no-untyped-call]
        now[1] += steps
        return batch * steps

    return run


def our_zoo(game: Game) -> Run:
    """Our games through PettingZoo."""
    from importlib import import_module

    zoo = import_module("quintet.envs.pettingzoo")
    return through_zoo(zoo.MODULES[zoo.version_name(game)].raw_env())


def zoo_peer() -> Run:
    """PettingZoo's own tic-tac-toe."""
    from pettingzoo.classic.tictactoe.tictactoe import raw_env  # type: ignore[import-untyped]

    return through_zoo(raw_env())


def through_zoo(env: Any) -> Run:
    """A PettingZoo environment: look, then take a random legal action."""
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
    import pyspiel  # type: ignore[import-not-found]

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


PEER_GAME = "tic-tac-toe"
CONTENDERS = (
    Contender("openspiel", "OpenSpiel from Python", ("pyspiel",), spiel_peer, ours=False),
    Contender("pettingzoo", "PettingZoo", ("pettingzoo", "pygame"), zoo_peer, ours=False),
    Contender("pgx", "Pgx", ("jax", "pgx"), pgx_peer, ours=False, batched=True),
    Contender("python", "plain Python", (), plain),
    Contender("our-pettingzoo", "our PettingZoo", ("pettingzoo", "quintet.envs.pettingzoo"), our_zoo),
    Contender("numpy", "NumPy", ("numpy",), lanes("plain", 8), batched=True),
    Contender("numba", "Numba, one core", ("numba",), lanes("fast", 128), batched=True),
    Contender("jax", "JAX, masks", ("jax",), rollout, batched=True),
    Contender("jax-scan", "JAX, masks, scan", ("jax",), scan, batched=True),
    Contender("jax-observe", "JAX, observations", ("jax",), observed, batched=True),
    Contender("our-pgx", "our Pgx", ("jax", "pgx"), our_pgx, batched=True),
)
KEYS = [contender.key for contender in CONTENDERS]
PEERS = [contender for contender in CONTENDERS if not contender.ours]
ARRAYS = 4096
"""Games at once in NumPy and Numba, which gain nothing from more."""


def moment(most: int) -> int:
    """How many steps of a batch make a short run: fewer without a graphics card."""
    import jax

    return most if jax.default_backend() == "gpu" else most // 32


def default_batch() -> int:
    """Games at once in JAX: many more on a graphics card."""
    if not find_spec("jax"):
        return ARRAYS
    import jax

    return 1 << (22 if jax.default_backend() == "gpu" else 14)


def lacking(contender: Contender) -> str:
    """Which package that a contender needs is not there."""
    return next((name for name in contender.needs if not find_spec(name)), "")


def rate(run: Run, seconds: float) -> float:
    """The best of all short runs in this time; the first one, which compiles, is not counted."""
    run()
    best, until = 0.0, time.perf_counter() + seconds
    while True:
        begun = time.perf_counter()
        steps = run()
        now = time.perf_counter()
        best = max(best, steps / (now - begun))
        if now >= until:
            return best


def measure(
    games: Sequence[str] = (), seconds: float = 1.0, batch: int | None = None, only: Sequence[str] = ()
) -> Iterator[Row]:
    """Every contender in turn, the peers first, each for so many seconds on each game."""
    wide = batch or default_batch()
    for contender in CONTENDERS:
        if only and contender.key not in only:
            continue
        missing = lacking(contender)
        count = 1 if not contender.batched else wide if "jax" in contender.needs else min(wide, ARRAYS)
        arguments = (count,) if contender.batched else ()
        for name in (games or GAMES) if contender.ours else (PEER_GAME,):
            if missing:
                yield Row(contender.key, contender.label, name, count, 0.0, missing)
                continue
            chosen = (GAMES[name],) if contender.ours else ()
            speed = rate(contender.prepare(*chosen, *arguments), seconds)
            yield Row(contender.key, contender.label, name, count, speed)


def cells(row: Row, peers: dict[str, Row]) -> list[str]:
    """A row as a table shows it: the rate, and how many times each peer's that is."""
    if row.missing:
        return [row.label, row.game, f"{row.batch:,}", f"no {row.missing}", *("" for _ in PEERS)]
    ratios = [
        f"{row.rate / peers[peer.key].rate:,.1f}" if peer.key in peers and peers[peer.key].rate else ""
        for peer in PEERS
    ]
    return [row.label, row.game, f"{row.batch:,}", f"{row.rate / 1e6:,.2f} M", *ratios]


HEADING = ["random play", "game", "at once", "steps a second", *(f"/ {peer.label.split()[0]}" for peer in PEERS)]


def print_table(rows: Iterable[Row]) -> None:
    """Rows as they come, under a heading; peers come first, so that others stand beside them."""
    known: dict[str, Row] = {}
    print(line(HEADING), flush=True)
    for row in rows:
        known[row.key] = row
        print(line(cells(row, known)), flush=True)


def line(words: Sequence[str]) -> str:
    """A row of the table as text."""
    return f"{words[0]:<22} {words[1]:<15}" + "".join(f"{word:>15}" for word in words[2:])


def main() -> None:
    """Measure and print, without the rest of the program."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m quintet.bench.environments")
    parser.add_argument("--games", nargs="+", choices=list(GAMES), default=list(GAMES), metavar="GAME")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--batch", type=int, help="games at once in JAX and Pgx")
    parser.add_argument("--only", nargs="+", choices=KEYS, default=[], metavar="KEY", help=", ".join(KEYS))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = measure(options.games, options.seconds, options.batch, options.only)
    if options.json:
        for row in rows:
            print(json.dumps(row._asdict()), flush=True)
    else:
        print_table(rows)


if __name__ == "__main__":
    main()
