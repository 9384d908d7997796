"""What online matches need: seats with tokens, clocks, undos, rematches."""

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Add the columns and the table; an existing match has no seats."""
    op.add_column("matches", sa.Column("revision", sa.Integer, nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("undone", sa.Integer, nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("offer", sa.String(10)))
    op.add_column("matches", sa.Column("rematch", sa.String(20)))
    op.add_column("matches", sa.Column("seconds", sa.Integer))
    op.add_column("matches", sa.Column("increment", sa.Integer))
    op.add_column("moves", sa.Column("clock", sa.Integer))
    op.create_table(
        "seats",
        sa.Column("match", sa.String(20), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("token", sa.String(64)),
        sa.Column("joined", sa.String(40)),
    )
