"""Not being told who is an expert: the vectors, the plain reference, and what is carried on."""

from __future__ import annotations

import json
import pickle
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from observers.untold_reference import run_untold_reference
from onlooker.game import Expertise, Trial, load_trial, parse_trial
from onlooker.observers import Engine, Parameters, RationalMentalizing, find_observer
from onlooker.observers.api import run_sequence
from onlooker.observers.untold import UntoldMentalizing
from onlooker.planning import NoPathError
from running import ROOT
from strategies import parameters, trials
from vectors import BEYOND

VECTORS = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(BEYOND.glob("*.json"))}
WHO_KNOWS = [load_trial(ROOT / "examples" / "who-knows" / f"{n}.map") for n in range(1, 7)]


def truth(trial: Trial) -> dict[str, float]:
    return {npc.id: float(npc.expertise is Expertise.NOVICE) for npc in trial.npcs}


@pytest.mark.parametrize("name", VECTORS)
def test_the_vectors(name: str) -> None:
    vector = VECTORS[name]
    trial = parse_trial(json.dumps(vector["trial"]))
    result = UntoldMentalizing()(trial, Parameters(**vector["params"]))
    expected = vector["expect"]["untold"]
    assert list(result.observed) == expected["observed"]
    assert list(result.choices) == expected["choices"]


@given(trials(), parameters, st.sampled_from([0.0, 0.2, 0.5, 1.0]))
@pytest.mark.filterwarnings("ignore:.*prune=")
def test_decisions_are_those_of_the_reference(
    trial: Trial, given: Parameters, novice: float
) -> None:
    before = {trial.npcs[0].id: novice} if trial.npcs else {}
    assume(novice in (0.2, 0.5) or truth(trial).get(trial.npcs[0].id) == novice)
    try:
        result = UntoldMentalizing(before)(trial, given)
    except NoPathError:
        assume(False)
        raise
    choices, trace = run_untold_reference(trial, given, before)
    assert result.choices == tuple(trial.npcs[npc].id for npc in choices)
    for mine, plain in zip(result.trace, trace, strict=True):
        assert mine.c_self == pytest.approx(plain.c_self, abs=1e-9)
        assert mine.q_obs == tuple(
            None if q is None else pytest.approx(q, abs=1e-9) for q in plain.q_obs or ()
        )
        for npc, (chances, pairs) in zip(
            trial.npcs, zip(mine.goals or (), plain.goals or (), strict=True), strict=True
        ):
            for letter, p in chances.items():
                both = pairs[f"{letter} expert"] + pairs[f"{letter} novice"]
                assert p == pytest.approx(both, abs=1e-9)
            novices = sum(p for pair, p in pairs.items() if pair.endswith("novice"))
            assert (mine.novices or {})[npc.id] == pytest.approx(novices, abs=1e-9)


@given(trials(), parameters)
@pytest.mark.filterwarnings("ignore:.*prune=")
def test_who_is_sure_of_the_truth_is_the_paper_s_model(trial: Trial, given: Parameters) -> None:
    try:
        told = RationalMentalizing()(trial, given)
    except NoPathError:
        assume(False)
        raise
    sure = UntoldMentalizing(truth(trial))(trial, given)
    assert sure.choices == told.choices
    assert sure.route == told.route
    for mine, theirs in zip(sure.trace, told.trace, strict=True):
        assert mine.c_self == pytest.approx(theirs.c_self, abs=1e-9)
        assert mine.novices == pytest.approx(truth(trial))


def test_what_was_found_out_goes_into_the_next_trial() -> None:
    carried = list(run_sequence(WHO_KNOWS, UntoldMentalizing()))
    afresh = [UntoldMentalizing()(trial).observed for trial in WHO_KNOWS]
    assert carried[0][1].observed == afresh[0]
    novice, expert = zip(*(result.observed for _, result in carried[1:]), strict=True)
    assert sum(novice) == 0
    assert sum(expert) > sum(observed[1] for observed in afresh[1:])
    assert sum(observed[0] for observed in afresh[1:]) > 40
    for (_, before), (observer, _) in pairwise(carried):
        assert observer.state() == {"novices": pytest.approx(before.trace[-1].novices)}


def test_nobody_who_carries_nothing_learns() -> None:
    for _, result in run_sequence([WHO_KNOWS[0], WHO_KNOWS[0]], RationalMentalizing()):
        assert result == RationalMentalizing()(WHO_KNOWS[0])


def test_the_order_matters_only_through_what_is_carried() -> None:
    one, other = WHO_KNOWS[1], WHO_KNOWS[0]
    (_, first), (_, second) = run_sequence([one, other], UntoldMentalizing())
    assert second == UntoldMentalizing(first.trace[-1].novices)(other)
    (_, swapped), _ = run_sequence([other, one], UntoldMentalizing())
    assert swapped == UntoldMentalizing()(other)


def test_the_trace_says_who_seems_a_novice() -> None:
    trial = load_trial(ROOT / "examples" / "expert-and-novice.map")
    plain = find_observer("untold_mentalizing").run(Engine(trial)).to_dict(trace=True)
    assert plain["trace"][0]["novices"] == {"agent2": 0.5, "agent3": 0.5}
    expertise = {each["expertise"] for of in plain["trace"][0]["particles"] for each in of}
    assert expertise <= {"expert", "novice"}


def test_pruning_every_pair_is_warned_of() -> None:
    trial = WHO_KNOWS[0]
    with pytest.warns(UserWarning, match=r"prune=0.2 is above 1/6"):
        UntoldMentalizing()(trial, Parameters(prune=0.2))


def test_a_teacher_that_is_not_considered_is_warned_of(recwarn: pytest.WarningsRecorder) -> None:
    trial = load_trial(ROOT / "examples" / "teachers" / "feint.map")
    UntoldMentalizing()(trial, Parameters(kinds="expert,teacher"))
    assert not recwarn.list
    with pytest.warns(UserWarning, match=r"kinds is expert,novice. Set kinds=expert,teacher"):
        UntoldMentalizing()(trial)


def test_it_goes_to_other_processes_as_it_was_made() -> None:
    observer = UntoldMentalizing({"agent2": 0.25})
    before = observer(WHO_KNOWS[0])
    again = pickle.loads(pickle.dumps(observer))
    assert (again.before, again(WHO_KNOWS[0])) == (observer.before, before)


def test_what_is_no_chance_is_refused() -> None:
    with pytest.raises(ValueError, match="the chance that agent2 is a novice must be from 0 to 1"):
        UntoldMentalizing({"agent2": 1.5})
