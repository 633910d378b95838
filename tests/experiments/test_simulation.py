"""Simulated participants."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from onlooker.experiments.dataset import dataset_files, write_dataset
from onlooker.experiments.schema import TABLES, column_meanings
from onlooker.experiments.simulation import playing_rule, simulate
from onlooker.experiments.stimuli import orderings, stimuli
from onlooker.experiments.studies import orderings_for
from onlooker.game import load_trial
from onlooker.observers import (
    ACT,
    KNOWN_OBSERVERS,
    OBSERVERS,
    Batch,
    ChoiceRule,
    Decision,
    Engine,
    Observer,
    Parameters,
    Values,
    View,
    find_observer,
    run,
)

TRIALS = {trial.name: trial for trial in stimuli(4)}
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", OBSERVERS)
def test_without_noise_they_do_what_the_observer_does(name: str) -> None:
    records = simulate(4, stimuli(4), orderings(4), find_observer(name), 2, rule="hard")
    for row in records.observations[::4]:
        result = run(TRIALS[row["level"]], name)
        index = TRIALS[row["level"]].npc_index(row["agent"])
        assert row["observed"] == result.observed[index]
    for row in records.trials[::4]:
        assert row["cost_total"] == run(TRIALS[row["level"]], name).cost


@pytest.mark.parametrize("rule", ["softmax", "graded"])
@pytest.mark.parametrize("name", KNOWN_OBSERVERS)
def test_noise_strays_and_every_trial_ends_at_the_chest(name: str, rule: str) -> None:
    much = Parameters(temperature=5, lapse=0.3)
    noisy = simulate(4, stimuli(4), orderings(4), find_observer(name), 4, much, rule)
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


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("rational_mentalizing", None),
        ("mentalizing_observer", "softmax"),
        ("graded_mentalizing", None),
    ],
)
def test_they_watch_as_long_as_is_expected(name: str, rule: str | None) -> None:
    observer, trials = find_observer(name), stimuli(4)[:3]
    people = 1500
    records = simulate(4, trials, [[trial.name for trial in trials]], observer, people, rule=rule)
    by = playing_rule(observer, rule)
    for trial, expected in zip(trials, Batch(trials).expect(None, observer, by), strict=True):
        for index, npc in enumerate(trial.npcs):
            watched = [
                row["observed"]
                for row in records.observations
                if (row["level"], row["agent"]) == (trial.name, npc.id)
            ]
            error = 4.5 * expected.observed_sd[index] / people**0.5
            assert np.mean(watched) == pytest.approx(expected.observed[index], abs=error)


def test_the_rule_is_soft_unless_another_is_asked_for() -> None:
    assert playing_rule(find_observer("naive_observer")) is ChoiceRule.SOFTMAX
    assert playing_rule(find_observer("graded_mentalizing")) is ChoiceRule.GRADED
    assert playing_rule(find_observer("graded_mentalizing"), "hard") is ChoiceRule.HARD


class Stubborn(Observer):
    """Watches the first NPC twice, whatever it sees."""

    name, title = "stubborn", "Stubborn"

    def decide(self, engine: Engine, view: View, choices: Sequence[str]) -> Decision:
        return Decision(engine.trial.npcs[0].id if len(choices) < 2 else ACT)


class Weighing(Stubborn):
    """Is as eager to watch as it is to act."""

    name = "weighing"

    def values(self, engine: Engine, view: View, choices: Sequence[str]) -> Values:
        npcs = range(len(engine.trial.npcs))
        return Values(0.0, tuple(None if engine.arrived(view, npc) else 0.0 for npc in npcs))


def test_observers_written_in_python_play_too() -> None:
    trial = stimuli(1)[0]
    records = simulate(1, [trial], [[trial.name]], Stubborn(), 2, rule="hard")
    assert [row["observed"] for row in records.observations] == [2, 2]
    with pytest.raises(ValueError, match="'stubborn' has no method values"):
        simulate(1, [trial], [[trial.name]], Stubborn(), 2)
    watched = simulate(1, [trial], [[trial.name]], Weighing(), 200).observations
    assert sum(row["observed"] == 0 for row in watched) / 200 == pytest.approx(0.5, abs=0.15)


def test_a_dataset_has_the_schemas_columns_and_says_that_it_is_simulated(tmp_path: Path) -> None:
    records = simulate(1, stimuli(1), orderings(1), find_observer("naive_observer"), 2)
    files = dataset_files(records.tables(), "test", "A test.", simulated=True)
    assert '"simulated": true' in files["dataset_description.json"]
    for name, schema in TABLES.items():
        head = files[f"data/study-exp1_desc-{name}_data.csv"].splitlines()[0].split(",")
        own = [each.name for each in schema.columns if not each.meaning.startswith("Of an import")]
        assert head == [name for name in own if name != "label"]  # there are no teachers
        assert set(head) <= set(column_meanings(TABLES.values()))
    write_dataset(tmp_path / "study", records.tables(), "test", "A test.", simulated=True)
    with pytest.raises(ValueError, match="there is a dataset already"):
        write_dataset(tmp_path / "study", records.tables(), "test", "A test.")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("precious")
    with pytest.raises(ValueError, match="something that is not a dataset"):
        write_dataset(tmp_path / "other", records.tables(), "test", "A test.", replace=True)
    assert (tmp_path / "other" / "thesis.tex").read_text() == "precious"


def test_orderings_are_made_for_trials_of_ones_own() -> None:
    assert orderings_for(1, stimuli(1)) == orderings(1)
    few = [load_trial(path) for path in sorted(EXAMPLES.glob("*.map"))[:3]]
    assert orderings_for(1, few) == [[trial.name for trial in few]]


def test_similar_maps_are_played_only_with_a_warning() -> None:
    one, other = (trial for trial in stimuli(2) if trial.map == stimuli(2)[0].map)
    with pytest.warns(UserWarning, match="Experiment 2: some participants play similar maps"):
        assert orderings_for(2, [one, other]) == [[one.label, other.label]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert orderings_for(2, [one]) == [[one.label]]
