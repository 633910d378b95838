"""${message}."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    """Bring the tables to this version."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Bring them back to the version before."""
    ${downgrades if downgrades else "pass"}
