"""Human baselines in the store, SQLite or PostgreSQL: a turn is stored once, and participants do not mix."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from postgres import running_postgres
from quintet.store.baselines import (
    BaselineTurn,
    UnknownBaseline,
    load_baseline,
    load_baselines,
    open_baseline,
    save_turn,
)
from quintet.store.database import Database
from quintet.store.schema import BASELINE_TURNS, BASELINES

FIRST = BaselineTurn(0, 0, "gridlock ..../..../..../.... X", "1 1", 900)
SECOND = BaselineTurn(0, 1, "gridlock X.../..../..../...O X", "1 2", 1200)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with running_postgres("-c", "fsync=off") as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, database: Path) -> Iterator[Database]:
    url = f"sqlite:///{database}" if request.param == "sqlite" else request.getfixturevalue("postgres")
    with Database(url) as store:
        with store.transaction(writing=True) as connection:
            connection.execute(BASELINE_TURNS.delete())
            connection.execute(BASELINES.delete())
        yield store


def test_a_participant_comes_back_to_the_same_baseline(store: Database) -> None:
    ada = open_baseline(store, "quick-2", "gridlock", "P1", "a" * 64)
    assert save_turn(store, ada.id, SECOND) and save_turn(store, ada.id, FIRST)
    again = open_baseline(store, "quick-2", "gridlock", "P1", "a" * 64)
    assert again.id == ada.id and again.turns == [FIRST, SECOND], "in order, whichever was stored first"
    assert open_baseline(store, "quick-2", "gridlock", "P1", "b" * 64).token_hash == "a" * 64


def test_a_turn_is_stored_once_and_never_changed(store: Database) -> None:
    ada = open_baseline(store, "quick-2", "", "P1", "a" * 64)
    assert save_turn(store, ada.id, FIRST)
    assert not save_turn(store, ada.id, BaselineTurn(0, 0, FIRST.position, "2 2", 5))
    assert load_baseline(store, ada.id).turns == [FIRST]


def test_participants_suites_and_games_do_not_mix(store: Database) -> None:
    ids = [
        open_baseline(store, suite, game, code, "a" * 64).id
        for suite, game, code in (
            ("quick-2", "", "P1"),
            ("quick-2", "gridlock", "P1"),
            ("quick-2", "", "P2"),
            ("full-2", "", "P1"),
        )
    ]
    assert len(set(ids)) == 4
    assert save_turn(store, ids[2], FIRST)
    assert [load_baseline(store, one).turns for one in ids] == [[], [], [FIRST], []]
    assert [one.id for one in load_baselines(store, suite="quick-2")] == ids[:3]


def test_an_unknown_baseline(store: Database) -> None:
    with pytest.raises(UnknownBaseline, match="no baseline called 'none'"):
        load_baseline(store, "none")
