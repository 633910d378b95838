"""The tables of a study: which columns each has and what may stand in them.

The web application and the simulation write these tables, the analysis reads them, and the data
dictionary is made from them, so each is declared here once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from onlooker.experiments.naming import EXPECTED
from onlooker.game import Expertise, Label

LARGEST = 1e15  # of all numbers: what is squared or summed is a number still

Kind = Literal["text", "whole", "number", "true-false", "time", "experiment"]
IN_WORDS: dict[Kind, str] = {
    "text": "a text",
    "whole": "a whole number",
    "number": "a number",
    "true-false": "true or false",
    "time": "a time such as 2025-01-31T12:00:00Z",
    "experiment": EXPECTED,
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    kind: Kind
    meaning: str  # one sentence for the data dictionary
    required: bool = True  # the column must be there
    empty: bool = False  # a value may be missing
    least: float | None = None
    words: tuple[str, ...] = ()  # the only texts allowed

    def expected(self) -> str:
        """What may stand in it, in words.

        >>> TRIALS.column("moves").expected()
        'a whole number from 0 up'
        """
        what = " or ".join(self.words) or IN_WORDS[self.kind]
        if self.least is not None:
            what += f" from {self.least:g} {'to 1e15' if self.kind == 'number' else 'up'}"
        return f"{what}, or nothing" if self.empty else what


@dataclass(frozen=True, slots=True)
class TableSchema:
    """One table: a row for each combination of its key's values."""

    name: str
    row: str  # what one row is
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    def column(self, name: str) -> Column:
        """The column of that name."""
        return next(column for column in self.columns if column.name == name)


_PARTICIPANT = Column("participant", "text", "Pseudonym of the participant.")
_EXPERIMENT = Column("experiment", "experiment", "Number or name of the experiment.")
_LEVEL = Column("level", "text", "Name of the trial.")
LABELS = tuple(Label)
_LABEL = Column(
    "label",
    "text",
    "What the participant is told of NPCs that teach; untold: nothing of any NPC.",
    required=False,
    empty=True,
    words=LABELS,
)


def _logged(name: str, meaning: str) -> Column:
    """A count that only the import of logs knows."""
    return Column(name, "whole", f"Of an import: {meaning}", required=False, least=0)


PARTICIPANTS = TableSchema(
    "participants",
    "a participant",
    ("participant",),
    (
        _PARTICIPANT,
        _EXPERIMENT,
        Column("ordering", "whole", "Number of the ordering it was given, from 1.", least=1),
        _LABEL,
        Column("completed", "true-false", "Whether all trials of the ordering were finished."),
        Column("age", "whole", "Age in years.", required=False, empty=True, least=0),
        Column("gender", "text", "Gender in the participant's words.", required=False, empty=True),
        Column(
            "logged_score",
            "number",
            "Of an import: the sum of logged_unspent, by which the paper excludes.",
            required=False,
            empty=True,
        ),
        Column(
            "logged_excluded",
            "true-false",
            "Of an import: whether the paper's rule excludes it by that score.",
            required=False,
        ),
    ),
)

TRIALS = TableSchema(
    "trials",
    "a trial that a participant played",
    ("participant", "level"),
    (
        _PARTICIPANT,
        _EXPERIMENT,
        _LEVEL,
        Column("position", "whole", "Place of the trial in the ordering, from 1.", least=1),
        _LABEL,
        Column("tutorial", "true-false", "Whether the trial was practice, which never counts."),
        Column("finished", "true-false", "Whether the trial was played to its end."),
        Column("budget", "whole", "Points at the start.", least=0),
        Column("unspent", "whole", "Points left at the end, negative if more was spent."),
        Column("observed", "whole", "Steps watched of all NPCs together.", least=0),
        Column("moves", "whole", "Moves of the main agent.", least=0),
        Column("interactions", "whole", "Interactions of the main agent with wizards.", least=0),
        Column("cost_observation", "number", "Points spent on watching.", least=0),
        Column("cost_execution", "number", "Points spent on moves and interactions.", least=0),
        Column("cost_total", "number", "Points spent in all.", least=0),
        Column(
            "replayed",
            "true-false",
            "Of an import: whether the log could be replayed on our game; if not, there are no"
            " choices, and counts and costs are those of the log.",
            required=False,
        ),
        _logged("logged_blocks", "how often the level was begun."),
        _logged("logged_steps", "rows of keys, looks and interactions of all these times."),
        Column(
            "logged_unspent",
            "whole",
            "Of an import: points left by the log, which may differ from unspent.",
            required=False,
            empty=True,
        ),
        _logged("without_effect", "keys and looks that did nothing."),
        _logged("repaired", "moves that were lost from the log and put in again."),
    ),
)

OBSERVATIONS = TableSchema(
    "observations",
    "an NPC in a trial that a participant played",
    ("participant", "level", "agent"),
    (
        _PARTICIPANT,
        _EXPERIMENT,
        _LEVEL,
        Column("agent", "text", "Id of the NPC."),
        Column("expertise", "text", "Of the NPC.", words=tuple(Expertise)),
        Column("observed", "whole", "Steps watched of this NPC.", least=0),
        Column("cost_observation", "number", "Points spent on watching this NPC.", least=0),
        Column(
            "logged_looks",
            "number",
            "Of an import: looks at this NPC as the paper counts them, those of all times that the"
            " level was begun divided by how often it was.",
            required=False,
            least=0,
        ),
        Column(
            "published_model",
            "number",
            "Of an import: the count of the authors' own full model.",
            required=False,
            empty=True,
            least=0,
        ),
    ),
)

ACTIONS = TableSchema(
    "actions",
    "a choice of a participant",
    ("participant", "level", "number"),
    (
        _PARTICIPANT,
        _EXPERIMENT,
        _LEVEL,
        Column("number", "whole", "Place of the choice in the trial, from 1.", least=1),
        Column("choice", "text", "up, down, left, right, or 'observe' and an NPC's id."),
        Column("event", "text", "What it was.", words=("observation", "move", "interaction")),
        Column("cost", "whole", "Points it cost.", least=0),
        Column("points_left", "whole", "Points after it."),
        Column("time", "time", "When the server took it (UTC).", required=False, empty=True),
        Column(
            "seconds",
            "number",
            "Of an import: seconds since the trial began; empty if unknown or put in.",
            required=False,
            empty=True,
            least=0,
        ),
    ),
)

TABLES: dict[str, TableSchema] = {
    table.name: table for table in (PARTICIPANTS, TRIALS, OBSERVATIONS, ACTIONS)
}


def column_meanings(schemas: Iterable[TableSchema]) -> dict[str, str]:
    """What each column of some tables means; where that depends on the table, for each of them."""
    found: dict[str, dict[str, str]] = {}
    for schema in schemas:
        for column in schema.columns:
            found.setdefault(column.name, {})[schema.name] = column.meaning
    return {
        column: next(iter(meanings.values()))
        if len(set(meanings.values())) == 1
        else " ".join(f"In {table}: {meaning}" for table, meaning in meanings.items())
        for column, meanings in found.items()
    }


def markdown(schemas: Iterable[TableSchema] = TABLES.values()) -> str:
    """Tables as a page of documentation: every column, what may stand in it and what it means."""
    parts = []
    for schema in schemas:
        key = ", ".join(f"`{name}`" for name in schema.key)
        lines = [f"### {schema.name}", "", f"A row is {schema.row}; the key is {key}.", ""]
        lines += ["| column | what may stand in it | meaning |", "|---|---|---|"]
        for column in schema.columns:
            what = column.expected() + ("" if column.required else " (the column may be absent)")
            lines.append(f"| `{column.name}` | {what} | {column.meaning} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"
