"""Every CSV of `reproduce` on a few trials, column by column, beside what it was before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import every_table
from onlooker.experiments.stimuli import stimuli
from onlooker.game import save_trial
from running import onlooker

STORED = Path(__file__).parent / "every-table.json"
EVERY = {1: 4, 2: 8, 3: 8, 4: 8, 5: 10}  # by experiment: one trial of so many


@pytest.mark.slow
def test_no_table_of_reproduce_changes(tmp_path: Path) -> None:
    """If a change is meant, store the new summary and say in CHANGELOG.md what changed, and why."""
    few, out = tmp_path / "few", tmp_path / "out"
    for number, step in EVERY.items():
        for trial in stimuli(number)[::step]:
            save_trial(trial, few / f"exp{number}" / f"{trial.name}.json")
    onlooker("reproduce", "--stimuli", few, "--seed", "1", "-o", out)
    found = every_table.summary(out)
    changed = list(every_table.changes(json.loads(STORED.read_text("utf-8")), found))
    new = tmp_path / STORED.name
    new.write_text(every_table.written(found), encoding="utf-8")
    assert not changed, "\n".join([*changed, f"The new summary: {new}"])


def test_changes_are_found_and_named(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    texts = {"same": "a,b\n1,x\n2,y\n", "gone": "a\n1\n", "t": "a,b,c,d\n1,x,.5,1\n2,y,.25,\n"}
    for folder in (before, after):
        folder.mkdir()
        for name, text in texts.items():
            (folder / f"{name}.csv").write_text(text)
    (after / "gone.csv").rename(after / "new.csv")
    # Rows in another order, another word, a number within rounding, one more number.
    (after / "t.csv").write_text("a,b,c,e\n2,x,.50000001,1\n1,z,.25,3\n")
    found = every_table.summary(after)
    assert json.loads(every_table.written(found)) == found
    lines = list(every_table.changes(every_table.summary(before), found))
    assert [line.partition(": ")[0] for line in lines] == [
        *("gone.csv", "new.csv", "t.csv, d", "t.csv, e", "t.csv, a", "t.csv, b"),
    ]
    assert lines[:3] == ["gone.csv: gone", "new.csv: new", "t.csv, d: gone"]
    assert "-> [2, 1.5, " in lines[4]
