"""The full-screen app."""

import os
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.events import Resize

from quintet.terminal.choose import ChooseScreen
from quintet.terminal.pages import TooSmall
from quintet.terminal.themes import DARK, LIGHT, PALETTES, make_theme

if TYPE_CHECKING:
    from quintet.store import Store

SMALLEST = (72, 20)
"""Columns and lines below which nothing is shown but a request for more."""


def open_store() -> "Store":
    """The store of the user's games; its library is loaded only when it is needed."""
    from quintet.store import Store

    return Store()


class QuintetApp(App[None]):
    """Five games on a screen."""

    CSS_PATH = "app.tcss"
    TITLE = "Quintet"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "theme", "Light/dark", show=False),
        Binding("ctrl+q,ctrl+c", "quit", "Quit", show=False, priority=True),
    ]

    def __init__(self, opener: Callable[[], Any] | None = None, seed: int | None = None) -> None:
        """Games are kept in the store that `opener` opens, if one is given; chance repeats itself with a seed."""
        super().__init__()
        self.opener = opener
        self.store_fault = ""
        """Why there is no store though there should be."""
        self.seed = seed
        for name in PALETTES:
            self.register_theme(make_theme(name))
        self.theme = DARK
        if os.environ.get("QUINTET_MOTION") == "0":
            self.animation_level = "none"

    @cached_property
    def store(self) -> Any:
        """Where games are kept, opened when it is first needed; `None` where there is none."""
        try:
            return self.opener() if self.opener else None
        except Exception as error:  # A damaged or locked store must not keep anybody from playing.
            self.store_fault = f"Games are not kept: {error}"
            return None

    def on_mount(self) -> None:
        """Begin with the list of games."""
        self.push_screen(ChooseScreen())

    def on_unmount(self) -> None:
        """Close the store, if it was ever opened."""
        store = vars(self).get("store")  # Where `cached_property` puts it: asking for it would open it now.
        if store:
            store.close()

    def on_resize(self, event: Resize) -> None:
        """Ask for more room where there is too little, and go on where the players were when it comes."""
        small = event.size.width < SMALLEST[0] or event.size.height < SMALLEST[1]
        shown = isinstance(self.screen, TooSmall)
        if small and not shown:
            self.push_screen(TooSmall(SMALLEST))
        elif shown and not small:
            self.pop_screen()

    def action_theme(self) -> None:
        """Change between light and dark."""
        self.theme = LIGHT if self.theme == DARK else DARK
