"""How environments render a position: printed, as text, as pixels, or as SVG."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from quintet.envs.space import check_choice
from quintet.rules import Position


def image(position: Position) -> npt.NDArray[np.uint8]:
    """The position as rows, columns and colours."""
    canvas = position.pixels()
    return np.frombuffer(canvas.pixels, np.uint8).reshape(canvas.height, canvas.width, 3).copy()


HUMAN = "human"
"""In this mode an environment prints the board whenever it changes."""
Frame = str | npt.NDArray[np.uint8] | None
MODES: dict[str, Callable[[Position], Frame]] = {HUMAN: print, "ansi": str, "rgb_array": image, "svg": Position.picture}
FRAMES_PER_SECOND = 2


def check_mode(mode: str | None) -> str | None:
    """A render mode that exists, or none."""
    if mode is not None:
        check_choice("render_mode", mode, list(MODES))
    return mode


def render(position: Position, mode: str | None) -> Frame:
    """The position rendered, if a mode was chosen."""
    return None if mode is None else MODES[mode](position)
