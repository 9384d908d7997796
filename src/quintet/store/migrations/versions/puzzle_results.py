"""How somebody did in puzzles."""

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "puzzle_results",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("day", sa.String(10)),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("rating", sa.Integer, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("solved", sa.Boolean),
        sa.Column("at", sa.String(40), nullable=False),
    )
    op.create_index("ix_puzzle_results_day", "puzzle_results", ["day"], unique=True)
