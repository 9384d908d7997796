"""The table of a match that an assistant looks after: every change is on the disk before it is told."""

from typing import NoReturn

from quintet.llm.mcp.seats import Refusal, engine_of
from quintet.llm.mcp.wording import allowed, player, turn
from quintet.match import Match
from quintet.notation import InvalidMove, read_turn
from quintet.rules import IllegalMove
from quintet.session import Session
from quintet.store.keeper import Keeper
from quintet.store.matches import Store

SECONDS = 5.0
"""How long an engine may think about a move."""


class AssistantSession(Session):
    """One match, played on."""

    def __init__(self, id: str, match: Match, store: Store) -> None:
        """Seat the engines of a match that is kept under an id."""
        engines = [engine_of(name) for name in match.names]
        super().__init__(match, engines, Keeper(match, self.refuse, id, store))

    def refuse(self, reason: str) -> NoReturn:
        """Nothing is told that is not kept."""
        raise Refusal(f"{reason}; show_board shows the match as it is kept")

    def tell(self, text: str) -> None:
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
        self.go_on()

    def go_on(self) -> None:
        """Pass for whoever must, and let the engines move, until somebody has to be asked."""
        self.pass_on()
        self.keep()
        while self.engine:
            move = self.engine_move(SECONDS)
            if move is not None:
                self.play(move)

    def undo(self) -> list[int]:
        """Take back the last move that was told, with what followed; gives what was taken. A resignation goes first.

        What only engines have played stays: an assistant has no move to regret, and is told so.
        """
        before = self.match.moves.copy()
        if not self.match.reopen() and self.match.undo(self.people) is None:
            raise Refusal("There is nothing to take back: nobody but engines has moved.")
        self.keep()
        return before[self.match.ply :]

    def resign(self, number: int | None) -> None:
        """A player gives up, by default the one to move."""
        if self.match.outcome:
            raise Refusal(f"{turn(self.match)} There is nothing left to resign.")
        number = self.match.position.player if number is None else number
        if number not in (1, 2) or self.engines[number - 1]:
            raise Refusal("Engines do not resign: name the player who gives up, 1 or 2, a person or an assistant.")
        self.match.resigned = number
        self.keep()
