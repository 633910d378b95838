"""The inventory of a set of trials as a table: a row for each experiment, and a total."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO

from onlooker.experiments.layout import base_maps
from onlooker.experiments.naming import in_order
from onlooker.game import ExperimentName, Trial

TOTAL = "total"
COLUMNS = {
    "experiment": "Experiment",
    "maps": "Base maps",
    "scenarios": "Scenarios per map",
    "trials": "Configurations",
    "npcs": "NPCs",
    "chests": "Chests",
    "wizards": "Wizards",
    "grid": "Grid",
    "colours": "Colours needed",
}
NUMBERS = ("maps", "scenarios", "trials", "chests", "wizards")  # set to the right


@dataclass(frozen=True, slots=True)
class InventoryRow:
    """What there is in an experiment, as it is printed; "2–5" is a range."""

    experiment: str
    maps: str  # base maps
    scenarios: str  # per base map
    trials: str  # configurations
    npcs: str  # "1 expert + 1 novice"
    chests: str
    wizards: str
    grid: str  # "11 × 12", columns × rows
    colours: str  # of the amulets that the main agent needs, "blue 15, blue + red 5"

    @property
    def values(self) -> list[str]:
        """Its values in the order of the columns."""
        return [str(getattr(self, column)) for column in COLUMNS]


def inventory_rows(trials: Iterable[Trial]) -> list[InventoryRow]:
    """A row for each experiment and one for all; tutorial trials do not count.

    >>> from onlooker.game import load_trial
    >>> for row in inventory_rows([load_trial("examples/two-experts.map")]):
    ...     print(row.experiment, row.maps, row.npcs, row.chests, row.grid)
    3 1 2 experts 3 11 × 5
    total 1 2 experts 3 11 × 5
    """
    counted = [trial for trial in trials if not trial.tutorial]
    experiments = in_order(trial.experiment for trial in counted)
    rows = [
        _row(_name(experiment), [trial for trial in counted if trial.experiment == experiment])
        for experiment in experiments
    ]
    return [*rows, _row(TOTAL, counted)]


def to_csv(rows: Sequence[InventoryRow]) -> str:
    """The table as CSV, in plain characters that a spreadsheet does not take for dates."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow(value.replace("–", " to ").replace("×", "x") for value in row.values)
    return text.getvalue()


def to_markdown(rows: Sequence[InventoryRow]) -> str:
    """The table as Markdown."""
    rules = ["---:" if column in NUMBERS else "---" for column in COLUMNS]
    lines = [list(COLUMNS.values()), rules]
    lines += [[value.replace("|", r"\|") for value in row.values] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def to_latex(rows: Sequence[InventoryRow]) -> str:
    """The table as a LaTeX tabular; it needs the package booktabs."""
    shape = "".join("r" if column in NUMBERS else "l" for column in COLUMNS)
    lines = [rf"\begin{{tabular}}{{{shape}}}", r"\toprule", _latex_line(COLUMNS.values())]
    lines.append(r"\midrule")
    for row in rows:
        if row.experiment == TOTAL:
            lines.append(r"\midrule")
        lines.append(_latex_line(row.values))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _row(name: str, trials: list[Trial]) -> InventoryRow:
    bases = base_maps(trials)
    return InventoryRow(
        name,
        str(len(bases)),
        _range(len(base) for base in bases),
        str(len(trials)),
        _either(_npcs(trial) for trial in trials),
        _range(len(trial.map.chests) for trial in trials),
        _range(len(trial.map.wizards) for trial in trials),
        _grid(trials),
        _shares(_colours(trial) for trial in trials),
    )


def _npcs(trial: Trial) -> str:
    """How many NPCs of which expertise a trial has.

    An expert and two novices are "1 expert + 2 novices".
    """
    counts = sorted(Counter(npc.expertise for npc in trial.npcs).items())
    words = [f"{count} {what}" + ("s" if count > 1 else "") for what, count in counts]
    return " + ".join(words) or "none"


def _colours(trial: Trial) -> str:
    return " + ".join(trial.needed) or "none"


def _grid(trials: list[Trial]) -> str:
    """The size of the grids, or the ranges of both sides where there are many sizes."""
    sizes = sorted({(trial.map.width, trial.map.height) for trial in trials})
    if len(sizes) <= 2:
        return ", ".join(f"{width} × {height}" for width, height in sizes)
    width, height = (_range(size[side] for size in sizes) for side in (0, 1))
    return f"{width} × {height}"


def _range(numbers: Iterable[int]) -> str:
    """The least and the greatest of some numbers: "3" or "2–5"."""
    distinct = sorted(set(numbers))
    return "–".join(str(end) for end in dict.fromkeys(distinct[:1] + distinct[-1:]))


def _either(words: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(words))


def _shares(words: Iterable[str]) -> str:
    """What there is, and how often where that is of several kinds."""
    counts = sorted(Counter(words).items(), key=lambda entry: (-entry[1], entry[0]))
    if len(counts) == 1:
        return counts[0][0]
    return ", ".join(f"{word} {count}" for word, count in counts)


def _name(experiment: ExperimentName | None) -> str:
    return "none" if experiment is None else str(experiment)


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "×": r"$\times$",
    "–": "--",
} | {character: f"\\{character}" for character in "&%$#_{}"}


def _latex_line(values: Iterable[str]) -> str:
    escaped = ("".join(_LATEX.get(character, character) for character in v) for v in values)
    return " & ".join(escaped) + r" \\"
