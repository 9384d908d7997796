"""The tables of the store. What leads from one version to the next is in `migrations`; a test compares the two."""

from sqlalchemy import Column, ForeignKey, Integer, MetaData, String, Table, Text

VERSION = 2
"""The version of the tables below: the number of the newest migration."""

TABLES = MetaData()
SCHEMA = Table("schema", TABLES, Column("version", Integer, primary_key=True))
MATCHES = Table(
    "matches",
    TABLES,
    Column("id", String(20), primary_key=True),
    Column("game", Text, nullable=False),
    Column("start", Text, nullable=False),
    Column("player1", Text),
    Column("player2", Text),
    Column("created", String(40), nullable=False),
    Column("updated", String(40), nullable=False, index=True),
    Column("result", String(10), nullable=False),
    Column("termination", Text),
    Column("notes", Text),  # The other tags and the comments of a record that was brought in; null for a match played.
    Column("revision", Integer, nullable=False, server_default="0"),  # Counts changes: who writes says what it answers.
    Column("undone", Integer, nullable=False, server_default="0"),  # Counts take-backs.
    Column("offer", String(10)),  # Such as `undo:1`: Player 1 would like to take back.
    Column("rematch", String(20)),
    Column("seconds", Integer),  # A player's time for the game; null where nobody counts.
    Column("increment", Integer),  # Seconds that each move gives back.
)
MOVES = Table(
    "moves",
    TABLES,
    Column("match", String(20), ForeignKey("matches.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("move", String(20), nullable=False),
    Column("clock", Integer),  # Milliseconds that were left to its player.
)
SEATS = Table(
    "seats",
    TABLES,
    Column("match", String(20), ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("who", Text, nullable=False),  # `human`, or the engine that plays.
    Column("name", Text),
    Column("token", String(64)),  # The SHA-256 of the secret that its player holds; null while the seat is free.
    Column("joined", String(40)),
)
