"""The store's versions: whatever a database has been, it is brought to the newest without losing a match."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from postgres import running_postgres
from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_moves
from quintet.options import start
from quintet.store.database import StoreFault
from quintet.store.matches import Store
from quintet.store.schema import TABLES, VERSION

FIRST = """
CREATE TABLE schema (version INTEGER NOT NULL, PRIMARY KEY (version));
CREATE TABLE matches (id VARCHAR(20) NOT NULL, game TEXT NOT NULL, start TEXT NOT NULL, player1 TEXT, player2 TEXT,
    created VARCHAR(40) NOT NULL, updated VARCHAR(40) NOT NULL, result VARCHAR(10) NOT NULL, termination TEXT,
    notes TEXT, PRIMARY KEY (id));
CREATE INDEX ix_matches_updated ON matches (updated);
CREATE TABLE moves (match VARCHAR(20) NOT NULL, ply INTEGER NOT NULL, move VARCHAR(20) NOT NULL,
    PRIMARY KEY (match, ply), FOREIGN KEY(match) REFERENCES matches (id));
INSERT INTO schema VALUES (1);
INSERT INTO matches VALUES ('abc234', 'isolation', 'isolation ............. X', 'Ada', 'random',
    '2026-11-01T10:00:00.000000+00:00', '2026-11-01T10:05:00.000000+00:00', '*', NULL, NULL);
INSERT INTO moves VALUES ('abc234', 0, '7'), ('abc234', 1, '4');
"""
"""A database as the first version made it, with a match in it."""


@pytest.fixture
def old(database: Path) -> Path:
    connection = sqlite3.connect(database)
    connection.executescript(FIRST)
    connection.close()
    return database


SECOND = """
ALTER TABLE matches ADD COLUMN revision INTEGER DEFAULT '0' NOT NULL;
ALTER TABLE matches ADD COLUMN undone INTEGER DEFAULT '0' NOT NULL;
ALTER TABLE matches ADD COLUMN offer VARCHAR(10);
ALTER TABLE matches ADD COLUMN rematch VARCHAR(20);
ALTER TABLE matches ADD COLUMN seconds INTEGER;
ALTER TABLE matches ADD COLUMN increment INTEGER;
ALTER TABLE moves ADD COLUMN clock INTEGER;
CREATE TABLE seats (match VARCHAR(20) NOT NULL, seat INTEGER NOT NULL, who TEXT NOT NULL, name TEXT, token VARCHAR(64),
    joined VARCHAR(40), PRIMARY KEY (match, seat), FOREIGN KEY(match) REFERENCES matches (id));
UPDATE schema SET version = 2;
"""
"""What the second version added."""


def add_match(connection: sqlite3.Connection, id: str, *names: str | bytes | None, notes: str | None = None) -> None:
    time = "2026-11-01T10:00:00.000000+00:00"
    connection.execute(
        "INSERT INTO matches (id, game, start, player1, player2, created, updated, result, notes)"
        " VALUES (?, 'isolation', 'isolation ............. X', ?, ?, ?, ?, '*', ?)",
        [id, *names, time, time, notes],
    )


def test_the_second_version_read_players_from_names_and_served_everything(old: Path) -> None:
    with closing(sqlite3.connect(old)) as connection, connection:
        connection.executescript(SECOND)
        add_match(connection, "engine", "Ada", "level:03")
        add_match(connection, "program", "exec:./rook --key SECRET", "mcts")
        add_match(connection, "broken", "exec:'", None)
        add_match(connection, "bytes", b"\xff", "clumsy:x")
        add_match(connection, "record", "perfect", "exec:x", notes='{"tags": {}, "comments": {}}')
        add_match(connection, "web", "perfect", "perfect")
        connection.execute("INSERT INTO seats (match, seat, who, name) VALUES ('web', 1, 'human', 'perfect')")
        connection.execute("INSERT INTO seats (match, seat, who, name) VALUES ('web', 2, 'human', 'perfect')")
    with Store() as store:
        assert [entry.id for entry in store.entries(online=True)] == ["web"]
        assert store.players("engine") == ("human", "level:3") and store.load("engine").names == ("Ada", "level:3")
        assert store.players("program") == ("exec:./rook --key SECRET", "mcts")
        assert store.load("program").names == ("rook", "mcts") and store.load("broken").names[0] == "exec"
        assert store.players("bytes") == store.players("record") == ("human", "human")
        assert store.load("record").names == ("perfect", "exec:x")
        with pytest.raises(StoreFault, match="is played on the web"):
            store.players("web")
        with closing(sqlite3.connect(old)) as connection:
            assert "SECRET" not in str(connection.execute("SELECT * FROM matches").fetchall())
    assert differences(f"sqlite:///{old}") == []


def differences(url: str) -> list[object]:
    engine = create_engine(url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        found: list[object] = compare_metadata(context, TABLES)
    engine.dispose()
    return found


def test_a_database_of_the_first_version_is_taken_over(old: Path) -> None:
    first = start(GAMES["isolation"])
    with Store() as store:
        match = store.load("abc234")
        assert match.moves == read_moves(first, "7; 4") and match.names == ("Ada", "random")
        assert store.players("abc234") == ("human", "random")
        store.append("abc234", 2, read_moves(first, "10")[0])
    assert differences(f"sqlite:///{old}") == []
    with Store() as store:
        assert store.load("abc234").ply == 3
        assert [entry.id for entry in store.entries()] == ["abc234"]


def test_a_migration_that_fails_changes_nothing(old: Path) -> None:
    connection = sqlite3.connect(old)
    connection.execute("CREATE TABLE seats (x)")
    connection.commit()
    before = list(connection.iterdump())
    with pytest.raises(StoreFault, match="already exists"):
        Store()
    assert list(connection.iterdump()) == before
    connection.close()


def test_the_migrations_lead_to_the_tables_that_the_program_uses(database: Path) -> None:
    with Store() as store, store.transaction() as connection:
        assert connection.exec_driver_sql("SELECT version FROM schema").scalars().all() == [VERSION]
    assert differences(f"sqlite:///{database}") == []


def test_the_newest_database_loads_no_migration(database: Path) -> None:
    code = "import sys; from quintet.store.matches import Store; Store().close(); print('alembic' in sys.modules)"
    said = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout for _ in range(2)]
    assert said == ["True\n", "False\n"]


def test_on_postgresql_too() -> None:
    with running_postgres("-c", "fsync=off") as url:
        with Store(url) as store:
            id = store.begin(Match(start(GAMES["gridlock"])))
            assert store.load(id).ply == 0
        assert differences(url) == []


def test_a_database_of_the_second_version_on_postgresql_too() -> None:
    with running_postgres("-c", "fsync=off") as url:
        with psycopg.connect(url) as connection:
            connection.execute(FIRST + SECOND)
            connection.execute("UPDATE matches SET player1 = 'exec:./rook --key 5'")
        with Store(url) as store:
            assert store.players("abc234") == ("exec:./rook --key 5", "random")
            assert store.load("abc234").names == ("rook", "random") and store.entries(online=True) == []
        assert differences(url) == []
