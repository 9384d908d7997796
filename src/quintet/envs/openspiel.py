"""OpenSpiel: importing this module registers every game as `quintet_gridlock` and so on.

`pyspiel.load_game("quintet_gridlock(rows=4,cols=4)")`. Games with values also have the parameters `target`, `values`
(row by row, separated by spaces, because commas separate parameters) and `shuffle` (a seed; -1 keeps the usual order).
Actions, observations and returns are those of `quintet.envs.space`, but planes come before rows.
"""

from collections.abc import Callable, Mapping
from typing import cast

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from quintet.envs.space import InvalidSetting, Space, reward
from quintet.games import GAMES
from quintet.notation import read_move, read_position
from quintet.options import start
from quintet.rules import PLAYERS, Game, Position, play_all, write_position

UNSHUFFLED = -1
"""The shuffle that keeps the values in their usual order."""

Parameters = Mapping[str, int | str]
Struct = dict[str, str | list[str] | list[int]]
"""What OpenSpiel writes as JSON."""


def game_type(game: Game) -> pyspiel.GameType:
    """The description of a game for OpenSpiel's registry."""
    parameters: dict[str, int | str] = {"rows": game.rows, "cols": game.cols, "holes": ""}
    if game.target:
        parameters |= {"target": game.target, "values": "", "shuffle": UNSHUFFLED}
    return pyspiel.GameType(
        short_name=f"quintet_{game.name.replace('-', '_')}",
        long_name=f"Quintet {game.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=len(PLAYERS),
        min_num_players=len(PLAYERS),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


def read_parameters(game: Game, parameters: Parameters) -> Position:
    """The empty board that the parameters describe."""
    plain = f"{parameters.get('rows', game.rows)}x{parameters.get('cols', game.cols)}"
    size = "-".join([plain, *str(parameters.get("holes", "")).split()])
    values = ",".join(str(parameters.get("values", "")).split()) or None
    target, shuffle = parameters.get("target"), int(parameters.get("shuffle", UNSHUFFLED))
    return start(game, size, target and int(target), values, None if shuffle == UNSHUFFLED else shuffle)


def load_game(name: str) -> pyspiel.Game:
    """The game of a name with its parameters."""
    return pyspiel.load_game(name)


class BoardGame(pyspiel.Game):
    """A game on a board. OpenSpiel registers classes, so each game has its own."""

    rules: Game

    def __init__(self, parameters: Parameters | None = None) -> None:
        """Set up a board."""
        game = self.rules
        self.start = read_parameters(game, parameters or {})
        self.space = Space(self.start)
        facts = pyspiel.GameInfo(
            num_distinct_actions=self.space.actions,
            max_chance_outcomes=0,
            num_players=len(PLAYERS),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            # A pass is always followed by a claim.
            max_game_length=self.start.board.cells * (1 + game.passes),
        )
        super().__init__(game_type(game), facts, parameters or {})

    def __reduce__(self) -> tuple[Callable[[str], pyspiel.Game], tuple[str]]:
        """Pickle the name with its parameters; the reader must have registered the games."""
        return load_game, (str(self),)

    def new_initial_state(self, state: "str | Struct | pyspiel.StateStruct | None" = None) -> "BoardState":
        """The empty board, or a position: as text as a state prints itself, or as a struct of a state."""
        if isinstance(state, pyspiel.StateStruct):
            state = cast(Struct, state.to_dict())
        text = state if isinstance(state, str | None) else str(state.get("position"))
        position = self.start if text is None else read_position(text)
        if position.board != self.start.board or position.game is not self.rules:
            raise InvalidSetting(f"the position must be of {self.rules.title} on this game's board")
        return BoardState(self, position)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Parameters | None = None
    ) -> "BoardObserver | IIGObserverForPublicInfoGame":
        """The observer of the board, or of the moves if perfect recall is asked for."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return BoardObserver(self.space, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class BoardState(pyspiel.State):
    """A position of a game."""

    def __init__(self, game: BoardGame, position: Position | None = None) -> None:
        """Start with a position, or with the empty board."""
        super().__init__(game)
        self.position = self.first = position or game.start
        self.turns: tuple[int, ...] = ()
        """Where OpenSpiel's own history, which only grows, has the actions that were not undone."""

    @property
    def space(self) -> Space:
        """How actions are numbered."""
        space: Space = self.get_game().space
        return space

    def current_player(self) -> int:
        """The player to move, 0 or 1; `TERMINAL` when the game is over."""
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.position.player - 1

    def _legal_actions(self, player: int) -> list[int]:
        return [self.space.action(move) for move in self.position.moves]

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(self.space.move(action))
        self.turns = (*self.turns, len(super().history()))

    def undo_action(self, player: int, action: int) -> None:
        """Take back the last action. Algorithms of OpenSpiel that are written in C++ cannot call it."""
        last = self.full_history()[-1:]
        if [(turn.player, turn.action) for turn in last] != [(player, action)]:
            raise InvalidSetting(f"action {action} of player {player} is not the last action")
        self.turns = self.turns[:-1]
        self.position = play_all(self.first, [self.space.move(earlier) for earlier in self.history()])

    def full_history(self) -> list[pyspiel.PlayerAction]:
        """The actions with their players."""
        grown = super().full_history()
        return [grown[turn] for turn in self.turns]

    def history(self) -> list[int]:
        """The actions since the first position."""
        return [turn.action for turn in self.full_history()]

    def history_str(self) -> str:
        """The actions as text."""
        return ", ".join(map(str, self.history()))

    def move_number(self) -> int:
        """How many actions there were."""
        return len(self.turns)

    def is_initial_state(self) -> bool:
        """Whether no action was taken."""
        return not self.turns

    def _to_struct(self) -> Struct:
        text = write_position(self.position)
        _, rows, mark, *_ = text.split()
        return {
            "position": text,
            "board": list(rows.replace("/", "")),
            "current_player": "Terminal" if self.is_terminal() else mark,
            "scores": list(self.position.scores),
        }

    def _to_observation_struct(self, player: int) -> Struct:
        return self._to_struct()

    def _action_to_struct(self, player: int, action: int) -> Struct:
        return {"move": self.position.label(self.space.move(action))}

    def _struct_to_actions(self, struct: Struct) -> list[int]:
        return [self.space.action(read_move(self.position, str(struct["move"])))]

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.label(self.space.move(action))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.outcome is not None

    def returns(self) -> list[float]:
        """The returns of both players."""
        return [reward(self.position.outcome, player) for player in PLAYERS]

    def __str__(self) -> str:
        """The position as one line."""
        return write_position(self.position)


class BoardObserver:
    """The observation of a player."""

    def __init__(self, space: Space, params: Parameters | None) -> None:
        """Allocate the tensor."""
        if params:
            raise InvalidSetting(f"an observation has no parameters, but {params} was given")
        self.space = space
        rows, cols, planes = space.shape
        self.tensor = np.zeros(planes * rows * cols, np.float32)
        self.dict = {"observation": self.tensor.reshape(planes, rows, cols)}

    def set_from(self, state: BoardState, player: int) -> None:
        """Fill the tensor from a state."""
        seen = self.space.observe(state.position, player + 1)["observation"]
        self.dict["observation"][:] = seen.transpose(2, 0, 1)

    def string_from(self, state: BoardState, player: int) -> str:
        """A state as text."""
        return str(state)


for game in GAMES.values():
    pyspiel.register_game(game_type(game), type(game.title.replace(" ", ""), (BoardGame,), {"rules": game}))
