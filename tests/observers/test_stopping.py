"""Why observers stop watching: the reason agrees with everything that can be asked of the engine."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given

import onlooker
from onlooker.experiments.predictions import dump_predictions, predict
from onlooker.game import Trial, load_trial
from onlooker.inference.parameters import MARGIN, Parameters
from onlooker.observers import (
    ACT,
    KNOWN_OBSERVERS,
    OBSERVERS,
    Batch,
    Decision,
    Engine,
    Observer,
    Reason,
    Result,
    View,
    advise,
    find_observer,
    run,
)
from onlooker.planning import NoPathError
from running import ROOT
from strategies import parameters, trials

PLANNERS = ("rational_observer", "naive_observer")


def run_of(engine: Engine, observer: Observer) -> Result:
    """What an observer does; trials in which somebody gets stuck are left out."""
    try:
        return observer.run(engine)
    except NoPathError:
        assume(False)
        raise


def example(name: str) -> Trial:
    return load_trial(ROOT / "examples" / f"{name}.map")


@given(trials(), parameters)
def test_the_reason_is_what_the_engine_says(trial: Trial, settings: Parameters) -> None:
    engine = Engine(trial, settings, warn=False)
    for name in ("rational_mentalizing", "mentalizing_observer"):
        result = run_of(engine, find_observer(name))
        view, last = engine.view_at(result.observed), result.trace[-1]
        assert [decision.reason is None for decision in result.trace] == (
            [True] * len(result.choices) + [False]
        )
        arrived = [engine.arrived(view, npc) for npc in range(len(trial.npcs))]
        assert last.belief is not None
        expected = {
            Reason.CERTAIN: not trial.open_colours,
            Reason.NOBODY: not trial.npcs,
            Reason.SETTLED: engine.settled(last.belief),
            Reason.FINISHED: all(arrived),
        }
        reason = next((each for each, holds in expected.items() if holds), None)
        if reason is not None:
            assert result.reason is reason
        elif name == "mentalizing_observer":
            assert result.reason is Reason.UNINFORMATIVE
        else:
            cheapest = min(cost for cost in last.q_obs or () if cost is not None)
            assert cheapest >= last.c_self - MARGIN
            later = [
                sum(particle.p * particle.residual for particle in engine.worth(view, npc)[1])
                for npc in range(len(trial.npcs))
                if not arrived[npc]
            ]
            saves = min(later) < last.c_self - MARGIN
            assert result.reason is (Reason.AS_CHEAP if saves else Reason.UNINFORMATIVE)


@given(trials(), parameters)
def test_planners_stop_as_planned_or_never_begin(trial: Trial, settings: Parameters) -> None:
    for name in PLANNERS:
        result = run_of(Engine(trial, settings, warn=False), find_observer(name))
        if result.choices:
            assert result.reason is Reason.PLANNED
        else:
            assert result.reason in (
                Reason.CERTAIN,
                Reason.NOBODY,
                Reason.UNINFORMATIVE,
                Reason.AS_CHEAP,
            )


@given(trials())
def test_one_decision_has_the_reason_of_the_whole_run(trial: Trial) -> None:
    engine = Engine(trial, warn=False)
    for name in OBSERVERS:
        observer = find_observer(name)
        together = run_of(engine, observer)
        alone = Observer.run(observer, engine)  # one decision after the other
        assert alone.reason is together.reason
        assert together.to_dict()["reason"] == str(together.reason)


@pytest.mark.parametrize("name", KNOWN_OBSERVERS)
@pytest.mark.parametrize("trial", ["early-turn", "two-experts", "expert-and-novice"])
def test_each_observer_has_a_reason(trial: str, name: str) -> None:
    result = run(example(trial), name)
    assert result.reason is not None
    assert result.reason.text
    assert result.to_dict(trace=True)["trace"][-1]["reason"] == str(result.reason)
    assert result.reason.text in result._repr_html_()


def test_advice_has_a_reason_once_it_is_to_act() -> None:
    trial = example("early-turn")
    assert advise(trial, []).reason is None
    assert advise(trial, ["observe agent2"] * 3).reason is Reason.SETTLED


def test_a_run_without_a_trace_has_none() -> None:
    [[result]] = Batch([example("early-turn")]).results(observers=["naive_observer"])
    assert result.reason is None
    assert "reason" not in result.to_dict()


def test_an_observer_of_ones_own_names_its_reason_or_has_none() -> None:
    class Curt(Observer):
        name, title = "curt", "Curt"
        reason: Reason | None = None

        def decide(self, engine: Engine, view: View, choices: object) -> Decision:
            return Decision(ACT, reason=self.reason)

    class Candid(Curt):
        reason = Reason.NOBODY

    def reason_of(observer: Observer) -> Reason | None:
        result: Result = observer(example("two-experts"))
        return result.reason

    assert reason_of(Curt()) is None
    assert reason_of(Candid()) is Reason.NOBODY


def test_predictions_have_reasons_if_asked_for() -> None:
    trials = [example("early-turn"), example("expert-and-novice")]
    names = ["rational_mentalizing", "ideal_observer", "graded_mentalizing"]
    rows = predict(trials, names, reasons=True)
    expected = {
        (trial.label, name): str(run(trial, name).reason)
        for trial in trials
        for name in names[:2]  # the third chooses by chance
    }
    assert len(rows) == 9
    for row in rows:
        assert row.reason == expected.get((row.level, row.observer))
    head, *lines = dump_predictions(rows).splitlines()
    assert head.endswith(",reason")
    assert lines[0].endswith(",settled")
    plain = predict(trials, names)
    assert [replace(row, reason=None) for row in rows] == plain
    assert "reason" not in dump_predictions(plain)
    frame = onlooker.predict(trials, names, reasons=True)
    assert frame["reason"].dropna().tolist() == [row.reason for row in rows if row.reason]
