"""The screen of saved games."""

from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import DataTable, Static

from quintet.engines.kinds import HUMAN, title_of
from quintet.engines.players import HUMAN_PLAYER, stored_player
from quintet.games import GAMES
from quintet.language import later, tr
from quintet.safe_text import escape
from quintet.store.database import StoreFault
from quintet.terminal.app_session import AppSession
from quintet.terminal.keys_footer import KeysFooter
from quintet.terminal.play_screen import PlayScreen
from quintet.terminal.review_screen import ReviewScreen

if TYPE_CHECKING:
    from quintet.store.matches import Store
    from quintet.terminal.app import QuintetApp

RESULTS = {"1-0": later("X won"), "0-1": later("O won"), "1/2": later("Draw"), "*": later("unfinished")}
COLUMNS = {"When": later("When"), "Game": later("Game"), "Size": later("Size"), "Moves": later("Moves")}
COLUMNS |= {"X": "X", "O": "O", "Result": later("Result")}
WIDTHS = {"When": 16, "Game": 14, "Size": 5, "X": 0, "O": 0, "Moves": 7, "Result": 13}
"""The columns and how wide they are, in local time; the two players share what is left."""
NO_YEAR = 11
"""How wide a time is without its year."""
ROOM_FOR_MOVES, ROOM_FOR_YEAR = 88, 78
"""How wide a terminal must be to show them."""
LONGEST_NAME = 24


def column_widths(columns: int) -> dict[str, int]:
    """The columns of the list that a terminal has room for, and how wide they are."""
    widths = WIDTHS.copy()
    if columns < ROOM_FOR_MOVES:
        del widths["Moves"]
    if columns < ROOM_FOR_YEAR:
        widths["When"] = NO_YEAR
    left = columns - 1 - sum(width + 2 for width in widths.values())  # A scroll bar, and a space around each column.
    widths["X"] = widths["O"] = min(max(left // 2, 1), LONGEST_NAME)
    return widths


class HistoryTable(DataTable[Text]):
    """The saved games, latest first."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select_cursor", "Continue or review", key_display="⏎")]


class HistoryScreen(Screen[None]):
    """A list of saved games, to continue or to review."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "app.help", "Help", key_display="?"),
        Binding("escape", "app.pop_screen", "Back", key_display="esc"),
    ]

    def compose(self) -> ComposeResult:
        """The list."""
        yield Static(id="empty", markup=False)
        yield HistoryTable(id="saved", cursor_type="row", zebra_stripes=True)
        yield KeysFooter()

    @property
    def quintet(self) -> "QuintetApp":
        """The app, which has the store."""
        return cast("QuintetApp", self.app)

    @property
    def store(self) -> "Store | None":
        """Where games are saved."""
        return self.quintet.store

    def on_resize(self) -> None:
        """Fit the columns into the width there is."""
        self.on_screen_resume()

    def on_screen_resume(self) -> None:
        """List the saved games."""
        table = self.query_one(HistoryTable)
        chosen = table.cursor_row
        table.clear(columns=True)
        widths = column_widths(self.app.size.width)
        for name, width in widths.items():
            table.add_column(tr(COLUMNS[name]), width=width)
        try:
            entries = self.store.entries() if self.store else []
        except StoreFault as fault:
            self.say(str(fault))
            return
        for entry in entries:
            names, result = map(title_of, entry.names), tr(RESULTS.get(entry.result, entry.result))
            when = entry.when[-widths["When"] :]
            title = tr(GAMES[entry.game].title) if entry.game in GAMES else entry.game
            cells = when, title, entry.size, *names, str(entry.plies), result
            # As `Text`: markup in what a database says would be obeyed.
            shown = dict(zip(WIDTHS, cells, strict=True))
            row = (Text(escape(shown[name]), no_wrap=True, overflow="ellipsis") for name in widths)
            table.add_row(*row, key=entry.id)
        table.move_cursor(row=chosen)
        missing = tr("No saved games yet.")
        if self.store is None:
            missing = self.quintet.store_fault or tr("Saved games are not available.")
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
            players = [HUMAN, HUMAN] if match.outcome else list(store.players(id))
        except StoreFault as fault:
            self.say(str(fault))
            return
        if match.outcome:
            self.app.push_screen(ReviewScreen(match))
            return
        # Opening a match must not start a program, so a person takes its place.
        first, second = (who if stored_player(who) else HUMAN for who in players)
        engines = [(stored_player(who) or HUMAN_PLAYER).make(self.quintet.seed) for who in players]
        self.app.push_screen(PlayScreen(AppSession(match, engines, store, id, players=(first, second))))
