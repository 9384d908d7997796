"""Human baselines: who plays a suite, and every turn of theirs."""

import sqlalchemy as sa
from alembic import op

revision = "6"
down_revision = "5"


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "baselines",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("suite", sa.String(40), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("code", sa.String(40), nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sa.UniqueConstraint("suite", "game", "code", name="one_participant"),
    )
    op.create_table(
        "baseline_turns",
        sa.Column("baseline", sa.String(20), sa.ForeignKey("baselines.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("turn", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("move", sa.String(20), nullable=False),
        sa.Column("milliseconds", sa.Integer, nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
    )
