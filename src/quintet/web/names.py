"""How players are called, and which engines a page may offer."""

from collections.abc import Collection
from typing import Any

from quintet.engines import HUMAN, UnknownPlayer
from quintet.engines.kinds import OFFERED, title_of
from quintet.engines.players import is_outside, read_player
from quintet.store.seating import Sitting
from quintet.view import GUEST, player_name
from quintet.web.messages import PlayerFacts
from quintet.web.refusal import Refused

MOST_PLAYOUTS = 10_000
"""Play-outs that a visitor may ask for."""


def engines(guests: Collection[str]) -> list[dict[str, Any]]:
    """The engines as JSON carries them."""
    offered = OFFERED | dict.fromkeys(guests, "A guest of this server.")
    return [{"who": who, "title": title_of(who).removeprefix(GUEST), "about": about} for who, about in offered.items()]


def check_player(who: str, guests: Collection[str]) -> str:
    """A player that may sit at a table here: one of ours or a guest, never what a visitor would have the server run."""
    if who == HUMAN or who in guests:
        return who
    if is_outside(who):
        raise Refused(422, "programs cannot play here, except those that the server offers")
    try:
        player = read_player(who)
    except UnknownPlayer as error:
        raise Refused(422, str(error)) from None
    if player.kind.name == "mcts" and player.detail and int(player.detail) > MOST_PLAYOUTS:
        raise Refused(422, f"here mcts takes up to {MOST_PLAYOUTS} rollouts")
    return who


def player_facts(sitting: Sitting, player: int) -> PlayerFacts:
    """Who sits at a seat; in a match that was not begun at a table, who played."""
    seat = sitting.seats.get(player)
    if seat is None:
        name = sitting.match.names[player - 1]
        return PlayerFacts(player_name(name, player), name if name in OFFERED else HUMAN, True)
    if seat.who != HUMAN:
        return PlayerFacts(player_name(seat.who, player), seat.who, True)
    return PlayerFacts(seat.name or f"Player {player}", HUMAN, seat.token is not None)
