"""The steps that lead a database of any earlier version to the newest, with Alembic's operations.

Each file in `versions` is a revision whose name is its version's number. The table `schema` says which one a database
has; it is written in the same transaction as the step, so a step that fails leaves everything as it was.
"""

from pathlib import Path

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, delete, insert, text

from quintet.store.tables import SCHEMA

LOCK = 5_147_382_901
"""Any number: programs that open a new PostgreSQL database at the same moment take turns by it."""


def take_turns(connection: Connection) -> None:
    """Wait for another program that is migrating; on SQLite the transaction itself has waited."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})


def migrate(connection: Connection, version: int) -> None:
    """Bring a database from a version (0: empty) to the newest, inside the caller's transaction."""
    scripts = ScriptDirectory(str(Path(__file__).parent))
    steps = {int(script.revision): script.module for script in scripts.walk_revisions()}
    with Operations.context(MigrationContext.configure(connection)):
        for number in sorted(steps):
            if number > version:
                steps[number].upgrade()
    connection.execute(delete(SCHEMA))
    connection.execute(insert(SCHEMA).values(version=max(steps)))
