"""Simulated participants."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from onlooker.experiments.dataset import data_dictionary, dataset_files, write_dataset
from onlooker.experiments.schema import TABLES
from onlooker.experiments.simulation import Noise, simulate, softmax
from onlooker.experiments.stimuli import orderings, stimuli
from onlooker.experiments.studies import orderings_for
from onlooker.game import load_trial
from onlooker.observers import OBSERVERS, find_observer, run

TRIALS = {trial.name: trial for trial in stimuli(4)}
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", OBSERVERS)
def test_without_noise_they_do_what_the_observer_does(name: str) -> None:
    records = simulate(
        4, stimuli(4), orderings(4), find_observer(name), 2, Noise(temperature=0, lapse=0)
    )
    for row in records.observations[::4]:
        result = run(TRIALS[row["level"]], name)
        index = TRIALS[row["level"]].npc_index(row["agent"])
        assert row["observed"] == result.observed[index]
    for row in records.trials[::4]:
        assert row["cost_total"] == run(TRIALS[row["level"]], name).cost


@pytest.mark.parametrize("name", OBSERVERS)
def test_noise_strays_and_every_trial_ends_at_the_chest(name: str) -> None:
    noisy = simulate(
        4, stimuli(4), orderings(4), find_observer(name), 4, Noise(temperature=5, lapse=0.3)
    )
    assert all(row["finished"] for row in noisy.trials)
    assert all(row["unspent"] == row["budget"] - row["cost_total"] for row in noisy.trials)
    costs = Counter[tuple[str, str]]()
    for row in noisy.actions:
        costs[row["participant"], row["level"]] += row["cost"]
    for row in noisy.trials:
        assert costs[row["participant"], row["level"]] == row["cost_total"]


def test_the_seed_decides_and_participants_do_not_depend_on_each_other() -> None:
    observer = find_observer("rational_mentalizing")
    few = simulate(1, stimuli(1), orderings(1), observer, 3, seed=9)
    more = simulate(1, stimuli(1), orderings(1), observer, 5, seed=9)
    other = simulate(1, stimuli(1), orderings(1), observer, 3, seed=10)
    assert more.trials[: len(few.trials)] == few.trials
    assert other.actions != few.actions


def test_softmax_prefers_what_costs_less() -> None:
    rng = np.random.default_rng(1)
    drawn = Counter(softmax(rng, {"act": 10.0, "agent2": 12.0}, 2.0) for _ in range(4000))
    assert drawn["act"] / 4000 == pytest.approx(1 / (1 + np.exp(-1)), abs=0.03)
    assert softmax(rng, {"act": float("inf"), "agent2": 3.0}, 2.0) == "agent2"
    assert softmax(rng, {"act": float("inf"), "agent2": float("inf")}, 2.0) == "act"


@pytest.mark.parametrize("noise", [{"lapse": 1.5}, {"lapse": -0.1}, {"temperature": -1}])
def test_noise_out_of_range_is_named(noise: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(noise))} must be"):
        Noise(**noise)


def test_a_dataset_has_the_schemas_columns_and_says_that_it_is_simulated(tmp_path: Path) -> None:
    records = simulate(1, stimuli(1), orderings(1), find_observer("naive_observer"), 2)
    files = dataset_files(records.tables(), "test", "A test.", simulated=True)
    assert '"simulated": true' in files["dataset_description.json"]
    for name, schema in TABLES.items():
        head = files[f"data/study-exp1_desc-{name}_data.csv"].splitlines()[0].split(",")
        assert head == [column.name for column in schema.columns]
        assert set(head) <= set(data_dictionary(TABLES))
    write_dataset(tmp_path / "study", records.tables(), "test", "A test.", simulated=True)
    with pytest.raises(ValueError, match="there is a dataset already"):
        write_dataset(tmp_path / "study", records.tables(), "test", "A test.")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("precious")
    with pytest.raises(ValueError, match="something that is no dataset"):
        write_dataset(tmp_path / "other", records.tables(), "test", "A test.", replace=True)
    assert (tmp_path / "other" / "thesis.tex").read_text() == "precious"


def test_orderings_are_made_for_trials_of_ones_own() -> None:
    assert orderings_for(1, stimuli(1)) == orderings(1)
    few = [load_trial(path) for path in sorted(EXAMPLES.glob("*.map"))[:3]]
    assert orderings_for(1, few) == [[trial.name for trial in few]]
