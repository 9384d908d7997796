"""The public surface: small, documented, and loaded only where it is used."""

import ast
import copy
import doctest
import inspect
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

import quintet
from boards import every_board, every_game
from quintet.options import start
from quintet.rules import Game, Position
from quintet.study.coach import hint

ROOT = Path(__file__).parent.parent
PROMISED = set(re.findall(r"`([\w.]+)`", str(quintet.__doc__)))
NAMES = """
GAMES Analysis Engine Game IllegalMove InvalidMove Match Outcome Position Puzzle QuintetError Record Review Solver Store
Value
analyze engine game make_puzzle read_move read_moves read_position read_record regret replay review start
write_moves write_position write_record
"""


def test_the_names_are_these() -> None:
    """Adding one is a promise; taking one away breaks somebody's program."""
    assert quintet.__all__ == NAMES.split() and dir(quintet) == sorted(quintet.__all__)
    for name in quintet.__all__:
        thing = getattr(quintet, name)
        told = inspect.getdoc(thing) if callable(thing) else name in PROMISED
        assert told, f"{name} says nothing of itself"
    assert not hasattr(quintet, "no_such_name")


def test_the_example_is_true() -> None:
    tried = doctest.testmod(quintet)
    assert tried.attempted > 3 and tried.failed == 0


def test_nothing_is_loaded_before_it_is_used() -> None:
    code = "import quintet, sys; print(sorted(name for name in sys.modules if name.startswith('quintet')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "['quintet']"


def load_match(id: str) -> quintet.Match:
    """A match that was kept."""
    with quintet.Store() as store:
        return store.load(id)


def imports(code: str) -> Iterator[tuple[str, str]]:
    """The modules of ours that a program imports, and what it takes from them."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom):
            yield from ((str(node.module), alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)


def test_the_pages_import_only_what_stays() -> None:
    """What a reader is told to import is promised: here by name, or by its module where that is one idea."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    codes = [code for page in pages for code in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)]
    codes += [path.read_text() for path in (ROOT / "examples").glob("*.py")]
    found = {(module, name) for code in codes for module, name in imports(code) if module.startswith("quintet")}
    assert len({module for module, _ in found}) > 8
    for module, name in found:
        if module == "quintet":
            assert not name or name in quintet.__all__, name
        else:
            assert module in PROMISED, module
            assert name in PROMISED or module.startswith(("quintet.envs", "quintet.solve")), f"{name} of {module}"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: quintet.game("chess"),
        lambda: quintet.start("chess"),
        lambda: quintet.start("gridlock", size="wide"),
        lambda: quintet.start("gridlock").play(0),
        lambda: quintet.read_move(quintet.start("gridlock"), "over there"),
        lambda: quintet.read_moves(quintet.start("gridlock"), "1 1; 1 2"),
        lambda: quintet.read_position("gridlock ?"),
        lambda: quintet.read_record("nothing"),
        lambda: quintet.engine("level:11"),
        lambda: quintet.make_puzzle("gridlock", 1, empty=quintet.start("gridlock", size="1x1")),
        lambda: quintet.Store("nowhere"),
        lambda: load_match("nobody"),
    ],
)
def test_what_is_wrong_is_one_line_and_one_kind_of_error(wrong: Callable[[], object]) -> None:
    with pytest.raises(quintet.QuintetError) as caught:
        wrong()
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (lambda empty: empty.play("2 2"), r"read_move\(position, '2 2'\)"),
        (lambda empty: empty.play(None), "NoneType"),
        (lambda _: quintet.analyze("gridlock"), "takes a position"),  # type: ignore[arg-type]
        (lambda _: quintet.review("game.txt"), "takes a match"),  # type: ignore[arg-type]
    ],
)
def test_what_is_of_the_wrong_kind_is_said_so(wrong: Callable[[Position], object], reason: str) -> None:
    with pytest.raises(TypeError, match=reason):
        wrong(quintet.start("gridlock"))


def test_a_game_goes_by_its_name_too() -> None:
    for name, game in quintet.GAMES.items():
        assert quintet.start(name, size="3x4") == quintet.start(game, size="3x4")
        assert quintet.make_puzzle(name, 1) == quintet.make_puzzle(game, 1)


@every_board
def test_a_position_prints_as_the_line_that_is_read(empty: Position) -> None:
    after = empty.play(empty.moves[0]) if empty.moves else empty
    for position in (empty, after):
        assert quintet.read_position(repr(position)[1:-1]) == position


@every_game
def test_a_notebook_shows_a_position_as_a_picture(game: Game) -> None:
    drawing = start(game)._repr_svg_()
    assert ElementTree.fromstring(drawing).tag.endswith("svg") and game.title in drawing


@every_game
def test_a_copy_of_a_position_is_of_the_same_game(game: Game) -> None:
    position = start(game)
    assert copy.deepcopy([position])[0] == position and game.name in repr(position)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: quintet.start("gridlock", first=3),
        lambda: Position(quintet.game("gridlock"), quintet.start("gridlock").board, 1, 1),
        lambda: quintet.Record(quintet.start("gridlock"), result="2-0"),
        lambda: hint(quintet.read_position("isolation X X")),
        lambda: quintet.regret(quintet.start("gridlock"), 3),
        lambda: quintet.read_move(quintet.start("gridlock"), "nowhere"),
        lambda: quintet.engine("deep-blue"),
        lambda: quintet.game("chess"),
    ],
)
def test_what_a_caller_does_wrong_is_one_family(wrong: Callable[[], object]) -> None:
    with pytest.raises(quintet.QuintetError) as caught:
        wrong()
    assert isinstance(caught.value, ValueError) and len(str(caught.value).splitlines()) == 1
