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

    def part(self, number: int) -> Color:
        """The colour of a part of the board."""
        colours = drawing.DARK_PARTS if self.dark else drawing.LIGHT_PARTS
        return Color.parse(colours[number % len(colours)])


OWN_COLOURS = {
    "panel": ("#212429", "#f3f0e8"),
    "cell": ("#343942", "#e2ddcf"),
    "ink": ("#dcd8cc", "#3d392e"),
    "faint": ("#8b897f", "#8a8371"),
    "one_cell": ("#22405f", "#c3d9f2"),
    "two_cell": ("#5a3722", "#f6cfb8"),
    "good": ("#6fc27f", "#3c9150"),
    "bad": ("#e0697a", "#c23b50"),
}
"""The app's own colours: dark and light."""


def make_palette(dark: bool) -> Palette:
    """A palette from the app's own colours and those of the pictures."""
    drawn = drawing.DARK if dark else drawing.LIGHT
    shared = {name: drawn[name] for name in ("paper", "one", "two")}
    own = {name: pair[0 if dark else 1] for name, pair in OWN_COLOURS.items()}
    return Palette(dark, **{name: Color.parse(text) for name, text in (shared | own).items()})


PALETTES = {"quintet-dark": make_palette(dark=True), "quintet-light": make_palette(dark=False)}
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
