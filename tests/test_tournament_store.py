"""Tournaments in the store, SQLite or PostgreSQL: a round and its matches are there together, or not at all."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from postgres import running_postgres
from quintet.match import open_match
from quintet.notation import write_position
from quintet.store import rows
from quintet.store.cleanup import delete_unused, mark_visited, open_tournament
from quintet.store.database import DamagedMatch, RejectedData
from quintet.store.due_times import due_times
from quintet.store.matches import Store
from quintet.store.online_matches import OnlineMatch, Seat, TimeControl, hash_token, load_online_match
from quintet.store.rows import now, utc_now
from quintet.store.schema import TOURNAMENTS
from quintet.store.tournaments import (
    Control,
    Entry,
    Format,
    Pairing,
    Round,
    Stage,
    Tournament,
    UnknownTournament,
    find_endings,
    find_revision,
    load_tournament,
    write_tournament,
)

START = write_position(open_match("gridlock", "1x2").position)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with running_postgres("-c", "fsync=off") as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, database: Path) -> Iterator[Store]:
    url = f"sqlite:///{database}" if request.param == "sqlite" else request.getfixturevalue("postgres")
    with Store(url) as store:
        with store.transaction(writing=True) as connection:
            connection.execute(TOURNAMENTS.delete())
        yield store


def new_tournament(id: str = "cup") -> Tournament:
    return Tournament(
        id=id,
        name="Friday",
        start=START,
        format=Format.SWISS,
        rounds=2,
        control=Control(60, 1),
        pause=0,
        organiser_hash=hash_token("organiser"),
        created=now(),
        updated=now(),
    )


def paired(tournament: Tournament, match: str) -> tuple[Tournament, OnlineMatch]:
    """A draft with a round, and its match."""
    draft = tournament.draft()
    draft.stage = Stage.RUNNING
    draft.entries = [Entry(1, "Ada", "human", hash_token("ada")), Entry(2, "Level 1", "level:1")]
    draft.played = [Round([Pairing(1, 2, match)])]
    seats = {1: Seat("human", "Ada", hash_token("ada"), now()), 2: Seat("level:1", joined=now())}
    begun = open_match("gridlock", "1x2")
    return draft, OnlineMatch(match, begun, seats, TimeControl(60, 1), updated=now(), tournament=tournament.id)


def test_a_round_and_its_matches_are_written_once(store: Store) -> None:
    tournament = new_tournament()
    assert write_tournament(store, tournament)
    assert load_tournament(store, "cup") == tournament
    with pytest.raises(RejectedData):
        write_tournament(store, tournament)
    match = next(rows.random_ids(rows.ONLINE_ID))
    draft, online = paired(tournament, match)
    assert write_tournament(store, draft, [online])
    assert load_tournament(store, "cup") == draft and find_revision(store, "cup") == 1
    assert not write_tournament(store, draft, [online])  # Another process has paired the round.
    assert load_online_match(store, match).tournament == "cup"
    assert match in due_times(store)  # Its clock runs from the start.
    assert find_endings(store, [match, "gone"]).keys() == {match}
    assert find_endings(store, [match])[match].result == "*"
    again = draft.draft()
    assert write_tournament(store, again)
    with pytest.raises(RejectedData):
        write_tournament(store, again.draft(), [online])  # Its match is there already: neither is written.
    assert find_revision(store, "cup") == 2


def test_an_unknown_tournament(store: Store) -> None:
    assert find_revision(store, "none") == -1
    with pytest.raises(UnknownTournament, match="no tournament called 'none'"):
        load_tournament(store, "none")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Friday", "Friday\\ud800"),
        ('"stage":"open"', '"stage":"shut"'),
        ('"rounds":2', '"rounds":0'),
        ('"entries":[]', '"entries":[{"number":1,"name":"x","who":"exec:rm"}]'),
        ("{", "["),
    ],
)
def test_a_damaged_tournament_is_named(database: Path, old: str, new: str) -> None:
    with Store() as store:
        write_tournament(store, new_tournament())
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute("UPDATE tournaments SET data = replace(data, ?, ?)", (old, new))
        with pytest.raises(DamagedMatch, match="tournament cup is damaged"):
            load_tournament(store, "cup")


def test_old_tournaments_are_deleted_unless_somebody_looks_at_them(store: Store) -> None:
    long_ago = rows.as_text(utc_now() - timedelta(100))
    for id in ("new", "old", "open"):
        write_tournament(store, new_tournament(id))
    with store.transaction(writing=True) as connection:
        connection.execute(update(TOURNAMENTS).where(TOURNAMENTS.c.id != "new").values(updated=long_ago))
    assert open_tournament(store, "new", timedelta(90)).visited is None
    open_tournament(store, "open", None)
    open_tournament(store, "open", timedelta(90))
    assert delete_unused(store, timedelta(90), TOURNAMENTS) == 1
    assert [find_revision(store, id) for id in ("new", "old", "open")] == [0, -1, 0]


def test_a_tournament_that_is_deleted_while_it_is_opened(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = new_tournament()
    tournament.updated = rows.as_text(utc_now() - timedelta(100))
    write_tournament(store, tournament)
    assert mark_visited(store, ["other"], TOURNAMENTS) == 0
    monkeypatch.setattr("quintet.store.cleanup.load_tournament", lambda *_: tournament)
    with store.transaction(writing=True) as connection:
        connection.execute(TOURNAMENTS.delete())
    with pytest.raises(UnknownTournament):
        open_tournament(store, "cup", timedelta(90))
