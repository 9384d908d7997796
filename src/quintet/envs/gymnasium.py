"""Gymnasium: one seat of a game, against an engine.

`gymnasium.make("quintet.envs:Gridlock-v0", opponent="level:5", size="5x5")`. Actions, observations and rewards are
those of `quintet.envs.space`.
"""

from collections.abc import Sequence
from typing import Any, SupportsIndex

import gymnasium
import numpy as np

from quintet.engines import Engine, EngineFault, UnknownPlayer, make_engine
from quintet.engines.door import ask_engine, close_engine
from quintet.envs import rendering as drawing
from quintet.envs.space import Space, forfeit, reward
from quintet.envs.values import exact_facts
from quintet.games import find_game
from quintet.options import start
from quintet.rules import PLAYERS, IllegalMove, Outcome

Observation = dict[str, Any]
Info = dict[str, Any]

RANDOM = "random"
SEEDS = 1 << 31


class GameEnv(gymnasium.Env[Observation, np.int64]):
    """A player's side of a game. The opponent's moves, its passes too, are part of a step."""

    metadata = {"render_modes": list(drawing.MODES), "render_fps": drawing.FRAMES_A_SECOND}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        opponent: str | Engine = RANDOM,
        seat: int | str = 1,
        illegal: str = "lose",
        exact: bool = False,
        size: str | None = None,
        target: int | None = None,
        values: str | Sequence[int] | None = None,
        shuffle: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Set up a board.

        The opponent is an engine, or what `quintet play` calls one. The seat is 1, 2 or `random`. An illegal action
        makes one `lose`, or the environment `raise`. With `exact`, the info tells exact values.
        """
        self.start = self.position = start(find_game(game), size, target, values, shuffle)
        for option, given, choices in (("seat", seat, (*PLAYERS, RANDOM)), ("illegal", illegal, ("lose", "raise"))):
            if given not in choices:
                raise ValueError(f"{option}={given!r} is not one of {', '.join(map(str, choices))}")
        self.opponent, self.wish, self.illegal, self.exact = opponent, seat, illegal, exact
        self.engine = self.hire(None)
        self.seat = 1
        self.outcome: Outcome | None = None
        self.render_mode = drawing.check_mode(render_mode)
        self.space = Space(self.start)
        self.action_space = self.space.action_space()
        self.observation_space = self.space.observation_space()

    def hire(self, seed: int | None) -> Engine:
        """The opponent, with its chances before it."""
        engine = make_engine(self.opponent, seed) if isinstance(self.opponent, str) else self.opponent
        if engine is None:
            raise UnknownPlayer("the opponent must be an engine, and human is none")
        return engine

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Begin a game. A seed decides all chance from here on: who begins, and an engine's known by its name."""
        super().reset(seed=seed)
        if seed is not None:
            self.close()
            self.engine = self.hire(int(self.np_random.integers(SEEDS)))
        self.seat = int(self.np_random.integers(1, 3)) if self.wish == RANDOM else int(self.wish)
        self.position, self.outcome = self.start, None
        self.await_turn()
        return self.observe()

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, Info]:
        """Play, and let the opponent answer. In a game that is over, maybe before one's first move, nothing changes."""
        if self.outcome is None:
            try:
                self.position = self.position.play(self.space.move(action))
            except IllegalMove as error:
                if self.illegal == "raise":
                    raise
                self.outcome = forfeit(self.seat, str(error))
            else:
                self.await_turn()
        observation, info = self.observe()
        return observation, reward(self.outcome, self.seat), self.outcome is not None, False, info

    def await_turn(self) -> None:
        """Let the opponent move until it is our turn or the game is over. An engine that cannot loses."""
        try:
            while not self.position.outcome and self.position.player != self.seat:
                self.position = self.position.play(ask_engine(self.engine, self.position))
            self.outcome = self.position.outcome
        except EngineFault as fault:
            self.outcome = forfeit(self.position.player, str(fault))

    def observe(self) -> tuple[Observation, Info]:
        """What our seat sees, and what there is to know: the mask again, exact values, and how the game ended."""
        observation = self.space.observe(self.position, self.seat, over=self.outcome is not None)
        info: Info = {"action_mask": observation["action_mask"].copy()}
        if self.outcome:
            info["reason"] = self.outcome.reason
        elif self.exact:
            info |= exact_facts(self.position)
        if self.render_mode == drawing.HUMAN:
            self.render()
        return observation, info

    def render(self) -> Any:
        """The board as `render_mode` says: printed, or as text, pixels or SVG."""
        return drawing.render(self.position, self.render_mode)

    def close(self) -> None:
        """Let an engine go that was made here."""
        if isinstance(self.opponent, str):
            close_engine(self.engine)
