"""The bundled set is held to what it promises."""

from __future__ import annotations

import pytest

from onlooker.experiments.design import design
from onlooker.experiments.diagnostics import behaviour, diagnose, shortfalls
from onlooker.experiments.inventory import PAPER_EXPERIMENTS, Experiment, differences
from onlooker.experiments.orderings import check_orderings
from onlooker.experiments.stimuli import SEED, folder, orderings, stimuli, stimulus_text, tutorials
from onlooker.game import Expertise, can_search_alone, needs
from onlooker.planning import stage

experiments = pytest.mark.parametrize(
    "experiment", PAPER_EXPERIMENTS.values(), ids=lambda e: e.title
)


@experiments
def test_the_inventory_is_the_papers(experiment: Experiment) -> None:
    trials = stimuli(experiment.number)
    assert differences(experiment, trials) == []
    assert len({trial.map for trial in trials}) == experiment.maps
    assert len({trial.name for trial in trials}) == experiment.trials
    assert {(trial.map.width, trial.map.height) for trial in trials} == {(11, 12)}
    assert {len(trial.map.wizards_of["blue"]) for trial in trials} == {2, 3, 4, 5}
    assert not any(trial.tutorial for trial in trials)


@experiments
def test_scenarios_share_a_layout_and_differ_in_goals(experiment: Experiment) -> None:
    trials = stimuli(experiment.number)
    for first in trials[:: experiment.scenarios]:
        base = (first.name or "").partition("_")[0]
        group = [trial for trial in trials if (trial.name or "").partition("_")[0] == base]
        assert len(group) == experiment.scenarios
        for trial in group:
            assert (trial.map, trial.main, trial.holders) == (first.map, first.main, first.holders)
        goals = {tuple(npc.goal for npc in trial.npcs) for trial in group}
        assert len(goals) == len(group)
        if Expertise.NOVICE in experiment.npcs:
            roles = {tuple(npc.expertise for npc in trial.npcs) for trial in group}
            assert len(roles) == len(group)


@experiments
def test_barriers_block_and_there_is_something_to_find_out(experiment: Experiment) -> None:
    for trial in stimuli(experiment.number):
        assert "blue" in (needs(trial.map, trial.main.at)[trial.main.goal] or ())
        assert can_search_alone(trial.map, trial.main.at, trial.main.goal)


def test_some_goals_of_experiment_1_need_two_colours() -> None:
    needed = [needs(t.map, t.main.at)[t.main.goal] or () for t in stimuli(1)]
    assert sum(len(colours) == 2 for colours in needed) >= 3


@experiments
def test_the_observers_are_told_apart(experiment: Experiment) -> None:
    trials = stimuli(experiment.number)
    seen = [behaviour(trial) for trial in trials]
    assert shortfalls(diagnose(experiment.number, trials, seen)) == []


@pytest.mark.parametrize(
    "experiment",  # the first is designed in seconds, the others take longer
    [
        pytest.param(
            each, marks=pytest.mark.slow if number == 1 else pytest.mark.soak, id=f"exp{number}"
        )
        for number, each in PAPER_EXPERIMENTS.items()
    ],
)
def test_the_seed_gives_the_same_files(experiment: Experiment) -> None:
    place = folder(f"exp{experiment.number}")
    made = {f"{t.name}.map": stimulus_text(t) for t in design(experiment, SEED, jobs=1)}
    shipped = {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in place.iterdir()
        if entry.name.endswith(".map")
    }
    assert made == shipped


@experiments
def test_tutorials_are_flagged_and_playable(experiment: Experiment) -> None:
    practice = tutorials(experiment.number)
    assert len(practice) >= 2
    for trial in practice:
        assert trial.tutorial
        assert trial.experiment == experiment.number
        assert sorted(npc.expertise for npc in trial.npcs) == sorted(experiment.npcs)
        assert trial.reveals_outcomes is experiment.reveals_outcomes
        assert stage(trial).budget > 0
    names = {trial.name for trial in practice}
    assert not names & {trial.name for trial in stimuli(experiment.number)}


@experiments
def test_the_orderings_keep_all_rules(experiment: Experiment) -> None:
    trials = stimuli(experiment.number)
    made = orderings(experiment.number)
    assert len(made) >= 8
    assert all(len(ordering) == 10 for ordering in made)
    assert check_orderings(trials, made) == []
    uses = {trial.name: sum(trial.name in ordering for ordering in made) for trial in trials}
    assert len(set(uses.values())) == 1


@pytest.mark.parametrize("trial", stimuli()[::9], ids=lambda trial: trial.name)
def test_the_files_name_the_reference_paths(trial: object) -> None:
    from onlooker.game import Trial

    assert isinstance(trial, Trial)
    text = folder(f"exp{trial.experiment}", f"{trial.name}.map").read_text(encoding="utf-8")
    assert text == stimulus_text(trial)
