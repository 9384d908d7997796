"""PettingZoo: both players of a game, agents in turn.

`from quintet.envs.pettingzoo import gridlock_v0` and so on for every registered game, and then `gridlock_v0.env()` or
`gridlock_v0.raw_env(size="5x5")`. Actions, observations and rewards are those of `quintet.envs.space`.
"""

from collections.abc import Mapping
from typing import Any, SupportsIndex, Unpack

from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from quintet.envs import rendering
from quintet.envs.space import ILLEGAL, InvalidSetting, Observation, Space, check_choice, reward
from quintet.envs.values import exact_facts
from quintet.games import GAMES
from quintet.options import ValueOptions, start
from quintet.rules import PLAYERS, Game, IllegalMove, Outcome, forfeit

AGENTS = {f"player_{player}": player for player in PLAYERS}
NEXT = {"player_1": "player_2", "player_2": "player_1"}


class RawEnv(AECEnv, EzPickle):
    """A game between two agents, `player_1` and `player_2`."""

    def __init__(
        self,
        game: str,
        illegal: str = "lose",
        exact: bool = False,
        size: str | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        **options: Unpack[ValueOptions],
    ) -> None:
        """Set up a board.

        An illegal action can `lose` the game or `raise` an error. With `exact`, the info of the agent to move has exact
        values. After `max_cycles` turns of both agents a game is truncated.
        """
        EzPickle.__init__(self, game, illegal, exact, size, max_cycles, render_mode, **options)
        self.start = start(game, size, **options)
        check_choice("illegal", illegal, ILLEGAL)
        if max_cycles is not None and max_cycles < 1:
            raise InvalidSetting(f"max_cycles must be 1 or more, not {max_cycles}")
        self.illegal, self.exact, self.max_cycles = illegal, exact, max_cycles
        self.render_mode = rendering.check_mode(render_mode)
        self.metadata = {
            "name": version_name(self.start.game),
            "render_modes": list(rendering.MODES),
            "render_fps": rendering.FRAMES_PER_SECOND,
            "is_parallelizable": False,
        }
        self.possible_agents = list(AGENTS)
        self.space = Space(self.start)
        self.action_spaces = {agent: self.space.action_space() for agent in AGENTS}
        self.observation_spaces = {agent: self.space.observation_space() for agent in AGENTS}
        self.reset()

    def action_space(self, agent: str) -> spaces.Discrete:
        """The same actions for both agents."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same observations for both agents."""
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, object] | None = None) -> None:
        """Start an episode. Nothing is random, so the seed is not used."""
        self.position = self.start
        self.outcome: Outcome | None = self.start.outcome
        self.moves = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._skip_agent_selection = None
        self.agent_selection = "player_1"
        if self.outcome:
            self.end()
        self.update()

    def end(self) -> None:
        """End the game and reward both agents."""
        self.rewards = {agent: reward(self.outcome, player) for agent, player in AGENTS.items()}
        self.terminations = dict.fromkeys(AGENTS, True)
        self._accumulate_rewards()

    def update(self) -> None:
        """Update the observation and the info of the agent to move."""
        agent = self.agent_selection
        seen = self.space.observe(self.position, AGENTS[agent], self.outcome is not None)
        self.seen = {agent: seen}
        self.infos[agent] = {"action_mask": seen["action_mask"]}
        if self.exact and not self.outcome:
            self.infos[agent] |= exact_facts(self.position)
        if self.render_mode == rendering.HUMAN:
            self.render()

    def step(self, action: SupportsIndex | None) -> None:
        """Play for the agent to move; both are rewarded when the game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            self.position = self.position.play(self.space.move(action))
            self.outcome = None if self.position.legal else self.position.outcome
        except IllegalMove as error:
            if self.illegal == "raise":
                raise
            self.outcome = forfeit(self.position.player, str(error))
        self.moves += 1
        if self.outcome:
            self.end()
        elif self.max_cycles is not None and self.moves == len(AGENTS) * self.max_cycles:
            self.truncations = dict.fromkeys(AGENTS, True)
        self.infos[agent] = {}
        self.agent_selection = NEXT[agent]
        self.update()

    def observe(self, agent: str) -> Observation:
        """What an agent sees; its mask is empty if it is not to move."""
        return self.seen.get(agent) or self.space.observe(self.position, AGENTS[agent], self.outcome is not None)

    def render(self) -> rendering.Frame:
        """The board in the `render_mode`: printed, or as text, pixels or SVG."""
        return rendering.render(self.position, self.render_mode)

    def close(self) -> None:
        """Do nothing: it holds nothing."""


class Module:
    """A game as a module of PettingZoo: with `env` and `raw_env`."""

    def __init__(self, game: Game) -> None:
        """Take the game."""
        self.game = game

    def raw_env(self, **options: Any) -> RawEnv:
        """The environment without wrappers."""
        return RawEnv(self.game.name, **options)

    def env(self, **options: Any) -> AECEnv:
        """The environment in PettingZoo's wrappers, which check the actions and the order of calls."""
        return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(self.raw_env(**options)))


def version_name(game: Game) -> str:
    """A game's name in PettingZoo."""
    return f"{game.name.replace('-', '_')}_v0"


MODULES = {version_name(game): Module(game) for game in GAMES.values()}


def __getattr__(name: str) -> Module:
    """A name for each registered game."""
    if name in MODULES:
        return MODULES[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
