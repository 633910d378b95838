"""Stored stimuli and results, sign-ins, erasures, fewer replies; named experiments and labels."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the new tables, and let the events alone have what people agreed to and answered."""
    op.create_table(
        "stimuli",
        sa.Column("stimulus_hash", sa.String(64), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("stimulus_hash", name="pk_stimuli"),
    )
    op.create_table(
        "results",
        sa.Column("session_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("state_hash", sa.String(64), nullable=False),
        sa.Column("stimulus_hash", sa.String(64), nullable=False),
        sa.Column("code_version", sa.String(40), nullable=False),
        sa.Column("problems", sa.JSON(), nullable=False),
        sa.Column("screens", sa.JSON(), nullable=False),
        sa.Column("unspent", sa.Integer(), nullable=False),
        sa.Column("possible", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", name="pk_results"),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name="fk_results_session_id"),
    )
    keys = op.create_table(
        "keys",
        sa.Column("name", sa.String(20), nullable=False),
        sa.Column("value", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_keys"),
    )
    cookies = {"name": "cookies", "value": secrets.token_hex(32)}  # once for all processes
    op.bulk_insert(keys, [cookies, {"name": "probe", "value": ""}])
    op.create_table(
        "ended_sign_ins",
        sa.Column("sign_in_hash", sa.String(64), nullable=False),
        sa.Column("ended_at", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("sign_in_hash", name="pk_ended_sign_ins"),
    )
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
    _move_consents()
    for repeated in ("consents", "checks", "surveys"):
        op.drop_table(repeated)
    with op.batch_alter_table("events") as events:
        events.alter_column("reply", existing_type=sa.Text(), nullable=True)
    with op.batch_alter_table("sessions") as sessions:
        sessions.add_column(
            sa.Column("note_bytes", sa.Integer(), nullable=False, server_default="0")
        )
    _name_experiments()


def _move_consents() -> None:
    """Put the version of the form, which only its table had, into the events of consent."""
    connection = op.get_bind()
    events = sa.table(
        "events", sa.column("session_id"), sa.column("kind"), sa.column("data", sa.JSON)
    )
    for row in connection.execute(sa.text("SELECT * FROM consents")).mappings().all():
        data = {name: row[name] for name in ("version", "text_hash")} | {
            "agree": bool(row["agreed"])
        }
        of_session = (events.c.session_id == row["session_id"]) & (events.c.kind == "consent")
        connection.execute(sa.update(events).where(of_session).values(data=data))


def _name_experiments() -> None:
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
