"""Online matches in the store, written by the thread that writes for everybody: on SQLite and on PostgreSQL."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from postgres import running_postgres
from quintet.engines import HUMAN
from quintet.games import GAMES
from quintet.match import Match
from quintet.options import start
from quintet.store.database import StoreFault
from quintet.store.matches import Store
from quintet.store.online_matches import (
    Change,
    Offer,
    OfferKind,
    OnlineMatch,
    Seat,
    TimeControl,
    hash_token,
    load_online_match,
    running_clocks,
    timestamp,
)
from quintet.store.rows import UnknownMatch, find_moves, find_row, now
from quintet.store.writer import CHANNEL, Writer

NUMBERS = count()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path_factory.mktemp('tables')}/quintet.db"
    else:
        with running_postgres("-c", "fsync=off") as address:
            yield address


@asynccontextmanager
async def writing(url: str) -> AsyncIterator[tuple[Store, Writer]]:
    with Store(url) as store:
        writer = Writer(store, asyncio.get_running_loop())
        try:
            yield store, writer
        finally:
            writer.close()


def new_match(**more: Any) -> OnlineMatch:
    match = Match(start(GAMES["isolation"]), names=("Ada", HUMAN))
    seats = {1: Seat(HUMAN, "Ada", hash_token("ada"), now()), 2: Seat(HUMAN)}
    return OnlineMatch(f"m{next(NUMBERS)}", match, seats, updated=now(), **more)


def facts(online: OnlineMatch) -> tuple[object, ...]:
    """All there is to know about an online match."""
    match = online.match
    return (
        *(online.id, online.seats, online.control, online.clocks, online.updated, online.revision),
        *(online.undone, online.offer, online.rematch, match.positions, match.moves, match.names, match.outcome),
    )


def test_an_online_match_reads_back_as_it_was_written(url: str) -> None:
    """Whatever happens: moves with their clocks, a seat taken, an offer, an undo, an end, a rematch."""

    async def play() -> None:
        async with writing(url) as (store, writer):
            online = new_match(control=TimeControl(60, 2))
            other = new_match()

            async def write(change: Callable[[OnlineMatch], Change]) -> OnlineMatch:
                draft = online.draft()
                assert await writer.write(change(draft))
                assert facts(load_online_match(store, online.id)) == facts(draft)
                assert facts(load_online_match(store, other.id)) == facts(other), "no other match has changed"
                return draft

            def join(draft: OnlineMatch) -> Change:
                draft.seats[2] = Seat(HUMAN, "Bea", hash_token("bea"), now())
                draft.match.names = ("Ada", "Bea")
                return Change(draft, seat_taken=2)

            def move(draft: OnlineMatch) -> Change:
                draft.match.play(draft.match.position.moves[0])
                draft.clocks += (59_000 - draft.match.ply,)
                draft.updated = now()
                return Change(draft, moves_from=draft.match.ply - 1)

            def offer(draft: OnlineMatch) -> Change:
                draft.offer = Offer(OfferKind.UNDO, 1)
                return Change(draft)

            def undo(draft: OnlineMatch) -> Change:
                draft.match.undo()
                draft.undone, draft.offer, draft.clocks = 1, None, draft.clocks[:-1]
                return Change(draft, truncated_to=draft.match.ply)

            def time_out(draft: OnlineMatch) -> Change:
                draft.match.forfeit(1, "ran out of time")
                return Change(draft)

            def play_again(draft: OnlineMatch) -> Change:
                draft.rematch = rematch.id
                return Change(draft, rematch=rematch)

            assert await asyncio.gather(*map(writer.write, (online, other))) == [True, True]
            assert facts(load_online_match(store, online.id)) == facts(online)
            for change in (join, move, move, move, offer, undo):
                online = await write(change)
                assert online.id in running_clocks(store) and other.id not in running_clocks(store)
            online = await write(time_out)
            assert online.id not in running_clocks(store)
            rematch = new_match()
            rematch.match.play(rematch.match.position.moves[0])
            rematch.clocks = (None,)
            await write(play_again)
            assert facts(load_online_match(store, rematch.id)) == facts(rematch)

    asyncio.run(play())


def test_of_two_changes_to_the_same_revision_one_is_refused(url: str) -> None:
    async def play() -> None:
        async with writing(url) as (store, writer):
            online, bystander = new_match(), new_match()
            assert all(await asyncio.gather(*map(writer.write, (online, bystander))))
            changes = []
            for player in (1, 2):
                draft = online.draft()
                draft.offer = Offer(OfferKind.UNDO, player)
                changes.append(Change(draft))
            written = await asyncio.gather(*map(writer.write, [changes[0], Change(bystander.draft()), changes[1]]))
            assert written == [True, True, False]
            found = load_online_match(store, online.id)
            assert found.offer == Offer(OfferKind.UNDO, 1) and found.revision == 1
            assert load_online_match(store, bystander.id).revision == 1

    asyncio.run(play())


def test_a_cancelled_write_is_written(url: str) -> None:
    async def play() -> None:
        async with writing(url) as (store, writer):
            cancelled, other = new_match(), new_match()
            writer.write(cancelled).cancel()
            assert await writer.write(other)
            assert load_online_match(store, cancelled.id).revision == 0

    asyncio.run(play())


def test_a_store_that_fails_does_so_for_all_at_once(tmp_path: Path) -> None:
    jobs, seconds = 100, 0.2
    path = tmp_path / "quintet.db"

    async def write() -> None:
        async with writing(f"sqlite:///{path}?timeout={seconds}") as (_, writer):
            matches = [new_match() for _ in range(jobs)]
            assert await writer.write(matches[0])
            holder = sqlite3.connect(path, isolation_level=None)
            holder.execute("BEGIN IMMEDIATE")
            begun = time.monotonic()
            waiting = [writer.write(one) for one in matches[1:]]
            results = await asyncio.gather(*waiting, return_exceptions=True)
            assert all(isinstance(result, StoreFault) for result in results)
            assert time.monotonic() - begun < jobs * seconds / 4
            holder.execute("COMMIT")
            holder.close()
            # A match that exists already fails alone.
            chosen = [matches[number] for number in (1, 0, 2)]
            results = await asyncio.gather(*map(writer.write, chosen), return_exceptions=True)
            assert [result is True for result in results] == [True, False, True] and isinstance(results[1], StoreFault)

    asyncio.run(write())


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_other_programs_are_told_what_has_changed(url: str) -> None:
    async def play() -> None:
        async with writing(url) as (_, writer):
            online = new_match()
            assert await writer.write(online)
            with psycopg.connect(url, autocommit=True) as listener:
                listener.execute(f"LISTEN {CHANNEL}")
                assert await writer.write(Change(online.draft()))
                [notification] = listener.notifies(timeout=10, stop_after=1)
                assert notification.payload == f"{online.id} 1"

    asyncio.run(play())


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_only_a_transaction_that_writes_locks_a_match(url: str) -> None:
    with Store(url) as store, psycopg.connect(url, autocommit=True) as other:
        id = store.begin(new_match().match)
        for writes in (False, True):
            with store.transaction(writes) as connection:
                find_row(connection, id)
                free = other.execute("SELECT id FROM matches WHERE id = %s FOR UPDATE SKIP LOCKED", [id]).fetchall()
                assert bool(free) != writes


def test_a_transaction_that_reads_sees_one_moment(url: str) -> None:
    with Store(url) as store:
        match = new_match().match
        id = store.begin(match)
        with store.transaction() as connection:
            find_row(connection, id)
            store.append(id, 0, match.position.moves[0])
            assert find_moves(connection, id) == []
        assert store.load(id).ply == 1


DAMAGES = [
    "UPDATE matches SET offer = 'undo:x' WHERE id = '{}'",
    "UPDATE matches SET offer = 'draw:1' WHERE id = '{}'",
    "UPDATE matches SET undone = -1 WHERE id = '{}'",
    "UPDATE matches SET increment = NULL WHERE id = '{}'",
    "UPDATE matches SET updated = '0001-01-01' WHERE id = '{}'",
    "UPDATE seats SET joined = 'yesterday' WHERE match = '{}'",
    "DELETE FROM seats WHERE match = '{}' AND seat = 2",
    "DELETE FROM seats WHERE match = '{}'",
    "UPDATE seats SET seat = 3 WHERE match = '{}' AND seat = 2",
    "UPDATE moves SET clock = -2100000000 WHERE match = '{}'",
]
ANYTHING = [
    "UPDATE matches SET revision = 'x' WHERE id = '{}'",
    "UPDATE matches SET seconds = 1e300 WHERE id = '{}'",
    "UPDATE matches SET rematch = x'ff' WHERE id = '{}'",
    "UPDATE seats SET token = x'ff' WHERE match = '{}'",
    "UPDATE moves SET clock = 'late' WHERE match = '{}'",
]
"""What SQLite takes, and no other database."""


@pytest.mark.parametrize("damage", [*DAMAGES, *ANYTHING])
def test_a_damaged_online_match_is_named(url: str, damage: str) -> None:
    if damage in ANYTHING and not url.startswith("sqlite"):
        pytest.skip("the database refuses it")

    async def play() -> None:
        async with writing(url) as (store, writer):
            online = new_match(control=TimeControl(60, 2))
            online.match.play(online.match.position.moves[0])
            online.clocks = (60_000,)
            assert await writer.write(online)
            assert facts(load_online_match(store, online.id)) == facts(online)
            with store.transaction(writing=True) as connection:
                connection.exec_driver_sql(damage.format(online.id))
            with pytest.raises(StoreFault, match=f"match {online.id} is damaged in the store: "):
                load_online_match(store, online.id)
            with pytest.raises(UnknownMatch, match="no match called 'nobody'"):
                load_online_match(store, "nobody")

    asyncio.run(play())


def test_the_time_written_is_the_time_now() -> None:
    before = time.time()
    assert before - 0.001 <= timestamp(now()) <= time.time() + 0.001
