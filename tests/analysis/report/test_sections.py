"""Tables of the report: what a mark is worth, and no column that says the same in every line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from analysis.studies import SIMULATED, predictions, tables
from onlooker.analysis.claims import UNDECIDED, UNJUDGED
from onlooker.analysis.data.human import summarize
from onlooker.analysis.report import abstract, cells, html
from onlooker.analysis.report.sections import ablations, costs, fits, misses, whom
from onlooker.analysis.report.writing import table
from onlooker.analysis.tables.comparison import compare, predictions_frame
from onlooker.analysis.tables.results import Results
from onlooker.experiments.psych_ds import Dataset


@pytest.fixture(scope="module")
def results() -> Results:
    rows = predictions((1, 3, 4), levels=24)
    frame = predictions_frame(rows)
    people = summarize(Dataset(tables(rows), SIMULATED), frame)
    return Results(frame, people, compare(frame, people, resamples=200, splits=20))


def test_wherever_intervals_are_marked_it_is_said_how_many_are_by_chance(results: Results) -> None:
    titles, people = results.comparison.titles(), results.comparison.people
    several: dict[str, Iterable[str]] = {
        "whether": fits.whether_parts(results.whether, results.comparison),
        "direction": ablations.direction_parts(results.comparison),
        "contrasts": ablations.contrast_parts(results.contrasts, titles),
        "reversal": whom.reversal_parts(results, results.reversal),
        "hedging": misses.hedging_parts(results.hedging, people),
    }
    pages = {name: "".join(parts) for name, parts in several.items()}
    marked = [name for name, page in pages.items() if page.count("✱") > page.count("✱:")]
    assert marked
    for name in marked:
        assert "one in twenty does by chance where nothing differs" in pages[name], name


def test_the_headline_says_only_what_is_there(results: Results) -> None:
    done: Any = SimpleNamespace(comparison=results.comparison, results=results)
    assert "r < 0" not in "".join(fits.headline(done))
    assert "predicts the same for every trial" not in "".join(fits.headline(done))


def test_people_and_the_model_have_each_their_trials(results: Results) -> None:
    done: Any = SimpleNamespace(comparison=results.comparison, results=results, regrets=[])
    some = results.comparison.slopes.assign(experiment="pooled", n=lambda rows: range(len(rows)))
    done.comparison = replace(results.comparison, slopes=some)
    said = costs.costs_finding(done)
    rows = some.drop_duplicates("who", keep="last").set_index("who")["n"]
    for who in ("simulated", "rational_mentalizing"):
        assert f"over {rows[who]} trials" in said


def test_what_is_undecided_is_not_called_different(results: Results) -> None:
    assert not {UNDECIDED, UNJUDGED} & set(abstract.OTHERS)


def test_a_table_of_all_experiments_together_has_no_column_of_experiments() -> None:
    columns = {"": cells.experiment, "observer": cells.text("observer"), "n": cells.count("n")}
    rows = pd.DataFrame({"experiment": ["pooled", 1], "observer": ["mine", "yours"], "n": [3, 4]})
    assert "Pooled" in table(rows, columns)
    alone = table(rows[:1], columns)
    assert "Pooled" not in alone
    assert "<th class=word>observer</th><th>n</th>" in alone


def test_a_column_that_is_empty_in_every_line_is_left_out() -> None:
    rows = pd.DataFrame(
        {"experiment": [1, 2], "n": [3, 4], "reason": ["", ""], "more": ["", "yes"]}
    )
    columns = {"": cells.experiment, "n": cells.count("n")}
    words = {"why": cells.text("reason"), "more": cells.text("more")}
    assert "why" not in table(rows, columns | words)
    assert "<th class=word>more</th>" in table(rows, columns | words)


def test_a_table_of_many_columns_is_marked_as_wide() -> None:
    names = [f"c{index}" for index in range(html.WIDE + 1)]
    assert "<table class=wide>" in html.table(names, [["1"] * len(names)])
    assert "<table>" in html.table(names[1:], [["1"] * html.WIDE])
