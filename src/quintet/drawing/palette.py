"""The colours of all pictures, in light and dark. The app takes its main colours from here, too."""

LIGHT = {
    "paper": "#fbfaf7",
    "cell": "#f0ede4",
    "line": "#d9d3c3",
    "ink": "#5d5747",
    "one": "#2866b1",
    "two": "#c4501b",
    "one-cell": "#d7e5f6",
    "two-cell": "#f9e0d2",
}
DARK = {
    "paper": "#1b1d21",
    "cell": "#272a30",
    "line": "#3a3e46",
    "ink": "#b9b4a6",
    "one": "#7db4f5",
    "two": "#f59b6a",
    "one-cell": "#22344a",
    "two-cell": "#46301f",
}

LIGHT_PARTS = ("#cfe8c9", "#e2d6f3", "#f6e7a8", "#c4e6e4", "#f4d0de", "#dcd3bd")
DARK_PARTS = ("#2f5230", "#4a3a6b", "#5c5120", "#1f5554", "#63344a", "#4f4a3c")
"""Parts of a board. No two of them touch, so that colours may be used again."""


def variables(colours: dict[str, str]) -> str:
    """Colours as CSS variables."""
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


PALETTE = f"""
  svg {{ {variables(LIGHT)} }}
  @media (prefers-color-scheme: dark) {{
    svg {{ {variables(DARK)} }} }}
"""
"""The colours as CSS that follows the reader's preference."""
