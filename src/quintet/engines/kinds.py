"""The catalogue of players: each kind once, how it is written, what people call it, and how its engines are made.

It imports nothing heavy, because the help texts read it: a factory imports its engine when it is called.
"""

import shlex
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from quintet.engines.characters import CHARACTERS, Character
from quintet.errors import QuintetError
from quintet.language import later, tr
from quintet.safe_text import escape

if TYPE_CHECKING:
    from quintet.engines import Engine

HUMAN = "human"

MISS_RATES = (0.98, 0.92, 0.85, 0.77, 0.68, 0.57, 0.44, 0.28, 0.1, 0.0)
"""How often each level, from the first, misses the best moves where two others look as good."""
LEVELS = [f"level:{number}" for number in range(1, len(MISS_RATES) + 1)]
DEFAULT_ROLLOUTS = 200
"""The default number of rollouts of `mcts`."""
MOST_ROLLOUTS = 1_000_000


class UnknownPlayer(QuintetError, ValueError):
    """A description that names no player, or a player that cannot be started."""


Factory = Callable[[str, int | None], "Engine"]
"""Makes an engine from what follows the colon, and a seed."""


def level_number(detail: str) -> str:
    """The number of a level."""
    if not is_number(detail) or not 1 <= int(detail) <= len(LEVELS):
        raise UnknownPlayer(f"choose a level from {LEVELS[0]} to {LEVELS[-1]}")
    return str(int(detail))


def rollout_count(detail: str) -> str:
    """The number of rollouts of a move."""
    if not is_number(detail) or not 1 <= int(detail) <= MOST_ROLLOUTS:
        example = f"mcts:{DEFAULT_ROLLOUTS}"
        raise UnknownPlayer(f"mcts takes a number of rollouts from 1 to {MOST_ROLLOUTS}, such as {example}")
    return str(int(detail))


def shell_command(detail: str) -> str:
    """A command that can be split into words."""
    split_command(detail)
    return detail


def function_path(detail: str) -> str:
    """The path of a function: `MODULE:NAME`."""
    module, _, name = detail.partition(":")
    if not (module and name):
        raise UnknownPlayer("name a module and a function in it: MODULE:FUNCTION")
    return detail


def any_detail(detail: str) -> str:
    """Whatever follows the colon: only the plug-in knows what it means."""
    return detail


def is_number(text: str) -> bool:
    """Whether it is a number of a few plain digits."""
    return text.isascii() and text.isdecimal() and len(text) <= 9


def split_command(command: str) -> list[str]:
    """The words of a command."""
    try:
        words = shlex.split(command)
    except ValueError:
        raise UnknownPlayer(f"missing quotation mark in {command[:60]!r}") from None
    if not words:
        raise UnknownPlayer("name the program to run: exec:COMMAND")
    return words


def make_random(detail: str, seed: int | None) -> "Engine":
    """Any legal move."""
    from quintet.engines.random_player import RandomPlayer

    return RandomPlayer(seed)


def make_greedy(detail: str, seed: int | None) -> "Engine":
    """What looks best at once."""
    from quintet.engines.greedy import Greedy

    return Greedy(seed)


def make_level(detail: str, seed: int | None) -> "Engine":
    """Perfect, with mistakes."""
    from quintet.engines.level import Level

    return Level(int(detail), seed)


def make_mcts(detail: str, seed: int | None) -> "Engine":
    """Monte Carlo tree search."""
    from quintet.engines.mcts import Mcts

    return Mcts(int(detail) if detail else DEFAULT_ROLLOUTS, seed)


def make_perfect(detail: str, seed: int | None) -> "Engine":
    """Exact values."""
    from quintet.engines.perfect import Perfect

    return Perfect(seed)


def make_program(detail: str, seed: int | None) -> "Engine":
    """A program; it is not told the seed."""
    from quintet.engines.external import External

    return External(detail)


def make_function(detail: str, seed: int | None) -> "Engine":
    """A function; it is not told the seed."""
    from quintet.engines.function import Function, load_function

    return Function(load_function(detail))


class Kind(NamedTuple):
    """A kind of player."""

    name: str
    """What stands before the colon, if there is one."""
    written: str
    """How such players are described."""
    title: str
    """What people call it."""
    factory: Factory | None = None
    """What makes its engines; if not given, the entry point of that name does."""
    read: Callable[[str], str] | None = None
    """Checks what follows the colon, and gives it as it is usually written; if not given, nothing may follow."""
    bare: bool = True
    """Whether it can be written without a colon."""
    players: tuple[tuple[str, str], ...] = ()
    """Those that screens offer, each with a sentence about it."""
    outside: bool = False
    """Whether it runs code that is not ours."""
    plugin: bool = False
    """Whether that code runs in our own process, so that its time has to be watched."""
    extra: str = ""
    """The extra it needs, if any."""
    needs: tuple[str, ...] = ()
    """The packages that come with that extra and that it needs."""


KINDS = {
    kind.name: kind
    for kind in (
        Kind(HUMAN, HUMAN, later("Person")),
        Kind(
            "random",
            "random",
            later("Random"),
            make_random,
            players=(("random", later("Plays any legal move at random.")),),
        ),
        Kind(
            "greedy",
            "greedy",
            later("Greedy"),
            make_greedy,
            players=(("greedy", later("Takes whatever looks best right now.")),),
        ),
        Kind(
            "level",
            f"{LEVELS[0]} to {LEVELS[-1]}",
            later("Level"),
            make_level,
            level_number,
            bare=False,
            players=tuple((who, one.about) for who, one in zip(LEVELS, CHARACTERS, strict=True)),
        ),
        Kind(
            "mcts",
            "mcts[:N]",
            later("Monte Carlo"),
            make_mcts,
            rollout_count,
            players=((f"mcts:{DEFAULT_ROLLOUTS}", later("Tree search with 200 random games per move.")),),
        ),
        Kind(
            "perfect",
            "perfect",
            later("Perfect"),
            make_perfect,
            players=(("perfect", later("Never makes a mistake on boards small enough to solve.")),),
        ),
        Kind("exec", "exec:COMMAND", later("Program"), make_program, shell_command, bare=False, outside=True),
        Kind(
            "python",
            "python:MODULE:FUNCTION",
            later("Function"),
            make_function,
            function_path,
            bare=False,
            outside=True,
            plugin=True,
        ),
        Kind(
            "policy",
            "policy:MODULE:FUNCTION",
            later("Policy"),
            read=function_path,
            bare=False,
            outside=True,
            plugin=True,
            extra="envs",
            needs=("numpy", "gymnasium"),
        ),
        Kind(
            "model",
            "model:PROVIDER/NAME",
            later("Model"),
            read=any_detail,
            bare=False,
            outside=True,
            extra="llm",
            needs=("inspect_ai",),
        ),
    )
}

OFFERED = dict(player for kind in KINDS.values() for player in kind.players)
"""The engines that screens offer, each with a sentence about it."""


def list_kinds(kinds: Iterable[Kind] = KINDS.values()) -> str:
    """How players of these kinds are described, for a sentence."""
    *others, last = (kind.written for kind in kinds)
    return f"{', '.join(others)} or {last}"


def level_of(who: str) -> int | None:
    """The number of a level; `None` for every other player."""
    return LEVELS.index(who) + 1 if who in LEVELS else None


def character_of(who: str) -> Character | None:
    """The character of a level; `None` for every other player."""
    level = level_of(who)
    return CHARACTERS[level - 1] if level else None


def name_of(who: str) -> str:
    """What sentences call a player: `Cleo`. A name that is not in the catalogue stays as it is, safe for terminals."""
    if character := character_of(who):
        return character.name
    name, _, detail = escape(who).partition(":")
    return f"{tr(KINDS[name].title)} {detail}".strip() if name in KINDS else escape(who)


def title_of(who: str) -> str:
    """What lists call a player: `Cleo · level 3`."""
    level = level_of(who)
    return tr("{name} · level {level}", name=name_of(who), level=level) if level else name_of(who)
