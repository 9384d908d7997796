"""The list of languages, on top of the first screen."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Label, OptionList
from textual.widgets.option_list import Option

from quintet.language import LANGUAGES, chosen_language, tr


class LanguageDialog(ModalScreen[str]):
    """The languages to choose from, each called as its speakers call it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Back")]

    def compose(self) -> ComposeResult:
        """The list."""
        with Vertical(id="question"):
            yield Label(tr("Language"))
            yield OptionList(*(Option(name, id=code) for code, name in LANGUAGES.items()), compact=True)

    def on_mount(self) -> None:
        """Start at the language that is spoken now."""
        self.query_one(OptionList).highlighted = list(LANGUAGES).index(chosen_language())

    @on(OptionList.OptionSelected)
    def choose(self, event: OptionList.OptionSelected) -> None:
        """Give the code of the language that was chosen."""
        self.dismiss(event.option_id)
