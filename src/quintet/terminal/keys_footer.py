"""The line at the bottom of a screen that names its keys, in the reader's language."""

from textual.app import ComposeResult
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

from quintet.language import tr


class KeysFooter(Footer):
    """The keys that can be pressed now. What they do is said by the bindings, and translated as it is shown."""

    def __init__(self) -> None:
        """Show the keys in one line."""
        super().__init__(compact=True, show_command_palette=False)

    def compose(self) -> ComposeResult:
        """The keys, each with what it does."""
        for widget in super().compose():
            if isinstance(widget, FooterKey):
                widget.description = tr(widget.description)
            yield widget
