"""A match with its players at the session: whose turn it is, and how far back a person goes."""

import random
from pathlib import Path

import pytest

from quintet.engines import make_engine
from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_position
from quintet.options import start
from quintet.rules import PASS
from quintet.session import Session
from quintet.store.autosave import Autosave


def test_taking_back_leads_to_the_last_choice_of_a_person_whatever_followed() -> None:
    rng, followed = random.Random(3), set()
    for seed in range(20):
        session = Session(Match(start(GAMES["adjacent-claim"], "3x3")), (None, make_engine("random", seed)))
        match, chosen = session.match, 0
        while not match.outcome:
            if session.engine:
                session.play(session.engine.choose(match.position))
            else:
                chosen = match.ply
                session.play(rng.choice(match.position.moves))
            move, before = match.moves[chosen], match.positions[chosen]
            copy = Session(match.copy(), session.engines)
            assert copy.take_back() == move and copy.match.position == before and copy.match.ply == chosen
            followed.add(tuple(later == PASS for later in match.moves[chosen + 1 :]))
        session.close()
    assert (False, True, False) in followed  # The person had to pass, and the engine moved again.


def test_where_only_engines_have_moved_one_of_them_chooses_anew() -> None:
    opened = Match(start(GAMES["gridlock"]), [1])
    assert Session(opened, (make_engine("greedy"), None)).take_back() == 1 and opened.ply == 0
    shown = Match(start(GAMES["isolation"]), [1, 4])
    assert Session(shown, (make_engine("greedy"), make_engine("greedy"))).take_back() == 4 and shown.ply == 1


def test_a_pass_that_was_forced_at_the_start_is_nobodys_claim() -> None:
    match = Match(read_position("adjacent-claim XO./OO./... X"))
    session = Session(match, (None, make_engine("greedy")))
    session.play_passes()
    assert match.moves == [PASS] and session.take_back() is None and match.moves == [PASS]
    assert session.engine and session.people == [1]
    session.play(session.engine.choose(match.position))
    assert session.take_back() and match.moves == [PASS]


def test_giving_up_is_taken_back_first() -> None:
    match = Match(start(GAMES["gridlock"]), [1])
    assert not match.reopen()
    match.resign()
    assert match.outcome and match.reopen() and match.outcome is None and match.ply == 1
    match.forfeit(1, "it has left the room")
    assert match.outcome and match.reopen() and match.outcome is None and match.ply == 1


def test_a_store_that_fails_is_reported_once_and_the_game_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINTET_DATABASE", f"sqlite:///{tmp_path}")  # A folder is not a database.
    warnings: list[str] = []
    match = Match(start(GAMES["gridlock"]))
    session = Session(match, (None, None), Autosave(match, warnings.append))
    for cell in (1, 1 << 10):
        session.play(cell)
    assert match.ply == 2 and len(warnings) == 1 and str(tmp_path) in warnings[0]
