"""How environments show a position: on the screen, as text, as pixels and as SVG."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from quintet.rules import Position


def image(position: Position) -> npt.NDArray[np.uint8]:
    """The position in rows, columns and colours."""
    canvas = position.pixels()
    return np.frombuffer(canvas.pixels, np.uint8).reshape(canvas.height, canvas.width, 3).copy()


HUMAN = "human"
"""The mode in which an environment prints the board by itself whenever it changes."""
MODES: dict[str, Callable[[Position], Any]] = {HUMAN: print, "ansi": str, "rgb_array": image, "svg": Position.picture}
FRAMES_A_SECOND = 2


def check_mode(mode: str | None) -> str | None:
    """A mode of drawing that there is."""
    if mode is not None and mode not in MODES:
        raise ValueError(f"there is no render mode {mode!r}: choose {', '.join(MODES)}")
    return mode


def render(position: Position, mode: str | None) -> Any:
    """The position drawn, if a mode was chosen."""
    return None if mode is None else MODES[mode](position)
