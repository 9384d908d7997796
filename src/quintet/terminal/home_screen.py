"""The first screen: the list of games, a picture of the chosen one, and its rules."""

import random
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import ScreenResume
from textual.widgets import Label, Markdown, OptionList, Static
from textual.widgets.option_list import Option

from quintet.games import GAMES
from quintet.language import tr, tr_markdown
from quintet.match import Match
from quintet.options import start
from quintet.rules import Game
from quintet.study.puzzles import day_number, today
from quintet.terminal.board_widget import BoardWidget
from quintet.terminal.keys_footer import KeysFooter
from quintet.terminal.setup_screen import SetupScreen
from quintet.terminal.text_screens import GameScreen
from quintet.view import View, make_view

PART_PLAYED = 0.4
"""How full the board is in the picture."""


def sample(game: Game) -> View:
    """A game in progress, always the same one."""
    match = Match(start(game))
    rng = random.Random(5)
    while not match.outcome:
        mine, theirs = match.position.claims
        if (mine | theirs).bit_count() >= PART_PLAYED * match.position.board.cells or len(match.position.moves) < 3:
            break
        match.play(rng.choice(match.position.moves))
    return make_view(match)


class GameList(OptionList):
    """The games."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Play", key_display="⏎")]


class HomeScreen(GameScreen):
    """The games on the left, the chosen game on the right."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l", "lesson", "Lesson"),
        Binding("r", "rules", "Rules", show=False),
        Binding("p", "puzzle", "Puzzle"),
        Binding("d", "daily", "Daily puzzle", show=False),
        Binding("y", "history", "History"),
        Binding("g", "progress", "Progress"),
        Binding("a", "app.language", "Language"),
        Binding("t", "app.theme", "Light/dark", show=False),
        Binding("question_mark", "app.help", "Help", key_display="?"),
        Binding("q", "app.quit", "Quit"),
    ]

    def compose(self) -> ComposeResult:
        """The list, the picture and the rules."""
        with Horizontal(id="body"):
            with Vertical(id="games"):
                yield Label("[b][$one]Q[/][$two]u[/][$one]i[/][$two]n[/][$one]t[/][$two]e[/][$one]t[/][/]", id="brand")
                yield Label(tr("New here? Press l"), id="motto")
                yield Label(id="today")
                yield GameList(*(Option(f"\n  {tr(game.title)}\n", id=game.name) for game in GAMES.values()), id="list")
            with Vertical(id="game"):
                yield BoardWidget(sample(self.current_game()), active=False, id="picture")
                yield Static(id="summary", markup=False)
                with VerticalScroll(id="rules", can_focus=True):
                    yield Markdown(id="manual", open_links=False)
        yield KeysFooter()

    @on(ScreenResume)
    def show_number(self) -> None:
        """Show the number of today's puzzle, which may have changed since."""
        number = day_number(today())
        self.query_one("#today", Label).update(tr("Puzzle #{number}: press d", number=number))

    def current_game(self) -> Game:
        """The game under the cursor."""
        lists = self.query(OptionList)
        at = lists.first().highlighted if lists else None
        return list(GAMES.values())[at or 0]

    def on_mount(self) -> None:
        """Choose the first game."""
        self.query_one(OptionList).highlighted = 0

    @on(OptionList.OptionHighlighted)
    def look(self) -> None:
        """Show the game under the cursor."""
        game = self.current_game()
        self.query_one("#picture", BoardWidget).view = sample(game)
        self.query_one("#summary", Static).update(tr(game.summary))
        self.query_one("#manual", Markdown).update(tr_markdown(game.manual))
        self.query_one("#rules").scroll_home(animate=False)

    @on(OptionList.OptionSelected)
    def action_choose(self) -> None:
        """Set the game up."""
        self.app.push_screen(SetupScreen(self.current_game()))

    def action_puzzle(self) -> None:
        """Show puzzles of this game."""
        from quintet.terminal.puzzle_screen import PuzzleScreen

        self.app.push_screen(PuzzleScreen(self.current_game()))

    def action_daily(self) -> None:
        """Show the puzzle of the day."""
        from quintet.terminal.daily_screen import DailyScreen

        self.app.push_screen(DailyScreen(today()))

    def action_history(self) -> None:
        """Show the saved games."""
        from quintet.terminal.history_screen import HistoryScreen

        self.app.push_screen(HistoryScreen())

    def action_progress(self) -> None:
        """Show one's own progress."""
        from quintet.terminal.progress_screen import ProgressScreen

        self.app.push_screen(ProgressScreen())
