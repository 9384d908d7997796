"""The checker of the chaos test finds what it is there to find, and nothing in a history that is right."""

from collections.abc import Callable

import msgspec
import pytest

from quintet.bench.checker import check
from quintet.bench.history import History, Operation, Outcome, Stored, View

TABLE = "table"
Change = Callable[[History], None]


def good_history() -> History:
    """Two players on two sockets: three moves, an undo, another move, a lost answer, a resignation, a rematch."""
    history, time = History(), iter(range(1_000))
    line: list[tuple[int, tuple[str, ...]]] = []

    def show(undone: int, *moves: str, ended: str = "") -> View:
        line.append((undone, moves))
        for socket in (1, 2):
            history.see(View(next(time), socket, 0, TABLE, undone, moves, bool(ended), ended))
        return history.views[-2]

    def ask(kind: str, seat: int, undone: int = 0, ply: int = 0, what: str = "") -> Operation:
        return history.invoke(Operation(kind, TABLE, seat, next(time), undone, ply, what, sent=1))

    def move(seat: int, undone: int, what: str, *before: str) -> None:
        asked = ask("move", seat, undone, len(before), what)
        asked.acknowledge(next(time), show(undone, *before, f"{seat}:{what}"))

    ask("join", 2, what="hash").acknowledge(next(time))
    move(1, 0, "A1")
    move(2, 0, "A2", "1:A1")
    move(1, 0, "A3", "1:A1", "2:A2")
    offer = ask("undo", 1, 0, 3, "offer")
    offer.acknowledge(next(time), history.see(View(next(time), 1, 0, TABLE, 0, line[-1][1], offer="undo:1")))
    accept = ask("undo", 2, 0, 3, "accept")
    accept.acknowledge(next(time), show(1, "1:A1", "2:A2"))
    move(1, 1, "B1", "1:A1", "2:A2")
    ask("move", 2, 1, 3, "B2")  # Its answer was lost, and it was made.
    show(1, "1:A1", "2:A2", "1:B1", "2:B2")
    ask("move", 1, 1, 4, "C1")  # Its answer was lost, and it was not made.
    ask("resign", 1).acknowledge(next(time), show(1, *line[-1][1], ended="Player 1 resigned"))
    history.see(View(next(time), 1, 0, TABLE, 1, line[-1][1], True, "Player 1 resigned", rematch="again"))
    ask("rematch", 2, what="accept").acknowledge(next(time))
    history.stored = {
        TABLE: Stored(TABLE, 1, line[-1][1], 9, True, "Player 1 resigned", "", "again", {1: "own", 2: "hash"}),
        "again": Stored("again", 0, (), 0),
    }
    return history


def replace_stored(**fields: object) -> Change:
    def change(history: History) -> None:
        stored = history.stored[TABLE]
        assert stored
        history.stored[TABLE] = msgspec.structs.replace(stored, **fields)

    return change


def find(history: History, kind: str, what: str) -> Operation:
    return next(one for one in history.operations if (one.kind, one.what) == (kind, what))


def drop_stored(history: History) -> None:
    history.stored[TABLE] = None


def lose_acknowledged_move(history: History) -> None:
    """It was acknowledged, and nobody ever saw it again: neither a view nor the store has it."""
    asked = find(history, "move", "C1")
    asked.acknowledge(asked.invoked + 0.5)


def lose_by_undo(history: History) -> None:
    """A move was acknowledged after the offer, and the undo took it back too."""
    for one in (find(history, "undo", "offer"), find(history, "undo", "accept")):
        one.ply = 2


def refuse_what_was_made(history: History) -> None:
    find(history, "move", "B2").refuse(500, "nothing was changed")


def play_elsewhere(history: History) -> None:
    """The move after the undo is one that was asked for before it, at another place."""
    find(history, "move", "B2").what = "C2"
    find(history, "move", "A2").what = "B2"


def play_unasked(history: History) -> None:
    history.operations.remove(find(history, "move", "B2"))


def undo_unasked(history: History) -> None:
    for one in (find(history, "undo", "offer"), find(history, "undo", "accept")):
        history.operations.remove(one)


def show_older(history: History) -> None:
    history.views.append(msgspec.structs.replace(history.views[2], time=900))


def show_other_board(history: History) -> None:
    history.views.append(msgspec.structs.replace(history.views[1], socket=3, moves=("1:D4",)))


def show_before_asked(history: History) -> None:
    find(history, "move", "B2").invoked = 900


def acknowledge_out_of_order(history: History) -> None:
    """A move began after a later one was acknowledged."""
    find(history, "move", "A1").invoked = find(history, "move", "A3").returned or 0
    history.views = [view for view in history.views if len(view.moves) != 1]
    find(history, "move", "A1").seen = None
    for number, view in enumerate(history.views):
        history.views[number] = msgspec.structs.replace(view, time=view.time + 500)


def acknowledge_with_older_state(history: History) -> None:
    find(history, "move", "A2").seen = history.views[0]


def resign_unasked(history: History) -> None:
    find(history, "resign", "").seat = 2


def go_on_after_the_end(history: History) -> None:
    history.views.append(msgspec.structs.replace(history.views[0], socket=3, over=True, ended="it is full"))


def offer_twice(history: History) -> None:
    history.views.append(msgspec.structs.replace(history.views[-1], rematch="other"))


def give_seat_twice(history: History) -> None:
    join = find(history, "join", "hash")
    history.operations.append(msgspec.structs.replace(join, invoked=950.0))


def run_out_of_time(history: History) -> None:
    ended = "Player 1 forfeits: ran out of time"
    history.views = [msgspec.structs.replace(view, ended=ended if view.over else "") for view in history.views]
    replace_stored(ended=ended)(history)


def show_too_much_time(history: History) -> None:
    replace_stored(seconds=60)(history)
    history.views[3] = msgspec.structs.replace(history.views[3], left=(60_000, 90_000))


def show_too_little_time(history: History) -> None:
    replace_stored(seconds=3600)(history)
    history.views[3] = msgspec.structs.replace(history.views[3], left=(3_599_000, 1_000))


def test_a_right_history_has_no_violations() -> None:
    assert check(good_history()) == []


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (drop_stored, "lost"),
        (replace_stored(moves=("1:A1", "2:A2", "1:B1")), "lost"),
        (replace_stored(undone=0, moves=("1:A1", "2:A2", "1:A3")), "lost"),
        (replace_stored(over=False, ended=""), "lost"),
        (replace_stored(rematch=""), "lost"),
        (replace_stored(tokens={1: "own", 2: "another"}), "lost"),
        (replace_stored(revision=5), "lost"),
        (replace_stored(rematch="nowhere"), "lost"),
        (lose_acknowledged_move, "lost"),
        (lose_by_undo, "lost"),
        (replace_stored(revision=40), "doubled"),
        (play_elsewhere, "doubled"),
        (offer_twice, "doubled"),
        (give_seat_twice, "doubled"),
        (refuse_what_was_made, "unasked"),
        (play_unasked, "unasked"),
        (undo_unasked, "unasked"),
        (resign_unasked, "unasked"),
        (show_older, "stale"),
        (acknowledge_with_older_state, "stale"),
        (show_other_board, "conflict"),
        (go_on_after_the_end, "conflict"),
        (show_before_asked, "order"),
        (acknowledge_out_of_order, "order"),
        (run_out_of_time, "clock"),
        (show_too_much_time, "clock"),
        (show_too_little_time, "clock"),
    ],
)
def test_each_kind_of_violation_is_found(change: Change, kind: str) -> None:
    history = good_history()
    change(history)
    found = check(history)
    assert kind in {one.kind for one in found}, found
    assert all(one.table in str(one) and one.text for one in found)


def refuse_offer_that_was_made(history: History) -> None:
    history.invoke(Operation("rematch", TABLE, 1, 600, what="offer", sent=1)).refuse(601, "nothing was changed")
    replace_stored(revision=12)(history)


def refuse_and_ask_again(history: History) -> None:
    """It was made though it was refused, and asked for again later."""
    made = find(history, "move", "B2")
    made.refuse(made.invoked + 0.1, "nothing was changed")
    seen = next(view.time for view in history.views if len(view.moves) == 4)
    history.invoke(Operation("move", TABLE, 2, seen + 0.1, 1, 3, "B2", sent=1)).acknowledge(seen + 0.2)


@pytest.mark.parametrize("change", [refuse_offer_that_was_made, refuse_and_ask_again])
def test_what_was_refused_was_not_made(change: Change) -> None:
    history = good_history()
    change(history)
    assert {one.kind for one in check(history)} == {"unasked"}


def test_what_was_refused_may_be_asked_for_again() -> None:
    history = good_history()
    refused = msgspec.structs.replace(find(history, "move", "B1"), outcome=Outcome.UNKNOWN, returned=None)
    refused.invoked -= 0.2
    refused.refuse(refused.invoked + 0.1, "nothing was changed")
    history.operations.append(refused)
    assert check(history) == []


def test_asking_for_what_was_made_changes_nothing() -> None:
    history = good_history()
    again = msgspec.structs.replace(find(history, "move", "A1"), invoked=700.0)
    again.acknowledge(701, history.views[-1])
    history.operations.append(again)
    assert check(history) == []


def test_what_was_sent_twice_and_then_refused_may_have_happened() -> None:
    history = good_history()
    retried = find(history, "move", "B2")
    retried.sent = 2
    retried.refuse(500, "A different move was already played.")
    assert retried.outcome == Outcome.UNKNOWN and check(history) == []
