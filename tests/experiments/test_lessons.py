"""Experiment 5: trials in which it makes a difference what is said about a teacher."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from onlooker.experiments.labels import labels_for, moments, observer_under, read
from onlooker.experiments.lessons import CLASSES, GRID, Candidate, Case, candidates, choose, draw
from onlooker.experiments.orderings import check_orderings, make_orderings
from onlooker.experiments.separation import predicted, summarized
from onlooker.experiments.simulation import simulate
from onlooker.experiments.stimuli import orderings, stimuli, tutorials
from onlooker.game import Expertise, Label, Trial, load_trial, teacher_in, under
from onlooker.inference import Parameters
from onlooker.observers import find_observer
from onlooker.observers.lessons import plans
from onlooker.planning import Tables
from running import ROOT

FEINT = load_trial(ROOT / "examples" / "teachers" / "feint.map")
CORNERS = [
    Parameters(beta=beta, converge=converge) for beta in (0.4, 0.6) for converge in (0.93, 0.97)
]
trials = pytest.mark.parametrize("trial", stimuli(5), ids=lambda trial: trial.name)


def test_the_set_has_four_trials_of_each_class() -> None:
    assert Counter(trial.scenario for trial in stimuli(5)) == dict.fromkeys(CLASSES, 4)
    pairs = [t for t in stimuli(5) if t.scenario == "pair"]
    assert Counter(teacher_in(trial) for trial in pairs) == {0: 2, 1: 2}
    assert len({trial.map for trial in stimuli(5)}) == 20
    assert [trial.tutorial for trial in tutorials(5)] == [True, True]


def test_orderings_have_two_trials_of_each_class() -> None:
    known = {trial.name: trial.scenario for trial in stimuli(5)}
    assert check_orderings(stimuli(5), orderings(5)) == []
    for ordering in orderings(5):
        assert Counter(known[name] for name in ordering) == dict.fromkeys(CLASSES, 2)
    again = make_orderings(stimuli(5), 10, None, 1, by=lambda trial: trial.scenario)
    assert again == orderings(5)
    with pytest.raises(ValueError, match="9 trials cannot be equally many of early turn, feint"):
        make_orderings(stimuli(5), 9, by=lambda trial: trial.scenario)


@trials
def test_actions_are_the_teachers_plan(trial: Trial) -> None:
    npc = trial.npcs[teacher_in(trial) or 0]
    [plan] = (
        plan
        for plan in plans(trial, npc.id)
        if plan.goal == npc.goal and dict(plan.holders) == dict(trial.holders)
    )
    assert npc.actions == tuple(taken.action for taken in plan.path)


@trials
def test_no_wizards_are_equally_far(trial: Trial) -> None:
    tables, wizards = Tables(trial.map), trial.map.wizards_of["blue"]
    for at in (trial.main.at, *(npc.at for npc in trial.npcs)):
        walks = [tables.walk(wizard)[at, frozenset()] for wizard in wizards]
        assert len(set(walks)) == len(walks)


@trials
def test_predictions_hold_for_other_parameters(trial: Trial) -> None:
    npc = teacher_in(trial) or 0
    name, goal = trial.npcs[npc].id, trial.npcs[npc].goal
    both = [
        next(p for p in found if p.goal == goal and dict(p.holders) == dict(trial.holders))
        for found in (plans(trial, name), plans(trial, name, care=0.0))
    ]
    expert = replace(
        trial.npcs[npc],
        expertise=Expertise.EXPERT,
        actions=tuple(taken.action for taken in both[1].path),
    )
    plain = replace(trial, npcs=(*trial.npcs[:npc], expert, *trial.npcs[npc + 1 :]))
    assert all(corner in GRID for corner in CORNERS)
    for parameters in CORNERS:
        told = {label: read(trial, label, parameters) for label in Label}
        case = Case(*both, told, read(plain, Label.EXPERT, parameters), npc)
        assert CLASSES[str(trial.scenario)].missed(case) is None


def test_a_candidate_says_what_does_not_hold_and_where() -> None:
    # by the example's wizards, which are equally far, one step settles as on a knife's edge
    found = list(candidates(FEINT))
    assert {candidate.kind for candidate in found} >= {"early turn", "feint"}
    missed = [candidate.missed for candidate in found if candidate.missed]
    assert missed
    assert all(": not with β = " in words for words in missed)


def test_drawing_is_the_same_for_the_same_seed() -> None:
    assert draw(1, 0) == draw(1, 0)


def test_too_few_candidates_are_refused() -> None:
    few = [Candidate(trial, str(trial.scenario), 1.0, None) for trial in stimuli(5)]
    assert [each.trial for each in choose(few)] == stimuli(5)
    assert [each.kind for each in choose(few, each=1)] == list(CLASSES)
    with pytest.raises(
        ValueError, match=r"only 4 maps of the class .* there are to be 5: draw more"
    ):
        choose(few, each=5)


# -- labels ----------------------------------------------------------------------------------------


def test_labels_say_what_is_told() -> None:
    pair = next(trial for trial in stimuli(5) if trial.scenario == "pair")
    assert {npc.label for npc in under(pair, "expert").npcs} == {Expertise.EXPERT}
    assert under(pair, "teacher") == under(pair, "untold") == pair


def test_who_is_not_told_takes_an_expert_for_a_teacher_too() -> None:
    pair = next(trial for trial in stimuli(5) if trial.scenario == "pair")
    first = next(moments(pair, "untold"))
    assert first.teaches == pytest.approx((0.5, 0.5))


def test_a_feint_hides_the_chest_from_those_who_are_told_of_an_expert() -> None:
    readings = {label: read(FEINT, label) for label in Label}
    own = {label: each.end.goals[0]["C"] for label, each in readings.items()}
    assert own[Label.EXPERT] < 0.01 < 0.4 < own[Label.UNTOLD] < own[Label.TEACHER]
    assert readings[Label.EXPERT].end.teaches == (None,)
    assert {each.first for each in readings.values()} == {"w2"}


def test_only_rational_mentalizing_can_be_untold() -> None:
    naive = find_observer("naive_observer")
    assert labels_for(naive) == (Label.EXPERT, Label.TEACHER)
    assert labels_for(find_observer("untold_mentalizing")) == (Label.UNTOLD,)
    with pytest.raises(ValueError, match="naive_observer does nothing about not being told"):
        observer_under("untold", naive)


def test_separation_has_all_observers_and_labels() -> None:
    rows = predicted([FEINT])
    assert len(rows) == 3 + 3 * 2
    means = summarized(rows, "observer", "label")
    assert means["rational_mentalizing", "untold"]["teaches"] > 0.5
    assert "teaches" not in means["rational_mentalizing", "teacher"]


def test_simulated_participants_are_told_in_turn() -> None:
    some = stimuli(5)[:2]
    names = [[trial.label for trial in some]]
    records = simulate(
        5, some, names, find_observer("rational_mentalizing"), 4, labels=tuple(Label)
    )
    told = [row["label"] for row in records.participants]
    assert told == ["expert", "teacher", "untold", "expert"]
    assert [row["label"] for row in records.trials] == [label for label in told for _ in some]
