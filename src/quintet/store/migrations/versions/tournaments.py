"""Tournaments, and which of them a match belongs to."""

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"


def upgrade() -> None:
    """Add the table and the column; an existing match belongs to no tournament."""
    op.add_column("matches", sa.Column("tournament", sa.String(20)))
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("updated", sa.String(40), nullable=False, index=True),
        sa.Column("visited", sa.String(40)),
        sa.Column("data", sa.Text, nullable=False),
    )
