"""Summaries of all tables in a folder, and what changed between two of them."""

from __future__ import annotations

import json
from pathlib import Path

import every_table


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
