"""Matches and their moves."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    """Create the first tables."""
    op.create_table("schema", sa.Column("version", sa.Integer, primary_key=True))
    op.create_table(
        "matches",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("start", sa.Text, nullable=False),
        sa.Column("player1", sa.Text),
        sa.Column("player2", sa.Text),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("updated", sa.String(40), nullable=False, index=True),
        sa.Column("result", sa.String(10), nullable=False),
        sa.Column("termination", sa.Text),
        sa.Column("notes", sa.Text),
    )
    op.create_table(
        "moves",
        sa.Column("match", sa.String(20), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("move", sa.String(20), nullable=False),
    )
