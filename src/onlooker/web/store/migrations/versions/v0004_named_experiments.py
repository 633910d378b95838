"""Experiments are named: what was a number is text that can be one. Sessions have labels."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make text of the experiments of sessions and pause switches; no session has a label."""
    # Not by making the table anew: others refer to its rows.
    op.drop_index("ix_sessions_experiment_test_ordering", "sessions")
    op.execute("ALTER TABLE sessions RENAME COLUMN experiment TO number")
    op.add_column(
        "sessions", sa.Column("experiment", sa.String(30), nullable=False, server_default="")
    )
    op.add_column("sessions", sa.Column("label", sa.String(20), nullable=True))
    op.execute("UPDATE sessions SET experiment = CAST(number AS VARCHAR(30))")
    op.execute("ALTER TABLE sessions DROP COLUMN number")
    op.create_index(
        "ix_sessions_experiment_test_ordering", "sessions", ["experiment", "test", "ordering"]
    )
    with op.batch_alter_table("studies") as studies:
        studies.alter_column(
            "experiment",
            existing_type=sa.Integer(),
            existing_nullable=False,
            type_=sa.String(30),
            postgresql_using="experiment::varchar",
        )


def downgrade() -> None:
    """Refuse: a name is no number."""
    raise NotImplementedError("restore a backup instead")
