"""People against observers."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.studies import OBSERVERS, ROWS, SIMULATED, STUDY, predictions, tables
from onlooker.analysis import DataError
from onlooker.analysis.data.human import MEASURED, read_human, read_people, summarize
from onlooker.analysis.data.reported import REPORTED, REPORTED_SAMPLES, find_reported
from onlooker.analysis.data.scopes import Scope
from onlooker.analysis.data.words import Source
from onlooker.analysis.tables.comparison import compare, paired, predictions_frame
from onlooker.experiments.archive import read_archive
from onlooker.experiments.predictions import predict
from onlooker.experiments.psych_ds import Dataset, Description, dataset_of
from onlooker.observers import find_observer
from own_archive import MEANS

FRAME = predictions_frame(ROWS)
QUICK = {"resamples": 200, "splits": 50}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dataset_of(STUDY, SIMULATED).write(tmp_path_factory.mktemp("data") / "study")


@pytest.fixture(scope="module")
def people(folder: Path):
    return read_human(folder, FRAME)


@pytest.fixture(scope="module")
def compared(people):
    return compare(FRAME, people, **QUICK)


def refused(call, *words) -> list[str]:
    with pytest.raises(DataError) as error:
        call(*words)
    return error.value.lines()


def means_csv(path: Path, rows=None) -> Path:
    """The first observer's predictions as if they were means, with a column more."""
    mine = [row for row in (rows or ROWS) if row.observer == OBSERVERS[0]]
    lines = [f"{row.experiment},{row.level},{row.agent},{row.observed + 0.5},20,x" for row in mine]
    path.write_text(
        "\n".join(["experiment,level,agent,human_mean_observed,n_participants,note", *lines])
    )
    return path


# -- reading ---------------------------------------------------------------------------------------


def test_means_of_a_dataset(people) -> None:
    assert people.source is Source.SIMULATED
    kept = set(people.played["participant"])
    watched = STUDY["observations"]
    cell = watched[
        (watched["experiment"] == 4)
        & (watched["level"] == "m2")
        & (watched["agent"] == "agent3")
        & watched["participant"].isin(kept)
    ]["observed"]
    row = people.means.set_index(["experiment", "level", "agent"]).loc[(4, "m2", "agent3")]
    assert row["n"] == len(cell)
    assert row["observed"] == pytest.approx(cell.mean())
    assert row["se_observed"] == pytest.approx(cell.std(ddof=1) / np.sqrt(len(cell)))
    trials = STUDY["trials"]
    mine = trials[
        (trials["experiment"] == 4) & (trials["level"] == "m2") & trials["participant"].isin(kept)
    ]
    steps = mine["observed"] + mine["moves"] + mine["interactions"]
    assert row["total_steps"] == pytest.approx(steps.mean())
    assert row["cost_total"] == pytest.approx(mine["cost_total"].mean())
    assert "tutorial" not in set(people.means["level"])
    assert len(people.participants) == 36
    assert set(people.exclusions["participant"]).isdisjoint(kept)


def test_means_of_a_csv(tmp_path: Path, people) -> None:
    found = read_human(means_csv(tmp_path / "means.csv", predictions((1, 3))), FRAME)
    assert found.source is Source.HUMAN
    assert found.played is found.participants is found.exclusions is None
    assert found.notes == ("Experiment 4: no human data",)
    assert list(found.means) == list(people.means)
    assert found.means["observed"].notna().all()
    rest = [name for name in MEASURED if name not in ("observed", "cost_observation")]
    assert found.means[rest].isna().all(axis=None)
    assert found.published is None


def test_what_watching_cost_is_the_mean_count_times_its_cost(tmp_path: Path) -> None:
    dear = FRAME.assign(cost_observation=3 * FRAME["observed"])
    found = read_human(means_csv(tmp_path / "means.csv"), dear).means
    np.testing.assert_allclose(found["cost_observation"], 3 * found["observed"])
    # Predictions that do not agree on a cost have none.
    odd = dear.assign(cost_observation=dear["observed"] + (dear["level"] == "m1"))
    found = read_human(means_csv(tmp_path / "means.csv"), odd).means
    assert found["cost_observation"].isna().all()


def test_the_authors_counts_are_read_where_they_are(tmp_path: Path) -> None:
    file = tmp_path / "means.csv"
    lines = means_csv(file, predictions((1,))).read_text().splitlines()
    lines[0] = lines[0].replace("note", "published_model")
    counts = ["4", "", "2.5", *["0"] * (len(lines) - 4)]
    rows = [line[:-1] + count for line, count in zip(lines[1:], counts, strict=True)]
    file.write_text("\n".join([lines[0], *rows]))
    published = read_human(file, FRAME).published
    assert published["published_model"].tolist() == [4, 2.5, *[0] * (len(lines) - 4)]
    assert published["level"].tolist()[:2] == ["m1", "m3"]
    file.write_text("\n".join([lines[0], *rows]).replace(",4\n", ",-4\n", 1))
    assert "published_model" in refused(read_human, file, FRAME)[0]


def test_gaps_and_strangers_in_means(tmp_path: Path) -> None:
    file = means_csv(tmp_path / "means.csv")
    lines = file.read_text().splitlines()
    gone = [n for n, line in enumerate(lines) if line.startswith("3,m5,agent3,")]
    file.write_text("\n".join(line for n, line in enumerate(lines) if n not in gone))
    assert refused(read_human, file, FRAME) == [
        f"{file}: no row for NPC 'agent3' in level 'm5' of Experiment 3"
    ]
    file.write_text(
        "\n".join([*lines, "1,m99,agent2,1,3,x", "1,m1,agent9,1,3,x", "2,m1,agent2,1,3,x"])
    )
    end = len(lines)
    assert refused(read_human, file, FRAME) == [
        f"{file}: line {end + 1}, column level: there are no predictions for level 'm99' of Experiment 1",
        f"{file}: line {end + 2}, column agent: there are no predictions for NPC 'agent9' in level 'm1' of Experiment 1",
    ]
    file.write_text("\n".join([*lines, lines[-1]]))
    assert "comes twice, first at" in refused(read_human, file, FRAME)[0]
    file.write_text(lines[0])
    assert refused(read_human, file, FRAME) == [
        f"{file}: expected a row for each level and NPC; there is none"
    ]
    file.write_text("\n".join([*lines, "2,m1,agent2,1,3,x"]))
    assert read_human(file, FRAME).notes == ("Experiment 2: no predictions, so it is left out",)


def test_a_dataset_against_other_predictions(folder: Path) -> None:
    fewer = FRAME[FRAME["level"] != "m8"]
    lines = refused(read_human, folder, fewer)
    assert re.search(
        r"desc-trials_data.csv: line \d+, column level: there are no predictions for level 'm8' of Exp",
        lines[0],
    )
    swapped = FRAME.assign(
        expertise=FRAME["expertise"].map({"expert": "novice", "novice": "expert"})
    )
    assert (
        "column expertise: expected novice as in the predictions, not 'expert'"
        in refused(read_human, folder, swapped)[0]
    )


def test_levels_that_nobody_played_are_noted() -> None:
    study = tables(ROWS, people=1)
    found = summarize(Dataset(study, SIMULATED), FRAME)
    assert len(found.notes) == 3
    assert found.notes[0].startswith("Experiment 1: 4 trials that nobody who is kept played: m")


def test_nobody_is_left() -> None:
    study = STUDY | {"participants": STUDY["participants"].assign(completed=False)}
    assert refused(summarize, Dataset(study, SIMULATED), FRAME) == [
        "table participants: no participant is left: none has completed all trials"
    ]


def test_the_description_is_not_the_dataset(folder: Path) -> None:
    assert (
        "expected the dataset's folder"
        in refused(read_human, folder / "dataset_description.json", FRAME)[0]
    )


def test_several_files_are_one(tmp_path: Path) -> None:
    one = means_csv(tmp_path / "one.csv", predictions((1,)))
    other = means_csv(tmp_path / "other.csv", predictions((3,)))
    alone = read_people([one], FRAME)
    assert alone.notes == ("Experiment 3: no human data", "Experiment 4: no human data")
    both = read_people([one, other], FRAME)
    assert both.notes == ("Experiment 4: no human data",)
    assert set(both.means["experiment"]) == {1, 3}


def test_an_experiment_in_two_files(tmp_path: Path, folder: Path) -> None:
    one = means_csv(tmp_path / "one.csv", predictions((1,)))
    other = means_csv(tmp_path / "other.csv", predictions((1, 3)))
    assert refused(read_people, [one, other], FRAME) == [
        f"{other}: Experiment 1 is in {one} too; expected it in one"
    ]
    assert refused(read_people, [folder, folder], FRAME) == [
        f"{folder}: Experiment {number} is in {folder} too; expected it in one"
        for number in (1, 3, 4)
    ]


# -- comparing -------------------------------------------------------------------------------------


def test_predictions_as_a_table() -> None:
    row = FRAME[
        (FRAME["experiment"] == 3) & (FRAME["level"] == "m1") & (FRAME["observer"] == "mine")
    ]
    assert set(row["total_steps"]) == {
        row["observed"].sum() + row["moves"].iloc[0] + row["interactions"].iloc[0]
    }
    with pytest.warns(UserWarning, match="1 predictions of no experiment are left out"):
        assert len(predictions_frame([*ROWS, replace(ROWS[0], experiment=None)])) == len(ROWS)
    with pytest.raises(
        DataError, match="predictions, column experiment: expected an experiment in some row"
    ):
        predictions_frame([replace(ROWS[0], experiment="two words")])


def test_every_part_has_its_row(people) -> None:
    found = compare(FRAME, people, seed=3, **QUICK)
    fits = found.fits
    assert set(fits["data"]) == {"simulated"}
    observed = fits[(fits["measure"] == "observed") & (fits["observer"] == "mine")]
    columns = ["experiment", "npc", "role", "n", "maps"]
    assert list(observed[columns].itertuples(index=False, name=None)) == [
        (1, "", "", 10, 10),
        (3, "", "", 20, 10), (3, "agent2", "", 10, 10), (3, "agent3", "", 10, 10),
        (4, "", "", 20, 10), (4, "agent2", "", 10, 10), (4, "agent3", "", 10, 10),
        (4, "", "expert", 10, 10), (4, "", "novice", 10, 10),
        ("pooled", "", "", 50, 30),
    ]  # fmt: skip
    total = fits[(fits["measure"] == "total_steps") & (fits["observer"] == "mine")]
    assert list(zip(total["experiment"], total["n"], strict=True)) == [
        (1, 10),
        (3, 10),
        (4, 10),
        ("pooled", 30),
    ]
    good = fits[fits["observer"] == OBSERVERS[0]]
    assert (good["r"] > 0.7).all()
    assert good.loc[good["experiment"] != "pooled", "ceiling"].notna().all()
    assert set(fits["seed"]) == {3}
    assert (fits["needs"] == "").all()


def test_the_numbers_are_those_of_the_pairs(people, compared) -> None:
    both = paired(FRAME, people)
    rows = both[
        (both["experiment"] == 4) & (both["expertise"] == "novice") & (both["observer"] == "mine")
    ]
    fits = compared.fits
    [row] = fits[
        (fits["measure"] == "cost_observation")
        & (fits["role"] == "novice")
        & (fits["observer"] == "mine")
    ].to_dict("records")
    x, y = rows["model_cost_observation"], rows["human_cost_observation"]
    assert row["r"] == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert row["rmse"] == pytest.approx(np.sqrt(np.mean((x - y) ** 2)))
    assert row["mean_difference"] == pytest.approx((x - y).mean())


def test_slopes_and_bands(people, compared) -> None:
    both = paired(FRAME, people).drop_duplicates(["experiment", "level"])
    rows = both[both["experiment"] == 3]
    x = rows["human_cost_execution"]
    slope, _ = np.polyfit(x, rows["human_cost_total"] - x, 1)
    [row] = compared.slopes[
        (compared.slopes["experiment"] == 3) & (compared.slopes["who"] == "simulated")
    ].to_dict("records")
    assert row["slope"] == pytest.approx(slope)
    assert row["low"] < row["high"]
    band = compared.bands[
        (compared.bands["experiment"] == 3) & (compared.bands["who"] == "simulated")
    ]
    assert (band["x"].min(), band["x"].max()) == pytest.approx((x.min(), x.max()))
    assert np.polyfit(band["x"], band["y"], 1)[0] == pytest.approx(slope)
    assert (band["low"] <= band["high"]).all()
    assert list(compared.slopes["who"].unique()) == ["simulated", *OBSERVERS]


def test_order_and_company_do_not_matter(people, compared) -> None:
    one = compared.fits
    mixed = FRAME.sample(frac=1, random_state=1)
    shuffled = replace(
        people,
        means=people.means.sample(frac=1, random_state=2),
        played=people.played.sample(frac=1, random_state=3),
    )
    two = compare(mixed[mixed["observer"] == "mine"], shuffled, **QUICK).fits
    alone = one[one["observer"] == "mine"].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, two)
    other = compare(FRAME, people, seed=6, **QUICK).fits
    assert (one["r"] == other["r"]).all()
    assert (one["r_low"] != other["r_low"]).any()


def test_constant_predictions_have_a_reason(people) -> None:
    flat = FRAME.assign(observed=4, cost_observation=4)
    found = compare(flat, people, **QUICK)
    rows = found.fits[found.fits["measure"] == "observed"]
    assert rows["r"].isna().all()
    assert set(rows["reason"]) == {"the predictions are all 4"}
    assert rows["rmse"].notna().all()
    json.dumps(found.to_dict(), allow_nan=False)


def test_one_participant() -> None:
    rows = predictions((1,), levels=6)
    study = tables(rows, people=1)
    frame = predictions_frame(rows)
    found = compare(frame, summarize(Dataset(study, SIMULATED), frame), **QUICK)
    assert (found.fits["needs"].iloc[0], found.fits["r"].notna().all()) == (
        "at least 2 participants",
        True,
    )
    assert found.fits["ceiling"].isna().all()
    assert found.sample["kept"].tolist() == [1]
    json.dumps(found.to_dict(), allow_nan=False)


def test_what_means_cannot_tell_says_what_it_needs(tmp_path: Path) -> None:
    found = compare(FRAME, read_human(means_csv(tmp_path / "m.csv"), FRAME), **QUICK)
    needs = "data of each participant (a Psych-DS folder)"
    for name in ("total_steps", "cost_total"):
        rows = found.fits[found.fits["measure"] == name]
        assert rows[["r", "ccc", "rmse", "ceiling"]].isna().all(axis=None)
        assert set(rows["needs"]) == {needs}
    observed = found.fits[found.fits["measure"].isin(["observed", "cost_observation"])]
    assert observed["rmse"].notna().all()
    assert observed["ceiling"].isna().all()
    assert set(found.sample["needs"]) == {needs}
    people_slopes = found.slopes[found.slopes["who"] == "human"]
    assert people_slopes["slope"].isna().all()
    assert set(people_slopes["needs"]) == {needs}
    assert found.slopes.loc[found.slopes["who"] == "mine", "slope"].notna().all()


def test_an_observer_with_a_gap_is_refused(people) -> None:
    gone = (
        (FRAME["observer"] == "mine")
        & (FRAME["experiment"] == 3)
        & (FRAME["level"] == "m2")
        & (FRAME["agent"] == "agent2")
    )
    assert refused(compare, FRAME[~gone], people) == [
        "predictions of 'mine': no row for NPC 'agent2' in level 'm2' of Experiment 3"
    ]
    without = FRAME[(FRAME["observer"] != "mine") | (FRAME["experiment"] != 3)]
    fits = compare(without, people, **QUICK).fits
    pooled = fits[(fits["experiment"] == "pooled") & (fits["measure"] == "observed")].set_index(
        "observer"
    )
    assert pooled.loc["mine", "experiments"] == "1, 4"
    assert pooled.loc[OBSERVERS[0], "experiments"] == "1, 3, 4"


def test_npcs_may_be_called_what_tables_call_parts_of_the_data() -> None:
    """An NPC's id and a role of the same name are different parts."""
    names = {"agent2": "novice", "agent3": "all"}
    rows = [replace(row, agent=names.get(row.agent, row.agent)) for row in ROWS]
    frame = predictions_frame(rows)
    fits = compare(frame, summarize(Dataset(tables(rows), SIMULATED), frame), **QUICK).fits
    mine = fits[(fits["measure"] == "observed") & (fits["observer"] == "mine")]
    of_four = mine[mine["experiment"] == 4].set_index(["npc", "role"])
    assert list(of_four.index) == [
        ("", ""), ("all", ""), ("novice", ""), ("", "expert"), ("", "novice"),
    ]  # fmt: skip
    pairs = paired(frame, summarize(Dataset(tables(rows), SIMULATED), frame))
    for scope in (Scope(4), Scope(4, npc="all"), Scope(4, npc="novice"), Scope(4, role="novice")):
        part = scope.of(pairs[pairs["observer"] == "mine"])
        found = of_four.loc[(scope.npc or "", scope.role or "")]
        assert found["mean_difference"] == pytest.approx(
            (part["model_observed"] - part["human_observed"]).mean()
        )


def test_a_variant_of_an_observer_stands_beside_the_values_of_that_observer() -> None:
    base = [replace(row, observer="naive_observer") for row in ROWS if row.observer == "mine"]
    rows = [*base, *(replace(row, parameters=(("meeting", "any"),)) for row in base)]
    frame = predictions_frame([*ROWS, *rows])
    found = compare(frame, summarize(Dataset(STUDY, Description("n", "d")), frame), **QUICK)
    label = "naive_observer (meeting=any)"
    assert found.variants[label].parameters == (("meeting", "any"),)
    assert found.titles()[label] == "Naive Observer, meeting=any"
    fits = found.fits[(found.fits["role"] == "novice") & (found.fits["measure"] == "observed")]
    paper = fits.set_index("observer")["paper_r"]
    assert paper[label] == paper["naive_observer"] == -0.41


def test_nothing_in_common(people) -> None:
    other = predictions_frame([replace(row, experiment=2) for row in predictions((1,))])
    assert refused(compare, other, people) == [
        "people and predictions have no experiment in common"
    ]
    with pytest.raises(ValueError, match="resamples must be a whole number from 2 up, not 0"):
        compare(FRAME, people, resamples=0)


# -- the paper -------------------------------------------------------------------------------------


def test_simulated_data_never_stands_beside_the_papers_values(compared) -> None:
    for name in ("fits", "slopes", "bands", "reliability", "sample", "exclusions"):
        frame = getattr(compared, name)
        assert not [column for column in frame if column.startswith(("paper", "difference"))]
        assert set(frame["data"]) <= {"simulated"}
        assert "data" in frame


def test_peoples_data_stands_beside_the_papers_values() -> None:
    real = summarize(Dataset(STUDY, Description("n", "d")), FRAME)
    found = compare(FRAME, real, **QUICK)
    fits = found.fits[found.fits["observer"] == OBSERVERS[0]].set_index(
        ["measure", "experiment", "npc", "role"]
    )
    row = fits.loc[("observed", 4, "", "novice")]
    assert (row["paper_r"], row["paper_r_low"], row["paper_r_high"]) == (0.95, 0.91, 0.97)
    assert row["difference_r"] == pytest.approx(row["r"] - 0.95)
    assert np.isnan(fits.loc[("cost_total", 1, "", "")]["paper_r"])
    assert np.isnan(fits.loc[("observed", "pooled", "", "")]["paper_ccc"])  # not all four are there
    ceilings = found.reliability.set_index(["measure", "experiment", "npc", "role"])
    assert ceilings.loc[("observed", 4, "", "")]["paper_reliability"] == 0.86
    assert list(found.sample["paper_participants"]) == [57, 80, 80]


def test_the_pooled_value_stands_beside_all_four_only(people) -> None:
    more = [replace(row, experiment=2) for row in predictions((1,))]
    frame = predictions_frame([*ROWS, *more])
    means = pd.concat(
        [people.means, people.means[people.means["experiment"] == 1].assign(experiment=2)]
    )
    found = compare(
        frame,
        replace(
            people,
            means=means,
            source=Source.HUMAN,
            played=None,
            participants=None,
            exclusions=None,
        ),
        **QUICK,
    )
    pooled = found.fits[
        (found.fits["experiment"] == "pooled") & (found.fits["measure"] == "observed")
    ]
    assert pooled.set_index("observer").loc[OBSERVERS[0], "paper_ccc"] == 0.89


def test_the_reported_values() -> None:
    assert len(REPORTED) == 4 * 6 + 4
    assert find_reported("r", Scope(1), "rational_mentalizing").low == 0.86
    assert find_reported("ccc", Scope(), "naive_observer").at_most
    assert find_reported("r", Scope(1), "mine") is None
    samples = REPORTED_SAMPLES.values()
    assert sum(sample.participants for sample in samples) == 321
    assert [sample.participants - sample.excluded for sample in samples] == [53, 94, 78, 73]
    assert all(sum(sample.gender.values()) == sample.participants for sample in samples)


def test_the_full_model_on_an_archive(own_archive: Path) -> None:
    trials = read_archive(own_archive, [1, 2]).trials
    rows = predict(trials, [find_observer("rational_mentalizing")])
    frame = predictions_frame(rows)
    fits = compare(frame, read_human(own_archive / MEANS, frame), **QUICK).fits
    mine = fits[fits["measure"] == "observed"].set_index("experiment")
    with (own_archive / MEANS).open() as file:
        means = {
            (int(row["experiment"]), row["level"]): float(row["human_mean_observed"])
            for row in csv.DictReader(file)
        }
    for number, count in ((1, 20), (2, 48)):
        pairs = [
            (row.observed, means[number, row.level]) for row in rows if row.experiment == number
        ]
        assert mine.loc[number, "n"] == len(pairs) == count
        assert mine.loc[number, "r"] == pytest.approx(np.corrcoef(np.array(pairs).T)[0, 1])
    assert mine.loc[1, "paper_r"] == 0.94


def test_a_notebook_shows_how_well_observers_fit(compared) -> None:
    shown = compared._repr_html_()
    assert shown.startswith(f"<p>Observers beside {compared.people}</p><table")
    assert shown.count("<tr") == 1 + len(compared.fits)
