"""Which matches are online, and who plays the others: until then that was read from the players' names."""

import sqlalchemy as sa
from alembic import op

from quintet.engines import HUMAN
from quintet.engines.players import shown_name, stored_player

revision = "3"
down_revision = "2"

MATCHES = sa.table(
    "matches",
    *map(sa.column, ("id", "player1", "player2", "notes")),
    sa.column("online", sa.Boolean),
)
SEATS = sa.table("seats", *map(sa.column, ("match", "seat", "who", "name")))


def upgrade() -> None:
    """Matches with seats came from a server. The others are private, and an engine continues as its name says."""
    op.add_column("matches", sa.Column("online", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("matches", sa.Column("visited", sa.String(40)))
    connection = op.get_bind()
    seated = sa.select(SEATS.c.match)
    connection.execute(sa.update(MATCHES).where(MATCHES.c.id.in_(seated)).values(online=True))
    # The names in an imported record are names only.
    private = sa.select(MATCHES.c.id, MATCHES.c.player1, MATCHES.c.player2)
    seats = []
    for id, *names in connection.execute(private.where(sa.not_(MATCHES.c.online), MATCHES.c.notes.is_(None))).all():
        for seat, name in enumerate(names, 1):
            who = player_of(name)
            shown = name if who == HUMAN else shown_name(who)
            seats.append({"match": id, "seat": seat, "who": who, "name": shown})
            if shown != name:  # A command line, which may contain a key.
                connection.execute(sa.update(MATCHES).where(MATCHES.c.id == id).values({f"player{seat}": shown}))
    if seats:
        connection.execute(sa.insert(SEATS), seats)


def player_of(name: object) -> str:
    """Who played under a name; a damaged one is nobody's."""
    if not isinstance(name, str):
        return HUMAN
    player = stored_player(name)
    return name if player is None else str(player)
