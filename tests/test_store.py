"""The store: what was confirmed is kept whatever happens, and what is broken is said in one line."""

import json
import os
import random
import re
import select
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

import commands
from boards import boards, every_board
from commands import PROGRAM
from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_moves, read_position
from quintet.options import start
from quintet.record import Record, read_record, write_record
from quintet.rules import Position
from quintet.store.autosave import Autosave
from quintet.store.database import StoreFault, find_database
from quintet.store.matches import Store
from quintet.store.rows import DAMAGED, UnknownMatch
from quintet.store.schema import VERSION
from quintet.store.summaries import find_summaries

ROOT = Path(__file__).parent.parent
LINE = [7, 4, 10, 1, 13]
"""A whole game of Isolation."""


def quintet(*arguments: str, typed: str = "", rc: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the program on a pipe."""
    run = commands.quintet(*arguments, input=typed)
    assert run.returncode == rc and "Traceback" not in run.stderr, run.stderr
    return run


PATIENCE = 60
"""Seconds to wait for what must come."""


class Table:
    """A game in progress on a pipe, read as far as it has been said."""

    def __init__(self, *arguments: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([PROGRAM, *arguments], stdin=pipe, stdout=pipe, stderr=pipe)
        self.said = ""

    def type(self, text: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{text}\n".encode())
        self.process.stdin.flush()

    def wait_for(self, text: str) -> None:
        assert self.process.stdout
        while text not in self.said:
            ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
            assert ready, f"{text!r} did not come after {self.said!r}"
            data = os.read(self.process.stdout.fileno(), 10_000)
            assert data, f"{text!r} never came after {self.said!r}"
            self.said += data.decode()

    def claim(self, square: int) -> None:
        self.type(str(square))
        self.wait_for(f"claims square {square}.")

    def leave(self) -> str:
        """End the input; gives what was said on standard error."""
        rest, errors = self.process.communicate(timeout=60)
        self.said += rest.decode()
        assert self.process.returncode == 0 and b"Traceback" not in errors
        return errors.decode()

    def kill(self) -> None:
        self.process.kill()
        rest, _ = self.process.communicate(timeout=60)
        self.said += rest.decode()


def squares(match: Match) -> list[int]:
    """The moves of a line game by their numbers."""
    return [int(match.position.label(move)) for move in match.moves]


def random_match(empty: Position, seed: int) -> Match:
    """A game played at random to its end."""
    rng, match = random.Random(seed), Match(empty, names=("Ada", "random"))
    while not match.outcome:
        match.play(rng.choice(match.position.moves))
    return match


def same(one: Match, other: Match) -> bool:
    """Whether two matches are the same in all that can be asked of them."""
    return (one.positions, one.moves, one.names, one.resigned, one.outcome) == (
        other.positions,
        other.moves,
        other.names,
        other.resigned,
        other.outcome,
    )


@pytest.fixture
def store() -> Iterator[Store]:
    with Store() as store:
        yield store


# What is put in comes out.


@every_board
def test_a_match_kept_move_by_move_reads_back_equal(empty: Position, store: Store) -> None:
    match = random_match(empty, 5)
    id = store.begin(Match(empty, names=match.names))
    for ply, move in enumerate(match.moves):
        store.append(id, ply, move)
    assert same(store.load(id), match)
    entry = store.entries()[0]
    assert (entry.id, entry.game, entry.size) == (id, empty.game.name, empty.board.size)
    assert entry.names == match.names and entry.plies == match.ply and entry.result == match.record().result
    assert store.entries(unfinished=True) == ([] if match.outcome else [entry])
    whole = store.begin(match)
    assert same(store.load(whole), match)


@pytest.mark.no_cover  # Counting branches makes it slow, and others run the same ones.
@settings(max_examples=150)
@given(st.sampled_from(boards()), st.text(), st.text(), st.lists(st.integers(0, 1_000_000), max_size=30))
def test_the_store_follows_a_match_through_anything(empty: Position, name1: str, name2: str, acts: list[int]) -> None:
    with Store("sqlite://") as store:
        match = Match(empty, names=(name1, name2))
        id = store.begin(match)
        for act in acts:
            if act % 5 == 0:
                match.undo()
                store.truncate(id, match.ply)
            elif act % 23 == 0 and not match.outcome:
                match.resign()
                store.finish(id, match)
                break
            elif not match.outcome:
                moves = match.position.moves
                match.play(moves[act // 5 % len(moves)])
                store.append(id, match.ply - 1, match.moves[-1])
            match.names = store.load(id).names  # Names are made one line; nothing else may differ.
            assert same(store.load(id), match)
        match.names = store.load(id).names
        assert same(store.load(id), match)
        assert store.record(id).result == match.record().result
        assert read_record(write_record(store.record(id))) == store.record(id)


@settings(max_examples=30)
@given(st.lists(st.integers(0, 1_000_000), max_size=20))
def test_autosave_brings_the_store_up_however_much_has_changed(acts: list[int]) -> None:
    complaints: list[str] = []
    match = Match(start(GAMES["gridlock"]))
    autosave = Autosave(match, complaints.append)
    for act in acts:
        if act % 4 == 0:
            match.undo()
        elif not match.outcome:
            match.play(match.position.moves[act // 4 % len(match.position.moves)])
        if act % 3:
            autosave.save()
    autosave.save()
    if autosave.id:
        with Store() as store:
            assert same(store.load(autosave.id), match)
    else:
        assert not match.moves
    autosave.close()
    assert not complaints


def test_a_record_comes_back_as_it_was_brought_in(store: Store) -> None:
    first = start(GAMES["isolation"])
    moves = tuple(read_moves(first, "7; 4; 10"))
    records = [
        Record(first, moves, "*", {"Event": "tea", "Player2": "Bea"}, {0: "so", 3: "then"}),
        Record(first, moves, "1-0", {"Player1": "Ada", "Termination": "Bea had to go", "Date": "1843-07-01"}),
        Record(first, moves, "1/2", {}),
        Record(first),
    ]
    ids = [store.add(record) for record in records]
    assert len(set(ids)) == 4 and [store.add(record) for record in records] == ids
    assert [store.record(id) for id in ids] == records
    assert store.load(ids[1]).resigned == 2
    store.truncate(ids[0], 2)
    assert store.record(ids[0]) == Record(first, moves[:2], "*", {"Event": "tea", "Player2": "Bea"}, {0: "so"})
    anew = store.add(records[0])
    assert anew not in ids and store.record(anew) == records[0], "what was played on is another match by now"
    assert store.add(records[0]) == anew


def test_what_does_not_fit_is_refused(store: Store) -> None:
    match = Match(start(GAMES["isolation"]))
    seven, four, six, one = (1 << n - 1 for n in (7, 4, 6, 1))
    id = store.begin(match)
    store.append(id, 0, seven)
    store.append(id, 0, seven)
    for ply, move, error in [
        (0, four, "a different move there, not 4"),
        (2, four, "has 1 moves, so 4 cannot be move 3"),
        (-1, four, "cannot be move 0"),
        (1, six, "does not allow 6"),
    ]:
        with pytest.raises(StoreFault, match=error):
            store.append(id, ply, move)
    match.play(four)
    match.resign()
    with pytest.raises(StoreFault, match="different moves"):
        store.finish(id, match)
    store.append(id, 1, seven >> 3)
    assert squares(store.load(id)) == [7, 4] == squares(Match(match.positions[0], [seven, four]))
    with pytest.raises(StoreFault, match="different moves"):
        store.finish(id, Match(match.positions[0], [one]))
    match = store.load(id)
    match.resign()
    store.finish(id, match)
    with pytest.raises(StoreFault, match="is over"):
        store.append(id, 2, one)
    for call in (store.load, store.record, lambda it: store.append(it, 0, one), lambda it: store.truncate(it, 0)):
        with pytest.raises(UnknownMatch, match="no saved game called 'nobody'"):
            call("nobody")


def test_the_list_may_be_of_some_matches_only(store: Store) -> None:
    ids = [store.begin(Match(start(GAMES["isolation"]), names=(name, "human"))) for name in ("Ada", "Bea", "Cyn")]
    store.change_players(ids[2], ("human", "random"), ("Cyn\nthe third", "random"))
    assert {entry.id: entry.names[0] for entry in store.entries(ids=ids[1:])} == {
        ids[1]: "Bea",
        ids[2]: "Cyn the third",
    }
    assert store.entries(ids=[]) == [] and len(store.entries(limit=2)) == 2
    with pytest.raises(UnknownMatch):
        store.change_players("nobody", ("human", "human"), ("Ada", "Bea"))
    online = store.add(store.record(ids[0]), online=True)
    assert [entry.id for entry in store.entries(online=True)] == [online]
    assert {entry.id for entry in store.entries(online=False)} == set(ids)


def test_a_list_of_online_matches_is_read_from_their_rows(store: Store, database: Path) -> None:
    first = start(GAMES["isolation"])
    played = [Match(first, read_moves(first, moves), names=("Ada", "Bea")) for moves in ("", "7; 4; 10")]
    ids = [store.add(match.record(), online=True) for match in played]
    whole = store.entries(online=True)
    assert find_summaries(store, [*ids, store.begin(played[0]), "nobody"]) == whole and len(whole) == len(ids)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE moves SET move = 'Z9'")
    assert find_summaries(store, ids) == whole  # Nothing was replayed.


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE matches SET start = 'nonsense'",
        "UPDATE matches SET start = x'ff00'",
        "UPDATE matches SET game = 'gridlock'",
        "UPDATE matches SET result = '2-0'",
        "UPDATE matches SET player1 = x'37'",
        "UPDATE matches SET updated = 5",
        "DELETE FROM moves WHERE ply = 1",
    ],
)
def test_a_list_of_online_matches_names_the_damaged_ones(statement: str, store: Store, database: Path) -> None:
    first = start(GAMES["isolation"])
    id = store.add(Match(first, read_moves(first, "7; 4; 10")).record(), online=True)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(statement)
    assert [(entry.id, entry.result) for entry in find_summaries(store, [id])] == [(id, DAMAGED)]


def test_a_store_that_has_gone_says_so(store: Store, database: Path) -> None:
    store.check()
    store.close()
    database.write_bytes(random.Random(1).randbytes(20_000))
    with pytest.raises(StoreFault, match="is damaged"):
        store.check()


def test_text_that_no_database_takes_is_refused_in_one_line(store: Store) -> None:
    with pytest.raises(StoreFault, match=r"cannot store this text: .*surrogates not allowed") as caught:
        store.load("\ud800")
    assert len(str(caught.value).splitlines()) == 1
    with pytest.raises(StoreFault, match="does not answer: the disk is gone"), store.transaction():
        raise OSError("the disk is gone\nand all that was on it")


def test_another_program_may_make_the_same_new_store() -> None:
    class Late(Store):
        def _version(self, connection: Connection) -> int:
            found = super()._version(connection)
            if not found:
                Store().close()  # The other one is quicker.
            return found

    with Late() as late, Store() as store:
        id = late.begin(Match(start(GAMES["isolation"])))
        assert [entry.id for entry in store.entries()] == [id]


def test_another_program_that_reads_an_older_file_does_not_keep_us_out(store: Store, database: Path) -> None:
    id = store.begin(Match(start(GAMES["isolation"])))
    store.close()
    holder = sqlite3.connect(database, isolation_level=None)
    assert holder.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    holder.execute("BEGIN")
    holder.execute("SELECT * FROM matches").fetchall()
    with Store(f"sqlite:///{database}?timeout=0.1") as other:
        assert [entry.id for entry in other.entries()] == [id]
    assert holder.execute("PRAGMA journal_mode").fetchone() == ("delete",), "it could not be changed"
    holder.close()


# A killed program.


@pytest.mark.parametrize("ply", [1, 2, 3, 4])
@pytest.mark.parametrize("hasty", [False, True], ids=["after-the-answer", "before-the-answer"])
def test_kill_loses_no_confirmed_move_and_resume_goes_on(ply: int, hasty: bool) -> None:
    table = Table("play", "isolation")
    for square in LINE[:ply]:
        table.claim(square)
    if hasty:
        table.type(str(LINE[ply]))
    table.kill()
    with Store() as store:
        [entry] = store.entries()
        kept = squares(store.load(entry.id))
    assert kept in ([LINE[:ply], LINE[: ply + 1]] if hasty else [LINE[:ply]])
    if len(kept) < len(LINE):
        run = quintet("resume", typed="".join(f"{square}\n" for square in LINE[len(kept) :]))
        assert "Game Over: Player1 wins!" in run.stdout and run.stderr == ""
    with Store() as store:
        assert squares(store.load(entry.id)) == LINE and len(store.entries()) == 1


@pytest.mark.parametrize("confirmed", [1, 17, 60])
def test_kill_in_the_rush_of_two_engines(confirmed: int) -> None:
    table = Table("play", "isolation", "--size", "400", "--p1", "random", "--p2", "random", "--seed", "3")
    while table.said.count("claims square") < confirmed:
        assert table.process.stdout
        table.said += os.read(table.process.stdout.fileno(), 3_000).decode()
    table.kill()
    seen = [int(square) for square in re.findall(r"claims square (\d+)\.", table.said)]
    with Store() as store:
        kept = squares(store.load(store.entries()[0].id))
    assert len(seen) >= confirmed and kept[: len(seen)] == seen and len(kept) <= len(seen) + 1


def test_a_kill_after_undo_and_resignation(store: Store) -> None:
    table = Table("play", "isolation")
    for square in LINE[:3]:
        table.claim(square)
    table.type("undo")
    table.wait_for("Undone: 10.")
    table.kill()
    [entry] = store.entries()
    assert squares(store.load(entry.id)) == LINE[:2]
    table = Table("resume", entry.id)
    table.type("resign")
    table.wait_for("Player 1 resigns.")
    table.kill()
    assert store.load(entry.id).resigned == 1 and store.entries()[0].result == "0-1"


def test_many_programs_write_at_once(store: Store, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINTET_DATABASE", f"sqlite:///{database.with_name('new.db')}?timeout=60")
    tables = [Table("play", "isolation", "--size", "60", "--p1", "random", "--p2", "random") for _ in range(4)]
    assert [table.leave() for table in tables] == [""] * 4
    with Store() as store:
        kept = [squares(store.load(entry.id)) for entry in store.entries()]
        assert {entry.result for entry in store.entries()} <= {"1-0", "0-1"}
    seen = [[int(square) for square in re.findall(r"claims square (\d+)\.", table.said)] for table in tables]
    assert sorted(kept) == sorted(seen)


def test_two_programs_in_one_match_do_not_overwrite_each_other(store: Store) -> None:
    quintet("play", "isolation", typed="7\n")
    one, two = Table("resume"), Table("resume")
    one.wait_for("claim: ")
    two.wait_for("claim: ")
    one.claim(4)
    two.claim(1)
    assert one.leave() == "" and "already has a different move there, not 1" in two.leave()
    assert squares(store.load(store.entries()[0].id)) == [7, 4]


# A store that cannot be used: one clear line, and the game goes on.


def check_not_kept(reason: str) -> None:
    """Play a whole game that cannot be kept, and ask for the list."""
    run = quintet("play", "isolation", typed="".join(f"{square}\n" for square in LINE))
    assert "Game Over: Player1 wins!" in run.stdout
    assert run.stderr.startswith("quintet: this game is not saved: the store ") and run.stderr.count("\n") == 1
    assert reason in run.stderr
    run = quintet("history", rc=1)
    assert reason in run.stderr and run.stderr.count("\n") == 1 and run.stdout == ""
    with pytest.raises(StoreFault, match=re.escape(reason)):
        Store()


def test_locked_from_the_beginning(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINTET_DATABASE", f"sqlite:///{database}?timeout=0.1")
    holder = sqlite3.connect(database, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    check_not_kept("is locked by another program")
    holder.close()
    quintet("play", "isolation", typed="7\n")
    assert len(json.loads(quintet("history", "--json").stdout)) == 1


def test_locked_in_the_middle(store: Store, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINTET_DATABASE", f"sqlite:///{database}?timeout=0.1")
    table = Table("play", "isolation")
    table.claim(7)
    holder = sqlite3.connect(database, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    assert "7" not in quintet("history").stderr  # Reading goes on.
    table.claim(4)
    holder.close()
    table.claim(10)
    errors = table.leave()
    assert errors.count("\n") == 1 and "is locked by another program" in errors
    assert squares(store.load(store.entries()[0].id)) == [7]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are not like this on Windows")
def test_a_new_file_can_be_read_by_its_owner_only(database: Path) -> None:
    with Store() as store:
        store.begin(Match(start(GAMES["gridlock"])))
        files = list(database.parent.iterdir())
        assert len(files) == 3 and all(file.stat().st_mode & 0o777 == 0o600 for file in files)
    database.chmod(0o640)
    with Store():
        assert database.stat().st_mode & 0o777 == 0o640, "the owner has decided"
    with Store("sqlite://") as store:
        assert store.embedded


def test_random_bytes(database: Path) -> None:
    database.write_bytes(random.Random(1).randbytes(20_000))
    check_not_kept("is damaged")
    assert database.read_bytes() == random.Random(1).randbytes(20_000)


def test_a_newer_schema(store: Store, database: Path) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE schema SET version = 7")
    connection.close()
    check_not_kept(
        f"was created by a newer version of Quintet: its schema version is 7, and this version reads {VERSION}"
    )


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("CREATE TABLE matches (x)", "is the database of another program"),
        ("CREATE TABLE schema (version)", "has no schema version"),
        ("CREATE TABLE schema (x)", "no such column"),
    ],
)
def test_a_database_of_something_else(database: Path, statement: str, reason: str) -> None:
    connection = sqlite3.connect(database)
    connection.execute(statement)
    connection.close()
    check_not_kept(reason)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("/home/ada/quintet.db", "QUINTET_DATABASE must be a URL"),
        ("sqlite:////no/such/folder/x.db", "the store /no/such/folder/x.db cannot be opened"),
        ("sqlite:////proc/x.db", "the store /proc/x.db cannot be opened"),
        ("sqlite:////tmp", "cannot be opened"),
        ("nonsense://x", "the store nonsense://x cannot be used"),
        ("sqlite:///x.db?timeout=soon", "cannot be used"),
        ("postgresql://ada@/quintet?host=/no/such/folder", "does not answer: connection is bad"),
    ],
)
def test_a_wrong_url_is_one_clear_line(url: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINTET_DATABASE", url)
    run = quintet("play", "isolation", typed="7\n4\n")
    assert "claims square 4." in run.stdout and reason in run.stderr and run.stderr.count("\n") == 1
    assert reason in quintet("history", rc=1).stderr
    with pytest.raises(StoreFault, match=re.escape(reason)):
        Store()


@pytest.mark.parametrize("scheme", ["postgresql+psycopg", "postgresql", "postgres"])
def test_postgresql_without_its_extra(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(
        StoreFault,
        match=r"needs the extra postgres \(psycopg is missing\): pip install 'quintet-games\[postgres\]', or",
    ):
        Store(f"{scheme}://nowhere/quintet")


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A disk of 512 KiB with the store on it."""
    path = tmp_path / "disk"
    path.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(path)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted here")
    monkeypatch.setenv("QUINTET_DATABASE", f"sqlite:///{path}/quintet.db")
    try:
        yield path
    finally:
        subprocess.run(["umount", "--lazy", str(path)], check=True)


def fill(disk: Path) -> Path:
    """Write to a disk until nothing fits any more."""
    path = disk / "filler"
    with path.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError:
            pass
    return path


def test_a_disk_that_fills_up(disk: Path) -> None:
    table = Table("play", "isolation")
    table.claim(7)
    table.claim(4)
    filler = fill(disk)
    for square in (10, 1, 13):
        table.claim(square)
    errors = table.leave()
    assert "disk is full" in errors and errors.count("\n") == 1 and "Game Over" in table.said
    filler.unlink()
    with Store() as store:
        assert squares(store.load(store.entries()[0].id)) == [7, 4]
    assert "Game Over" in quintet("resume", typed="10\n1\n13\n").stdout


def test_a_disk_that_is_full(disk: Path) -> None:
    fill(disk)
    check_not_kept("disk is full")


def test_a_disk_that_is_read_only(disk: Path) -> None:
    quintet("play", "isolation", typed="7\n")
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    check_not_kept(f"the store {disk}/quintet.db cannot be ")


# Damage inside.


@pytest.mark.parametrize("damage", range(40))
def test_a_damaged_file_is_never_a_traceback_nor_a_wrong_game(damage: int, store: Store, database: Path) -> None:
    empties = [start(game) for game in GAMES.values()]
    matches = {store.begin(match): match for match in (random_match(empty, 1) for empty in empties * 3)}
    store.close()
    data, rng = bytearray(database.read_bytes()), random.Random(damage)
    if damage % 4 == 0:
        del data[rng.randrange(len(data)) :]
    for _ in range(damage if data else 0):
        data[rng.randrange(len(data))] = rng.randrange(256)
    database.write_bytes(data)
    try:
        with Store() as store:
            store.entries()
            for id in matches:
                try:
                    found = store.load(id)
                except StoreFault as fault:
                    assert len(str(fault).splitlines()) == 1
                else:
                    assert read_record(write_record(found.record())).moves == tuple(found.moves)
    except StoreFault as fault:
        assert len(str(fault).splitlines()) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE matches SET start = 'nonsense'",
        "UPDATE matches SET start = x'ff00'",
        "UPDATE matches SET start = CAST(x'ff00' AS TEXT)",
        "UPDATE matches SET game = 'gridlock'",
        "UPDATE matches SET result = '2-0'",
        "UPDATE matches SET player1 = x'37'",
        "UPDATE matches SET player2 = 'two' || char(10) || 'lines'",
        "UPDATE matches SET updated = 'yesterday'",
        "UPDATE matches SET updated = '0001-01-01T00:00:00+14:00'",
        "UPDATE matches SET created = 5",
        "UPDATE matches SET created = '0001-01-01T00:00:00+14:00'",
        "UPDATE matches SET created = '9999-12-31T23:59:59-14:00'",
        "UPDATE matches SET notes = '{'",
        "UPDATE matches SET notes = '[]'",
        'UPDATE matches SET notes = \'{"tags": {}, "comments": {"9": "x"}}\'',
        "UPDATE moves SET move = 'Z9' WHERE ply = 1",
        "UPDATE moves SET move = '6' WHERE ply = 1",
        "UPDATE moves SET move = 6 WHERE ply = 1",
        "UPDATE moves SET ply = 'one' WHERE ply = 1",
        "DELETE FROM moves WHERE ply = 1",
    ],
)
def test_a_damaged_match_is_named_and_hides_no_other(statement: str, store: Store, database: Path) -> None:
    first = start(GAMES["isolation"])
    moves = read_moves(first, "7; 4; 10")
    broken = store.begin(Match(first, moves))
    store.close()
    connection = sqlite3.connect(database)
    with connection:
        connection.execute(statement)
    connection.close()
    good = store.begin(Match(first, moves))
    for call in (store.load, store.record, lambda it: store.append(it, 3, 1), lambda it: store.truncate(it, 0)):
        with pytest.raises(StoreFault, match=f"match {broken} is damaged in the store: .") as caught:
            call(broken)
        assert len(str(caught.value).splitlines()) == 1
    assert {entry.id: entry.result for entry in store.entries()} == {good: "*", broken: DAMAGED}
    assert {entry.id: entry.when == "?" for entry in store.entries()} == {good: False, broken: True}
    assert [entry.id for entry in store.entries(unfinished=True)] == [good]


def test_an_id_that_is_not_text_is_listed(store: Store, database: Path) -> None:
    store.begin(Match(start(GAMES["gridlock"])))
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("update matches set id = x'ff00'")
    (entry,) = store.entries()
    assert isinstance(entry.id, str) and quintet("history").stdout.count("\n") == 2


def test_the_commands_name_a_damaged_match(store: Store, database: Path) -> None:
    broken = store.begin(Match(start(GAMES["isolation"])))
    store.close()
    connection = sqlite3.connect(database)
    with connection:
        connection.execute("UPDATE matches SET start = CAST(x'ff00' AS TEXT), player1 = x'00'")
    connection.close()
    for command in ("resume", "export"):
        run = quintet(command, broken, rc=1)
        assert run.stderr.startswith(f"quintet: match {broken} is damaged") and run.stderr.count("\n") == 1
    assert re.search(rf"^{broken}  \? .*  {DAMAGED}$", quintet("history").stdout, re.MULTILINE)
    assert json.loads(quintet("history", "--json").stdout)[0]["result"] == DAMAGED
    assert "no saved game is unfinished" in quintet("resume", rc=2).stderr


# The commands.


def test_nothing_is_kept_before_a_move_nor_when_asked_not_to(database: Path) -> None:
    quintet("play", "isolation", typed="moves\nundo\nquit\n")
    quintet("play", "isolation", "--no-save", typed="7\n4\n")
    assert not database.exists()
    assert quintet("history").stdout == "No saved games yet. `quintet play` saves every game.\n"


def test_the_default_place_is_the_users_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUINTET_DATABASE")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    quintet("play", "isolation", typed="7\n")
    assert [str(path) for path in tmp_path.rglob("quintet.db")] == [find_database().database]
    monkeypatch.setenv("XDG_DATA_HOME", "/proc")
    with pytest.raises(StoreFault, match="the store's folder /proc/quintet cannot be created: "):
        find_database()


def test_history_lists_the_latest_first() -> None:
    quintet("play", "isolation", "--p2", "random", typed="7\nresign\n")
    quintet("play", "gridlock", "--size", "3x4", typed="2 2\n")
    entries = json.loads(quintet("history", "--json").stdout)
    assert [(e["game"], e["size"], e["names"], e["plies"], e["result"]) for e in entries] == [
        ("gridlock", "3x4", ["human", "human"], 1, "*"),
        ("isolation", "13", ["human", "random"], 2, "0-1"),
    ]
    head, *rows = quintet("history").stdout.splitlines()
    assert head.split() == ["ID", "WHEN", "(LOCAL", "TIME)", "GAME", "SIZE", "PLAYERS", "MOVES", "RESULT"]
    assert [row.split()[0] for row in rows] == [entry["id"] for entry in entries]
    assert len(quintet("history", "--limit", "1").stdout.splitlines()) == 2


LATE = "2026-03-01T23:30:00.000001+00:00"


@pytest.mark.parametrize(
    ("zone", "shown", "day"),
    [
        ("UTC0", "2026-03-01 23:30", "2026-03-01"),
        ("AHEAD-14", "2026-03-02 13:30", "2026-03-02"),
        ("BEHIND+8", "2026-03-01 15:30", "2026-03-01"),
    ],
)
def test_times_are_stored_in_utc_and_shown_as_local(
    store: Store, database: Path, zone: str, shown: str, day: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", zone)
    id = store.begin(Match(start(GAMES["isolation"]), [1]))
    with closing(sqlite3.connect(database)) as connection, connection:
        assert connection.execute("SELECT updated FROM matches").fetchone()[0].endswith("+00:00")
        connection.execute("UPDATE matches SET created = ?, updated = ?", [LATE, LATE])
    assert f"{id}  {shown} " in quintet("history").stdout
    assert json.loads(quintet("history", "--json").stdout)[0]["updated"] == LATE
    assert f'[Date "{day}"]' in quintet("export", id).stdout


def test_resume_seats_the_same_players_or_others(store: Store) -> None:
    first = start(GAMES["isolation"])
    id = store.begin(Match(first, read_moves(first, "7"), ("Ada", "random")), ("human", "random"))
    assert "Player2 claims" in quintet("resume").stdout
    assert store.load(id).ply == 2 and store.load(id).names == ("Ada", "random")
    assert "no player called 'deep-blue'" in quintet("resume", "--p1", "deep-blue", rc=2).stderr
    assert "Game Over" in quintet("resume", "--p1", "random", "--seed", "1").stdout
    assert store.load(id).names == ("random", "random") and store.load(id).outcome
    assert f"game {id} is over (" in quintet("resume", id, rc=2).stderr


def test_a_name_is_never_read_as_a_player(store: Store, tmp_path: Path) -> None:
    trap = tmp_path / "sprung"
    first = start(GAMES["isolation"])
    store.add(Record(first, tags={"Player1": f"exec:touch {trap}", "Player2": "python:this:x"}))
    assert "left unfinished" in quintet("resume").stdout and not trap.exists()
    id = store.begin(Match(first, names=("perfect", "perfect")))
    assert "claims" not in quintet("resume", id).stdout and store.load(id).ply == 0


def test_nobody_continues_a_match_of_the_web_from_the_terminal(store: Store) -> None:
    first = start(GAMES["isolation"])
    online = store.add(Match(first, read_moves(first, "7"), ("Ada", "perfect")).record(), online=True)
    for arguments in ([online], [online, "--p2", "perfect"]):
        assert f"match {online} is played on the web" in quintet("resume", *arguments, rc=1).stderr
    assert "no saved game is unfinished" in quintet("resume", rc=2).stderr
    with pytest.raises(StoreFault, match="is played on the web"):
        store.change_players(online, ("perfect", "perfect"), ("Ada", "perfect"))
    assert store.load(online).ply == 1 and store.load(online).names == ("Ada", "perfect")


def test_a_program_is_named_again_to_continue(store: Store, tmp_path: Path) -> None:
    trap = tmp_path / "sprung"
    store.begin(Match(start(GAMES["isolation"]), names=("touch", "human")), (f"exec:touch '{trap}'", "human"))
    asked = quintet("resume", rc=2).stderr
    assert "Player 1 is a program. To run it again, add: --p1 " in asked and not trap.exists()
    assert shlex.split(asked)[-1] == f"exec:touch '{trap}'"
    assert "left unfinished" in quintet("resume", "--p1", "human").stdout


def test_a_command_line_is_in_no_record(store: Store, tmp_path: Path) -> None:
    bot = tmp_path / "rook.py"
    bot.write_text("raise SystemExit")
    quintet("play", "isolation", "--p2", f"exec:{sys.executable} {bot} --key SECRET", typed="7\nsave x\n", rc=1)
    [entry] = store.entries()
    assert entry.names == ("human", "rook.py")
    for shown in (quintet("history", "--json"), quintet("history"), quintet("export", entry.id)):
        assert "SECRET" not in shown.stdout and "rook.py" in shown.stdout
    assert store.players(entry.id)[1].endswith("--key SECRET")


def test_a_damaged_player_is_named(store: Store, database: Path) -> None:
    id = store.begin(Match(start(GAMES["isolation"])))
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE seats SET who = x'ff'")
    with pytest.raises(StoreFault, match=f"match {id} is damaged in the store: a player is not text"):
        store.players(id)


def test_export_and_import(store: Store, tmp_path: Path, database: Path) -> None:
    match = Match(read_position("point-capture X../... O target=9 values=3,2,1,1,2,3"), names=("Ada", "B\x1b[1m"))
    match.play(match.position.moves[0])
    id, path = store.begin(match), tmp_path / "game.txt"
    assert quintet("export", id, str(path)).stdout == ""
    day = date.fromisoformat(store.record(id).tags["Date"])
    assert read_record(path.read_text()) == store.record(id) == match.record(day)
    assert quintet("export", id).stdout == path.read_text()
    assert "already exists; choose another name" in quintet("export", id, str(path), rc=2).stderr
    assert "cannot write" in quintet("export", id, "/no/such/folder/x", rc=2).stderr
    assert "no saved game called 'nobody'" in quintet("export", "nobody", rc=2).stderr
    brought, name = quintet("import", str(path)).stdout.split("  ")
    assert name.strip() == str(path) and brought != id and store.record(brought) == store.record(id)
    assert quintet("import", str(path)).stdout.split()[0] == brought
    assert "\x1b" not in quintet("history").stdout


def test_import_names_the_file_and_the_line_and_keeps_none(tmp_path: Path, store: Store) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text('[Game "isolation"]\n\n1. 7; 4\n')
    for data, error in [
        (b'[Game "isolation"]\n\n1. 7; 8\n', f"{bad}: line 3: 8: That square is next to"),
        (b"", f"{bad}: line 1: a record begins with"),
        (b"\xff\xfe", f"{bad}: byte 1 is not UTF-8 text"),
        (b"7\n" * 600_000, f"{bad}: line 1: a record can have at most"),
    ]:
        bad.write_bytes(data)
        run = quintet("import", str(good), str(bad), rc=2)
        assert error in run.stderr and run.stderr.count("\n") == 1 and run.stdout == ""
    assert "cannot read" in quintet("import", str(tmp_path / "none"), rc=2).stderr
    assert "cannot read" in quintet("import", str(tmp_path), rc=2).stderr
    assert store.entries() == []


def test_the_database_is_loaded_only_with_the_first_move() -> None:
    code = "import sys; sys.argv[1:] = ['play', 'gridlock']; from quintet.cli import main\n"
    code += "try: main()\nexcept SystemExit: print(*sys.modules)"
    for typed, loaded in (("moves\n", False), ("2 2\n", True)):
        run = subprocess.run([sys.executable, "-c", code], input=typed, capture_output=True, text=True)
        assert ("sqlalchemy" in run.stdout.split()) == loaded
