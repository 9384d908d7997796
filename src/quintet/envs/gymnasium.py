"""Gymnasium: one seat of a game, against an engine.

`gymnasium.make("quintet.envs:quintet/Gridlock-v0", opponent="level:5", size="5x5")`. Actions, observations and rewards
are those of `quintet.envs.space`.
"""

from typing import Any, SupportsIndex, Unpack, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from quintet.engines import Engine, EngineFault, UnknownPlayer, make_engine
from quintet.engines.door import ask_engine, close_engine
from quintet.envs import rendering
from quintet.envs.space import ILLEGAL, InvalidSetting, Observation, Space, check_choice, reward
from quintet.envs.values import exact_facts
from quintet.notation import read_position
from quintet.options import ValueOptions, start
from quintet.rules import PLAYERS, IllegalMove, Outcome, Position, forfeit

Info = dict[str, Any]
"""As Gymnasium declares it."""

RANDOM = "random"
MAX_SEED = 1 << 31


class GameEnv(gymnasium.Env[Observation, np.int64]):
    """One player of a game. The opponent's moves and passes are part of a step."""

    metadata = {"render_modes": list(rendering.MODES), "render_fps": rendering.FRAMES_PER_SECOND}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        opponent: str | Engine = RANDOM,
        seat: int | str = 1,
        illegal: str = "lose",
        exact: bool = False,
        size: str | None = None,
        render_mode: str | None = None,
        **options: Unpack[ValueOptions],
    ) -> None:
        """Set up a board.

        The opponent is an engine, or its description as in `quintet play`. The seat is 1, 2 or `random`. An illegal
        action can `lose` the game or `raise` an error. With `exact`, the info has exact values.
        """
        self.start = self.position = start(game, size, **options)
        check_choice("seat", seat, (*PLAYERS, RANDOM))
        check_choice("illegal", illegal, ILLEGAL)
        self.opponent, self.seat_option, self.illegal, self.exact = opponent, seat, illegal, exact
        self.engine = self.make_opponent(None)
        self.seat = 1
        self.outcome: Outcome | None = None
        self.render_mode = rendering.check_mode(render_mode)
        self.space = Space(self.start)
        self.action_space = self.space.action_space()
        # Gymnasium does not declare which dictionaries a space of dictionaries has.
        self.observation_space = cast(spaces.Space[Observation], self.space.observation_space())

    def make_opponent(self, seed: int | None) -> Engine:
        """The opponent; a description gives a new engine with this seed."""
        engine = make_engine(self.opponent, seed) if isinstance(self.opponent, str) else self.opponent
        if engine is None:
            raise UnknownPlayer("the opponent must be an engine, not human")
        return engine

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Start an episode. A seed makes all that follows repeatable, also the moves of an opponent given by name.

        The option `position` gives the position to start from, as text or as a `Position` of this board.
        """
        first = self.first_position(options or {})
        super().reset(seed=seed)
        if seed is not None:
            self.close()
            self.engine = self.make_opponent(int(self.np_random.integers(MAX_SEED)))
        self.seat = int(self.np_random.integers(1, 3)) if self.seat_option == RANDOM else int(self.seat_option)
        self.position, self.outcome = first, None
        self.play_opponent()
        return self.observe()

    def first_position(self, options: dict[str, Any]) -> Position:
        """The position that the options of a reset ask for, or the empty board."""
        for name in options.keys() - {"position"}:
            raise InvalidSetting(f"a reset has no option {name!r}: only position")
        given = options.get("position", self.start)
        position = given if isinstance(given, Position) else read_position(str(given))
        if (position.game, position.board) != (self.start.game, self.start.board):
            raise InvalidSetting(f"the position must be of {self.start.game.title} on this environment's board")
        return position

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, Info]:
        """Play, and let the opponent answer. In a finished game nothing changes; it may end before the first move."""
        if self.outcome is None:
            try:
                self.position = self.position.play(self.space.move(action))
            except IllegalMove as error:
                if self.illegal == "raise":
                    raise
                self.outcome = forfeit(self.seat, str(error))
            else:
                self.play_opponent()
        observation, info = self.observe()
        return observation, reward(self.outcome, self.seat), self.outcome is not None, False, info

    def play_opponent(self) -> None:
        """Let the opponent move until it is our turn or the game is over. An opponent without a legal move loses."""
        try:
            while not self.position.outcome and self.position.player != self.seat:
                self.position = self.position.play(ask_engine(self.engine, self.position))
            self.outcome = self.position.outcome
        except EngineFault as fault:
            self.outcome = forfeit(self.position.player, str(fault))

    def observe(self) -> tuple[Observation, Info]:
        """What our player sees, and the info: the mask again, exact values, and how the game ended."""
        observation = self.space.observe(self.position, self.seat, over=self.outcome is not None)
        info: Info = {"action_mask": observation["action_mask"].copy()}
        if self.outcome:
            info["reason"] = self.outcome.reason
        elif self.exact:
            info |= exact_facts(self.position)
        if self.render_mode == rendering.HUMAN:
            self.render()
        return observation, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, as sb3-contrib's MaskablePPO asks for them; all actions when the game is over."""
        mask: npt.NDArray[np.bool_] = self.space.observe(self.position, self.seat)["action_mask"] != 0
        return mask if mask.any() and self.outcome is None else np.ones_like(mask)

    def render(self) -> rendering.Frame:
        """The board in the `render_mode`: printed, or as text, pixels or SVG."""
        return rendering.render(self.position, self.render_mode)

    def close(self) -> None:
        """Close an engine that was made here."""
        if isinstance(self.opponent, str):
            close_engine(self.engine)
