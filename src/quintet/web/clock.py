"""The time left to each player: computed from what is stored, so it is right after a restart."""

from quintet.store import timekeeper
from quintet.store.online import OnlineMatch, timestamp
from quintet.web.messages import ClockFace


def running_since(online: OnlineMatch) -> float | None:
    """When the running clock was started, in seconds since 1970.

    No clock runs before both seats are taken and the first move is made; in a tournament, the first player's clock runs
    from the start, so that nobody waits for somebody who does not come.
    """
    joined = [seat.joined for seat in online.seats.values()]
    begun = online.match.moves or online.tournament
    if not online.control or not begun or online.match.outcome or None in joined:
        return None
    return max(timestamp(text) for text in (online.updated, *joined) if text)


def left_at_start(online: OnlineMatch, player: int) -> int:
    """The milliseconds a player had left when the running clock was started."""
    assert online.control
    first = online.match.positions[0].player
    own = [clock for ply, clock in enumerate(online.clocks) if (ply % 2 == 0) == (player == first)]
    known = [clock for clock in own if clock is not None]
    return known[-1] if known else online.control.seconds * 1000


def left_now(online: OnlineMatch, player: int) -> int:
    """The milliseconds a player has left now."""
    started, left = running_since(online), left_at_start(online, player)
    if started is None or player != online.match.position.player:
        return left
    return max(0, left - round((timekeeper.seconds() - started) * 1000))


def left_to_mover(online: OnlineMatch, spent: float | None) -> int | None:
    """The milliseconds left to the player to move: now, or after the seconds that an engine spent."""
    if not online.control:
        return None
    player = online.match.position.player
    if spent is None or running_since(online) is None:
        return left_now(online, player)
    return left_at_start(online, player) - round(spent * 1000)


def add_increment(online: OnlineMatch, left: int | None) -> int | None:
    """The milliseconds a player with this many left has after a move."""
    return left + online.control.increment * 1000 if online.control and left is not None else None


def read_clocks(online: OnlineMatch) -> ClockFace | None:
    """What the clocks show now."""
    if not online.control:
        return None
    running = online.match.position.player if running_since(online) is not None else None
    return ClockFace(left_now(online, 1), left_now(online, 2), running)
