"""A match with its engines at the table, every change on the disk before it is told."""

from typing import NoReturn

from quintet.engines import Engine
from quintet.keeper import Keeper
from quintet.llm.mcp.seats import Refusal, engine_of
from quintet.llm.mcp.wording import allowed, player, turn
from quintet.match import Match
from quintet.notation import InvalidMove, read_turn
from quintet.rules import PASS, IllegalMove
from quintet.store import Store

SECONDS = 5.0
"""How long an engine may think about a move."""


class Table:
    """One match, played on."""

    def __init__(self, id: str, match: Match, store: Store) -> None:
        """Seat the engines of a match that is kept under an id."""
        self.match = match
        self.keeper = Keeper(match, self.refuse, id, store)
        self.engines: list[Engine | None] = [engine_of(name) for name in match.names]

    def refuse(self, reason: str) -> NoReturn:
        """Nothing is told that is not kept."""
        raise Refusal(f"{reason}; show_board shows the match as it is kept")

    @property
    def engine(self) -> Engine | None:
        """The engine whose turn it is."""
        return None if self.match.outcome else self.engines[self.match.position.player - 1]

    def play(self, text: str) -> None:
        """Play the move that a text names, for whoever's turn it is, and go on."""
        match = self.match
        who = player(match, match.position.player)
        if match.outcome:
            raise Refusal(f"{turn(match)} undo_move takes back; start_match begins another match.")
        if self.engine:
            raise Refusal(f"It is the turn of {who}: resume_match lets it move.")
        try:
            moves, _ = read_turn(match.position, text)
        except (InvalidMove, IllegalMove) as error:
            raise Refusal(f"{error} {who} may play: {allowed(match)}") from None
        for move in moves:
            match.play(move)
        self.keeper.keep()
        self.go_on()

    def go_on(self) -> None:
        """Pass for whoever must, and let the engines move, until somebody has to be asked."""
        while not self.match.outcome and (self.engine or self.match.position.must_pass):
            position = self.match.position
            self.match.play(PASS if position.must_pass or not self.engine else self.engine.choose(position, SECONDS))
            self.keeper.keep()

    def undo(self) -> list[int]:
        """Take back the last move that was told, with what followed; gives what was taken. A resignation goes first."""
        match, taken = self.match, []
        if match.resigned or match.fault:
            match.resigned = match.fault = None
        else:
            choices = [
                ply
                for ply, move in enumerate(match.moves)
                if move != PASS and not self.engines[match.positions[ply].player - 1]
            ]
            if not choices:
                raise Refusal("There is nothing to take back: nobody but engines has moved.")
            taken = match.moves[choices[-1] :]
            while match.ply > choices[-1]:
                match.undo()
        self.keeper.keep()
        return taken

    def resign(self, number: int | None) -> None:
        """A player gives up, by default the one to move."""
        if self.match.outcome:
            raise Refusal(f"{turn(self.match)} There is nothing left to resign.")
        number = self.match.position.player if number is None else number
        if number not in (1, 2) or self.engines[number - 1]:
            raise Refusal("Engines do not resign: name the player who gives up, 1 or 2, a person or an assistant.")
        self.match.resigned = number
        self.keeper.keep()

    def close(self) -> None:
        """Send the engines home."""
        for engine in self.engines:
            if engine:
                engine.close()
