"""Replies are computed again from the log; only the last one is stored."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Let events have no reply."""
    with op.batch_alter_table("events") as table:
        table.alter_column("reply", existing_type=sa.Text(), nullable=True)


def downgrade() -> None:
    """Every event has a reply."""
    op.execute("UPDATE events SET reply = '' WHERE reply IS NULL")
    with op.batch_alter_table("events") as table:
        table.alter_column("reply", existing_type=sa.Text(), nullable=False)
