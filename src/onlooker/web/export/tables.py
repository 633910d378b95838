"""The tables that only an online study has."""

from __future__ import annotations

from dataclasses import replace

from onlooker.experiments.schema import PARTICIPANTS, TABLES, Column, TableSchema

_PARTICIPANT = PARTICIPANTS.column("participant")
_EXPERIMENT = PARTICIPANTS.column("experiment")
_STAMPS = (
    Column("server_time", "time", "When the server wrote the row (UTC)."),
    Column("client_time", "time", "What the browser's clock said.", empty=True),
    Column("code_version", "text", "Version of onlooker that wrote the row."),
    Column("config_hash", "text", "Hash of the settings that the row was written under."),
    Column("stimulus_hash", "text", "Hash of the stimuli, orderings and rules of the check."),
    Column("seed", "whole", "The session's seed, which breaks ties between orderings."),
)


def _stamped(name: str, row: str, key: tuple[str, ...], *columns: Column) -> TableSchema:
    """A table whose rows are about a participant and say when they were written, and with what."""
    return TableSchema(name, row, key, (_PARTICIPANT, _EXPERIMENT, *columns, *_STAMPS))


SESSIONS = TableSchema(
    "sessions",
    "a person who arrived, whether or not they took part",
    ("participant",),
    (
        _PARTICIPANT,
        _EXPERIMENT,
        replace(PARTICIPANTS.column("label"), required=True),
        Column("test", "true-false", "Whether it was a test run or a bot, which never counts."),
        Column("ordering", "whole", "Number of the ordering, from 1.", empty=True, least=1),
        Column("screen", "text", "The screen that the session is or ended on."),
        Column(
            "end_reason",
            "text",
            "How it ended; empty if it did not.",
            empty=True,
        ),
        Column("arrived_at", "time", "When the participant first arrived (UTC)."),
        Column("last_seen", "time", "When the session was last seen (UTC)."),
        Column("ended_at", "time", "When the session ended (UTC).", empty=True),
        Column("minutes", "number", "From arrival to end.", empty=True, least=0),
        Column("arrivals", "whole", "How often the study was opened.", least=0),
        Column("longest_gap", "whole", "Seconds of the longest absence.", empty=True, least=0),
        Column("viewport", "text", "Size of the window at the first arrival.", empty=True),
        Column("blurs", "whole", "How often the window lost the focus.", least=0),
        Column("bonus", "number", "The bonus that the last page promised.", empty=True, least=0),
        Column("events", "whole", "How many events the log has.", least=0),
        Column("replayed", "true-false", "Whether replaying the log gives the stored state."),
        Column("state_hash", "text", "Hash of the state that the log leads to."),
        *_STAMPS[2:],
    ),
)

CONSENTS = _stamped(
    "consents",
    "an answer to the consent form",
    ("participant",),
    Column("version", "text", "Version of the consent form."),
    Column("text_hash", "text", "Hash of its text."),
    Column("agreed", "true-false", "Whether the participant agreed."),
)

CHECKS = _stamped(
    "checks",
    "an answer in an attempt at the comprehension check",
    ("participant", "attempt", "question"),
    Column("attempt", "whole", "Number of the attempt, from 1.", least=1),
    Column("question", "text", "Id of the question."),
    Column("answer", "text", "Id of the option that was ticked."),
    Column("right", "true-false", "Whether it was right."),
    Column("passed", "true-false", "Whether the whole attempt was passed."),
)

ANSWERS = _stamped(
    "answers",
    "an answer to a question of the lab's; documentation/codebook.csv has the questions",
    ("participant", "position", "question"),
    Column("position", "whole", "The round after which it was asked; 0: the end.", least=0),
    Column("level", "text", "Name of that round's trial; empty at the end.", empty=True),
    Column("question", "text", "Id of the question."),
    Column("answer", "text", "The answer; read free texts before you share them."),
    Column("right", "true-false", "Whether it showed attention, if it asks.", empty=True),
)

EVENTS = _stamped(
    "events",
    "an event of a session's log",
    ("participant", "event"),
    Column("event", "whole", "Place in the log, from 0.", least=0),
    Column("kind", "text", "What the participant, or the server, did."),
    Column("data", "text", "What with, as JSON; answers to the lab's questions are left out."),
    Column("screen", "text", "The screen that it led to."),
    Column("state_hash", "text", "Hash of the state that it led to."),
)

NOTES = _stamped(
    "notes",
    "something noticed about a session",
    ("participant", "note"),
    Column("note", "whole", "Number of the note, from 1.", least=1),
    Column("source", "text", "Who noticed it.", words=("client", "server")),
    Column("kind", "text", "What it was: focus, blur, resize, reconnect, error, refused, …"),
    Column("detail", "text", "More about it.", empty=True),
)

# `event` and `screen` differ between tables, so the dictionary explains them for each.
WEB_TABLES: dict[str, TableSchema] = {
    table.name: table for table in (SESSIONS, CONSENTS, CHECKS, ANSWERS, EVENTS, NOTES)
}
ALL_TABLES: dict[str, TableSchema] = {**TABLES, **WEB_TABLES}
