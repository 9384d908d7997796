"""Tables in the store, written by the one thread that writes for everybody: on SQLite and on PostgreSQL."""

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
from quintet.store.rows import UnknownMatch, find, moves_of, now
from quintet.store.seating import (
    Control,
    Seat,
    Sitting,
    begin_sitting,
    changing,
    load_sitting,
    running_clocks,
    secret,
    when,
)
from quintet.store.writer import CHANNEL, Change, Writer

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


def new_sitting(**more: Any) -> Sitting:
    match = Match(start(GAMES["isolation"]), names=("Ada", HUMAN))
    seats = {1: Seat(HUMAN, "Ada", secret("ada"), now()), 2: Seat(HUMAN)}
    return Sitting(f"m{next(NUMBERS)}", match, seats, updated=now(), **more)


def change_of(sitting: Sitting, **more: Any) -> Change:
    return Change(sitting.id, sitting.revision, changing(sitting, sitting.updated), **more)


def facts(sitting: Sitting) -> tuple[object, ...]:
    """All there is to know of a table."""
    match = sitting.match
    return (
        *(sitting.id, sitting.seats, sitting.control, sitting.clocks, sitting.updated, sitting.revision),
        *(sitting.undone, sitting.offer, sitting.rematch, match.positions, match.moves, match.names, match.outcome),
    )


def move_row(sitting: Sitting, ply: int) -> dict[str, object]:
    match = sitting.match
    return {
        "match": sitting.id,
        "ply": ply,
        "move": match.position.label(match.moves[ply]),
        "clock": sitting.clocks[ply],
    }


def test_a_table_reads_back_as_it_was_written(url: str) -> None:
    """Whatever happens at a table: moves with their clocks, a seat taken, an offer, a take-back, an end, a rematch."""

    async def play() -> None:
        async with writing(url) as (store, writer):
            sitting = new_sitting(control=Control(60, 2))
            other = new_sitting()

            async def write(change: Callable[[Sitting], Change]) -> Sitting:
                draft = sitting.draft()
                assert await writer.write(change(draft))
                draft.revision += 1
                assert facts(load_sitting(store, sitting.id)) == facts(draft)
                assert facts(load_sitting(store, other.id)) == facts(other), "nobody else's table has changed"
                return draft

            def sit_down(draft: Sitting) -> Change:
                draft.seats[2] = seat = Seat(HUMAN, "Bea", secret("bea"), now())
                draft.match.names = ("Ada", "Bea")
                row = {"of": draft.id, "at": 2, "new_name": "Bea", "new_token": seat.token, "new_joined": seat.joined}
                return change_of(draft, seat=row)

            def move(draft: Sitting) -> Change:
                draft.match.play(draft.match.position.moves[0])
                draft.clocks += (59_000 - draft.match.ply,)
                draft.updated = now()
                return change_of(draft, moves=[move_row(draft, draft.match.ply - 1)])

            def offer(draft: Sitting) -> Change:
                draft.offer = ("undo", 1)
                return change_of(draft)

            def take_back(draft: Sitting) -> Change:
                draft.match.undo()
                draft.undone, draft.offer, draft.clocks = 1, None, draft.clocks[:-1]
                return change_of(draft, cut=draft.match.ply)

            def time_out(draft: Sitting) -> Change:
                draft.match.forfeit(1, "ran out of time")
                return change_of(draft)

            def begin_again(draft: Sitting) -> Change:
                draft.rematch = following.id
                return change_of(draft, follows=begin_sitting(following))

            assert await asyncio.gather(*(writer.write(begin_sitting(one)) for one in (sitting, other))) == [True, True]
            assert facts(load_sitting(store, sitting.id)) == facts(sitting)
            for change in (sit_down, move, move, move, offer, take_back):
                sitting = await write(change)
                assert sitting.id in running_clocks(store) and other.id not in running_clocks(store)
            sitting = await write(time_out)
            assert sitting.id not in running_clocks(store)
            following = new_sitting()
            following.match.play(following.match.position.moves[0])
            following.clocks = (None,)
            await write(begin_again)
            assert facts(load_sitting(store, following.id)) == facts(following)

    asyncio.run(play())


def test_of_two_who_answer_the_same_revision_one_is_told_to_look_again(url: str) -> None:
    async def play() -> None:
        async with writing(url) as (store, writer):
            sitting, bystander = new_sitting(), new_sitting()
            assert all(await asyncio.gather(*(writer.write(begin_sitting(one)) for one in (sitting, bystander))))
            changes = []
            for player in (1, 2):
                draft = sitting.draft()
                draft.offer = ("undo", player)
                changes.append(change_of(draft))
            written = await asyncio.gather(*map(writer.write, [changes[0], change_of(bystander), changes[1]]))
            assert written == [True, True, False]
            found = load_sitting(store, sitting.id)
            assert found.offer == ("undo", 1) and found.revision == 1
            assert load_sitting(store, bystander.id).revision == 1

    asyncio.run(play())


def test_what_is_written_does_not_need_the_one_who_asked(url: str) -> None:
    async def play() -> None:
        async with writing(url) as (store, writer):
            gone, here = new_sitting(), new_sitting()
            writer.write(begin_sitting(gone)).cancel()
            assert await writer.write(begin_sitting(here))
            assert load_sitting(store, gone.id).revision == 0

    asyncio.run(play())


def test_a_store_that_fails_does_so_for_all_at_once(tmp_path: Path) -> None:
    jobs, seconds = 100, 0.2
    path = tmp_path / "quintet.db"

    async def write() -> None:
        async with writing(f"sqlite:///{path}?timeout={seconds}") as (_, writer):
            sittings = [new_sitting() for _ in range(jobs)]
            assert await writer.write(begin_sitting(sittings[0]))
            holder = sqlite3.connect(path, isolation_level=None)
            holder.execute("BEGIN IMMEDIATE")
            begun = time.monotonic()
            waiting = [writer.write(begin_sitting(one)) for one in sittings[1:]]
            results = await asyncio.gather(*waiting, return_exceptions=True)
            assert all(isinstance(result, StoreFault) for result in results)
            assert time.monotonic() - begun < jobs * seconds / 4
            holder.execute("COMMIT")
            holder.close()
            # What does not fit fails alone.
            chosen = [begin_sitting(sittings[number]) for number in (1, 0, 2)]
            results = await asyncio.gather(*map(writer.write, chosen), return_exceptions=True)
            assert [result is True for result in results] == [True, False, True] and isinstance(results[1], StoreFault)

    asyncio.run(write())


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_other_programs_are_told_what_has_changed(url: str) -> None:
    async def play() -> None:
        async with writing(url) as (_, writer):
            sitting = new_sitting()
            assert await writer.write(begin_sitting(sitting))
            with psycopg.connect(url, autocommit=True) as ear:
                ear.execute(f"LISTEN {CHANNEL}")
                assert await writer.write(change_of(sitting))
                [news] = ear.notifies(timeout=10, stop_after=1)
                assert news.payload == f"{sitting.id} 1"

    asyncio.run(play())


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_only_who_writes_holds_a_match(url: str) -> None:
    with Store(url) as store, psycopg.connect(url, autocommit=True) as other:
        id = store.begin(new_sitting().match)
        for writes in (False, True):
            with store.transaction(writes) as connection:
                find(connection, id)
                free = other.execute("SELECT id FROM matches WHERE id = %s FOR UPDATE SKIP LOCKED", [id]).fetchall()
                assert bool(free) != writes


def test_who_reads_sees_one_moment(url: str) -> None:
    with Store(url) as store:
        match = new_sitting().match
        id = store.begin(match)
        with store.transaction() as connection:
            find(connection, id)
            store.append(id, 0, match.position.moves[0])
            assert moves_of(connection, id) == []
        assert store.load(id).ply == 1


def test_a_table_that_cannot_be_read_is_named(url: str) -> None:
    async def play() -> None:
        async with writing(url) as (store, writer):
            sitting = new_sitting()
            assert await writer.write(begin_sitting(sitting))
            with store.transaction(writing=True) as connection:
                connection.exec_driver_sql(f"UPDATE matches SET offer = 'undo:x' WHERE id = '{sitting.id}'")
            with pytest.raises(StoreFault, match=f"match {sitting.id} is damaged in the store: "):
                load_sitting(store, sitting.id)
            with pytest.raises(UnknownMatch, match="there is no match 'nobody'"):
                load_sitting(store, "nobody")

    asyncio.run(play())


def test_the_time_that_is_written_is_the_time() -> None:
    before = time.time()
    assert before - 0.001 <= when(now()) <= time.time() + 0.001
