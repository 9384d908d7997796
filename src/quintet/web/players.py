"""The players of a match: their names, and who may play here."""

from collections.abc import Collection

import msgspec

from quintet.engines import HUMAN, UnknownPlayer
from quintet.engines.kinds import OFFERED, level_of, name_of, title_of
from quintet.engines.players import is_outside, read_player
from quintet.language import later, tr
from quintet.store.online import OnlineMatch, Seat
from quintet.view import CUSTOM_PREFIX, person_title, player_title
from quintet.web.api_error import ApiError
from quintet.web.messages import PlayerInfo

MAX_ROLLOUTS = 10_000
"""The most rollouts that a visitor may ask for."""
CUSTOM_ABOUT = later("A player offered by this server.")


class EngineInfo(msgspec.Struct):
    """An engine you can play against."""

    who: str
    title: str
    about: str
    name: str
    """What sentences call it."""
    level: int | None
    """The number of a level."""
    picture: str | None
    """The address of a level's picture."""


def offered_engines(custom: Collection[str]) -> list[EngineInfo]:
    """The engines that visitors can choose."""
    offered = OFFERED | dict.fromkeys(custom, CUSTOM_ABOUT)
    return [engine_info(who, about) for who, about in offered.items()]


def engine_info(who: str, about: str) -> EngineInfo:
    """An engine as the page shows it."""
    title, name = title_of(who).removeprefix(CUSTOM_PREFIX), name_of(who).removeprefix(CUSTOM_PREFIX)
    return EngineInfo(who, title, tr(about), name, level_of(who), picture_of(who))


def picture_of(who: str) -> str | None:
    """The address of a level's picture; other players have none."""
    level = level_of(who)
    return f"/static/levels/{level}.svg" if level else None


def check_player(who: str, custom: Collection[str]) -> str:
    """A player that visitors may choose; they can never have the server run a program of their own."""
    if who == HUMAN or who in custom:
        return who
    if is_outside(who):
        raise ApiError(422, tr("Only the programs that this server offers can play here."))
    try:
        player = read_player(who)
    except UnknownPlayer as error:
        raise ApiError(422, str(error)) from None
    if player.kind.name == "mcts" and player.detail and int(player.detail) > MAX_ROLLOUTS:
        text = tr("On this server mcts is limited to {most} rollouts.", most=MAX_ROLLOUTS)
        raise ApiError(422, text)
    return who


def player_info(online: OnlineMatch, player: int) -> PlayerInfo:
    """Who has a seat; in an imported record, who played. A name never makes anybody an engine."""
    seat = online.seats.get(player)
    name = seat_title(seat, online.match.names[player - 1], player)
    if seat is None or seat.who != HUMAN:
        who = seat_who(seat)
        return PlayerInfo(name, who, True, level_of(who), picture_of(who))
    return PlayerInfo(name, HUMAN, seat.token_hash is not None)


def seat_title(seat: Seat | None, name: str, player: int) -> str:
    """What the player in a seat is called; without seats, in an imported record, by the name there."""
    if seat is None:
        return person_title(None if name == HUMAN else name, player)
    return person_title(seat.name, player) if seat.who == HUMAN else player_title(seat.who, player)


def seat_who(seat: Seat | None) -> str:
    """Who plays in a seat; in an imported record, people."""
    return seat.who if seat else HUMAN


def titles_of(online: OnlineMatch) -> tuple[str, str]:
    """What the players of a match are called."""
    one, two = online.match.names
    return seat_title(online.seats.get(1), one, 1), seat_title(online.seats.get(2), two, 2)
