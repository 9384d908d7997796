"""The full-screen app."""

import os
import re
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.events import Resize

from quintet.language import tr, use_language
from quintet.terminal.dialogs import TooSmallDialog
from quintet.terminal.home_screen import HomeScreen
from quintet.terminal.language_dialog import LanguageDialog
from quintet.terminal.text_screens import HelpScreen
from quintet.terminal.themes import DARK, LIGHT, PALETTES, make_theme

if TYPE_CHECKING:
    from quintet.store.finished import FinishedGame
    from quintet.store.matches import Store
    from quintet.study.progress import PlayedGame

SMALLEST = (72, 20)
"""Columns and lines of the smallest terminal that is enough."""


PACE = 0.45
"""Seconds that an engine takes for a move at least: long enough to see that it is its turn."""


def read_pace(text: str) -> float:
    """The pace that a text asks for; the usual one if it is not a number of seconds."""
    return float(text) if re.fullmatch(r"\d{1,3}(\.\d{1,3})?", text) else PACE


def open_store() -> "Store":
    """The store of the saved games; its library is loaded only when it is needed."""
    from quintet.store.matches import Store

    return Store()


class QuintetApp(App[None]):
    """The app: screens on top of each other, a store, and two themes."""

    CSS_PATH = "app.tcss"
    TITLE = "Quintet"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "theme", "Light/dark", show=False),
        Binding("question_mark", "help", "Help", show=False),
        Binding("ctrl+q,ctrl+c", "quit", "Quit", show=False, priority=True),
    ]

    def __init__(self, opener: "Callable[[], Store] | None" = None, seed: int | None = None) -> None:
        """Save games in the store that `opener` opens, if it is given. The seed is for random choices."""
        super().__init__()
        self.opener = opener
        self.store_fault = ""
        """Why the store could not be opened."""
        self.seed = seed
        self.played: dict[FinishedGame, PlayedGame | None] = {}
        """How well saved games were played, once reviewed; `None` where a game cannot be read."""
        for name in PALETTES:
            self.register_theme(make_theme(name))
        self.theme = DARK
        if os.environ.get("QUINTET_MOTION") == "0":
            self.animation_level = "none"
        self.pace = read_pace(os.environ.get("QUINTET_PACE", ""))
        """Seconds that an engine takes for a move at least; 0 for no pause."""

    @cached_property
    def store(self) -> "Store | None":
        """Where games are saved, opened when it is first needed; `None` if there is none."""
        try:
            return self.opener() if self.opener else None
        except Exception as error:  # A damaged or locked store must not prevent playing.
            self.store_fault = tr("Games are not saved: {reason}", reason=error)
            return None

    def on_mount(self) -> None:
        """Open the home screen."""
        self.push_screen(HomeScreen())

    def on_unmount(self) -> None:
        """Close the store, if it was ever opened."""
        store = vars(self).get("store")  # Where `cached_property` puts it: asking for it would open it now.
        if store:
            store.close()

    def on_resize(self, event: Resize) -> None:
        """Ask for a larger terminal if it is too small, and return to the screen before when it is large enough."""
        small = event.size.width < SMALLEST[0] or event.size.height < SMALLEST[1]
        shown = isinstance(self.screen, TooSmallDialog)
        if small and not shown:
            self.push_screen(TooSmallDialog(SMALLEST))
        elif shown and not small:
            self.pop_screen()

    def action_help(self) -> None:
        """Show the keys."""
        self.push_screen(HelpScreen())

    def action_language(self) -> None:
        """Choose another language, on the first screen."""
        self.push_screen(LanguageDialog(), self.speak)

    def speak(self, code: str | None) -> None:
        """Show the first screen in the language that was chosen, if one was."""
        if code:
            use_language(code)
            self.switch_screen(HomeScreen())

    def action_theme(self) -> None:
        """Switch between light and dark."""
        self.theme = LIGHT if self.theme == DARK else DARK
