"""The colours of the app, light and dark. Paper and marks are those of the pictures; cells and text are stronger."""

from dataclasses import dataclass

from textual.color import Color
from textual.theme import Theme

from quintet.drawing import palette as drawing


@dataclass(frozen=True, slots=True)
class Palette:
    """The colour of each thing."""

    dark: bool
    paper: Color
    panel: Color
    cell: Color
    ink: Color
    faint: Color
    one: Color
    two: Color
    one_cell: Color
    two_cell: Color
    good: Color
    bad: Color

    def mark(self, owner: int) -> Color:
        """The colour of a player's marks."""
        return self.one if owner == 1 else self.two

    def tile(self, owner: int) -> Color:
        """The colour of a player's cells."""
        return self.one_cell if owner == 1 else self.two_cell


def palette(dark: bool, **colours: str) -> Palette:
    """A palette from its own colours and those of the pictures."""
    drawn = drawing.DARK if dark else drawing.LIGHT
    shared = {name: drawn[name] for name in ("paper", "one", "two")}
    return Palette(dark, **{name: Color.parse(text) for name, text in (shared | colours).items()})


PALETTES = {
    "quintet-dark": palette(
        dark=True,
        panel="#212429",
        cell="#343942",
        ink="#dcd8cc",
        faint="#8b897f",
        one_cell="#22405f",
        two_cell="#5a3722",
        good="#6fc27f",
        bad="#e0697a",
    ),
    "quintet-light": palette(
        dark=False,
        panel="#f3f0e8",
        cell="#e2ddcf",
        ink="#3d392e",
        faint="#8a8371",
        one_cell="#c3d9f2",
        two_cell="#f6cfb8",
        good="#3c9150",
        bad="#c23b50",
    ),
}
DARK, LIGHT = PALETTES


def make_theme(name: str) -> Theme:
    """The theme of a palette, for everything that is not the board."""
    colours = PALETTES[name]
    return Theme(
        name=name,
        dark=colours.dark,
        primary=colours.one.hex,
        secondary=colours.two.hex,
        accent=colours.one.hex,
        foreground=colours.ink.hex,
        background=colours.paper.hex,
        surface=colours.panel.hex,
        panel=colours.panel.hex,
        success=colours.good.hex,
        error=colours.bad.hex,
        warning=colours.two.hex,
        variables={
            "one": colours.one.hex,
            "two": colours.two.hex,
            "one-cell": colours.one_cell.hex,
            "two-cell": colours.two_cell.hex,
            "faint": colours.faint.hex,
            "cell": colours.cell.hex,
            "footer-background": colours.panel.hex,
            "footer-key-foreground": colours.one.hex,
            "footer-description-foreground": colours.faint.hex,
            "block-cursor-foreground": colours.paper.hex,
            "block-cursor-background": colours.one.hex,
            "block-cursor-text-style": "bold",
            "block-cursor-blurred-foreground": colours.ink.hex,
            "block-cursor-blurred-background": colours.cell.hex,
            "input-selection-background": colours.one_cell.hex,
        },
    )
