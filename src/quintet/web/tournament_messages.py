"""The bodies of requests and responses about tournaments."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from quintet.arena.places import standings
from quintet.language import tr
from quintet.notation import read_position
from quintet.options import MAX_TARGET
from quintet.store.tournaments import GameResult, Pairing, Tournament
from quintet.web.messages import LONGEST_LIST, ClockSettings, Key, Name, Size, Strict
from quintet.web.tournament_changes import is_joinable
from quintet.web.tournament_rounds import finished_games, starts_in, total_rounds

LONGEST_TITLE = 60
MAX_ROUNDS = 12
LONGEST_PAUSE = 3_600

MatchId = Annotated[str, Meta(min_length=1, max_length=20, description="The ID of a match.")]
Number = Annotated[int, Meta(ge=1, le=1_000_000)]


class NewTournament(Strict):
    """A tournament to create."""

    game: Annotated[str, Meta(max_length=40)]
    name: Annotated[str, Meta(max_length=LONGEST_TITLE, description="What it is called.")] = ""
    size: Size | None = None
    target: Annotated[int, Meta(ge=1, le=MAX_TARGET)] | None = None
    values: Annotated[str, Meta(max_length=LONGEST_LIST)] | None = None
    shuffle: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    format: Annotated[Literal["all", "swiss"], Meta(description="`all`: everybody plays everybody.")] = "all"
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS, description="Swiss rounds.")] = 3
    clock: ClockSettings | None = None
    pause: Annotated[int, Meta(ge=0, le=LONGEST_PAUSE, description="Seconds between two rounds.")] = 15
    key: Key | None = None


class NewEntry(Strict):
    """Your name in a tournament."""

    name: Name
    key: Key | None = None


class NewEngine(Strict):
    """An engine that is to take part."""

    who: Annotated[str, Meta(max_length=40)]


class WantedRound(Strict):
    """The number of the round to begin."""

    round: Number


class EntryNumber(Strict):
    """The number of an entry."""

    entry: Number


class Ruling(Strict):
    """A game of the current round, and the entry that loses it."""

    match: MatchId
    entry: Number


class CreatedTournament(msgspec.Struct):
    """A tournament that was created, with the organiser's token."""

    id: str
    token: str
    url: str


class TakenEntry(msgspec.Struct):
    """The number of your entry, and its token, which is also the token of your seats."""

    entry: int
    token: str


class EntryInfo(msgspec.Struct):
    """Somebody who takes part."""

    number: int
    name: str
    who: str
    left: bool
    removed: bool


class PlaceInfo(msgspec.Struct):
    """A line of the standings."""

    entry: int
    rank: int
    points: float
    buchholz: float
    sonneborn_berger: float
    wins: int
    draws: int
    losses: int


class PairingInfo(msgspec.Struct):
    """A game of a round, or a bye."""

    one: int
    two: int | None
    match: str | None
    result: GameResult | None
    forfeit: bool


class RoundInfo(msgspec.Struct):
    """A round."""

    pairings: list[PairingInfo]
    ended: bool


class TournamentInfo(msgspec.Struct):
    """A tournament as everybody sees it."""

    id: str
    revision: int
    name: str
    game: str
    title: str
    size: str
    format: Literal["all", "swiss"]
    stage: Literal["open", "running", "over"]
    rounds: int
    """How many rounds there are, as far as is known."""
    clock: ClockSettings | None
    joinable: bool
    entries: list[EntryInfo]
    places: list[PlaceInfo]
    played: list[RoundInfo]
    starts_in: int | None
    """The seconds until the next round begins by itself."""


def describe(tournament: Tournament) -> TournamentInfo:
    """A tournament as everybody sees it; without tokens."""
    start, control, left = read_position(tournament.start), tournament.control, starts_in(tournament)
    numbers = [entry.number for entry in tournament.entries]
    return TournamentInfo(
        id=tournament.id,
        revision=tournament.revision,
        name=tournament.name,
        game=start.game.name,
        title=tr(start.game.title),
        size=start.board.size,
        format=tournament.format.value,
        stage=tournament.stage.value,
        rounds=total_rounds(tournament),
        clock=ClockSettings(control.seconds, control.increment) if control else None,
        joinable=is_joinable(tournament),
        entries=[
            EntryInfo(entry.number, entry.name, entry.who, entry.left, entry.removed) for entry in tournament.entries
        ],
        places=[
            PlaceInfo(
                place.player,
                place.rank,
                place.points / 2,
                place.buchholz / 2,
                place.sonneborn / 4,
                place.wins,
                place.draws,
                place.losses,
            )
            for place in standings(numbers, finished_games(tournament))
        ],
        played=[RoundInfo([pairing_info(game) for game in one.pairings], bool(one.ended)) for one in tournament.played],
        starts_in=None if left is None else max(0, round(left)),
    )


def pairing_info(game: Pairing) -> PairingInfo:
    """A game of a round as everybody sees it."""
    return PairingInfo(game.one, game.two, game.match, game.result, game.forfeit)
