"""Time left to the players of a match: worked out from what is stored, so that it is right after a restart."""

import time

from quintet.store.seating import Sitting, when
from quintet.web.messages import ClockFace


def since(sitting: Sitting) -> float | None:
    """When the running clock was started, in seconds since 1970.

    Nobody's runs before everybody has sat down and the first move is made.
    """
    joined = [seat.joined for seat in sitting.seats.values()]
    if not sitting.control or not sitting.match.moves or sitting.match.outcome or None in joined:
        return None
    return max(when(text) for text in (sitting.updated, *joined) if text)


def left(sitting: Sitting, player: int) -> int:
    """The milliseconds a player had left when the running clock was started."""
    assert sitting.control
    first = sitting.match.positions[0].player
    mine = [clock for ply, clock in enumerate(sitting.clocks) if (ply % 2 == 0) == (player == first)]
    known = [clock for clock in mine if clock is not None]
    return known[-1] if known else sitting.control.seconds * 1000


def left_now(sitting: Sitting, player: int) -> int:
    """The milliseconds a player has left now."""
    begun, still = since(sitting), left(sitting, player)
    if begun is None or player != sitting.match.position.player:
        return still
    return max(0, still - round((time.time() - begun) * 1000))


def left_after(sitting: Sitting, spent: float | None) -> int | None:
    """The milliseconds left to the player to move: now, or after so many seconds that were its own."""
    if not sitting.control:
        return None
    player = sitting.match.position.player
    if spent is None or since(sitting) is None:
        return left_now(sitting, player)
    return left(sitting, player) - round(spent * 1000)


def after_move(sitting: Sitting, still: int | None) -> int | None:
    """What a player who has this left has after a move."""
    return still + sitting.control.increment * 1000 if sitting.control and still is not None else None


def face(sitting: Sitting) -> ClockFace | None:
    """What the clocks show."""
    if not sitting.control:
        return None
    running = sitting.match.position.player if since(sitting) is not None else None
    return ClockFace(left_now(sitting, 1), left_now(sitting, 2), running)
