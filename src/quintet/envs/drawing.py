"""How environments show a position: as text, as pixels and as SVG."""

from collections.abc import Callable
from typing import Any

from quintet.envs import image
from quintet.picture import picture
from quintet.rules import Position

MODES: dict[str, Callable[[Position], Any]] = {"ansi": str, "rgb_array": image.picture, "svg": picture}
FRAMES_A_SECOND = 2


def check_mode(mode: str | None) -> str | None:
    """A mode of drawing that there is."""
    if mode is not None and mode not in MODES:
        raise ValueError(f"there is no render mode {mode!r}: choose {', '.join(MODES)}")
    return mode


def render(position: Position, mode: str | None) -> Any:
    """The position drawn, if a mode was chosen."""
    return None if mode is None else MODES[mode](position)
