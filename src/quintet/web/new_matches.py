"""Online matches as requests create them: who sits where, and with which token."""

import secrets
from collections.abc import Collection

from quintet.engines import HUMAN
from quintet.language import tr
from quintet.match import Match
from quintet.store.ids import one_line
from quintet.store.online import OnlineMatch, Seat, TimeControl, hash_token
from quintet.store.timekeeper import now
from quintet.web import messages
from quintet.web.api_error import ApiError
from quintet.web.players import check_player


def new_match(
    id: str, match: Match, request: messages.NewMatch, custom: Collection[str] = ()
) -> tuple[OnlineMatch, str]:
    """The online match that a request describes, and the token of the seats that are taken with it."""
    who = {1: check_player(request.seats.one, custom), 2: check_player(request.seats.two, custom)}
    taken = set(request.take)
    if any(who[player] != HUMAN for player in taken):
        raise ApiError(422, tr("You cannot take an engine's seat."))
    # Whoever takes both seats has one token for both: it is the same person.
    token, name, time = request.key or secrets.token_urlsafe(24), one_line(request.name or "") or None, now()

    def make_seat(player: int) -> Seat:
        if player in taken:
            return Seat(HUMAN, name, hash_token(token), time)
        return Seat(who[player], joined=None if who[player] == HUMAN else time)

    seats = {1: make_seat(1), 2: make_seat(2)}
    match.names = seats[1].name or seats[1].who, seats[2].name or seats[2].who
    control = TimeControl(request.clock.seconds, request.clock.increment) if request.clock else None
    return OnlineMatch(id, match, seats, control, clocks=(None,) * match.ply, updated=time), token


def created_match(online: OnlineMatch, token: str) -> messages.CreatedMatch:
    """The answer to who created a match and has this token."""
    mine = [number for number, seat in sorted(online.seats.items()) if seat.token_hash == hash_token(token)]
    return messages.CreatedMatch(online.id, {str(player): token for player in mine}, f"/match/{online.id}")


def check_same(wanted: OnlineMatch, stored: OnlineMatch, token_hash: str) -> None:
    """Refuse a key that was used for another match. What was played there since then does not matter."""
    played = wanted.match.ply

    def begun(online: OnlineMatch) -> tuple[object, ...]:
        moves = () if stored.undone else online.match.moves[:played]
        seats = {number: (seat.who, seat.token_hash == token_hash) for number, seat in online.seats.items()}
        return online.match.positions[0], moves, seats, online.control

    if begun(wanted) != begun(stored):
        raise ApiError(409, tr("This key was used for another match."))
