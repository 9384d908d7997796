"""The rounds of a tournament: pairing them, making their matches, and reading the results.

Each function that changes a draft says whether it did. What is not allowed raises an `ApiError`. Nothing here stores,
sends or waits.
"""

from collections.abc import Mapping, Sequence
from random import Random

from quintet.arena.pairings import Pair, Record, round_robin, swiss_round
from quintet.arena.places import DRAW, LOSS, WIN, Game
from quintet.engines import HUMAN
from quintet.language import tr
from quintet.match import Match
from quintet.notation import read_position
from quintet.store import timekeeper
from quintet.store.online import OnlineMatch, Seat, TimeControl, timestamp
from quintet.store.rows import ONLINE_ID, derived_ids, now
from quintet.store.tournaments import Ending, Entry, Format, GameResult, Pairing, Round, Stage, Tournament
from quintet.web.api_error import ApiError
from quintet.web.proposals import OUT_OF_TIME

POINTS: dict[str, tuple[int, int]] = {"1-0": (WIN, LOSS), "0-1": (LOSS, WIN), "1/2": (DRAW, DRAW), "0-0": (LOSS, LOSS)}
"""The half points of both players, by the result."""


def total_rounds(tournament: Tournament) -> int:
    """How many rounds there are, as far as is known: once it has started, not more Swiss rounds than opponents."""
    if tournament.format == Format.SWISS and not tournament.played:
        return tournament.rounds
    count = len(tournament.entries)
    possible = max(1, count if count % 2 else count - 1)
    return possible if tournament.format == Format.ALL else min(tournament.rounds, possible)


def begin_round(draft: Tournament, wanted: int) -> list[OnlineMatch] | None:
    """Begin the round that is wanted; gives its matches, or `None` if it has begun already."""
    if wanted <= len(draft.played):
        return None
    if draft.stage == Stage.OVER:
        raise ApiError(409, tr("The tournament is over."))
    if wanted > len(draft.played) + 1 or (draft.played and not draft.played[-1].ended):
        raise ApiError(409, tr("Games of the round before are still being played."))
    if len([entry for entry in draft.entries if not entry.left]) < 2:
        raise ApiError(409, tr("A tournament needs at least two entries."))
    return pair_next(draft)


def pair_next(draft: Tournament) -> list[OnlineMatch]:
    """Add the next round; gives its matches."""
    draft.stage = Stage.RUNNING
    number, entries = len(draft.played) + 1, {entry.number: entry for entry in draft.entries}
    pairings, matches = [], []
    for board, (one, two) in enumerate(next_pairs(draft), 1):
        if two is None:
            pairings.append(Pairing(one, None, result="1-0" if draft.format == Format.SWISS else "0-0"))
        elif entries[one].left or entries[two].left:
            pairings.append(Pairing(one, two, result=without(entries[one].left, entries[two].left), forfeit=True))
        else:
            id = next(derived_ids(f"tournament {draft.id} {number} {board}", ONLINE_ID))
            matches.append(make_match(draft, id, entries[one], entries[two]))
            pairings.append(Pairing(one, two, id))
    draft.played.append(Round(pairings))
    end_round(draft)
    return matches


def next_pairs(tournament: Tournament) -> Sequence[Pair]:
    """Who plays whom in the next round."""
    order = [entry.number for entry in tournament.entries]
    Random(tournament.id).shuffle(order)  # Otherwise friends who joined together would always meet first.
    if tournament.format == Format.ALL:
        return round_robin(order)[len(tournament.played)]
    active = {entry.number for entry in tournament.entries if not entry.left}
    return swiss_round({number: record_of(tournament, number) for number in order if number in active})


def record_of(tournament: Tournament, number: int) -> Record:
    """What matters of an entry for the next Swiss round."""
    points = balance = 0
    met, had_bye = set(), False
    for game in (game for round in tournament.played for game in round.pairings):
        if number not in (game.one, game.two):
            continue
        is_first = game.one == number
        points += POINTS[game.result or "0-0"][0 if is_first else 1]
        opponent = game.two if is_first else game.one
        if opponent is None:
            had_bye = True
        else:
            met.add(opponent)
            balance += 1 if is_first else -1
    return Record(points, frozenset(met), balance, had_bye)


def without(one_left: bool, two_left: bool) -> GameResult:
    """The result of a game that is not played because somebody left."""
    return "0-0" if one_left and two_left else "0-1" if one_left else "1-0"


def make_match(tournament: Tournament, id: str, one: Entry, two: Entry) -> OnlineMatch:
    """The match of two entries, whose tokens are those of its seats."""
    time, control = now(), tournament.control
    people = {1: one, 2: two}
    seats = {
        seat: Seat(entry.who, entry.name if entry.who == HUMAN else None, entry.token_hash, time)
        for seat, entry in people.items()
    }
    names = (
        one.name if one.who == HUMAN else one.who,
        two.name if two.who == HUMAN else two.who,
    )
    return OnlineMatch(
        id,
        Match(read_position(tournament.start), names=names),
        seats,
        TimeControl(control.seconds, control.increment) if control else None,
        updated=time,
        tournament=tournament.id,
    )


def open_pairings(tournament: Tournament) -> list[Pairing]:
    """The games of the current round that are still played."""
    return [game for game in tournament.played[-1].pairings if not game.result] if tournament.played else []


def loser_of(tournament: Tournament, game: Pairing) -> int | None:
    """The entry that must lose an open game: by a ruling, or because it left."""
    left = {entry.number for entry in tournament.entries if entry.left}
    return game.ruled_against or next((number for number in (game.one, game.two) if number in left), None)


def record_endings(draft: Tournament, endings: Mapping[str, Ending]) -> bool:
    """Write down the results of games that have ended, and end the round with the last of them."""
    changed = False
    for game in open_pairings(draft):
        ending = endings.get(game.match or "")
        if ending is None:  # Its match was deleted.
            loser = loser_of(draft, game)
            if loser is None:
                continue
            game.result, game.forfeit = without(loser == game.one, loser == game.two), True
        elif ending.result in POINTS:
            game.result = result_of(ending)
            game.forfeit = "forfeits: " in (ending.termination or "")
            mark_absent(draft, game, ending)
        else:
            continue
        changed = True
    return end_round(draft) or changed


def result_of(ending: Ending) -> GameResult:
    """The result of a match that has ended."""
    return "1-0" if ending.result == "1-0" else "0-1" if ending.result == "0-1" else "1/2"


def mark_absent(draft: Tournament, game: Pairing, ending: Ending) -> None:
    """Whoever ran out of time without a single move is not here any more."""
    if not (ending.termination or "").endswith(OUT_OF_TIME):
        return
    loser, moved = (game.one, ending.plies > 0) if game.result == "0-1" else (game.two, ending.plies > 1)
    if loser is not None and not moved:
        next(entry for entry in draft.entries if entry.number == loser).left = True


def end_round(draft: Tournament) -> bool:
    """End a round whose games have all ended; and the tournament, if it was the last or fewer than two are left."""
    if not draft.played or draft.played[-1].ended or open_pairings(draft):
        return False
    draft.played[-1].ended = now()
    active = [entry for entry in draft.entries if not entry.left]
    if len(draft.played) >= total_rounds(draft) or len(active) < 2:
        draft.stage = Stage.OVER
    return True


def starts_in(tournament: Tournament) -> float | None:
    """The seconds until the next round begins by itself; `None` if none is due."""
    if tournament.stage != Stage.RUNNING or not tournament.played[-1].ended:
        return None
    return timestamp(tournament.played[-1].ended) + tournament.pause - timekeeper.seconds()


def finished_games(tournament: Tournament) -> list[Game]:
    """The games that count for the standings, and the byes."""
    games = [game for round in tournament.played for game in round.pairings]
    return [Game(game.one, game.two, POINTS[game.result]) for game in games if game.result]
