"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _stamps() -> list[sa.Column[object]]:
    return [
        sa.Column("code_version", sa.String(40), nullable=False),
        sa.Column("config_hash", sa.String(64), nullable=False),
        sa.Column("stimulus_hash", sa.String(64)),
        sa.Column("seed", sa.BigInteger()),
        sa.Column("server_time", sa.String(32), nullable=False),
        sa.Column("client_time", sa.String(40)),
    ]


def _id(table: str) -> list[sa.Column[int] | sa.PrimaryKeyConstraint]:
    return [
        sa.Column("id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=f"pk_{table}"),
    ]


def _session(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name=f"fk_{table}_session_id")


def upgrade() -> None:
    """Make the tables."""
    _people()
    _sessions()
    _events()
    _answers()
    _notes_and_switches()


def _people() -> None:
    op.create_table(
        "participants",
        *_id("participants"),
        sa.Column("pid", sa.String(64), nullable=False),
        sa.Column("pseudonym", sa.String(20), nullable=False),
        sa.Column("test", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.String(32), nullable=False),
        sa.UniqueConstraint("pid", name="uq_participants_pid"),
        sa.UniqueConstraint("pseudonym", name="uq_participants_pseudonym"),
    )


def _sessions() -> None:
    op.create_table(
        "sessions",
        *_id("sessions"),
        sa.Column("participant_id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.String(64), nullable=False),
        sa.Column("experiment", sa.Integer(), nullable=False),
        sa.Column("test", sa.Boolean(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("ordering", sa.Integer()),
        sa.Column("counts", sa.JSON()),
        sa.Column("screen", sa.String(20), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("state_hash", sa.String(64), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("tab_hash", sa.String(64), nullable=False),
        sa.Column("arrived_at", sa.String(32), nullable=False),
        sa.Column("last_seen", sa.String(32), nullable=False),
        sa.Column("ended_at", sa.String(32)),
        sa.Column("end_reason", sa.String(40)),
        sa.Column("code_version", sa.String(40), nullable=False),
        sa.Column("config_hash", sa.String(64), nullable=False),
        sa.Column("stimulus_hash", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(
            ["participant_id"], ["participants.id"], name="fk_sessions_participant_id"
        ),
        sa.UniqueConstraint(
            "participant_id", "study_id", name="uq_sessions_participant_id_study_id"
        ),
    )
    op.create_index(
        "ix_sessions_experiment_test_ordering", "sessions", ["experiment", "test", "ordering"]
    )
    op.create_index("ix_sessions_last_seen", "sessions", ["last_seen"])
    op.create_table(
        "tabs",
        *_id("tabs"),
        sa.Column("session_id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("prolific_session", sa.String(64), nullable=False),
        sa.Column("viewport", sa.String(20)),
        sa.Column("opened_at", sa.String(32), nullable=False),
        sa.Column("gap_seconds", sa.Integer()),
        _session("tabs"),
        sa.UniqueConstraint("token_hash", name="uq_tabs_token_hash"),
    )
    op.create_index("ix_tabs_session_id", "tabs", ["session_id"])


def _events() -> None:
    op.create_table(
        "events",
        *_id("events"),
        sa.Column("session_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("intent_id", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("ordering", sa.Integer()),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("state_hash", sa.String(64), nullable=False),
        *_stamps(),
        _session("events"),
        sa.UniqueConstraint("session_id", "seq", name="uq_events_session_id_seq"),
        sa.UniqueConstraint("session_id", "intent_id", name="uq_events_session_id_intent_id"),
    )


def _answers() -> None:
    op.create_table(
        "consents",
        *_id("consents"),
        sa.Column("session_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(200), nullable=False),
        sa.Column("text_hash", sa.String(64), nullable=False),
        sa.Column("agreed", sa.Boolean(), nullable=False),
        *_stamps(),
        _session("consents"),
        sa.UniqueConstraint("session_id", name="uq_consents_session_id"),
    )
    op.create_table(
        "checks",
        *_id("checks"),
        sa.Column("session_id", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("wrong", sa.JSON(), nullable=False),
        sa.Column("passed", sa.Boolean(), nullable=False),
        *_stamps(),
        _session("checks"),
        sa.UniqueConstraint("session_id", "attempt", name="uq_checks_session_id_attempt"),
    )
    op.create_table(
        "surveys",
        *_id("surveys"),
        sa.Column("session_id", sa.Integer(), nullable=False),
        sa.Column("age", sa.Integer()),
        sa.Column("gender", sa.String(60)),
        sa.Column("feedback", sa.Text(), nullable=False),
        *_stamps(),
        _session("surveys"),
        sa.UniqueConstraint("session_id", name="uq_surveys_session_id"),
    )


def _notes_and_switches() -> None:
    op.create_table(
        "notes",
        *_id("notes"),
        sa.Column("session_id", sa.Integer()),
        sa.Column("source", sa.String(10), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        *_stamps(),
        _session("notes"),
    )
    op.create_index("ix_notes_session_id", "notes", ["session_id"])
    studies = op.create_table(
        "studies",
        sa.Column("experiment", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.Column("changed_at", sa.String(32)),
        sa.PrimaryKeyConstraint("experiment", name="pk_studies"),
    )
    rows = [{"experiment": number, "paused": False} for number in (1, 2, 3, 4)]
    op.bulk_insert(studies, rows)
