"""The screen of the games that were kept."""

from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.markup import escape
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Static

from quintet.engines import HUMAN, kept_player, make_engine
from quintet.engines.kinds import title_of
from quintet.store import StoreFault
from quintet.terminal.play import PlayScreen
from quintet.terminal.reviewing import ReviewScreen
from quintet.terminal.table import Table

if TYPE_CHECKING:
    from quintet.terminal.app import QuintetApp

RESULTS = {"1-0": "Player 1 won", "0-1": "Player 2 won", "1/2": "draw", "*": "unfinished"}


class HistoryTable(DataTable[str]):
    """The games, latest first."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select_cursor", "Go on or review", key_display="⏎")]


class HistoryScreen(Screen[None]):
    """A list of games; an unfinished one goes on, a finished one is reviewed."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "app.pop_screen", "Back", key_display="esc")]

    def compose(self) -> ComposeResult:
        """The list."""
        yield Static(id="empty", markup=False)
        yield HistoryTable(id="kept", cursor_type="row", zebra_stripes=True)
        yield Footer(compact=True, show_command_palette=False)

    @property
    def quintet(self) -> "QuintetApp":
        """The app, which knows the store."""
        return cast("QuintetApp", self.app)

    @property
    def store(self) -> Any:
        """Where games are kept."""
        return self.quintet.store

    def on_mount(self) -> None:
        """Name the columns."""
        self.query_one(HistoryTable).add_columns(
            "When (local time)", "Game", "Size", "Player 1", "Player 2", "Moves", "Result"
        )

    def on_screen_resume(self) -> None:
        """List what is kept now."""
        table = self.query_one(HistoryTable)
        table.clear()
        try:
            entries = self.store.entries() if self.store else []
        except StoreFault as fault:
            self.say(str(fault))
            return
        for entry in entries:
            table.add_row(
                entry.when,
                entry.game,
                entry.size,
                *(escape(title_of(name)) for name in entry.names),
                str(entry.plies),
                RESULTS.get(entry.result, entry.result),
                key=entry.id,
            )
        missing = "No games have been kept yet."
        if self.store is None:
            missing = self.quintet.store_fault or "History is not available."
        self.say("" if entries else missing)

    def say(self, text: str) -> None:
        """A line above the list."""
        self.query_one("#empty", Static).update(text)
        self.query_one("#empty").display = bool(text)

    @on(DataTable.RowSelected)
    def open(self, event: DataTable.RowSelected) -> None:
        """Go on with a game, or review it."""
        id = str(event.row_key.value)
        try:
            match = self.store.load(id)
        except StoreFault as fault:
            self.say(str(fault))
            return
        if match.outcome:
            self.app.push_screen(ReviewScreen(match))
            return
        # A person plays on for a program, which opening a match must not start.
        engines = [make_engine(kept_player(name) or HUMAN, self.quintet.seed) for name in match.names]
        self.app.push_screen(PlayScreen(Table(match, engines, self.store, id)))
