"""Changes to a tournament that its people and its organiser make; those of its rounds are in `tournament_rounds`.

Each function changes a draft and says whether it did. What is not allowed raises an `ApiError`. Nothing here stores,
sends or waits.
"""

from hmac import compare_digest

from quintet.engines import HUMAN
from quintet.engines.kinds import name_of
from quintet.language import ENGLISH, in_language, tr
from quintet.safe_text import escape
from quintet.store.online_matches import hash_token
from quintet.store.rows import one_line
from quintet.store.tournaments import Entry, Format, Stage, Tournament
from quintet.view import CUSTOM_PREFIX
from quintet.web.api_error import ApiError
from quintet.web.messages import LONGEST_NAME
from quintet.web.tournament_rounds import open_pairings

MAX_ENTRIES, MAX_ENGINES = 64, 16


def is_joinable(tournament: Tournament) -> bool:
    """Whether somebody can still join."""
    if len([entry for entry in tournament.entries if not entry.removed]) >= MAX_ENTRIES:
        return False
    late = tournament.format == Format.SWISS and len(tournament.played) < tournament.rounds
    return tournament.stage == Stage.OPEN or (tournament.stage == Stage.RUNNING and late)


def safe_name(name: str, longest: int = LONGEST_NAME) -> str:
    """A name that a stranger typed, on one line and without invisible characters."""
    return escape(one_line(name))[:longest].strip()


def entry_of(tournament: Tournament, token: str) -> Entry | None:
    """The entry that a token belongs to."""
    known = hash_token(token)
    found = (entry for entry in tournament.entries if entry.token_hash and compare_digest(entry.token_hash, known))
    return next(found, None)


def own_entry(draft: Tournament, token: str) -> Entry:
    """The entry of whoever sends a token."""
    entry = entry_of(draft, token)
    if not entry:
        raise ApiError(403, tr("That token is not valid for an entry in this tournament."))
    return entry


def numbered_entry(draft: Tournament, number: int) -> Entry:
    """The entry with a number."""
    entry = next((entry for entry in draft.entries if entry.number == number), None)
    if not entry:
        raise ApiError(404, tr("There is no such entry."))
    return entry


def check_joinable(draft: Tournament) -> None:
    """Refuse a new entry that comes too late, or that is one too many."""
    if is_joinable(draft):
        return
    if draft.stage == Stage.OVER:
        raise ApiError(409, tr("The tournament is over."))
    if len([entry for entry in draft.entries if not entry.removed]) >= MAX_ENTRIES:
        raise ApiError(409, tr("A tournament has at most {count} entries.", count=MAX_ENTRIES))
    raise ApiError(409, tr("The tournament has started, and nobody can join any more."))


def add_entry(draft: Tournament, name: str, who: str, token: str | None) -> None:
    """Add an entry with the next number."""
    draft.last_number += 1
    draft.entries.append(Entry(draft.last_number, name, who, hash_token(token) if token else None))


def join(draft: Tournament, token: str, name: str) -> bool:
    """Take part under a name; nothing changes if the token has an entry already."""
    if entry_of(draft, token):
        return False
    shown = safe_name(name)
    if not shown:
        raise ApiError(422, tr("Type a name, so that others know who you are."))
    check_joinable(draft)
    if shown.casefold() in {entry.name.casefold() for entry in draft.entries}:
        raise ApiError(409, tr("Somebody in this tournament has that name already; choose another."))
    add_entry(draft, shown, HUMAN, token)
    return True


def add_engine(draft: Tournament, who: str) -> bool:
    """Let an engine take part."""
    check_joinable(draft)
    if len([entry for entry in draft.entries if entry.who != HUMAN and not entry.removed]) >= MAX_ENGINES:
        raise ApiError(409, tr("A tournament has at most {count} engines.", count=MAX_ENGINES))
    title = in_language(ENGLISH, name_of, who).removeprefix(CUSTOM_PREFIX)  # It is stored.
    taken = {entry.name.casefold() for entry in draft.entries}
    names = (title, *(f"{title} ({number})" for number in range(2, MAX_ENTRIES + 2)))
    add_entry(draft, next(name for name in names if name.casefold() not in taken), who, None)
    return True


def leave(draft: Tournament, entry: Entry, removed: bool = False) -> bool:
    """Pair somebody no more; their open game is lost. Before the start they are simply not there."""
    if draft.stage == Stage.OPEN:
        draft.entries.remove(entry)
        return True
    if entry.left and entry.removed >= removed:
        return False
    entry.left, entry.removed = True, entry.removed or removed
    return True


def come_back(draft: Tournament, entry: Entry) -> bool:
    """Pair somebody again who left."""
    if entry.removed:
        raise ApiError(403, tr("The organiser removed you from this tournament."))
    if not entry.left:
        return False
    if draft.stage == Stage.OVER:
        raise ApiError(409, tr("The tournament is over."))
    entry.left = False
    return True


def rule(draft: Tournament, number: int, match: str) -> bool:
    """End a game of the current round: an entry loses by the organiser's ruling."""
    pairing = next((pairing for pairing in open_pairings(draft) if pairing.match == match), None)
    if not pairing or number not in (pairing.one, pairing.two):
        raise ApiError(409, tr("That game is not being played in this round."))
    changed = pairing.ruled_against != number
    pairing.ruled_against = number
    return changed
