"""Gymnasium: many games at once as one vector environment, one seat of each, over `quintet.envs.batch`.

    import quintet.envs
    envs = gymnasium.make_vec("quintet/Gridlock-v0", num_envs=1024, vectorization_mode="vector_entry_point")

Actions, observations and rewards are those of `quintet.envs.space`. A game that has ended starts again in the next
step, whatever its action is (`AutoresetMode.NEXT_STEP`, as in Gymnasium's own vector environments).
"""

from collections.abc import Callable
from typing import Any, Unpack, cast

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from quintet.envs.batch import CELLS, LOSE, PLAYER, Batch, Booleans, stack_planes
from quintet.envs.gymnasium import MAX_SEED, RANDOM, Info
from quintet.envs.space import MASK, InvalidSetting, Observation, Space, check_choice
from quintet.gears.arrays import Numbers
from quintet.options import ValueOptions
from quintet.rules import PLAYERS, Position

Opponent = Callable[[Observation], npt.ArrayLike]
"""Chooses an action in every game, from what its player to move sees; only those of its own turns are played."""
Rewards = npt.NDArray[np.float64]


class BatchEnv(VectorEnv[Observation, npt.ArrayLike, npt.NDArray[Any]]):
    """One seat of many games. The opponent's moves and passes are part of a step."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        opponent: str | Opponent = RANDOM,
        seat: int | str = 1,
        illegal: str = LOSE,
        size: str | None = None,
        gear: str | None = None,
        **options: Unpack[ValueOptions],
    ) -> None:
        """Set up the boards.

        The opponent is `random`, or a function of the observations of all games. The seat is 1, 2 or `random`. An
        illegal action can `lose` the game or `raise` an error. The `gear` is `plain` or `fast` (Numba).
        """
        check_choice("seat", seat, (*PLAYERS, RANDOM))
        if opponent != RANDOM and not callable(opponent):
            raise InvalidSetting(
                f"a vector environment plays against {RANDOM} or a function, not {opponent!r}: for an engine, use "
                "vectorization_mode='sync' or 'async'"
            )
        self.batch = Batch(game, size, num_envs, illegal=illegal, gear=gear, **options)
        self.opponent, self.seat_option, self.num_envs = opponent, seat, num_envs
        space = Space(Position(self.batch.game, self.batch.board))
        self.single_action_space = space.action_space()
        self.single_observation_space = space.observation_space()
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(cast(spaces.Space[Any], self.single_observation_space), num_envs)
        self.seats: Numbers = np.zeros(num_envs, np.int64)
        """The player we are in each game: 0 goes first."""
        self.over: Booleans = np.zeros(num_envs, np.bool_)
        self.told: Booleans = np.zeros(num_envs, np.bool_)
        """Whether a step has already returned the result."""
        self.results: Rewards = np.zeros(num_envs)
        self.last: Numbers = np.zeros((PLAYER + 1, num_envs), np.int64)
        """The last positions of games that are over; the batch has started them again."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Start all games. A seed makes all that follows repeatable."""
        for name in options or {}:
            raise InvalidSetting(f"a reset of a vector environment has no option {name!r}")
        super().reset(seed=seed)
        self.batch.reset(int(self.np_random.integers(MAX_SEED)))
        self.restart(np.ones(self.num_envs, np.bool_))
        self.answer()
        return self.observe()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Observation, Rewards, npt.NDArray[np.bool_], npt.NDArray[np.bool_], Info]:
        """Play in every game, and let the opponent answer. Games that had ended start again instead."""
        ended = self.over & self.told
        self.move(self.batch.check_actions(actions), ~self.over)
        self.restart(ended)
        self.answer()
        self.told = self.over & ~ended
        observation, info = self.observe()
        return observation, self.results * self.told, self.told.copy(), np.zeros_like(self.told), info

    def restart(self, where: Booleans) -> None:
        """Begin the next games of these."""
        self.over[where] = self.told[where] = False
        if self.seat_option == RANDOM:
            self.seats[where] = self.np_random.integers(2, size=int(where.sum()))
        else:
            self.seats[where] = int(self.seat_option) - 1

    def answer(self) -> None:
        """Let the opponent move in the games where it is its turn."""
        turns = ~self.over & (self.batch.player != self.seats)
        if not turns.any():
            return
        if callable(self.opponent):
            seen: Observation = {"observation": self.batch.observe(), "action_mask": self.batch.mask.view(MASK)}
            actions = self.batch.check_actions(self.opponent(seen))
        else:
            actions = self.batch.sample()
        self.move(actions, turns)

    def move(self, actions: Numbers, where: Booleans) -> None:
        """Take these actions in some of the games; the others stay as they are."""
        batch, before, mask = self.batch, self.batch.lanes[: CELLS + 1].copy(), self.batch.mask
        rewards, done = batch.step(np.where(where, actions, mask.argmax(axis=1)))
        batch.lanes[: CELLS + 1, ~where] = before[:, ~where]
        ended = np.flatnonzero(done & where)
        self.over[ended] = True
        self.results[ended] = rewards[ended, self.seats[ended]]
        self.last[:, ended] = self.positions_after(before[:, ended], actions[ended], mask[ended])

    def positions_after(self, before: Numbers, actions: Numbers, mask: Booleans) -> Numbers:
        """The positions after actions; an illegal one changes nothing."""
        mine, theirs, player = before[: PLAYER + 1]
        number = np.clip(actions, 0, self.batch.actions - 1)
        is_legal = mask[np.arange(len(actions)), number] & (number == actions)
        cell = self.batch.steps.cell_at(number, 1) & self.batch.board.full
        after = self.batch.steps.advance(self.batch.board, mine, theirs, cell)
        return np.where(is_legal, np.stack([*after[:2], 1 - player]), before[: PLAYER + 1])

    def observe(self) -> tuple[Observation, Info]:
        """What our players see, and the info with the masks again."""
        mine, theirs, player = np.where(self.over, self.last, self.batch.lanes[: PLAYER + 1])
        turn = player == self.seats
        mask = (self.batch.mask & ~self.over[:, None]).view(MASK)
        planes = stack_planes(self.batch.board, np.where(turn, mine, theirs), np.where(turn, theirs, mine))
        info = {"action_mask": mask.copy(), "_action_mask": np.ones(self.num_envs, np.bool_)}
        return {"observation": planes, "action_mask": mask}, info
