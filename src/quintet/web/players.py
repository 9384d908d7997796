"""The players of a match: their names, and who may play here."""

from collections.abc import Collection

import msgspec

from quintet.engines import HUMAN, UnknownPlayer
from quintet.engines.kinds import OFFERED, title_of
from quintet.engines.players import is_outside, read_player
from quintet.store.online_matches import OnlineMatch
from quintet.view import CUSTOM_PREFIX, player_name
from quintet.web.api_error import ApiError
from quintet.web.messages import PlayerInfo

MAX_ROLLOUTS = 10_000
"""The most rollouts that a visitor may ask for."""


class EngineInfo(msgspec.Struct):
    """An engine you can play against."""

    who: str
    title: str
    about: str


def offered_engines(custom: Collection[str]) -> list[EngineInfo]:
    """The engines that visitors can choose."""
    offered = OFFERED | dict.fromkeys(custom, "A player offered by this server.")
    return [EngineInfo(who, title_of(who).removeprefix(CUSTOM_PREFIX), about) for who, about in offered.items()]


def check_player(who: str, custom: Collection[str]) -> str:
    """A player that visitors may choose; they can never have the server run a program of their own."""
    if who == HUMAN or who in custom:
        return who
    if is_outside(who):
        raise ApiError(422, "Only the programs that this server offers can play here.")
    try:
        player = read_player(who)
    except UnknownPlayer as error:
        raise ApiError(422, str(error)) from None
    if player.kind.name == "mcts" and player.detail and int(player.detail) > MAX_ROLLOUTS:
        raise ApiError(422, f"On this server mcts is limited to {MAX_ROLLOUTS} rollouts.")
    return who


def player_info(online: OnlineMatch, player: int) -> PlayerInfo:
    """Who has a seat; in an imported record, who played. A name never makes anybody an engine."""
    seat = online.seats.get(player)
    if seat is None:
        return PlayerInfo(player_name(online.match.names[player - 1], player), HUMAN, True)
    if seat.who != HUMAN:
        return PlayerInfo(player_name(seat.who, player), seat.who, True)
    return PlayerInfo(seat.name or f"Player {player}", HUMAN, seat.token_hash is not None)
