"""A row that is written to see whether the database can be written."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_KEYS = sa.table("keys", sa.column("name", sa.String), sa.column("value", sa.String))


def upgrade() -> None:
    """Add the row."""
    op.bulk_insert(_KEYS, [{"name": "probe", "value": ""}])


def downgrade() -> None:
    """Remove the row."""
    op.execute(_KEYS.delete().where(_KEYS.c.name == "probe"))
