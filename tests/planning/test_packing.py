"""Trials as arrays: which of them are alike."""

from __future__ import annotations

from dataclasses import replace

from onlooker.game import Action, load_trial
from onlooker.planning.packing import alike, pack


def test_trials_are_alike_that_differ_in_holders_and_goals() -> None:
    trial = load_trial("examples/early-turn.map")
    [npc], [first, *_] = trial.npcs, trial.map.wizards
    other_holder = replace(trial, holders={**trial.holders, first.colour: first.id})
    other_goals = [replace(trial, npcs=(replace(npc, goal=goal),)) for goal in trial.map.letters]
    caring = replace(trial, npcs=(replace(npc, care=1.0),))
    scripted = replace(trial, npcs=(replace(npc, actions=(Action.UP,)),))
    nobody = replace(trial, npcs=())
    trials = [trial, other_holder, *other_goals, caring, caring, scripted, scripted, nobody, nobody]
    expected = [False, True, *(True for _ in other_goals), False, True, False, False, False, True]
    assert alike(pack(trials)).tolist() == expected
    assert alike(pack([])).tolist() == []
