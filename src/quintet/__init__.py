"""Five small two-player strategy games, played perfectly.

    >>> import quintet
    >>> position = quintet.start("adjacent-claim", size="5x5")
    >>> found = quintet.analyze(position)
    >>> print(found.value, [position.label(move) for move in found.moves if found.is_best(move)])
    +5 ['C3']
    >>> position = position.play(quintet.engine("perfect", seed=1).choose(position))
    >>> print(quintet.Solver(position.game, position.board).value(position))
    -5

`GAMES` has every game by its name. Whatever a caller does wrong raises a `QuintetError`, whose text is one line for a
person.

The names in `__all__` are stable. So are these, which are imported from where they live:

- environments: `quintet.envs`, which registers Gymnasium's names, `quintet.envs.gymnasium`, `quintet.envs.pettingzoo`,
  `quintet.envs.openspiel`, `quintet.envs.batch`,
  `quintet.envs.jax`, `quintet.envs.pgx`, the exact values `quintet.envs.values`, and `quintet.envs.all_positions`,
  which grades a policy on every position;
- games of text, with exact grades and rewards: `TextGame`, `TextTurn`, `TextEpisode`, `PromptOptions`, `random_games`
  and `find_openings` of `quintet.text`;
- all positions of a board with their values: `quintet.solve.dataset`, `quintet.solve.parquet`;
- work on many cores and machines: `Signals`, `Work` and `read_workers` of `quintet.workers`;
- for a game of your own: `Board`, `near` and `popcount` of `quintet.board`, `Style` of `quintet.drawing.text`, `Game`
  of `quintet.rules`, `Step` and `Words` of `quintet.words`.

All other modules may change at any time. A name is loaded when it is first used, so a program loads only what it needs.
"""

from importlib import import_module

TYPE_CHECKING = False  # Type checkers take it as true. Loading it from `typing` would take longer than all the rest.
if TYPE_CHECKING:
    from quintet.engines import Engine
    from quintet.engines import make_engine as engine
    from quintet.errors import QuintetError
    from quintet.games import GAMES
    from quintet.games import find_game as game
    from quintet.match import Match, replay
    from quintet.notation import InvalidMove, read_move, read_moves, read_position, write_moves, write_position
    from quintet.options import start
    from quintet.record import Record, read_record, write_record
    from quintet.rules import Game, IllegalMove, Outcome, Position
    from quintet.solve.regret import regret
    from quintet.solve.solver import Solver
    from quintet.solve.value import Value
    from quintet.store.matches import Store
    from quintet.study.analysis import Analysis, analyze
    from quintet.study.puzzles import Puzzle, make_puzzle
    from quintet.study.reviews import Review, review
    from quintet.version import __version__ as __version__

__all__ = [
    "GAMES",
    "Analysis",
    "Engine",
    "Game",
    "IllegalMove",
    "InvalidMove",
    "Match",
    "Outcome",
    "Position",
    "Puzzle",
    "QuintetError",
    "Record",
    "Review",
    "Solver",
    "Store",
    "Value",
    "analyze",
    "engine",
    "game",
    "make_puzzle",
    "read_move",
    "read_moves",
    "read_position",
    "read_record",
    "regret",
    "replay",
    "review",
    "start",
    "write_moves",
    "write_position",
    "write_record",
]

_HOMES = {
    "study.analysis": ("Analysis", "analyze"),
    "engines": ("Engine", "make_engine"),
    "games": ("GAMES", "find_game"),
    "match": ("Match", "replay"),
    "notation": ("InvalidMove", "read_move", "read_moves", "read_position", "write_moves", "write_position"),
    "options": ("start",),
    "study.puzzles": ("Puzzle", "make_puzzle"),
    "record": ("Record", "read_record", "write_record"),
    "study.reviews": ("Review", "review"),
    "errors": ("QuintetError",),
    "rules": ("Game", "IllegalMove", "Outcome", "Position"),
    "solve.regret": ("regret",),
    "solve.solver": ("Solver",),
    "solve.value": ("Value",),
    "store.matches": ("Store",),
    "version": ("__version__",),
}
_SHORT = {"find_game": "game", "make_engine": "engine"}
_FOUND = {_SHORT.get(name, name): (home, name) for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Load a public name when it is first used."""
    if name not in _FOUND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home, called = _FOUND[name]
    value: object = getattr(import_module(f"{__name__}.{home}"), called)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return __all__
