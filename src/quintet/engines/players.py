"""Players by description: `level:3` is read, checked, compared and shown without starting anything.

Packages add kinds of players through entry points of the group `quintet.players`: the name is the kind, and the
object is called with what follows the colon, and a seed.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, partial
from importlib.util import find_spec
from os.path import isfile
from pathlib import PurePath
from typing import TYPE_CHECKING

from quintet.engines.kinds import (
    HUMAN,
    KINDS,
    Factory,
    Kind,
    UnknownPlayer,
    any_detail,
    list_kinds,
    split_command,
    title_of,
)
from quintet.version import missing

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from quintet.engines import Engine

GROUP = "quintet.players"
"""The entry points that add kinds of players."""


@dataclass(frozen=True, slots=True)
class Player:
    """A description of a player that was checked; `make` gives the engine."""

    kind: Kind
    detail: str = ""
    """What follows the colon."""

    def __str__(self) -> str:
        """The description, which `read_player` reads."""
        return f"{self.kind.name}:{self.detail}" if self.detail or not self.kind.bare else self.kind.name

    @property
    def title(self) -> str:
        """Its name for people."""
        return title_of(str(self))

    @property
    def is_human(self) -> bool:
        """Whether it is a person, who is asked for each move."""
        return self.kind.name == HUMAN

    @property
    def outside(self) -> bool:
        """Whether it runs code that is not ours."""
        return self.kind.outside

    def make(self, seed: int | None = None) -> "Engine | None":
        """The engine; `None` for a person. `UnknownPlayer` if a plug-in cannot be loaded."""
        if self.is_human:
            return None
        factory = self.kind.factory or load_added(self.kind)
        if not self.kind.plugin:
            return factory(self.detail, seed)
        from quintet.engines.plugin import PlugIn

        return PlugIn(str(self), partial(factory, self.detail, seed))


HUMAN_PLAYER = Player(KINDS[HUMAN])


def read_player(text: str) -> Player:
    """The player that a description names, or `UnknownPlayer`. Nothing is started, and no plug-in is imported."""
    name, colon, detail = text.partition(":")
    kind = find_kind(name)
    if kind is None:
        similar = get_close_matches(name, KINDS, 1)
        raise unknown(text, KINDS[similar[0]].written if similar else "")
    if kind.read is None if colon else not kind.bare:
        raise unknown(text, kind.written)
    player = Player(kind, kind.read(detail) if kind.read and colon else "")
    for package in kind.needs:
        if not find_spec(package):
            raise UnknownPlayer(f"{kind.written} {missing(kind.extra, package)}")
    return player


def unknown(text: str, meant: str) -> UnknownPlayer:
    """The error about a description that names no player, with a guess at what was meant."""
    advice = f". Did you mean {meant!r}?" if meant else f": choose {list_kinds()}"
    return UnknownPlayer(f"no player called {text[:40]!r}{advice}")


def find_kind(name: str) -> Kind | None:
    """The kind of that name: one of the catalogue, which nobody can replace, or one that a package adds."""
    if name in KINDS:
        return KINDS[name]
    if not name or find_added(name) is None:
        return None
    return Kind(name, f"{name}:NAME", name, read=any_detail, bare=False, outside=True, plugin=True)


def find_added(name: str) -> "EntryPoint | None":
    """The entry point that adds a kind of players."""
    return all_added().get(name)


@cache
def all_added() -> "dict[str, EntryPoint]":
    """The entry points that add kinds of players, by name. Finding them reads a file of every package."""
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=GROUP)}


def load_added(kind: Kind) -> Factory:
    """The factory of a kind that an entry point adds. What goes wrong in it is said in one line."""
    entry = find_added(kind.name)
    assert entry

    def make(detail: str, seed: int | None) -> "Engine":
        try:
            made: Engine = entry.load()(detail, seed)
        except (UnknownPlayer, KeyboardInterrupt):
            raise
        except BaseException as error:  # Somebody else's package may fail in any way, `sys.exit()` included.
            package = entry.dist.name if entry.dist else entry.value
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            raise UnknownPlayer(f"the player {kind.name} of the package {package} cannot be used: {reason}") from None
        return made

    return make


def is_outside(text: str) -> bool:
    """Whether a description, right or wrong, asks for code that is not ours."""
    name, colon, _ = text.partition(":")
    kind = find_kind(name) if colon else None
    return kind is not None and kind.outside


def shown_name(who: str) -> str:
    """What records and screens call a player: its description, unless that may contain a command line or a key.

    A program is called by its file, or by the script that it runs: `exec:python3 bots/rook.py --key 5` is `rook.py`.
    """
    name, _, detail = who.partition(":")
    if name != "exec":
        return who if name in KINDS else name
    try:
        words = split_command(detail)
    except UnknownPlayer:
        return name
    return PurePath(next(filter(isfile, words[1:2]), words[0])).name or name


def stored_player(who: str) -> Player | None:
    """Who continues a saved match: the engine of ours that a description names, otherwise a person.

    `None` if it describes somebody else's code: opening a match must not start a program.
    """
    if is_outside(who):
        return None
    try:
        return read_player(who)
    except UnknownPlayer:
        return HUMAN_PLAYER
