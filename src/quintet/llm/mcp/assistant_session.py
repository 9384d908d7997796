"""A match that an assistant manages: every change is saved before it is reported."""

from typing import NoReturn

from quintet.llm.mcp.cells import cell_name
from quintet.llm.mcp.descriptions import describe_turn, list_legal, player
from quintet.llm.mcp.players import InvalidRequest, engine_of
from quintet.match import Match
from quintet.notation import InvalidMove, read_turn
from quintet.rules import IllegalMove
from quintet.session import Session
from quintet.store.autosave import Autosave
from quintet.store.matches import Store

SECONDS = 5.0
"""An engine's time per move."""


class AssistantSession(Session):
    """One match that continues."""

    def __init__(self, id: str, match: Match, players: tuple[str, str], store: Store) -> None:
        """Continue the saved match of an id with its players."""
        engines = [engine_of(who) for who in players]
        super().__init__(match, engines, Autosave(match, self.fail, id, store))

    def fail(self, reason: str) -> NoReturn:
        """Report a change that could not be saved."""
        raise InvalidRequest(f"{reason}; show_board shows the saved match")

    def play_text(self, text: str) -> None:
        """Play the move that a text names, for the player to move, and let the engines answer."""
        match = self.match
        who = player(match, match.position.player)
        if match.outcome:
            raise InvalidRequest(
                f"{describe_turn(match)} Use undo_move to undo a move, or start_match to start another match."
            )
        if self.engine:
            raise InvalidRequest(f"It is the turn of {who}: use resume_match to let it move.")
        try:
            moves, _ = read_turn(match.position, text, cell_name)
        except (InvalidMove, IllegalMove) as error:
            raise InvalidRequest(f"{error} Legal moves of {who}: {list_legal(match)}") from None
        for move in moves:
            match.play(move)
        self.play_engines()

    def play_engines(self) -> None:
        """Play forced passes, and let the engines move until a person or an assistant is to move."""
        self.play_passes()
        self.save()
        while self.engine:
            move = self.engine_move(SECONDS)
            if move is not None:
                self.play(move)

    def undo(self) -> list[int]:
        """Take back a resignation, or the last move of a person or an assistant with all moves after it; returns them.

        Moves that only engines have played are not taken back.
        """
        before = self.match.moves.copy()
        if not self.match.reopen() and self.match.undo(self.people) is None:
            raise InvalidRequest("There is nothing to undo: only engines have moved.")
        self.save()
        return before[self.match.ply :]

    def resign(self, number: int | None) -> None:
        """A player resigns; by default the player to move."""
        if self.match.outcome:
            raise InvalidRequest(f"{describe_turn(self.match)} A finished match cannot be resigned.")
        number = self.match.position.player if number is None else number
        if number not in (1, 2) or self.engines[number - 1]:
            raise InvalidRequest("Engines do not resign: player must be 1 or 2, and a person or an assistant.")
        self.match.resigned = number
        self.save()
