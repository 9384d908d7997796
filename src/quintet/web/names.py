"""How players are called, and which engines a page may offer."""

from typing import Any

from quintet.engines import HUMAN, UnknownPlayer, make_engine
from quintet.engines.level import CHANCES, LEVELS
from quintet.engines.mcts import PLAYOUTS
from quintet.store.seating import Sitting
from quintet.web.messages import PlayerFacts
from quintet.web.refusal import Refused

MOST_PLAYOUTS = 10_000
"""Play-outs that a visitor may ask for."""

ABOUT = {
    "random": ("Random", "Plays any legal move."),
    "greedy": ("Greedy", "Takes the most at once."),
    **{
        who: (f"Level {number}", f"Makes a mistake {chance:.0%} of the time." if chance else "Makes no mistakes.")
        for number, (who, chance) in enumerate(zip(LEVELS, CHANCES, strict=True), 1)
    },
    f"mcts:{PLAYOUTS}": (f"Monte Carlo {PLAYOUTS}", f"Plays {PLAYOUTS} games out before each move."),
    "perfect": ("Perfect", "Plays by exact values and makes no mistake on boards that can be solved."),
}
"""Every engine that is offered, with its title and a sentence about it."""


def engines() -> list[dict[str, Any]]:
    """The engines as JSON carries them."""
    return [{"who": who, "title": title, "about": about} for who, (title, about) in ABOUT.items()]


def title_of(who: str) -> str:
    """An engine's name for people."""
    return ABOUT[who][0] if who in ABOUT else who


def check_player(who: str) -> str:
    """A player that may sit at a table here: never a program of the server's machine."""
    if who == HUMAN:
        return who
    kind, _, detail = who.partition(":")
    try:
        if kind == "exec":
            raise UnknownPlayer("programs cannot play here")
        make_engine(who)
    except UnknownPlayer as error:
        raise Refused(422, str(error)) from None
    if kind == "mcts" and detail and int(detail) > MOST_PLAYOUTS:
        raise Refused(422, f"here mcts takes up to {MOST_PLAYOUTS} play-outs")
    return who


def player_facts(sitting: Sitting, player: int) -> PlayerFacts:
    """Who sits at a seat; in a match that was not begun at a table, who played."""
    seat = sitting.seats.get(player)
    if seat is None:
        name = sitting.match.names[player - 1]
        return PlayerFacts(title_of(name), name if name in ABOUT else HUMAN, True)
    if seat.who != HUMAN:
        return PlayerFacts(title_of(seat.who), seat.who, True)
    return PlayerFacts(seat.name or f"Player {player}", HUMAN, seat.token is not None)
