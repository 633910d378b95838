"""The ideal observer: worked cases, the plain reference, what is refused, and its limits."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given

from comparing import same
from observers.ideal_reference import IdealReference
from onlooker.game import Action, Trial, load_trial, read_document
from onlooker.inference import UnexplainedError
from onlooker.observers import ACT, Batch, Engine, Parameters, foresight
from onlooker.observers.errors import SearchError
from onlooker.observers.foresight import Foresight, count_states
from onlooker.observers.ideal import IdealObserver
from onlooker.planning import NoPathError
from running import ROOT
from strategies import parameters, trials
from vectors import BEYOND

CASES = sorted(BEYOND.glob("*.json"))
TWO = load_trial(ROOT / "examples" / "two-experts.map")
TURN = load_trial(ROOT / "examples" / "early-turn.map")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_worked_case(path: Path) -> None:
    case = json.loads(path.read_text())
    expected = case["expect"]["ideal"]
    engine = Engine(read_document(case["trial"]), Parameters(**case["params"]))
    found = IdealObserver().run(engine).to_dict(trace=True)
    assert [each["choice"] for each in found["trace"]] == [*found["choices"], ACT]
    found["trace"] = [{key: each[key] for key in ("act", "watch")} for each in found["trace"]]
    assert same({key: found[key] for key in expected}, expected)


@given(trials(), parameters)
def test_it_is_the_plain_one(trial: Trial, params: Parameters) -> None:
    plain = IdealReference(trial, params)
    assume(plain.states() < 300)
    try:
        found = IdealObserver().run(Engine(trial, params))
    except NoPathError:
        with pytest.raises(NoPathError):
            plain.run()
        return
    expected = plain.run()
    assert same(found.to_dict(trace=True), expected.to_dict(trace=True))


@given(trials())
def test_states_are_counted_without_listing_them(trial: Trial) -> None:
    plain = IdealReference(trial, Parameters())
    rows = [
        [npc.goals[sight][world] for world in sorted(plain.weights(((),) * len(trial.npcs)))]
        for npc in plain.sights
        for sight in npc.goals
    ]
    of_npc = [index for index, npc in enumerate(plain.sights) for _ in npc.goals]
    found = count_states(len(trial.npcs), np.array(of_npc), np.array(rows))
    assume(found < 2000)
    assert found == plain.states()


def test_too_many_states_are_refused_with_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    count = IdealReference(TWO, Parameters()).states()
    monkeypatch.setattr(foresight, "MOST_STATES", count)
    assert Foresight(TWO).expected_cost == Foresight(TWO, Parameters()).expected_cost
    monkeypatch.setattr(foresight, "MOST_STATES", count - 1)
    with pytest.raises(SearchError, match=f"two experts: {count} states .* more than {count - 1}"):
        Foresight(TWO)


def test_with_no_open_colour_it_acts() -> None:
    holder = next(w for w in TWO.map.wizards if w.id in TWO.holders.values())
    others = tuple(w for w in TWO.map.wizards if w.colour != holder.colour or w is holder)
    alone = replace(TWO, map=replace(TWO.map, wizards=others))
    result = IdealObserver()(alone)
    assert (result.choices, result.asked) == ((), (holder.id,))
    assert [decision.watch for decision in result.trace] == [(None, None)]
    assert result.expected_cost == result.cost == result.trace[0].act


def scripted(trial: Trial, npc: int, actions: list[str]) -> Trial:
    fixed = replace(trial.npcs[npc], actions=tuple(map(Action, actions)))
    return replace(trial, npcs=(*trial.npcs[:npc], fixed, *trial.npcs[npc + 1 :]))


def test_what_nobody_would_do_is_unexplained() -> None:
    trial = scripted(TURN, 0, ["up", "down", "up", "up", "left"])
    with pytest.raises(UnexplainedError, match=r"early turn: .* step 2 of agent2"):
        IdealObserver()(trial)
    with pytest.raises(UnexplainedError, match="step 2 of agent2"):
        IdealReference(trial, Parameters()).run()


def test_what_nobody_would_do_may_never_be_watched() -> None:
    unseen = scripted(TWO, 0, ["up", "down", "up"])
    assert IdealObserver()(unseen).choices == ("agent3",)


def test_an_npc_that_has_done_all_it_does_cannot_be_watched() -> None:
    trial = scripted(TURN, 0, ["up", "up"])
    result = IdealObserver()(trial)
    assert result.choices == ("agent2", "agent2")
    assert [decision.watch for decision in result.trace] == [(77.0,), (76.0,), (None,)]
    assert result.trace[-1].act == 88.5  # it knows no more than before
    plain = IdealReference(trial, Parameters()).run()
    assert same(result.to_dict(trace=True), plain.to_dict(trace=True))


def test_it_runs_in_a_batch() -> None:
    outcomes = Batch([TWO]).run(observers=["naive_observer", "ideal_observer"])
    assert outcomes.observed.tolist() == [[[16, 5], [0, 1]]]


def test_a_decision_is_that_of_the_run() -> None:
    engine, observer = Engine(TWO), IdealObserver()
    view, result = engine.opening, observer.run(engine)
    for decision in result.trace:
        assert observer.decide(engine, view) == decision
        if decision.choice != ACT:
            view = engine.observe(view, TWO.npc_index(decision.choice))
    assert observer.candidates(engine, view) == result.candidates
