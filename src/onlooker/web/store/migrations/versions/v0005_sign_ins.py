"""The key that signs researchers' cookies, and the sign-ins that were ended."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the tables, and the key, once for all processes."""
    keys = op.create_table(
        "keys",
        sa.Column("name", sa.String(20), nullable=False),
        sa.Column("value", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_keys"),
    )
    op.bulk_insert(keys, [{"name": "cookies", "value": secrets.token_hex(32)}])
    op.create_table(
        "ended_sign_ins",
        sa.Column("sign_in_hash", sa.String(64), nullable=False),
        sa.Column("ended_at", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("sign_in_hash", name="pk_ended_sign_ins"),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("ended_sign_ins")
    op.drop_table("keys")
