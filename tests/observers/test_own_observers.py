"""Observers of a user's own: what is wrong with them is said in words that help."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from onlooker import advise, posterior, stage
from onlooker.experiments.predictions import predict
from onlooker.experiments.regret import regrets
from onlooker.experiments.simulation import simulate
from onlooker.experiments.stimuli import stimuli
from onlooker.game import load_trial, play_trial
from onlooker.observers import (
    ACT,
    Appraisal,
    Batch,
    ComposedObserver,
    Decision,
    Engine,
    Observer,
    ObserverError,
    Parameter,
    Parameters,
    Parts,
    Prior,
    RationalMentalizing,
    Rule,
    Trust,
    depends,
    find_observer,
    parameters_class,
    run,
    run_sequence,
)
from onlooker.planning import NoPathError
from running import ROOT

EARLY = load_trial(ROOT / "examples" / "early-turn.map")
HEAD = "from onlooker.observers import ACT, Decision, Observer\n"
GOOD = (
    HEAD
    + """
class X(Observer):
    name, title = "x", "X"
    def decide(self, engine, view, choices):
        return Decision(ACT)
"""
)

Module = Callable[[str], str]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Module:
    """Write a module, and give the name of it."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(text: str) -> str:
        name = "own_" + tmp_path.name
        monkeypatch.delitem(sys.modules, name, raising=False)
        (tmp_path / f"{name}.py").write_text(text)
        return name

    return write


def test_one_that_can_be_found(module: Module) -> None:
    assert find_observer(f"{module(GOOD)}:X")(EARLY).observed == (0,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class X(:", r"cannot be imported: SyntaxError: invalid syntax \(own_.*py, line 1\)"),
        ("x = 1\ny = z", r"cannot be imported: NameError: name 'z' .*\(.*own_.*py, line 2\)"),
        ("import json\njson.nothing", r"cannot be imported: AttributeError: module 'json' has no"),
        ("import no.such", r"cannot be imported: No module named 'no'"),
        (HEAD + "class Y(Observer): pass", r"the module 'own_.*' has no class 'X'"),
        (HEAD + "class X(Observer): pass", r"'own_.*:X' lacks decide"),
        (GOOD.replace('name, title = "x", "X"', 'title = "X"'),
         r"'own_.*:X' has no name: expected a word, such as name = 'glance'"),
        (GOOD.replace('name, title = "x", "X"', 'name = "x"'), r"'own_.*:X' has no title"),
        (GOOD + "    def __init__(self, patience): pass\n",
         r"cannot be made without arguments: TypeError: .*patience"),
    ],
)  # fmt: skip
def test_one_that_cannot_be_made(module: Module, text: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        find_observer(f"{module(text)}:X")


class Odd(Observer):
    """Gives back what it is told to."""

    name, title = "odd", "Odd"

    def __init__(self, decision: Any = None, candidates: Any = None) -> None:
        self.decision = Decision(ACT) if decision is None else decision
        self.chosen = candidates

    def decide(self, engine: Engine, view: Any, choices: Any) -> Any:
        return self.decision

    def candidates(self, engine: Engine, view: Any) -> Any:
        return super().candidates(engine, view) if self.chosen is None else self.chosen


@pytest.mark.parametrize(
    ("observer", "expected"),
    [
        (Odd("agent2"), "decision 1: expected a Decision, not 'agent2'"),
        (Odd(Decision("nobody")), "decision 1: expected one of 'agent2', 'act', not 'nobody'"),
        (Odd(Decision("agent2")), "decision 18: agent2 has arrived and cannot be observed any more"),
        (Odd(candidates=["w1"]), r"expected candidates by colour, not \['w1'\]"),
        (Odd(candidates={"blue": ("w7",)}), r"blue candidates: expected some of w1, w2, not \('w7',"),
        (Odd(candidates={"pink": ("w1",)}), "pink candidates: expected some of none, as there are"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused(observer: Observer, expected: str) -> None:
    with pytest.raises(ObserverError, match=f"^observer 'odd', early turn: {expected}"):
        run(EARLY, observer)
    with pytest.raises(ObserverError, match=expected):
        Batch([EARLY]).run(Parameters(), [observer])
    with pytest.raises(ObserverError, match=expected):
        simulate(1, [EARLY], [[EARLY.name]], observer, 1, rule="hard")


def test_a_result_that_is_none() -> None:
    class Mute(Odd):
        def run(self, engine: Engine) -> Any:
            return None

    with pytest.raises(ObserverError, match="early turn: expected a Result, not None"):
        Batch([EARLY]).run(Parameters(), [Mute()])


def test_an_error_in_its_code_tells_the_trial() -> None:
    class Broken(Odd):
        def decide(self, engine: Engine, view: Any, choices: Any) -> Any:
            return 1 / 0

    with pytest.raises(ZeroDivisionError) as caught:
        Batch([EARLY]).run(Parameters(), [Broken()])
    assert caught.value.__notes__ == ["observer 'odd', early turn"]


def test_the_engine_shows_no_step_that_there_is_not() -> None:
    engine = Engine(EARLY)
    view = engine.opening
    while not engine.arrived(view, 0):
        view = engine.observe(view, 0)
    with pytest.raises(ValueError, match="agent2 has arrived and cannot be observed any more"):
        engine.observe(view, 0)
    with pytest.raises(IndexError, match="there is no NPC -1; expected a number from 0 to 0"):
        engine.observe(engine.opening, -1)


def test_parts_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Bare(ComposedObserver):
        name, title = "bare", "Bare"

    monkeypatch.setattr(sys.modules[__name__], "Bare", Bare, raising=False)
    with pytest.raises(ValueError, match=r"has no parts: expected three, such as parts = Parts\("):
        find_observer(f"{__name__}:Bare")


def test_what_stands_in_a_wall_is_named() -> None:
    trial = EARLY
    walls = trial.map.walls | {trial.map.chest("A").at}
    with pytest.raises(NoPathError, match=r"early turn: chest A stands in the wall at \("):
        Batch([replace(trial, map=replace(trial.map, walls=walls))])


def test_a_plan_is_not_left_over_from_another_observer() -> None:
    class Planless(ComposedObserver):
        name, title = "planless", "Planless"
        parts = Parts(Appraisal.IMAGINED_COSTS, Rule.AS_PLANNED, Trust.BELIEF)

    trial = load_trial(ROOT / "examples" / "two-experts.map")
    outcomes = Batch([trial]).run(observers=["naive_observer", Planless()])
    assert outcomes.observed[0].tolist() == [[16, 5], [0, 0]]


def test_an_npc_that_there_is_not_never_reaches_compiled_code() -> None:
    engine = Engine(EARLY)
    for ask in (engine.worth, engine.distance, engine.goals, engine.arrived, engine.log_weights):
        with pytest.raises(IndexError, match="there is no NPC 5; expected a number from 0 to 0"):
            ask(engine.opening, 5)
        with pytest.raises(TypeError, match=r"expected the number of an NPC, .* not 'agent2'"):
            ask(engine.opening, "agent2")  # type: ignore[arg-type]


def test_a_view_of_another_engine_is_refused() -> None:
    engine, other = Engine(EARLY), Engine(load_trial(ROOT / "examples" / "two-experts.map"))
    for ask in (engine.belief, engine.c_self):
        with pytest.raises(ValueError, match="early turn: expected a view of this engine"):
            ask(other.opening)


@pytest.mark.parametrize("steps", [[99], [-1], [1, 1], [1.5], 3])
def test_the_ideal_observer_is_asked_about_steps_that_there_are(steps: Any) -> None:
    with pytest.raises(ValueError, match="expected steps seen of each NPC, at most agent2 17, not"):
        Engine(EARLY).foresight.outlook(steps)


def test_parts_are_named_in_their_order() -> None:
    with pytest.raises(TypeError, match=r"expected Parts\(Appraisal, Rule, Trust\)"):

        class Swapped(ComposedObserver):
            name, title = "swapped", "Swapped"
            parts = Parts(Rule.BEST, Appraisal.IMAGINED_COSTS, Trust.BELIEF)  # type: ignore[arg-type]

    engine = Engine(EARLY)
    for ask in (engine.lattice, lambda parts: engine.values(parts, engine.opening)):
        with pytest.raises(TypeError, match="not 'rational_mentalizing'"):
            ask("rational_mentalizing")  # type: ignore[no-untyped-call, arg-type]


def test_what_is_no_trial_no_observer_and_no_parameters_is_named() -> None:
    anything: Any = "examples/early-turn.map"
    for make in (run, Engine, posterior, stage, lambda path: Batch([path])):
        with pytest.raises(TypeError, match="expected a trial, as load_trial returns it, not 'exa"):
            make(anything)  # type: ignore[operator]
    anything = RationalMentalizing
    for ask in (run, lambda trial, o: Batch([trial]).run(observers=[o])):
        with pytest.raises(
            TypeError, match=r"an observer such as RationalMentalizing\(\), not its"
        ):
            ask(EARLY, anything)
    anything = None
    with pytest.raises(TypeError, match="expected an observer or the name of one, not None"):
        run(EARLY, anything)
    with pytest.raises(TypeError, match=r"expected a list of observers, such as \['naive_observer"):
        Batch([EARLY]).run(observers="naive_observer")
    anything = {"beta": 1}
    for ask in (lambda trial, p: run(trial, parameters=p), lambda trial, p: Batch([trial]).run(p)):
        with pytest.raises(TypeError, match=r"expected Parameters, such as Parameters\(beta=0.2\)"):
            ask(EARLY, anything)


def test_an_observer_without_a_name_or_parts_is_named() -> None:
    class Nameless(Observer):
        def decide(self, engine: Engine, view: Any, choices: Any) -> Decision:
            return Decision(ACT)

    class Bare(ComposedObserver):
        name, title = "bare", "Bare"

    with pytest.raises(TypeError, match="observer Nameless has no name: expected a word, such as"):
        run(EARLY, Nameless())
    with pytest.raises(TypeError, match="observer Bare has no parts: expected three, such as"):
        Batch([EARLY]).run(observers=[Bare()])


def test_it_depends_on_what_it_declares_and_on_what_all_observers_may_use() -> None:
    class Patient(Odd):
        patience = Parameter(6, "steps at most", low=1, high=40, prior=Prior(5, 1))
        width = Parameter(0.5, "share", low=0, high=1, scale="logit")

    used = {n for n in ("patience", "width", "beta", "epsilon", "other") if depends(Patient(), n)}
    assert used == {"patience", "width", "beta", "epsilon"}
    naive = find_observer("naive_observer")
    assert [depends(naive, name) for name in ("patience", "beta", "epsilon")] == [
        False,
        True,
        False,
    ]
    kind: Any = parameters_class([Patient(), naive])
    assert (kind().patience, kind(width=0.25).width, kind().beta) == (6, 0.25, Parameters().beta)


def test_names_stand_for_observers_everywhere() -> None:
    [row] = predict([EARLY], ["naive_observer"])
    assert (row.observer, row.observed) == ("naive_observer", 7)
    assert regrets([EARLY], ["naive_observer"])[0].observer == "naive_observer"
    [(observer, result)] = run_sequence([EARLY], "naive_observer")
    assert (observer.name, result.observed) == ("naive_observer", (7,))
    with pytest.raises(ValueError, match="there is no observer 'nobody'"):
        predict([EARLY], ["nobody"])


def test_words_that_are_none_of_those_expected() -> None:
    word: Any = "rich"
    with pytest.raises(ValueError, match="budget must be 'paper' or 'map', not 'rich'"):
        stage(EARLY, budget=word)
    with pytest.raises(ValueError, match="on_empty must be 'continue' or 'end', not 'rich'"):
        stage(EARLY, on_empty=word)
    with pytest.raises(ValueError, match="rule must be hard, softmax or graded, not 'rich'"):
        Batch([EARLY]).expect(rule=word)
    with pytest.raises(
        TypeError, match=r"expected a list of choices, such as \['observe agent2'\]"
    ):
        advise(EARLY, "observe agent2")
    with pytest.raises(ValueError, match="there is no experiment 9; expected one of 1, 2, 3, 4"):
        stimuli(9)
    trial: Any = EARLY
    with pytest.raises(TypeError, match=r"expected a stage, as onlooker.stage.* not a Trial"):
        play_trial(trial, trial)
