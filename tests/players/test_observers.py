"""Observers that play by what a participant sees do what they do when they are run on the trial."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from onlooker.experiments.simulation import simulate
from onlooker.experiments.stimuli import stimuli
from onlooker.game import (
    Act,
    Choice,
    Observe,
    PlayerView,
    Stage,
    Trial,
    load_trial,
    play_trial,
    player_view,
    replay,
)
from onlooker.inference import Parameters, UnexplainedError
from onlooker.observers import KNOWN_OBSERVERS, Engine, find_observer
from onlooker.planning import NoPathError
from onlooker.players.observers import ObserverPlayer, knows_all
from strategies import trials

HONEST = [name for name in KNOWN_OBSERVERS if not knows_all(find_observer(name))]


def as_run(name: str, engine: Engine) -> list[Choice]:
    result = find_observer(name).run(engine)
    return [*map(Observe, result.choices), *map(Act, result.route)]


def as_played(name: str, engine: Engine, trial: Trial | None = None) -> list[Choice]:
    player = ObserverPlayer(find_observer(name), engine.parameters, rule="hard", told=trial)
    return [turn.choice for turn in play_trial(engine.stage, player)]


def looks(stage: Stage, player: ObserverPlayer) -> int:
    """How often a player watches before it acts, after which it never does."""
    log: list[Choice] = []
    while isinstance(choice := player.choose(player_view(stage, replay(stage, log))), Observe):
        log.append(choice)
    return len(log)


@pytest.mark.parametrize("experiment", [1, 2, 3, 4])
@pytest.mark.parametrize("name", HONEST)
def test_it_plays_as_it_runs(name: str, experiment: int) -> None:
    for trial in stimuli(experiment)[::4]:
        engine = Engine(trial)
        assert as_played(name, engine) == as_run(name, engine), trial.name


@settings(max_examples=40, deadline=None)
@given(trials())
def test_it_plays_as_it_runs_on_random_maps(trial: Trial) -> None:
    engine = Engine(trial, warn=False)
    for name in ("rational_mentalizing", "mentalizing_observer", "naive_observer"):
        try:
            expected = as_run(name, engine)
        except (UnexplainedError, NoPathError):
            continue
        assert as_played(name, engine) == expected, name


def test_what_is_hidden_makes_no_difference_until_it_shows() -> None:
    """Two worlds that look the same so far get the same choice."""
    trial = load_trial("examples/two-experts.map")
    other = replace(trial, holders={**trial.holders, "blue": "w1"})
    assert other.holders != trial.holders
    seen: dict[tuple[object, ...], Choice] = {}
    for world in (trial, other):
        stage, views = Engine(world, budget_rule="map").stage, list[PlayerView]()
        player = ObserverPlayer(find_observer("rational_mentalizing"))
        log: list[Choice] = []
        while True:
            view = player_view(stage, replay(stage, log))
            if view.finished:
                break
            views.append(view)
            log.append(player.choose(view))
            assert seen.setdefault(tuple(views), log[-1]) == log[-1]


def test_the_rational_observer_plays_only_where_it_is_told_the_trial() -> None:
    with pytest.raises(ValueError, match="rational_observer cannot play by what a player sees"):
        ObserverPlayer(find_observer("rational_observer"))
    for trial in stimuli(3)[::5]:
        engine = Engine(trial)
        expected = as_run("rational_observer", engine)
        assert as_played("rational_observer", engine, trial) == expected


def test_it_takes_the_prices_that_it_sees() -> None:
    trial = load_trial("examples/early-turn.map")
    dear = Engine(trial, Parameters(observe=40))
    player = ObserverPlayer(find_observer("rational_mentalizing"))
    assert not any(isinstance(turn.choice, Observe) for turn in play_trial(dear.stage, player))


def test_a_soft_player_chooses_as_often_as_a_simulated_participant() -> None:
    trial, parameters = load_trial("examples/early-turn.map"), Parameters(temperature=2)
    observer, engine = (
        find_observer("rational_mentalizing"),
        Engine(trial, Parameters(temperature=2)),
    )
    player = ObserverPlayer(observer, parameters, "softmax", seed=1)
    played = [looks(engine.stage, player) for _ in range(300)]
    records = simulate(1, [trial], [[trial.label]], observer, 3000, parameters)
    expected = [row["observed"] for row in records.trials]
    error = np.std(expected) / np.sqrt(300)
    assert abs(np.mean(played) - np.mean(expected)) < 4 * error


def test_what_was_learnt_about_somebody_goes_with_it() -> None:
    player = ObserverPlayer(find_observer("untold_mentalizing"))
    for number in (1, 2):
        engine = Engine(load_trial(f"examples/who-knows/{number}.map"))
        turns = play_trial(engine.stage, player)
    watched = [turn.choice.npc for turn in turns if isinstance(turn.choice, Observe)]
    assert watched == ["agent3"] * 7  # alone, the second trial has 13 looks at agent2
