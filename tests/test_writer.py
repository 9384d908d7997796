"""Online matches in the store, written by the thread that writes for everybody: on SQLite and on PostgreSQL."""

import asyncio
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import select

from patience import WAIT
from postgres import Proxy, running_postgres
from quintet.engines import HUMAN
from quintet.games import GAMES
from quintet.match import Match
from quintet.options import start
from quintet.store import cleanup, database, timekeeper, writer_thread
from quintet.store.database import DamagedMatch, Database, LockedData, RejectedData, StoreFault, UnknownOutcome
from quintet.store.due_times import due_times
from quintet.store.matches import Store
from quintet.store.online import Change, Offer, OfferKind, OnlineMatch, Seat, TimeControl, hash_token, timestamp
from quintet.store.online_matches import load_online_match, load_online_record, load_seats
from quintet.store.rows import UnknownMatch, as_text, find_moves, find_row, now
from quintet.store.schema import MOVES, SEATS
from quintet.store.writer import CHANNEL, is_stored, stored_revisions
from quintet.store.writer_thread import Order, Writer
from quintet.web import clock

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


def due_time(online: OnlineMatch) -> float | None:
    """When the running clock runs out, computed from the whole match."""
    started = clock.running_since(online)
    left = clock.left_at_start(online, online.match.position.player)
    return None if started is None else started + left / 1000


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
                assert due_times(store).get(online.id) == due_time(online) and other.id not in due_times(store)
            online = await write(time_out)
            assert online.id not in due_times(store)
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
                [notification] = listener.notifies(timeout=WAIT, stop_after=1)
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


def moved(online: OnlineMatch, number: int = 0) -> Change:
    """A change that plays a move."""
    draft = online.draft()
    draft.match.play(draft.match.position.moves[number])
    draft.clocks += (None,)
    return Change(draft, moves_from=draft.match.ply - 1)


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_a_locked_match_waits_and_delays_no_other(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with writing(url) as (store, writer):
            locked, free = new_match(), new_match()
            await asyncio.gather(*map(writer.write, (locked, free)))
            with psycopg.connect(url) as holder:
                holder.execute("SELECT id FROM matches WHERE id = %s FOR UPDATE", [locked.id])
                waiting = writer.write(moved(locked))
                assert await writer.write(moved(free)) and not waiting.done()
                holder.rollback()
                assert await waiting
                holder.execute("SELECT id FROM matches WHERE id = %s FOR UPDATE", [free.id])
                monkeypatch.setattr(writer_thread, "PATIENCE", 0.05)
                with pytest.raises(LockedData, match=f"match {free.id} is locked by another program"):
                    await writer.write(Change(load_online_match(store, free.id).draft()))
            assert await writer.write(Change(new_match().draft())) is False, "nobody has locked what does not exist"
            assert stored_revisions(store, [locked.id, free.id, "nobody"]) == {locked.id: 1, free.id: 1}

    asyncio.run(play())


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_a_locked_table_fails_all_changes_soon(url: str) -> None:
    async def play() -> None:
        async with writing(f"{url}&options=-c%20lock_timeout%3D500ms") as (_, writer):
            matches = [new_match() for _ in range(50)]
            await asyncio.gather(*map(writer.write, matches))
            with psycopg.connect(url) as holder:
                holder.execute("LOCK TABLE moves IN ACCESS EXCLUSIVE MODE")
                begun = time.monotonic()
                waiting = [writer.write(moved(one)) for one in matches]
                results = await asyncio.gather(*waiting, return_exceptions=True)
                assert all(isinstance(result, LockedData) for result in results), results
                assert time.monotonic() - begun < 50 * 0.5 / 2, "not one after the other"
                unsure = Order(moved(matches[0]), asyncio.get_running_loop().create_future(), unsure=True)
                writer.waiting.put(unsure)
                with pytest.raises(UnknownOutcome, match="is locked by another program"):
                    await unsure.future
            assert all(await asyncio.gather(*(writer.write(moved(one)) for one in matches)))

    asyncio.run(play())


def test_a_store_that_cannot_be_written_is_remembered_until_it_can(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_thread, "PROBE_PAUSE", 0.02)
    embedded = url.startswith("sqlite")

    async def until(condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT):
            while not condition():
                await asyncio.sleep(0.01)

    async def play() -> None:
        hasty = "?timeout=0.05" if embedded else "&options=-c%20lock_timeout%3D50ms"
        async with writing(url + hasty) as (store, writer):
            online = new_match()
            assert await writer.write(online)
            with pytest.raises(RejectedData):
                await writer.write(online)
            assert writer.failure is None, "the store works"
            with store.transaction(writing=True) as connection:
                connection.exec_driver_sql("SELECT 1" if embedded else "LOCK TABLE matches IN EXCLUSIVE MODE")
                with pytest.raises(StoreFault):
                    await writer.write(moved(online))
                failure = writer.failure
                assert failure
                await until(lambda: writer.failure is not failure)
                assert writer.failure, "it was tried again, and failed again"
            await until(lambda: writer.failure is None)
            assert await writer.write(moved(online))

    asyncio.run(play())


@pytest.fixture
def proxy(url: str) -> Iterator[Proxy]:
    proxy = Proxy(url)
    yield proxy
    proxy.close()


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_what_a_lost_commit_has_written_is_looked_up(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with writing(proxy.url) as (store, writer):
            for lost in ("commit", "answer"):
                proxy.lose = lost
                matches = [new_match() for _ in range(3)]
                proxy.losses = 1
                assert all(await asyncio.gather(*map(writer.write, matches)))
                proxy.losses = 1
                assert all(await asyncio.gather(*(writer.write(moved(one)) for one in matches)))
                assert proxy.losses == 0
                assert set(stored_revisions(store, [one.id for one in matches]).values()) == {1}
            # Lost again and again, it is not known.
            proxy.lose, proxy.losses = "commit", 2
            with pytest.raises(UnknownOutcome, match="does not answer"):
                await writer.write(new_match())
            assert await writer.write(new_match())
            monkeypatch.setattr(writer_thread, "PATIENCE", 0.1)
            proxy.lose, proxy.losses, proxy.down = "answer", 1, True
            with pytest.raises(UnknownOutcome, match="does not answer"):
                await writer.write(new_match())
            proxy.down = False

    asyncio.run(play())


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_a_lost_commit_of_a_match_that_is_locked_is_not_known(
    url: str, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with writing(proxy.url) as (_, writer):
            online = new_match()
            assert await writer.write(online)
            monkeypatch.setattr(writer_thread, "PATIENCE", 2)
            proxy.losses, proxy.down = 1, True
            waiting = writer.write(moved(online))
            with psycopg.connect(url) as holder:
                while not holder.execute(
                    "SELECT FROM matches WHERE id = %s FOR UPDATE SKIP LOCKED", [online.id]
                ).rowcount:
                    await asyncio.sleep(0)
                proxy.down = False
                with pytest.raises(UnknownOutcome, match="is locked by another program"):
                    await waiting

    asyncio.run(play())


def test_a_stored_change_is_recognized(url: str) -> None:
    async def play() -> None:
        async with writing(url) as (store, writer):
            online = new_match()
            assert await writer.write(online)
            change, other = moved(online), moved(online, 1)
            assert await writer.write(change)
            assert is_stored(store, online) and is_stored(store, change) and not is_stored(store, other)
            assert await writer.write(moved(change.draft))
            unsure = Order(change, asyncio.get_running_loop().create_future(), unsure=True)
            writer.waiting.put(unsure)
            with pytest.raises(UnknownOutcome, match="was changed again"):
                await unsure.future
            assert writer.delay == 0

    asyncio.run(play())


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_a_dead_connection_is_replaced_before_it_is_used(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "IDLE", -1.0)
    with Store(f"{url}&application_name=dying") as store, psycopg.connect(url, autocommit=True) as operator:
        for _ in range(3):
            store.check()
            chosen = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'dying'"
            assert operator.execute(chosen).fetchall() == [(True,)]
        store.check()


def test_the_time_follows_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    timekeeper.use_host_time()
    assert abs(timekeeper.seconds() - time.time()) < 1
    ago = time.monotonic() - 10

    def error(expected: float) -> float:
        """How far the time is from what was to be expected 10 seconds after that moment."""
        return abs(timekeeper.seconds() - expected - (time.monotonic() - ago - 10))

    timekeeper.adjust(5_000, ago, ago + 2)
    assert error(5_009) < 0.5
    timekeeper.adjust(5_100, ago + 90, ago + 110)  # A slow answer tells nothing new.
    assert error(5_009) < 0.5
    timekeeper.adjust(8_000, ago, ago + 2)
    assert error(8_008) < 0.5
    timekeeper.use_host_time()


def test_a_damaged_clock_stops_no_other(url: str) -> None:
    async def play() -> None:
        async with writing(url) as (store, writer):
            matches = [new_match(control=TimeControl(60, 0)) for _ in range(2)]
            for online in matches:
                online.seats[2] = Seat(HUMAN, "Bea", hash_token("bea"), now())
            changes = [moved(online) for online in matches]
            for jobs in (matches, changes):
                assert all(await asyncio.gather(*map(writer.write, jobs)))
            with store.transaction(writing=True) as connection:
                connection.exec_driver_sql(f"UPDATE matches SET updated = 'never' WHERE id = '{matches[0].id}'")
            due = due_times(store)
            assert matches[0].id not in due and due[matches[1].id] == due_time(changes[1].draft)

    asyncio.run(play())


DAMAGES = [
    "UPDATE matches SET offer = 'undo:x' WHERE id = '{}'",
    "UPDATE matches SET offer = 'draw:1' WHERE id = '{}'",
    "UPDATE matches SET undone = -1 WHERE id = '{}'",
    "UPDATE matches SET increment = NULL WHERE id = '{}'",
    "UPDATE matches SET updated = '0001-01-01' WHERE id = '{}'",
    "UPDATE seats SET joined = 'yesterday' WHERE match = '{}'",
    "UPDATE seats SET token = 'é' WHERE match = '{}'",
    "UPDATE seats SET token = '' WHERE match = '{}'",
    "UPDATE seats SET who = 'exec:./rook' WHERE match = '{}' AND seat = 2",
    "UPDATE seats SET who = 'python:bots:choose' WHERE match = '{}' AND seat = 2",
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
            assert load_seats(store, [online.id]) == {(online.id, 1): Seat(HUMAN, "Ada"), (online.id, 2): Seat(HUMAN)}
            with store.transaction(writing=True) as connection:
                connection.exec_driver_sql(damage.format(online.id))
            with pytest.raises(DamagedMatch, match=f"match {online.id} is damaged in the store: "):
                load_online_match(store, online.id)
            with pytest.raises(UnknownMatch, match="no match called 'nobody'"):
                load_online_match(store, "nobody")

    asyncio.run(play())


LOADED_BY_THREADS = """
import sys
from threading import Barrier, Thread
from quintet.store.database import Database
from quintet.store.online_matches import load_online_match

sys.setswitchinterval(1e-6)
with Database(sys.argv[1]) as database:
    barrier = Barrier(4)
    def load():
        barrier.wait()
        load_online_match(database, sys.argv[2])
    threads = [Thread(target=load) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_the_first_matches_can_be_loaded_by_several_threads(database: Path) -> None:
    async def play() -> OnlineMatch:
        async with writing(f"sqlite:///{database}") as (_, writer):
            online = new_match()
            assert await writer.write(online)
            return online

    id = asyncio.run(play()).id
    runs = [subprocess.Popen([sys.executable, "-c", LOADED_BY_THREADS, f"sqlite:///{database}", id]) for _ in range(4)]
    assert [run.wait(60) for run in runs] == [0, 0, 0, 0]


def test_the_time_written_is_the_time_now() -> None:
    before = time.time()
    assert before - 0.001 <= timestamp(now()) <= time.time() + 0.001


DAY = timedelta(1)


def use(store: Store, id: str, **days: int) -> None:
    """Set when a match was last used, in days before now."""
    with store.transaction(writing=True) as connection:
        for column, ago in days.items():
            time = as_text(datetime.now(UTC) - ago * DAY)
            connection.exec_driver_sql(f"UPDATE matches SET {column} = '{time}' WHERE id = '{id}'")


def test_only_online_matches_that_nobody_uses_are_deleted(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleanup, "BATCH", 2)

    async def play() -> None:
        async with writing(url) as (store, writer):
            cleanup.delete_unused(store, 10 * DAY)  # What other tests have damaged.
            old, moved, visited, opened, locked = matches = [new_match() for _ in range(5)]
            more = [new_match() for _ in range(4)]
            for online in [*matches, *more]:
                assert await writer.write(online)
                use(store, online.id, updated=11)
            private = store.begin(old.match)
            use(store, private, updated=11)
            use(store, moved.id, updated=9)
            use(store, visited.id, visited=9)
            assert cleanup.open_online_match(store, opened.id, 10 * DAY).visited is None
            assert load_online_match(store, opened.id).visited
            for delete_after in (20 * DAY, None):
                cleanup.open_online_match(store, moved.id, delete_after)
                assert load_online_match(store, moved.id).visited is None, "later is soon enough"
            use(store, visited.id, visited=9)
            assert cleanup.mark_visited(store, [locked.id, moved.id, visited.id, "nobody"]) == 3
            assert [cleanup.delete_unused(store, 10 * DAY) for _ in range(4)] == [2, 2, 1, 0]
            for gone in (old, *more):
                with pytest.raises(UnknownMatch):
                    load_online_match(store, gone.id)
            for kept in (moved, visited, opened, locked):
                assert load_online_match(store, kept.id).seats == kept.seats
            assert store.load(private)
            with store.transaction() as connection:
                for table in (MOVES, SEATS):
                    left = connection.scalars(select(table.c.match)).all()
                    assert not set(left) & {old.id, *(online.id for online in more)}

    asyncio.run(play())


def test_a_match_that_is_deleted_while_it_is_opened_is_not_opened(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with writing(url) as (store, writer):
            online = new_match()
            assert await writer.write(online)
            use(store, online.id, updated=11)

            def load(database: Database, id: str) -> OnlineMatch:
                found = load_online_match(database, id)
                assert cleanup.delete_unused(database, 10 * DAY) == 1
                return found

            monkeypatch.setattr(cleanup, "load_online_match", load)
            with pytest.raises(UnknownMatch, match="was deleted"):
                cleanup.open_online_match(store, online.id, 10 * DAY)

    asyncio.run(play())


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_one_process_deletes_at_a_time(url: str) -> None:
    async def play() -> None:
        async with writing(url) as (store, writer):
            online = new_match()
            assert await writer.write(online)
            use(store, online.id, updated=11)
            with psycopg.connect(url) as other:
                other.execute(f"SELECT pg_advisory_xact_lock({cleanup.LOCK})")
                assert cleanup.delete_unused(store, 10 * DAY) == 0
                other.rollback()
                other.execute("SELECT id FROM matches WHERE id = %s FOR UPDATE", [online.id])
                assert cleanup.delete_unused(store, 10 * DAY) == 0, "somebody is writing to it"
            assert cleanup.delete_unused(store, 10 * DAY) == 1

    asyncio.run(play())


def test_a_private_match_is_unknown_to_the_web(url: str) -> None:
    with Store(url) as store:
        id = store.begin(new_match().match)
        for load in (load_online_match, load_online_record):
            with pytest.raises(UnknownMatch):
                load(store, id)
        online = store.add(store.record(id), online=True)
        assert load_online_record(store, online) == store.record(id) and load_online_match(store, online).seats == {}
