"""What replaying a session's log gave, so that it is replayed once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table: one row for each session that was checked."""
    op.create_table(
        "results",
        sa.Column("session_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("state_hash", sa.String(64), nullable=False),
        sa.Column("stimulus_hash", sa.String(64), nullable=False),
        sa.Column("code_version", sa.String(40), nullable=False),
        sa.Column("problems", sa.JSON(), nullable=False),
        sa.Column("screens", sa.JSON(), nullable=False),
        sa.Column("unspent", sa.Integer(), nullable=False),
        sa.Column("possible", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", name="pk_results"),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name="fk_results_session_id"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("results")
