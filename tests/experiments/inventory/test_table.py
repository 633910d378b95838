from __future__ import annotations

import csv
from dataclasses import replace
from io import StringIO

from onlooker.experiments.inventory.table import (
    COLUMNS,
    inventory_rows,
    to_csv,
    to_latex,
    to_markdown,
)
from onlooker.game import Expertise, Trial, read_map_text

ROOM = read_map_text("""
name: room_1
experiment: 4
scenario: 1
map:
@..h.=A
.#.....
..b..#2
3.r..-B

legend:
@ = main agent, goal A
2 = expert agent2, goal B
3 = novice agent3, goal A
h = blue wizard, holder
b = blue wizard
r = red wizard, holder
= = blue barrier
- = red barrier
""")
SECOND = replace(ROOM, name="room_2", scenario=2)
HALL = read_map_text("""
name: hall
experiment: 1
map:
@.h=-A
..b.##
2.r...

legend:
@ = main agent, goal A
2 = expert agent2, goal A
h = blue wizard, holder
b = blue wizard
r = red wizard, holder
= = blue barrier
- = red barrier
""")
OPEN = read_map_text("""
name: open
experiment: 1
map:
@.A
2..

legend:
@ = main agent, goal A
2 = expert agent2, goal A
""")


def column(trials: list[Trial], name: str) -> list[str]:
    return [getattr(row, name) for row in inventory_rows(trials)]


def test_a_row_for_each_experiment_and_a_total() -> None:
    rows = inventory_rows([ROOM, HALL, SECOND, OPEN])
    assert [row.values for row in rows] == [
        ["1", "2", "1", "2", "1 expert", "1", "0–3", "3 × 2, 6 × 3", "blue + red 1, none 1"],
        ["4", "1", "2", "2", "1 expert + 1 novice", "2", "3", "7 × 4", "none"],
        [
            "total",
            "3",
            "1–2",
            "4",
            "1 expert + 1 novice, 1 expert",
            "1–2",
            "0–3",
            "3–7 × 2–4",
            "none 3, blue + red 1",
        ],
    ]


def test_experiments_come_in_order_and_those_without_one_last() -> None:
    experiments = ["pilot", 10, None, 2, "a&b"]
    trials = [replace(OPEN, experiment=experiment) for experiment in experiments]
    assert column(trials, "experiment") == ["2", "10", "a&b", "pilot", "none", "total"]


def test_npcs_are_counted_by_expertise() -> None:
    one, two = ROOM.npcs
    npcs = (one, two, replace(two, id="agent4"), replace(two, id="agent5"))
    assert column([replace(ROOM, npcs=npcs)], "npcs")[0] == "1 expert + 3 novices"
    experts = replace(ROOM, npcs=(one, replace(two, expertise=Expertise.EXPERT)))
    assert column([experts], "npcs")[0] == "2 experts"
    assert column([replace(ROOM, npcs=())], "npcs")[0] == "none"


def test_tutorial_trials_do_not_count() -> None:
    rows = inventory_rows([ROOM, replace(HALL, tutorial=True)])
    assert [row.experiment for row in rows] == ["4", "total"]
    assert inventory_rows([])[0].values == ["total", "0", "", "0", "", "", "", "", ""]


def test_csv_reads_back_and_has_nothing_that_looks_like_a_date() -> None:
    read = list(csv.DictReader(StringIO(to_csv(inventory_rows([HALL, OPEN])))))
    assert list(read[0]) == list(COLUMNS)
    assert read[0]["wizards"] == "0 to 3"
    assert read[0]["grid"] == "3 x 2, 6 x 3"
    assert to_csv(inventory_rows([HALL, OPEN])).isascii()


def test_markdown_is_a_table() -> None:
    lines = to_markdown(inventory_rows([replace(ROOM, experiment="a|b")])).splitlines()
    assert lines[0].startswith("| Experiment | Base maps | Scenarios per map | Configurations |")
    assert lines[1].startswith("| --- | ---: |")
    assert lines[2].startswith(r"| a\|b | 1 | 1 | 1 | 1 expert + 1 novice | 2 | 3 | 7 × 4 |")
    assert len(lines) == 4


def test_latex_is_a_booktabs_table_with_special_characters_escaped() -> None:
    text = to_latex(inventory_rows([replace(HALL, experiment="50 % & a_b ~^\\{#$}"), OPEN]))
    assert r"50 \% \& a\_b \textasciitilde{}\textasciicircum{}\textbackslash{}\{\#\$\}" in text
    assert r"6 $\times$ 3" in text
    lines = text.splitlines()
    assert lines[0] == r"\begin{tabular}{lrrrlrrll}"
    assert lines[-2:] == [r"\bottomrule", r"\end{tabular}"]
    assert lines.count(r"\midrule") == 2
    rows = [line for line in lines if line.endswith(r"\\")]
    assert {line.replace(r"\&", "").count("&") for line in rows} == {len(COLUMNS) - 1}
    assert "0--3" in rows[-1]
