"""The ledger of bonuses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the ledger: a session can be in it once."""
    op.create_table(
        "bonuses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Integer(), nullable=False),
        sa.Column("batch", sa.String(40), nullable=False),
        sa.Column("amount", sa.String(12), nullable=False),
        sa.Column("currency", sa.String(5), nullable=False),
        sa.Column("entered_at", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_bonuses"),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name="fk_bonuses_session_id"),
        sa.UniqueConstraint("session_id", name="uq_bonuses_session_id"),
    )
    op.create_index("ix_bonuses_batch", "bonuses", ["batch"])
