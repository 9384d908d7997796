"""The ten levels as opponents: a name, a picture and a line about each, for every screen.

The names are in alphabetical order, so that they tell who is stronger. Everything that is not for people calls a level
`level:N`. The pictures are `web/page/levels/N.svg`; each glyph is the same animal, for terminals.
"""

from typing import NamedTuple

from quintet.language import later


class Character(NamedTuple):
    """An opponent."""

    name: str
    glyph: str
    about: str
    """What it is called as a player, and what to expect of it; docs/ladder.md has the measurements."""


CHARACTERS = (
    Character("Anna", "🐤", later("Beginner: almost never finds the best move. Weaker than Random.")),
    Character("Ben", "🐰", later("Novice: rarely finds the best move. Weaker than Random.")),
    Character("Cleo", "🐱", later("Learner: usually misses the best move. About as strong as Random.")),
    Character("Dora", "🐸", later("Casual: often misses the best move.")),
    Character("Emil", "🐻", later("Regular: misses the best move more often than not.")),
    Character("Finn", "🐧", later("Intermediate: finds the best move about half the time.")),
    Character("Gina", "🦊", later("Skilled: finds the best move more often than not.")),
    Character("Hugo", "🦁", later("Strong: sometimes misses the best move.")),
    Character("Iris", "🦉", later("Expert: rarely misses the best move.")),
    Character("Juno", "🐙", later("Perfect: never makes a mistake on boards small enough to solve.")),
)
"""The opponents, from level 1."""
