"""The screen of saved games."""

from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Static

from quintet.engines.kinds import HUMAN, title_of
from quintet.engines.players import HUMAN_PLAYER, stored_player
from quintet.safe_text import escape
from quintet.store.database import StoreFault
from quintet.terminal.app_session import AppSession
from quintet.terminal.play_screen import PlayScreen
from quintet.terminal.review_screen import ReviewScreen

if TYPE_CHECKING:
    from quintet.store.matches import Store
    from quintet.terminal.app import QuintetApp

RESULTS = {"1-0": "Player 1 won", "0-1": "Player 2 won", "1/2": "draw", "*": "unfinished"}


class HistoryTable(DataTable[Text]):
    """The saved games, latest first."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select_cursor", "Continue or review", key_display="⏎")]


class HistoryScreen(Screen[None]):
    """A list of saved games, to continue or to review."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "app.pop_screen", "Back", key_display="esc")]

    def compose(self) -> ComposeResult:
        """The list."""
        yield Static(id="empty", markup=False)
        yield HistoryTable(id="saved", cursor_type="row", zebra_stripes=True)
        yield Footer(compact=True, show_command_palette=False)

    @property
    def quintet(self) -> "QuintetApp":
        """The app, which has the store."""
        return cast("QuintetApp", self.app)

    @property
    def store(self) -> "Store | None":
        """Where games are saved."""
        return self.quintet.store

    def on_mount(self) -> None:
        """Name the columns."""
        self.query_one(HistoryTable).add_columns(
            "When (local time)", "Game", "Size", "Player 1", "Player 2", "Moves", "Result"
        )

    def on_screen_resume(self) -> None:
        """List the saved games."""
        table = self.query_one(HistoryTable)
        table.clear()
        try:
            entries = self.store.entries() if self.store else []
        except StoreFault as fault:
            self.say(str(fault))
            return
        for entry in entries:
            names, result = map(title_of, entry.names), RESULTS.get(entry.result, entry.result)
            cells = entry.when, entry.game, entry.size, *names, str(entry.plies), result
            # As `Text`: markup in what a database says would be obeyed.
            table.add_row(*(Text(escape(cell)) for cell in cells), key=entry.id)
        missing = "No saved games yet."
        if self.store is None:
            missing = self.quintet.store_fault or "Saved games are not available."
        self.say("" if entries else missing)

    def say(self, text: str) -> None:
        """Show a message above the list."""
        self.query_one("#empty", Static).update(text)
        self.query_one("#empty").display = bool(text)

    @on(DataTable.RowSelected)
    def open(self, event: DataTable.RowSelected) -> None:
        """Continue a game, or review it if it is over."""
        id, store = str(event.row_key.value), self.store
        assert store is not None
        try:
            match = store.load(id)
            players = (HUMAN, HUMAN) if match.outcome else store.players(id)
        except StoreFault as fault:
            self.say(str(fault))
            return
        if match.outcome:
            self.app.push_screen(ReviewScreen(match))
            return
        # Opening a match must not start a program, so a person takes its place.
        engines = [(stored_player(who) or HUMAN_PLAYER).make(self.quintet.seed) for who in players]
        self.app.push_screen(PlayScreen(AppSession(match, engines, store, id)))
