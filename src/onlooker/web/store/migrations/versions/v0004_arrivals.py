"""An index to count recent arrivals."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the index."""
    op.create_index("ix_sessions_arrived_at", "sessions", ["arrived_at"])


def downgrade() -> None:
    """Drop the index."""
    op.drop_index("ix_sessions_arrived_at", "sessions")
