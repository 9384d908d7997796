"""The changes that players, engines and clocks propose to an online match, without a server or a store."""

from datetime import UTC, datetime, timedelta

import pytest

from quintet.engines import HUMAN
from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_move, read_moves
from quintet.options import start
from quintet.store.online import Offer, OfferKind, OnlineMatch, Seat, TimeControl, hash_token
from quintet.store.rows import now
from quintet.web import proposals
from quintet.web.api_error import ApiError
from quintet.web.table import Proposal

UNDO, REMATCH = OfferKind.UNDO, OfferKind.REMATCH


def draft_of(
    moves: str = "", two: str = HUMAN, joined: bool = True, control: TimeControl | None = None, spent: float = 0
) -> OnlineMatch:
    """A draft of a match of Isolation; `spent` is how many seconds ago it was last moved in."""
    first = start(GAMES["isolation"])
    match = Match(first, read_moves(first, moves), ("Ada", "Bea" if joined else two))
    time = (datetime.now(UTC) - timedelta(seconds=spent)).isoformat()
    person = Seat(HUMAN, "Bea", hash_token("bea"), time) if joined else Seat(HUMAN)
    seats = {1: Seat(HUMAN, "Ada", hash_token("ada"), time), 2: person if two == HUMAN else Seat(two, joined=time)}
    return OnlineMatch("m", match, seats, control, (None,) * match.ply, time).draft()


def finished(two: str = HUMAN) -> OnlineMatch:
    return draft_of("7; 4; 10; 1; 13", two)


def labels(online: OnlineMatch) -> list[str]:
    return [online.match.position.label(move) for move in online.match.moves]


def refusal(propose: Proposal, draft: OnlineMatch) -> tuple[int, str]:
    """The status and the text that a proposal is refused with."""
    with pytest.raises(ApiError) as caught:
        propose(draft)
    return caught.value.http_status, str(caught.value)


def test_a_move_is_played_once() -> None:
    draft = draft_of("7")
    change = proposals.propose_move(draft, [2], 1, 0, "4")
    assert change and change.draft is draft and change.moves_from == 1 and draft.revision == 1
    assert labels(draft) == ["7", "4"] and draft.clocks == (None, None)
    assert proposals.propose_move(draft, [2], 1, 0, "4") is None
    assert labels(draft) == ["7", "4"]


@pytest.mark.parametrize(
    ("seats", "ply", "undone", "text", "status", "words"),
    [
        ([], 1, 0, "4", 403, "Only the players"),
        ([1], 1, 0, "4", 409, "Player 2's turn"),
        ([2], 1, 1, "4", 409, "undone"),
        ([2], 2, 0, "4", 409, "Moves played so far: 1, not 2"),
        ([1], 0, 0, "4", 409, "A different move"),
        ([2], 1, 0, "99", 422, "No such cell"),
        ([2], 1, 0, "8", 422, "next to"),
    ],
)
def test_a_move_that_is_not_allowed(
    seats: list[int], ply: int, undone: int, text: str, status: int, words: str
) -> None:
    draft = draft_of("7")
    found = refusal(lambda draft: proposals.propose_move(draft, seats, ply, undone, text), draft)
    assert found[0] == status and words in found[1] and labels(draft) == ["7"]


def test_nothing_is_played_when_the_game_is_over() -> None:
    draft = finished()
    for propose in (
        lambda draft: proposals.propose_move(draft, [1, 2], 5, 0, "1"),
        lambda draft: proposals.propose_resignation(draft, [1]),
        lambda draft: proposals.propose_undo(draft, [1], "offer"),
    ):
        assert refusal(propose, draft) == (409, "The game is over.")


def test_forced_passes_are_played_with_the_move() -> None:
    first = start(GAMES["adjacent-claim"], size="1x4")
    draft = OnlineMatch("m", Match(first, read_moves(first, "A1")), {}, clocks=(None,), updated=now()).draft()
    change = proposals.propose_move(draft, [2], 1, 0, "A2")
    assert change and change.moves_from == 1
    assert labels(draft) == ["A1", "A2", "pass"] and draft.match.position.player == 2 and draft.clocks == (None,) * 3


def test_a_move_ends_an_offer() -> None:
    draft = draft_of("7")
    draft.offer = Offer(UNDO, 1)
    assert proposals.propose_move(draft, [2], 1, 0, "4") and draft.offer is None


def test_clocks_are_charged_and_incremented() -> None:
    draft = draft_of("7", control=TimeControl(60, 5), spent=10)
    assert proposals.propose_move(draft, [2], 1, 0, "4")
    [_, left] = draft.clocks
    assert left is not None and 50_000 <= left <= 55_000
    assert labels(draft) == ["7", "4"]


def test_a_move_after_the_time_is_a_loss() -> None:
    draft = draft_of("7", control=TimeControl(60, 5), spent=61)
    change = proposals.propose_move(draft, [2], 1, 0, "4")
    assert change and change.moves_from is None and labels(draft) == ["7"]
    assert draft.match.outcome and draft.match.outcome.reason == "Player 2 forfeits: ran out of time"


def test_the_flag_falls_only_for_a_person_without_time() -> None:
    control = TimeControl(60, 0)
    assert proposals.propose_flag(draft_of("7")) is None
    assert proposals.propose_flag(draft_of("7", control=control, spent=50)) is None
    assert proposals.propose_flag(draft_of("7", "random", control=control, spent=70)) is None
    assert proposals.propose_flag(draft_of("7", joined=False, control=control, spent=70)) is None
    draft = draft_of("7", control=control, spent=70)
    assert proposals.propose_flag(draft) and draft.match.outcome and draft.match.outcome.winner == 1


def test_an_engine_moves_only_in_the_match_it_was_asked_about() -> None:
    asked = draft_of("7", "random", control=TimeControl(60, 0), spent=100)
    move = read_move(asked.match.position, "4")
    played = asked.draft()
    change = proposals.propose_engine_move(played, asked, move, 1.0)
    assert change and labels(played) == ["7", "4"] and played.clocks[1] == 59_000, "it pays only for what it spent"
    assert proposals.propose_engine_move(played.draft(), asked, move, 1.0) is None
    undone = asked.draft()
    undone.undone += 1
    assert proposals.propose_engine_move(undone, asked, move, 1.0) is None
    failed = asked.draft()
    assert proposals.propose_engine_move(failed, asked, "gave no legal move", 1.0)
    assert failed.match.outcome and failed.match.outcome.reason == "Player 2 forfeits: gave no legal move"


def test_a_player_resigns_whoever_is_to_move() -> None:
    draft = draft_of("7")
    draft.offer = Offer(UNDO, 1)
    assert proposals.propose_resignation(draft, [1])
    assert draft.match.outcome and draft.match.outcome.winner == 2 and draft.offer is None
    both = draft_of("7")
    assert proposals.propose_resignation(both, [1, 2]) and both.match.resigned == 2
    assert refusal(lambda draft: proposals.propose_resignation(draft, []), draft_of())[0] == 403


def test_an_undo_is_offered_and_accepted_or_declined() -> None:
    draft = draft_of("7; 4")
    assert proposals.propose_undo(draft, [1], "offer")
    assert draft.offer == Offer(UNDO, 1) and labels(draft) == ["7", "4"]
    assert "already offered" in refusal(lambda draft: proposals.propose_undo(draft, [1], "offer"), draft)[1]
    assert "no longer open" in refusal(lambda draft: proposals.propose_undo(draft, [1], "accept"), draft)[1]
    declined = draft.draft()
    assert proposals.propose_undo(declined, [2], "decline") and declined.offer is None and declined.undone == 0
    change = proposals.propose_undo(draft, [2], "accept")
    assert change and change.truncated_to == 0 and draft.undone == 1 and draft.clocks == () and draft.offer is None


def test_two_offers_of_an_undo_are_an_agreement() -> None:
    draft = draft_of("7; 4")
    assert proposals.propose_undo(draft, [2], "offer")
    change = proposals.propose_undo(draft, [1], "offer")
    assert change and change.truncated_to == 1, "the first offer counts: Player 2 is to move again"


@pytest.mark.parametrize(("two", "joined"), [("random", True), (HUMAN, False)])
def test_an_undo_needs_no_agreement_without_an_opponent(two: str, joined: bool) -> None:
    change = proposals.propose_undo(draft_of("7; 4", two, joined), [1], "offer")
    assert change and change.truncated_to == 0


def test_a_player_with_both_seats_takes_back_the_last_move() -> None:
    change = proposals.propose_undo(draft_of("7; 4"), [1, 2], "offer")
    assert change and change.truncated_to == 1


def test_an_undo_that_is_not_possible() -> None:
    assert refusal(lambda draft: proposals.propose_undo(draft, [1], "offer"), draft_of()) == (
        409,
        "There is no move to undo.",
    )
    assert refusal(lambda draft: proposals.propose_undo(draft, [1], "accept"), draft_of("7"))[0] == 409
    assert refusal(lambda draft: proposals.propose_undo(draft, [], "offer", 9, 9), draft_of("7"))[0] == 403
    assert proposals.propose_undo(draft_of("7; 4"), [1], "offer", ply=1, undone=0) is None
    assert proposals.propose_undo(draft_of("7; 4"), [1], "offer", ply=2, undone=1) is None


def test_a_rematch_is_offered_and_accepted_once() -> None:
    assert refusal(lambda draft: proposals.propose_rematch(draft, [1], "offer"), draft_of("7"))[0] == 409
    draft = finished()
    change = proposals.propose_rematch(draft, [2], "offer")
    assert change and change.rematch is None and draft.offer == Offer(REMATCH, 2)
    declined = draft.draft()
    assert proposals.propose_rematch(declined, [1], "decline") and declined.offer is None and not declined.rematch
    change = proposals.propose_rematch(draft, [1], "accept")
    assert change and change.rematch and change.rematch.id == draft.rematch and draft.offer is None
    again = change.rematch
    assert again.match.position.player == 2 and again.match.ply == 0 and again.seats == draft.seats
    assert again.match.names == ("Ada", "Bea") and again.revision == 0
    assert proposals.propose_rematch(draft, [2], "offer") is None


def test_a_rematch_against_an_engine_starts_at_once() -> None:
    change = proposals.propose_rematch(finished(two="random"), [1], "offer")
    assert change and change.rematch and change.rematch.seats[2].who == "random"


def test_a_free_seat_is_taken() -> None:
    draft = draft_of(joined=False)
    assert refusal(lambda draft: proposals.propose_join(draft, "token", None, 1), draft) == (409, "That seat is taken.")
    change = proposals.propose_join(draft, "token", " Bea\n", None)
    assert change and change.seat_taken == 2 and draft.match.names == ("Ada", "Bea")
    seat = draft.seats[2]
    assert seat.name == "Bea" and seat.token_hash == hash_token("token") and seat.joined
    assert (
        proposals.propose_join(draft, "token", "Eve", None) is proposals.propose_join(draft, "token", "Eve", 2) is None
    )
    assert draft.seats[2] == seat
    assert "All seats" in refusal(lambda draft: proposals.propose_join(draft, "other", None, None), draft)[1]


def test_a_seat_can_be_taken_without_a_name() -> None:
    draft = draft_of(joined=False)
    draft.seats[1] = Seat(HUMAN)
    change = proposals.propose_join(draft, "token", "", 1)
    assert change and change.seat_taken == 1
    assert draft.match.names == (HUMAN, HUMAN) and draft.seats[1].name is None
