"""The public surface: small, documented, and loaded only where it is used."""

import copy
import doctest
import inspect
import subprocess
import sys
from xml.etree import ElementTree

import quintet
from boards import every_game
from quintet.options import start
from quintet.rules import Game

NAMES = """
GAMES Analysis Engine Game IllegalMove Match Outcome Position Puzzle Record Review Solver Store Value analyze engine
game make_puzzle read_moves read_position read_record replay review start write_moves
write_position write_record
"""


def test_the_names_are_these() -> None:
    """Adding one is a promise; taking one away breaks somebody's program."""
    assert quintet.__all__ == NAMES.split() and dir(quintet) == sorted(quintet.__all__)
    for name in quintet.__all__:
        thing = getattr(quintet, name)
        assert name == "GAMES" or inspect.getdoc(thing), f"{name} says nothing of itself"
    assert not hasattr(quintet, "no_such_name")


def test_the_example_is_true() -> None:
    tried = doctest.testmod(quintet)
    assert tried.attempted > 3 and tried.failed == 0


def test_nothing_is_loaded_before_it_is_used() -> None:
    code = "import quintet, sys; print(sorted(name for name in sys.modules if name.startswith('quintet')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "['quintet']"


@every_game
def test_a_notebook_shows_a_position_as_a_picture(game: Game) -> None:
    drawing = start(game)._repr_svg_()
    assert ElementTree.fromstring(drawing).tag.endswith("svg") and game.title in drawing


@every_game
def test_a_copy_of_a_position_is_of_the_same_game(game: Game) -> None:
    position = start(game)
    assert copy.deepcopy([position])[0] == position and game.name in repr(position)
