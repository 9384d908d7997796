"""Migrations from any earlier version of the schema to the newest, with Alembic's operations.

Each file in `versions` is an Alembic revision named by its version's number. The table `schema` holds the version of a
database; it is written in the same transaction as the migration, so one that fails changes nothing.
"""

from pathlib import Path

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, delete, insert, text

from quintet.store.schema import SCHEMA

LOCK = 5_147_382_901
"""Any number: programs that open a new PostgreSQL database at the same time lock on it, to take turns."""


def take_turns(connection: Connection) -> None:
    """Wait for another program that is migrating; on SQLite the transaction has already waited."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})


def migrate(connection: Connection, version: int) -> None:
    """Migrate a database from a version (0: empty) to the newest, inside the caller's transaction."""
    scripts = ScriptDirectory(str(Path(__file__).parent))
    steps = {int(script.revision): script.module for script in scripts.walk_revisions()}
    with Operations.context(MigrationContext.configure(connection)):
        for number in sorted(steps):
            if number > version:
                steps[number].upgrade()
    connection.execute(delete(SCHEMA))
    connection.execute(insert(SCHEMA).values(version=max(steps)))
