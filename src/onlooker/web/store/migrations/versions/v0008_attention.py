"""Whether a participant passed the attention check."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column."""
    op.add_column("surveys", sa.Column("attentive", sa.Boolean()))


def downgrade() -> None:
    """Drop the column."""
    with op.batch_alter_table("surveys") as table:
        table.drop_column("attentive")
