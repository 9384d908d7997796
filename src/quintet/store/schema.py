"""The database's tables. The migrations in `migrations` create the same; a test compares the two."""

from sqlalchemy import Boolean, Column, ForeignKey, Integer, MetaData, String, Table, Text, UniqueConstraint, false

VERSION = 6
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
    Column("notes", Text),  # Other tags and comments of an imported record; null for a match played here.
    Column("revision", Integer, nullable=False, server_default="0"),  # Counts changes: a writer names the one it makes.
    Column("undone", Integer, nullable=False, server_default="0"),  # Counts undos.
    Column("offer", String(10)),  # Such as `undo:1`: Player 1 offers an undo.
    Column("rematch", String(20)),
    Column("seconds", Integer),  # A player's time for the game; null without clocks.
    Column("increment", Integer),  # Seconds added with each move.
    Column("online", Boolean, nullable=False, server_default=false()),  # Whether the web server may show it.
    Column("visited", String(40)),  # When somebody last had it open, if it might have been deleted for its age.
    Column("tournament", String(20)),  # The tournament that it belongs to.
)
TOURNAMENTS = Table(
    "tournaments",
    TABLES,
    Column("id", String(20), primary_key=True),
    Column("revision", Integer, nullable=False),  # Counts changes, as for matches.
    Column("updated", String(40), nullable=False, index=True),
    Column("visited", String(40)),
    Column("data", Text, nullable=False),  # Entries, rounds and results, as JSON.
)


def _keys(name: str) -> tuple[Column[str], Column[int]]:
    """The columns that identify a part of a match: the match, and the part's number."""
    match = Column("match", String(20), ForeignKey("matches.id"), primary_key=True)
    return match, Column(name, Integer, primary_key=True, autoincrement=False)


MOVES = Table(
    "moves",
    TABLES,
    *_keys("ply"),
    Column("move", String(20), nullable=False),
    Column("clock", Integer),  # Milliseconds its player had left.
)
SEATS = Table(
    "seats",
    TABLES,
    *_keys("seat"),
    Column("who", Text, nullable=False),  # `human`, or the engine that plays; only a private match has commands here.
    Column("name", Text),
    Column("token", String(64)),  # The SHA-256 of its player's token; null while the seat is free.
    Column("joined", String(40)),
)
PUZZLE_RESULTS = Table(
    "puzzle_results",
    TABLES,
    Column("id", Integer, primary_key=True),
    Column("day", String(10), index=True, unique=True),  # Such as 2026-11-15; null for a puzzle that is not of a day.
    Column("game", Text, nullable=False),
    Column("rating", Integer, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("solved", Boolean),  # Null while there are tries left.
    Column("at", String(40), nullable=False),
)
BASELINES = Table(
    "baselines",
    TABLES,
    Column("id", String(20), primary_key=True),
    Column("suite", String(40), nullable=False),  # With its version, such as `quick-2`.
    Column("game", String(40), nullable=False),  # The game whose samples are played; empty for all of the suite.
    Column("code", String(40), nullable=False),  # What the researcher calls the participant.
    Column("token", String(64), nullable=False),  # The SHA-256 of the participant's token.
    Column("created", String(40), nullable=False),
    UniqueConstraint("suite", "game", "code", name="one_participant"),
)
BASELINE_TURNS = Table(
    "baseline_turns",
    TABLES,
    Column("baseline", String(20), ForeignKey("baselines.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # Which sample it is, counted from 0.
    Column("turn", Integer, primary_key=True, autoincrement=False),  # Which turn of the participant, counted from 0.
    Column("position", Text, nullable=False),  # Before the move.
    Column("move", String(20), nullable=False),
    Column("milliseconds", Integer, nullable=False),  # From when the board was shown until the move.
    Column("at", String(40), nullable=False),
)
