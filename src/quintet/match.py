"""A game between two players: what was played, taking back, resigning, and the record of it."""

from collections.abc import Sequence
from datetime import date

from quintet.record import RESULTS, UNFINISHED, Record
from quintet.rules import PASS, Outcome, Position


class Match:
    """A game from its first position on."""

    def __init__(self, start: Position, moves: Sequence[int] = (), names: tuple[str, str] = ("human", "human")) -> None:
        """Begin at a position and play the moves given."""
        self.names = names
        self.moves: list[int] = []
        self.positions = [start]
        self.resigned: int | None = None
        """The player who gave up, or who forfeited the game."""
        self.fault = ""
        """Why that player forfeited it."""
        for move in moves:
            self.play(move)

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    @property
    def ply(self) -> int:
        """How many moves were played, passes included."""
        return len(self.moves)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; `None` while it goes on."""
        if self.resigned:
            how = f"forfeited: {self.fault}" if self.fault else "resigned"
            return Outcome(3 - self.resigned, f"Player {self.resigned} {how}", "resigned")
        return self.position.outcome

    def play(self, move: int) -> None:
        """Play a legal move for the player to move."""
        self.positions.append(self.position.play(move))
        self.moves.append(move)

    def undo(self) -> int | None:
        """Take back the last claim, with the forced passes after it; `None` if there is none."""
        while self.moves:
            self.positions.pop()
            move = self.moves.pop()
            if move != PASS:
                return move
        return None

    def resign(self) -> None:
        """The player to move gives up."""
        self.resigned = self.position.player

    def forfeit(self, reason: str) -> None:
        """The player to move loses, because of a fault."""
        self.resigned, self.fault = self.position.player, reason

    def record(self) -> Record:
        """The game on paper."""
        outcome = self.outcome
        tags = {"Player1": self.names[0], "Player2": self.names[1], "Date": date.today().isoformat()}
        if outcome:
            tags["Termination"] = outcome.reason
        result = RESULTS[outcome.winner] if outcome else UNFINISHED
        return Record(self.positions[0], tuple(self.moves), result, tags)
