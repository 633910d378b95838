"""Datasets made for download, where every process of the server finds them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make the table: one row for participants and one for test runs."""
    op.create_table(
        "archives",
        sa.Column("tests", sa.Boolean(), nullable=False),
        sa.Column("asked_at", sa.String(32), nullable=False),
        sa.Column("changed_at", sa.String(32), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("of", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary()),
        sa.Column("problems", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("tests", name="pk_archives"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("archives")
