"""Every game as a Pgx environment, for what is written for the interface of Pgx.

    env = make("gridlock", size="5x5")
    state = jax.jit(jax.vmap(env.init))(keys)
    state = jax.jit(jax.vmap(env.step))(state, actions)

As in Pgx's own games, it is random which player goes first, a finished game does not change and all of its actions are
legal, and an illegal action loses. `pgx.experimental.wrappers.auto_reset` starts finished games again.
"""

from functools import partial
from pathlib import Path
from typing import Any, Unpack

import jax
import jax.numpy as jnp
import numpy as np
from pgx import core
from pgx._src.struct import dataclass, field

from quintet.envs import jax as arrays
from quintet.envs.jax import JaxEnv
from quintet.gears.jax import to_numbers
from quintet.options import ValueOptions
from quintet.rules import Position


class Id(str):
    """The name of a game of ours.

    `pgx.save_svg` can draw only the games that it knows by name. It lets the MinAtar games draw themselves, so it is
    told that this is one of them.
    """

    __slots__ = ()

    def startswith(self, *given: Any) -> bool:
        """Whether the name starts so, or `pgx.save_svg` asks whether the state draws itself."""
        return given == ("minatar",) or super().startswith(*given)


@dataclass
class State(core.State):
    """A state of Pgx, with our position."""

    current_player: jax.Array
    observation: jax.Array
    rewards: jax.Array
    terminated: jax.Array
    truncated: jax.Array
    legal_action_mask: jax.Array
    _step_count: jax.Array
    _position: arrays.State
    _env: JaxEnv = field(pytree_node=False)

    @property
    def env_id(self) -> Id:
        """The game and its size."""
        return Id(name_of(self._env))

    def to_svg(self, *, color_theme: str | None = None, scale: float | None = None) -> str:
        """The board as SVG, or all boards in a row; the reader's screen decides between light and dark colours."""
        sides = np.stack([np.ravel(to_numbers(side)) for side in self._position], -1)
        drawings = [
            Position(self._env.game, self._env.board, int(mine), int(theirs), int(player) + 1).picture()
            for mine, theirs, player in sides
        ]
        width, height = (int(drawings[0].split(f' {side}="')[1].split('"')[0]) for side in ("width", "height"))
        row = "".join(f'<g transform="translate({i * width} 0)">{text}</g>' for i, text in enumerate(drawings))
        factor = scale or 1.0
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {len(drawings) * width} {height}" '
            f'width="{len(drawings) * width * factor:g}" height="{height * factor:g}">{row}</svg>'
        )

    def save_svg(self, filename: str, *, color_theme: str | None = None, scale: float | None = None) -> None:
        """Write the picture to a file."""
        Path(filename).write_text(self.to_svg(scale=scale), encoding="utf-8")


class PgxEnv(core.Env):
    """A game on a board, as an environment of Pgx."""

    def __init__(self, env: JaxEnv) -> None:
        """Wrap the pure functions of a game."""
        super().__init__()
        self.env = env

    def _init(self, key: jax.Array) -> State:
        position = self.env.init()
        return State(
            current_player=jax.random.bernoulli(key).astype(jnp.int32),
            observation=self.env.observe(position),
            rewards=jnp.zeros(2, jnp.float32),
            terminated=jnp.bool_(False),
            truncated=jnp.bool_(False),
            legal_action_mask=self.env.mask(position) != 0,
            _step_count=jnp.int32(0),
            _position=position,
            _env=self.env,
        )

    def _step(self, state: State, action: jax.Array, key: jax.Array | None) -> State:
        position, over, result = self.env.advance(state._position, action)
        after: State = state.replace(
            current_player=1 - state.current_player,
            rewards=jnp.where(jnp.arange(2) == state.current_player, -result, result),
            terminated=over,
            legal_action_mask=self.env.mask(position) != 0,
            _position=position,
        )
        return after

    def _observe(self, state: State, player_id: jax.Array) -> jax.Array:
        position = state._position
        other = position._replace(mine=position.theirs, theirs=position.mine)
        turn = player_id == state.current_player
        return self.env.observe(jax.tree.map(partial(jnp.where, turn), position, other))

    @property
    def id(self) -> str:
        """The game and its size."""
        return name_of(self.env)

    @property
    def version(self) -> str:
        """The version of the rules and of this interface."""
        return "v0"

    @property
    def num_players(self) -> int:
        """Two."""
        return 2


def name_of(env: JaxEnv) -> str:
    """A name in Pgx's style: `gridlock_4x4`."""
    return f"{env.game.name}_{env.board.size}".replace("-", "_")


def make(
    game: str,
    size: str | None = None,
    **options: Unpack[ValueOptions],
) -> PgxEnv:
    """The environment of a game on a board."""
    return PgxEnv(arrays.make(game, size, **options))
