"""The record of erased participants."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "erasures",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pseudonym", sa.String(20), nullable=False),
        sa.Column("erased_at", sa.String(32), nullable=False),
        sa.Column("sessions", sa.Integer(), nullable=False),
        sa.Column("events", sa.Integer(), nullable=False),
        sa.Column("bonuses", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_erasures"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("erasures")
