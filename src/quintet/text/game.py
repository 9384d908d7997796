"""A game of text: an agent reads a prompt and answers; an engine replies; every move is graded against perfect play."""

from collections.abc import Sequence
from dataclasses import dataclass

from quintet.engines import HUMAN, Engine, EngineFault, UnknownPlayer, make_engine
from quintet.engines.door import ask_engine, close_engine
from quintet.errors import InvalidArgument
from quintet.options import start
from quintet.rules import PLAYERS, Game, Outcome, Position, forfeit, play_all
from quintet.solve.oracle import solve_within
from quintet.solve.regret import lost_margin, lost_points, points_of
from quintet.solve.solver import Solver
from quintet.solve.value import Value
from quintet.text.answer import read_answer
from quintet.text.prompt import PromptOptions, write_correction, write_prompt


@dataclass(frozen=True, slots=True)
class TextTurn:
    """A turn of the agent, graded. Values are those of the agent, under perfect play by both from there on."""

    position: Position
    """The position that the agent was shown."""
    answer: str
    """The agent's last answer."""
    answers: int
    """How many answers it took."""
    move: int | None
    """The move; `None` if no answer named a legal one, which loses."""
    label: str
    """The move as the agent writes it; empty if there is none."""
    before: Value
    """What the position was worth."""
    after: Value | None
    """What the move left of it; `None` without a move."""
    best: tuple[str, ...]
    """The best moves, as the agent writes them."""
    regret: float
    """Points of the result that the move gave away; without a legal move, all that there were."""
    margin_loss: int | None
    """Cells of the final margin that the move gave away; `None` without a move or a margin."""


class TextGame:
    """One agent's game. `prompt` is what to answer; `answer` plays a move, the opponent's reply and forced passes."""

    def __init__(
        self,
        game: str | Game | Position,
        size: str | None = None,
        opponent: str | Engine = "random",
        player: int = 1,
        seed: int = 0,
        moves: Sequence[int] = (),
        options: PromptOptions | None = None,
    ) -> None:
        """Set up a game, on an empty board or from a position, after some moves. The seed is that of the opponent."""
        if player not in PLAYERS:
            raise InvalidArgument("the player is 1 or 2")
        if isinstance(game, Position) and size is not None:
            raise InvalidArgument("a position has its own size: leave out size")
        first = game if isinstance(game, Position) else start(game, size)
        self.player, self.options = player, options or PromptOptions()
        self.position, self.moves = play_all(first, moves), list(moves)
        self.presentation = self.options.present(self.position, f"{seed}")
        self.opponent = make_engine(opponent, seed) if isinstance(opponent, str) else opponent
        if self.opponent is None:
            raise UnknownPlayer(f"the opponent must be an engine, not {HUMAN}")
        self._owned = isinstance(opponent, str)
        self.turns: list[TextTurn] = []
        self.outcome: Outcome | None = None
        self.correction = ""
        """What was wrong with the last answer, if it is to be answered again."""
        self._answers = 0
        self._reply()

    @property
    def over(self) -> bool:
        """Whether the game has ended, also by a fault."""
        return self.outcome is not None

    @property
    def points(self) -> float:
        """The agent's result: 1 for a win, 1/2 for a draw, 0 for a loss and before the end."""
        if self.outcome is None:
            return 0.0
        return 0.5 if self.outcome.winner is None else float(self.outcome.winner == self.player)

    @property
    def regret(self) -> float:
        """The points that the agent's moves have given away so far."""
        return sum(turn.regret for turn in self.turns)

    @property
    def prompt(self) -> str:
        """What the agent is asked now: the whole turn, whatever was answered before."""
        if self.outcome:
            raise InvalidArgument("the game is over: there is nothing to ask")
        return write_prompt(self.position, self.moves, self.options, self.presentation)

    @property
    def labels(self) -> list[str]:
        """The legal moves, as the agent writes them."""
        return [self.presentation.label(move) for move in ([] if self.outcome else self.position.moves)]

    def answer(self, text: str) -> TextTurn | None:
        """Take an answer. `None` if it names no legal move and may be given again: then `correction` says why."""
        if self.outcome:
            raise InvalidArgument("the game is over: no answer is expected")
        self._answers += 1
        label = read_answer(text, self.presentation.moves)
        move = None if label is None else self.presentation.moves[label]
        legal = move is not None and self.position.allows(move)
        if not legal and self._answers <= self.options.retries:
            self.correction = write_correction(self.position, move, self.options, self.presentation)
            return None
        turn = self.grade(text, move if legal else None)
        self.turns.append(turn)
        self._answers, self.correction = 0, ""
        if turn.move is None:
            reason = "no move could be read" if move is None else self.position.refusal(move)
            self._end(forfeit(self.player, reason.rstrip(".")))
        else:
            self._play(turn.move)
            self._reply()
        return turn

    def grade(self, text: str, move: int | None) -> TextTurn:
        """The turn of a move here, by exact values. It is not played."""
        position = self.position
        values = solve_within(Solver.grade, position)
        before = max(values.values())
        after = None if move is None else values[move]
        return TextTurn(
            position,
            text,
            self._answers,
            move,
            "" if move is None else self.presentation.label(move),
            before,
            after,
            tuple(self.presentation.label(other) for other, value in values.items() if value == before),
            points_of(before) if after is None else lost_points(before, after),
            None if after is None else lost_margin(before, after),
        )

    def close(self) -> None:
        """Close an opponent that was made here. A game that ends does it itself."""
        if self._owned and self.opponent is not None:
            close_engine(self.opponent)
        self.opponent = None

    def _play(self, move: int) -> None:
        self.position = self.position.play(move)
        self.moves.append(move)

    def _reply(self) -> None:
        """Play forced passes and the opponent's moves, until it is the agent's turn or the game is over."""
        while not self.position.outcome:
            if self.position.must_pass:
                self._play(self.position.moves[0])
            elif self.position.player == self.player:
                return
            else:
                assert self.opponent
                try:
                    self._play(ask_engine(self.opponent, self.position))
                except EngineFault as fault:
                    self._end(forfeit(self.position.player, str(fault)))
                    return
        self._end(self.position.outcome)

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.close()
