"""Changes to an online match that players, engines and clocks propose.

Each function changes a draft and gives the `Change` to store, or `None` if there is nothing to change. What is not
allowed raises an `ApiError`. Nothing here stores, sends or waits. `seats` are those of the sender.
"""

from collections.abc import Sequence

from quintet.engines import HUMAN
from quintet.language import later, tr
from quintet.match import Match
from quintet.notation import InvalidMove, read_move, screen_label
from quintet.rules import PASS, IllegalMove, Position
from quintet.store.ids import ONLINE_ID, one_line, random_ids
from quintet.store.online import Change, Offer, OfferKind, OnlineMatch, Seat, hash_token
from quintet.store.timekeeper import now
from quintet.web import clock
from quintet.web.api_error import ApiError
from quintet.web.messages import Answer

OUT_OF_TIME = later("ran out of time")
"""Why a player forfeits whose clock has run out."""


def propose_move(draft: OnlineMatch, seats: Sequence[int], ply: int, undone: int, text: str) -> Change | None:
    """Play a move that follows a history; one that was played already changes nothing."""
    match = draft.match
    if not seats:
        raise ApiError(403, tr("Only the players of this match can move."))
    if undone != draft.undone:
        raise ApiError(409, tr("Moves were undone in the meantime."))
    if ply > match.ply:
        raise ApiError(409, tr("Moves played so far: {played}, not {ply}.", played=match.ply, ply=ply))
    position = match.positions[ply]
    if position.player not in seats:
        raise ApiError(409, tr("It is Player {player}'s turn.", player=match.position.player))
    try:
        move = read_move(position, text, screen_label)
        if ply < match.ply:
            if match.moves[ply] == move:
                return None
            raise ApiError(409, tr("A different move was already played."))
        check_not_over(draft)
        return play(draft, move)
    except (InvalidMove, IllegalMove) as error:
        raise ApiError(422, str(error)) from None


def propose_engine_move(draft: OnlineMatch, asked: OnlineMatch, answer: int | str, seconds: float) -> Change | None:
    """Play an engine's move, if the match is still the one it was asked about; an engine without a move forfeits."""
    if (draft.match.ply, draft.undone) != (asked.match.ply, asked.undone) or draft.match.outcome:
        return None
    return play(draft, answer, seconds) if isinstance(answer, int) else forfeit(draft, answer)


def propose_resignation(draft: OnlineMatch, seats: Sequence[int]) -> Change:
    """Resign the game."""
    player = acting_player(draft, seats)
    check_not_over(draft)
    draft.match.resigned = player
    return end(draft)


def propose_flag(draft: OnlineMatch) -> Change | None:
    """End the match if the person to move has no time left; engines are only charged for the time they spent."""
    player = draft.match.position.player
    running = clock.running_since(draft) is not None and draft.seats[player].who == HUMAN
    return flag(draft) if running and clock.left_now(draft, player) <= 0 else None


def propose_forfeit(draft: OnlineMatch, player: int, reason: str) -> Change | None:
    """End the match: a player, to move or not, loses for a reason."""
    if draft.match.outcome:
        return None
    draft.match.forfeit(player, reason)
    return end(draft)


def propose_undo(
    draft: OnlineMatch, seats: Sequence[int], answer: Answer, ply: int | None = None, undone: int | None = None
) -> Change | None:
    """Take back moves until who asked for it is to move again, or offer that; an older history changes nothing."""
    player, match = acting_player(draft, seats), draft.match
    if draft.tournament:
        raise ApiError(409, tr("Moves cannot be taken back in a tournament."))
    if ply not in (None, match.ply) or undone not in (None, draft.undone):
        return None
    check_not_over(draft)
    asking = settle_offer(draft, OfferKind.UNDO, seats, player, answer)
    if asking is None:
        return Change(draft)
    players = seats if len(seats) > 1 else [asking]
    if match.last_claim(players) is None:
        raise ApiError(409, tr("There is no move to undo."))
    if not draft.offer and not decides_alone(draft, seats, player):
        draft.offer = Offer(OfferKind.UNDO, player)
        return Change(draft)
    match.undo(players)
    draft.undone += 1
    draft.offer = None
    draft.clocks = draft.clocks[: match.ply]
    draft.updated = now()
    return Change(draft, truncated_to=match.ply)


def propose_rematch(draft: OnlineMatch, seats: Sequence[int], answer: Answer) -> Change | None:
    """Start the same game again with the other player first, or offer that."""
    player = acting_player(draft, seats)
    if not draft.match.outcome:
        raise ApiError(409, tr("The game is not over yet."))
    if draft.tournament:
        raise ApiError(409, tr("There are no rematches in a tournament."))
    if draft.rematch:
        return None
    asking = settle_offer(draft, OfferKind.REMATCH, seats, player, answer)
    if asking is None:
        return Change(draft)
    if not draft.offer and not decides_alone(draft, seats, player):
        draft.offer = Offer(OfferKind.REMATCH, player)
        return Change(draft)
    draft.offer = None
    draft.rematch = next(random_ids(ONLINE_ID))
    return Change(draft, rematch=rematch_of(draft, draft.rematch))


def propose_join(draft: OnlineMatch, token: str, name: str | None, wanted: int | None) -> Change | None:
    """Take a free seat, a certain one if it is wanted; nothing changes if the token has one already."""
    held = [number for number, seat in draft.seats.items() if seat.token_hash == hash_token(token)]
    if wanted in held or (wanted is None and held):
        return None
    free = [number for number, seat in sorted(draft.seats.items()) if seat.who == HUMAN and not seat.token_hash]
    if not free:
        raise ApiError(409, tr("All seats at this table are taken; you can watch."))
    if wanted is not None and wanted not in free:
        raise ApiError(409, tr("That seat is taken."))
    player = wanted or free[0]
    shown = one_line(name or "") or None
    draft.seats[player] = Seat(HUMAN, shown, hash_token(token), now())
    one, two = draft.match.names
    draft.match.names = (shown or HUMAN, two) if player == 1 else (one, shown or HUMAN)
    return Change(draft, seat_taken=player)


def play(draft: OnlineMatch, move: int, seconds: float | None = None) -> Change:
    """Play a move and the forced passes after it, unless time is up; `seconds` are those that an engine spent."""
    match, first = draft.match, draft.match.ply
    left = clock.left_to_mover(draft, seconds)
    if left is not None and left <= 0:
        return flag(draft)
    left = clock.add_increment(draft, left)
    match.play(move)
    while match.position.must_pass:
        match.play(PASS)
    draft.clocks += (left, *[None] * (match.ply - first - 1))
    draft.offer = None
    draft.updated = now()
    return Change(draft, moves_from=first)


def end(draft: OnlineMatch) -> Change:
    """End the match without another move."""
    draft.offer = None
    draft.updated = now()
    return Change(draft)


def forfeit(draft: OnlineMatch, reason: str) -> Change:
    """The player to move loses for a reason."""
    draft.match.forfeit(draft.match.position.player, reason)
    return end(draft)


def flag(draft: OnlineMatch) -> Change:
    """The player to move has no time left."""
    return forfeit(draft, OUT_OF_TIME)


def acting_player(draft: OnlineMatch, seats: Sequence[int]) -> int:
    """The player whom the sender acts for: the one to move, if it has both seats."""
    if not seats:
        raise ApiError(403, tr("Only the players of this match can do that."))
    return draft.match.position.player if len(seats) > 1 else seats[0]


def check_not_over(draft: OnlineMatch) -> None:
    """Refuse to change a match that is over."""
    if draft.match.outcome:
        raise ApiError(409, tr("The game is over."))


def decides_alone(draft: OnlineMatch, seats: Sequence[int], player: int) -> bool:
    """Whether nobody else has to agree: the opponent is an engine, the same person, or has not joined yet."""
    opponent = draft.seats[3 - player]
    return len(seats) > 1 or opponent.who != HUMAN or opponent.token_hash is None


def settle_offer(draft: OnlineMatch, kind: OfferKind, seats: Sequence[int], player: int, answer: Answer) -> int | None:
    """The player who asks for something, after an offer or the answer to one; `None` if it was declined."""
    offered = draft.offer if draft.offer and draft.offer.kind == kind else None
    if answer == "offer":
        if offered and offered.by == player and not decides_alone(draft, seats, player):
            raise ApiError(409, tr("You have already offered that."))
        draft.offer = offered
        return offered.by if offered else player
    if not offered or (answer == "accept" and offered.by == player):
        raise ApiError(409, tr("That offer is no longer open."))
    if answer == "accept":
        return offered.by
    draft.offer = None
    return None


def rematch_of(draft: OnlineMatch, id: str) -> OnlineMatch:
    """The rematch of a match that is over: the same seats and tokens, the other player first."""
    first = draft.match.positions[0]
    start = Position(first.game, first.board, first.theirs, first.mine, first.other)
    return OnlineMatch(id, Match(start, names=draft.match.names), draft.seats, draft.control, updated=now())
