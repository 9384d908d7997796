"""A game between two players: what was played, taking back, resigning, and the record of it."""

from collections.abc import Container, Sequence
from datetime import date
from typing import TYPE_CHECKING

from quintet.games import find_game
from quintet.language import later, tr
from quintet.notation import read_moves, read_position
from quintet.options import InvalidOptions, start
from quintet.record import RESULTS, Record, ending_of, player_names
from quintet.rules import PASS, Outcome, Position, forfeit

if TYPE_CHECKING:
    from random import Random


class Match:
    """A game from its first position on."""

    def __init__(self, start: Position, moves: Sequence[int] = (), names: tuple[str, str] = ("human", "human")) -> None:
        """Begin at a position and play the moves given."""
        self.names = names
        self.moves: list[int] = []
        self.positions = [start]
        self.resigned: int | None = None
        """The player who resigned."""
        self.fault: tuple[int, str] | None = None
        """The player who forfeited the game, and why."""
        for move in moves:
            self.play(move)

    def copy(self) -> "Match":
        """An independent copy."""
        copy = Match(self.positions[0], names=self.names)
        copy.moves, copy.positions = self.moves.copy(), self.positions.copy()
        copy.resigned, copy.fault = self.resigned, self.fault
        return copy

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
        """How the game ended; `None` while it is not over."""
        if self.resigned:
            return Outcome(3 - self.resigned, f"Player {self.resigned} resigned", "resigned")
        if self.fault:
            return forfeit(*self.fault)
        return self.position.outcome

    def play(self, move: int) -> None:
        """Play a legal move for the player to move."""
        self.positions.append(self.position.play(move))
        self.moves.append(move)

    def last_claim(self, players: Container[int] = (1, 2)) -> int | None:
        """The ply of the last claim that one of these players made; `None` if there is none."""
        plies = reversed(range(self.ply))
        return next((ply for ply in plies if self.moves[ply] != PASS and self.positions[ply].player in players), None)

    def undo(self, players: Container[int] = (1, 2)) -> int | None:
        """Take back the last claim of one of these players, with all that followed it; `None` if there is none."""
        ply = self.last_claim(players)
        if ply is None:
            return None
        move = self.moves[ply]
        del self.moves[ply:], self.positions[ply + 1 :]
        return move

    def reopen(self) -> bool:
        """Undo a resignation or a forfeit; true if there was one."""
        decided = bool(self.resigned or self.fault)
        self.resigned = self.fault = None
        return decided

    def resign(self) -> None:
        """The player to move resigns."""
        self.resigned = self.position.player

    def forfeit(self, player: int, reason: str) -> None:
        """A player, to move or not, cannot continue and loses."""
        self.fault = player, " ".join(reason.split())

    def record(self, day: date | None = None) -> Record:
        """The record of the game, with the date it was played: by default today, in local time."""
        ending = ending_of(self.outcome)
        tags = {"Player1": self.names[0], "Player2": self.names[1], "Date": (day or date.today()).isoformat()}
        if ending.termination is not None:
            tags["Termination"] = ending.termination
        return Record(self.positions[0], tuple(self.moves), ending.result, tags)


def open_match(
    game: str,
    size: str | None = None,
    target: int | str | None = None,
    values: str | None = None,
    shuffle: int | str | None = None,
    first: int | None = None,
    moves: str = "",
    position: str | None = None,
) -> Match:
    """The match that options describe: from an empty board, or from a position, which has a board and a turn already.

    Everything that can be wrong with them is a `QuintetError`.
    """
    if position is None:
        begun = start(game, size, target, values, shuffle, first or 1)
    else:
        given = {"size": size, "target": target, "values": values, "shuffle": shuffle, "first": first}
        for name, value in given.items():
            if value is not None:
                text = later("a position includes its board and whose turn it is: leave out {option}")
                raise InvalidOptions(name, tr(text, option=name))
        begun = read_position(position)
        if begun.game is not find_game(game):
            text = tr("this is a position of {game}, not of {other}", game=begun.game.name, other=game)
            raise InvalidOptions("position", text)
    return Match(begun, read_moves(begun, moves))


def replay(record: Record) -> Match:
    """The match of a record. A game that was decided before its end was forfeited or resigned."""
    match = Match(record.start, record.moves, player_names(record))
    winner = {text: player for player, text in RESULTS.items()}.get(record.result)
    if winner and not match.outcome:
        forfeits = f"Player {3 - winner} forfeits: "
        ending = record.tags.get("Termination", "")
        if ending.startswith(forfeits):
            match.forfeit(3 - winner, ending.removeprefix(forfeits))
        else:
            match.resigned = 3 - winner
    return match


def random_opening(position: Position, rng: "Random", most: int) -> list[int]:
    """Up to `most` random moves from a position. They do not end the game."""
    moves: list[int] = []
    for _ in range(most):
        move = rng.choice(position.moves)
        position = position.play(move)
        if position.outcome:
            break
        moves.append(move)
    return moves
