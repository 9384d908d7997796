"""The same functions in another gear: bound again to other primitives, as they are or compiled.

A function that is written once as a statement looks up the names it uses when it is called: the rules, `popcount`, the
constants of a game. To bind it is to make a copy that looks them up elsewhere. A caller collects the names
(`names_of`, `rules_of`), binds them (`bind`, or `compile_names` in `gears/fast.py`), and takes what it calls out of
them as a typed object (`gather`).
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from importlib.util import find_spec
from inspect import signature
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, TypeVar

from quintet.board import Board
from quintet.rules import Game, check_rules

Names = dict[str, Any]
"""What functions look up: other functions and constants, by name."""
Bound = TypeVar("Bound")

PLAIN, FAST = "plain", "fast"
"""The gears of the search and of rollouts: Python's integers, or compiled by Numba."""

WORD_CELLS = 63
"""The most cells of a board whose sets fit in a machine word, as the compiled gears need."""
SMALL_BOARD = 25
"""Up to this many cells the compiled gear takes longer to start than the plain one to finish."""

ROLLOUTS, VALUES = "rollouts", "values"
"""The parts of the engines that can be made to run compiled on every board."""
_compiled: set[str] = set()


def takes_fast(board: Board) -> bool:
    """Whether the compiled gear is installed and takes this board."""
    return board.area <= WORD_CELLS and find_spec("numba") is not None


def choose_gear(board: Board) -> str:
    """The compiled gear where it is installed, takes the board and is worth it."""
    return FAST if board.cells > SMALL_BOARD and takes_fast(board) else PLAIN


def prefer_compiled(*parts: str) -> None:
    """Run these parts compiled from now on, `ROLLOUTS` or `VALUES`, if the compiled gear is installed.

    Compiling takes longer than most moves, so it is asked for, not guessed.
    """
    if find_spec("numba"):
        _compiled.update(parts)


def prefers_compiled(part: str, board: Board) -> bool:
    """Whether a part of the engines is to run compiled on this board."""
    return part in _compiled and board.area <= WORD_CELLS


def names_of(*modules: ModuleType | SimpleNamespace) -> Names:
    """The public names of modules; those of a later module replace those of an earlier one."""
    return {name: value for module in modules for name, value in vars(module).items() if not name.startswith("_")}


def rules_of(game: Game) -> Names:
    """The names that make a statement one about this game."""
    check_rules(game)
    rules = {"legal": game.legal, "gain": game.gain, "score": game.score}
    return rules | {"PASSES": game.passes, "TERRITORY": game.territory}


def reachable(names: Names, *entries: str) -> Names:
    """Functions with all that they use."""
    found: Names = {}
    waiting = list(entries)
    while waiting:
        name = waiting.pop()
        if name in names and name not in found:
            found[name] = names[name]
            waiting += getattr(getattr(names[name], "__code__", None), "co_names", ())
    return found


def bind(names: Mapping[str, Any], wrap: Callable[[FunctionType], object] = lambda function: function) -> Names:
    """The names bound to each other: every plain function looks up its global names here, and goes through `wrap`."""
    bound: Names = dict(names)
    for name, value in names.items():
        if isinstance(value, FunctionType):
            copy = FunctionType(value.__code__, bound, value.__name__, value.__defaults__)
            copy.__kwdefaults__ = value.__kwdefaults__
            bound[name] = wrap(copy)
    return bound


def gather(make: Callable[..., Bound], names: Names) -> Bound:
    """The bound functions that a caller uses, as a typed object with fields of these names."""
    return make(**{name: names[name] for name in signature(make).parameters})


def pad_values(board: Board, length: int) -> Board:
    """The board with at least this many pairs of values: compiled code is made for one number of them."""
    return board._replace(values=board.values + ((0, 0),) * (length - len(board.values)))


def gear_board(board: Board, gear: str) -> Board:
    """The board as a gear takes it: compiled code needs values of some kind."""
    return pad_values(board, 1) if gear == FAST else board


def digest(names: Mapping[str, Any]) -> str:
    """A short name for the text of functions and constants: another one as soon as any of them changes."""
    wording = [
        (name, code.co_code, code.co_consts, code.co_names) if code else (name, repr(value))
        for name, value in sorted(names.items())
        for code in [getattr(value, "__code__", None)]
        if code or name.isupper()
    ]
    return sha256(repr(wording).encode()).hexdigest()[:16]
