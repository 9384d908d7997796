"""States of matches in a chaos test, as the store has them and as servers show them, so that they can be compared."""

from collections.abc import Sequence

import msgspec

from quintet.bench.chaos_clients import TableMessage
from quintet.bench.history import Stored, spell
from quintet.store.matches import Store
from quintet.store.online import OnlineMatch
from quintet.store.online_matches import load_online_match
from quintet.store.rows import UnknownMatch
from quintet.view import make_view

Shown = tuple[int, tuple[str, ...], bool, str, str]
"""What is compared when everything is quiet: undos, moves, whether it is over, the offer, the rematch."""


def compared(stored: Stored | None) -> Shown | None:
    """What of a stored match is compared."""
    return (stored.undone, stored.moves, stored.over, stored.offer, stored.rematch) if stored else None


def brief(shown: Shown | None) -> str:
    """What is compared as text."""
    if not shown:
        return "nothing"
    undone, moves, over, offer, rematch = shown
    more = [f"{undone} undos", "over" if over else "", offer and f"offer {offer}", rematch and f"rematch {rematch}"]
    return " ".join([spell(moves), *filter(None, more)])


def described(answer: bytes) -> Shown:
    """The same of a server's answer."""
    table = msgspec.json.decode(b'{"type":"table",' + answer[1:], type=TableMessage)
    state = table.state
    moves = tuple(f"{player}:{label}" for player, label in state.view.history)
    offer = f"{state.offer.kind}:{state.offer.by}" if state.offer else ""
    return state.undone, moves, state.over, offer, table.rematch or ""


def read_matches(url: str, tables: Sequence[str]) -> dict[str, Stored | None]:
    """Matches as they are stored, read past the servers."""
    found: dict[str, Stored | None] = {}
    with Store(url) as store:
        for table in tables:
            try:
                found[table] = as_stored(load_online_match(store, table))
            except UnknownMatch:
                found[table] = None
    return found


def as_stored(online: OnlineMatch) -> Stored:
    """A match of the store as a fact of the history."""
    outcome, offer = online.match.outcome, online.offer
    return Stored(
        online.id,
        online.undone,
        tuple(f"{player}:{label}" for player, label in make_view(online.match).history),
        online.revision,
        outcome is not None,
        outcome.reason if outcome else "",
        f"{offer.kind}:{offer.by}" if offer else "",
        online.rematch or "",
        {number: seat.token_hash for number, seat in online.seats.items() if seat.token_hash},
        online.control.seconds if online.control else 0,
    )
