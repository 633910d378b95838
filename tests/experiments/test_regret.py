"""Regret: what observers lose against the ideal observer, over all worlds and in the true one."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings

from observers.ideal_reference import IdealReference
from onlooker.experiments.regret import COLUMNS, Regret, dump_regrets, regrets, summaries, worlds_of
from onlooker.experiments.stimuli import stimuli
from onlooker.game import Action, Trial, load_trial
from onlooker.observers import (
    ACT,
    OBSERVERS,
    Decision,
    Engine,
    IdealObserver,
    Observer,
    Parameters,
    View,
    find_observer,
    foresight,
)
from onlooker.observers.reference import run_reference
from running import ROOT
from strategies import parameters, trials

TWO = load_trial(ROOT / "examples" / "two-experts.map")
FOUR = [observer() for observer in OBSERVERS.values()]
IN_CLASS = ["rational_mentalizing", "mentalizing_observer", "naive_observer"]


def few_worlds(trial: Trial) -> bool:
    wizards = trial.map.wizards_of.values()
    holders = 1
    for of_colour in wizards:
        holders *= len(of_colour)
    return len(trial.map.chests) ** len(trial.npcs) * holders <= 40


def test_worlds_are_all_goals_and_holders() -> None:
    worlds = worlds_of(TWO)
    seen = {(*(npc.goal for npc in w.npcs), *sorted(w.holders.items())) for w in worlds}
    assert len(worlds) == len(seen) == 3 * 3 * 2
    fixed = replace(TWO.npcs[0], actions=(Action.UP,))
    scripted = replace(TWO, npcs=(fixed, *TWO.npcs[1:]))
    assert worlds_of(scripted) == worlds


def test_regret_is_the_mean_cost_less_the_expected_one() -> None:
    params = Parameters()
    [row] = regrets([TWO], [find_observer("mentalizing_observer")])
    costs = [run_reference(w, "mentalizing_observer", params).cost for w in worlds_of(TWO)]
    plain = IdealReference(TWO, params)
    expected = plain.value(((), ()))
    assert row.regret == pytest.approx(sum(costs) / len(costs) - expected)
    actual = run_reference(TWO, "mentalizing_observer", params).cost - plain.run().cost
    assert row.regret_actual == actual
    assert (row.expected_cost, row.worlds, row.reason) == (pytest.approx(expected), 18, "")


@given(trials(), parameters)
@settings(max_examples=25)
def test_the_ideal_observer_pays_on_average_what_it_expects(
    trial: Trial, params: Parameters
) -> None:
    assume(few_worlds(trial))
    [row] = regrets([trial], [IdealObserver()], params)
    assume(not row.reason)
    assert row.regret == pytest.approx(0.0, abs=1e-9)
    assert row.regret_actual == 0


@given(trials(), parameters)
@settings(max_examples=40)
def test_nobody_who_knows_no_more_does_better(trial: Trial, params: Parameters) -> None:
    assume(few_worlds(trial))
    for row in regrets([trial], [find_observer(name) for name in IN_CLASS], params):
        assert row.reason or (row.regret is not None and row.regret >= -1e-9)


class Glance(Observer):
    """Looks at everybody once."""

    name, title = "glance", "Glance"

    def decide(self, engine: Engine, view: View, choices: object) -> Decision:
        for npc, agent in enumerate(engine.trial.npcs):
            if not view.histories[npc].steps and not engine.arrived(view, npc):
                return Decision(agent.id)
        return Decision(ACT)


def test_observers_written_in_python_have_regret_too() -> None:
    row, full = regrets([TWO], [Glance(), find_observer("rational_mentalizing")])
    assert row.observer == "glance"
    assert row.regret is not None
    assert full.regret is not None
    assert row.regret > full.regret >= 0


def test_a_trial_that_is_refused_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foresight, "MOST_STATES", 20)
    rows = regrets([TWO], FOUR)
    assert len(rows) == 4
    for row in rows:
        assert "states of what can be seen are more than 20" in row.reason
        assert row.regret is row.regret_actual is row.expected_cost is None
    written = list(csv.DictReader(io.StringIO(dump_regrets(rows))))
    assert [(line["regret"], line["reason"]) for line in written] == [
        ("", row.reason) for row in rows
    ]


def test_what_nobody_would_do_leaves_the_regret_over_all_worlds() -> None:
    turn = load_trial(ROOT / "examples" / "early-turn.map")
    odd = replace(turn.npcs[0], actions=(Action.UP, Action.DOWN, Action.UP))
    [row] = regrets([replace(turn, npcs=(odd,))], FOUR[:1])
    assert row.regret == pytest.approx(0.0, abs=1e-9)
    assert row.regret_actual is None
    assert "no hypothesis explains step 2 of agent2" in row.reason


def test_columns_and_summary() -> None:
    rows = regrets([TWO, replace(TWO, name="again", experiment=None)], FOUR)
    assert {"regret", "regret_actual", "expected_cost", "reason"} <= set(COLUMNS)
    found = summaries(rows)
    assert [each.observer for each in found] == list(OBSERVERS)
    first = rows[0]
    assert found[0].by_experiment == {3: first.regret, None: first.regret}
    assert found[0].regret == pytest.approx(first.regret)
    assert found[0].largest == first.regret
    empty = Regret(1, "a", "x", 3, None, None, None, None, None, None, "why")
    assert summaries([empty])[0].regret is None


def test_trials_of_every_experiment() -> None:
    """The mean over trials is that of each trial's own worlds, and the full model loses least."""
    some = [t for n in (1, 2, 3, 4) for t in stimuli(n)[::10] if t.open_colours]
    rows = regrets(some, FOUR)
    naive = [row for row in rows if row.observer == "naive_observer"]
    assert [row.worlds for row in naive] == [len(worlds_of(t)) for t in some]
    means = [each.regret or 0 for each in summaries(rows)]
    assert means[3] == pytest.approx(sum(row.regret or 0 for row in naive) / len(some))
    assert 0 <= means[0] < min(means[1:])


def test_a_trial_without_npcs_has_regret() -> None:
    lonely = replace(TWO, npcs=())
    rows = regrets([lonely], FOUR)
    assert [row.regret for row in rows] == [pytest.approx(rows[0].regret)] * 4
    assert rows[0].worlds == 2
