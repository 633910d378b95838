"""The Gymnasium environment."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import warnings
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from onlooker.experiments.regret import worlds_of
from onlooker.experiments.stimuli import stimuli
from onlooker.game import (
    MOST_CHOICES,
    Costs,
    Npc,
    dump_trial,
    load_trial,
    player_view,
    possible_holders,
    replay,
    score,
)
from onlooker.planning import NoPathError, stage
from onlooker.players.gymnasium import ID, TrialEnv

EARLY = "examples/early-turn.map"
TWO = [EARLY, "examples/two-experts.map"]


def played(env: TrialEnv, seed: int, choices: int = 400) -> list[Any]:
    """The observations, masks and rewards of a random play."""
    observation, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    found: list[Any] = [(observation, info["action_mask"])]
    for _ in range(choices):
        observation, reward, terminated, truncated, info = env.step(
            env.action_space.sample(info["action_mask"])
        )
        found.append((observation, info["action_mask"], reward))
        if terminated or truncated:
            break
    return found


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"observation": "text"},
        {"trials": [*stimuli(4)[:2], EARLY], "order": "sequence", "render_mode": "ansi"},
        {"trials": EARLY, "render_mode": "rgb_array"},
        {"trials": stimuli(1)[:2], "limit": 7, "penalty": 0},
        {"trials": stimuli(4)[:2], "worlds": "given"},
        {"trials": stimuli(2)[:2], "budget": "paper"},
        {"trials": replace(load_trial(EARLY), npcs=())},
    ],
    ids=lambda settings: " ".join(settings) or "default",
)
def test_gymnasium_finds_nothing_wrong(settings: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(ID, **settings).unwrapped
        check_env(env)
        env.close()


def test_without_arguments_it_plays_experiment_1() -> None:
    env = gymnasium.make(ID).unwrapped
    assert isinstance(env, TrialEnv)
    assert [stage.trial for stage in env.stages] == stimuli(1)
    assert env.action_space == gymnasium.spaces.Discrete(5)
    assert all(stage.budget > 0 for stage in env.stages)


def test_the_reward_is_minus_the_points_spent_and_the_episode_ends_at_the_chest() -> None:
    env = TrialEnv(EARLY)
    env.reset()
    rewards, terminated = [], False
    for _ in range(10_000):
        action = env.action_space.sample(env._started().mask)
        _, reward, terminated, truncated, _ = env.step(action)
        rewards.append(reward)
        if truncated:
            env.reset()
            rewards = []
        if terminated:
            break
    assert terminated
    result = score(env.stage, env.turns)
    assert result.arrived
    assert (
        -sum(rewards)
        == result.spent
        == sum(result.observed) + 3 * result.moves + (5 * result.interactions)
    )
    assert env.turns == replay(env.stage, env.log)
    assert not env._started().mask.any()
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(0)


def test_the_budget_says_nothing_about_the_holders() -> None:
    assert TrialEnv(EARLY).stages[0].budget == 95
    assert TrialEnv(EARLY, budget="paper").stages[0].budget == 95
    trial = next(t for t in stimuli(1) if t.name == "m103")
    assert TrialEnv(trial).stages[0].budget >= TrialEnv(trial, budget="paper").stages[0].budget


def test_it_is_truncated_at_the_limit() -> None:
    env = TrialEnv(EARLY, limit=3)
    env.reset()
    ends = [env.step(action)[2:4] for action in (4, 0, 3)]
    assert ends == [(False, False), (False, False), (False, True)]
    with pytest.raises(ResetNeeded):
        env.step(3)
    assert TrialEnv(EARLY).layout.limit == MOST_CHOICES


def test_a_choice_that_is_not_available_changes_nothing() -> None:
    env = TrialEnv(EARLY)
    first, _ = env.reset()
    after, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated, info["unavailable"]) == (-5.0, False, False, True)
    assert isinstance(first, dict)
    assert isinstance(after, dict)
    assert all(np.array_equal(first[name], after[name]) for name in first)
    assert env.log == []
    assert env.step(np.int64(3))[4]["unavailable"] is False
    strict = TrialEnv([EARLY, "examples/two-experts.map"], penalty="error", order="sequence")
    strict.reset()
    with pytest.raises(
        ValueError, match="action 0: up is not available; expected one of right, obs"
    ):
        strict.step(0)
    with pytest.raises(ValueError, match="action 5: there is no such NPC; expected one of"):
        strict.step(5)
    assert strict.step(3)[1] == -3.0
    dear = TrialEnv(EARLY, costs=Costs(move=7, interact=2))
    dear.reset()
    assert dear.step(0)[1] == -7.0  # never better than what is available
    free = TrialEnv(EARLY, penalty=0.5)
    free.reset()
    assert free.step(0)[1] == -0.5


@pytest.mark.parametrize("action", [-1, 5, "left", None, 1.5, np.array([1, 2])])
def test_what_is_no_action_is_refused(action: Any) -> None:
    env = TrialEnv(EARLY)
    env.reset()
    with pytest.raises(ValueError, match="action: expected a whole number from 0 to 4, not"):
        env.step(action)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"trials": 7}, "there is no experiment 7; expected one of 1, 2, 3, 4"),
        ({"trials": []}, r"trials: expected a trial, a file, .* not \[\]"),
        ({"trials": 1.5}, "trials: expected a trial, a file"),
        ({"trials": "nowhere.map"}, "nowhere.map"),
        ({"worlds": "new"}, "worlds: expected one of 'drawn', 'given', not 'new'"),
        ({"order": "shuffled"}, "order: expected one of 'random', 'sequence', not 'shuffled'"),
        ({"observation": "pixels"}, "observation: expected one of"),
        ({"budget": "large"}, "budget: expected one of"),
        ({"render_mode": "human"}, "render_mode: expected one of"),
        ({"limit": 0}, "limit: expected a whole number from 1"),
        ({"limit": True}, "limit: expected a whole number from 1"),
        ({"penalty": -1}, "penalty: expected a number from 0, 'costliest' or 'error', not -1"),
        ({"penalty": float("nan")}, "penalty: expected a number from 0"),
        ({"penalty": "none"}, "penalty: expected a number from 0"),
    ],
)
def test_wrong_settings_are_named(settings: dict[str, Any], words: str) -> None:
    with pytest.raises((ValueError, OSError), match=words):
        TrialEnv(**settings)


def test_trials_come_by_seed_or_in_order() -> None:
    env = TrialEnv([1, 3])
    assert env.action_space == gymnasium.spaces.Discrete(6)
    drawn = []
    for seed in (5, 6, 5):
        env.reset(seed=seed)
        drawn.append([env.stage.trial.name])
        for _ in range(5):
            env.reset()
            drawn[-1].append(env.stage.trial.name)
    assert drawn[0] == drawn[2] != drawn[1]
    inorder = TrialEnv(1, order="sequence")
    names = [trial.name for trial in stimuli(1)]
    seen = []
    for _ in range(21):
        inorder.reset()
        seen.append(inorder.stage.trial.name)
    assert seen == [*names, names[0]]
    inorder.reset(seed=3)
    assert inorder.stage.trial.name == names[3]
    inorder.reset(options={"trial": "m105"})
    assert inorder.stage.trial.name == "m105"
    inorder.reset(options={"trial": 2})
    assert inorder.stage.trial.name == names[2]
    for options in ({"trial": "m999"}, {"trial": 20}, {"map": 1}):
        with pytest.raises(ValueError, match="options: "):
            inorder.reset(options=options)


def hidden(env: TrialEnv) -> tuple[object, ...]:
    trial = env.stage.trial
    return *trial.holders.values(), *(npc.goal for npc in trial.npcs), env.stage.scripts


def test_every_world_is_drawn_and_drawn_by_the_seed() -> None:
    trial = load_trial("examples/two-experts.map")
    possible = []
    for world in worlds_of(trial):
        with contextlib.suppress(NoPathError):
            game = stage(world, budget="map")
            goals = (npc.goal for npc in world.npcs)
            possible.append((*world.holders.values(), *goals, game.scripts))
    env = TrialEnv(trial)
    drawn = []
    for seed in (1, 2, 1):
        env.reset(seed=seed)
        drawn.append([hidden(env)])
        for _ in range(1999):
            env.reset()
            drawn[-1].append(hidden(env))
    assert drawn[0] == drawn[2] != drawn[1]
    assert set(drawn[0]) == set(possible)
    assert max(map(drawn[0].count, possible)) < 2 * min(map(drawn[0].count, possible))
    assert (env.stage.trial.map, env.stage.trial.main) == (trial.map, trial.main)


def test_a_given_world_is_that_of_the_trial() -> None:
    trial = load_trial("examples/two-experts.map")
    env = TrialEnv(trial, worlds="given")
    for _ in range(20):
        env.reset()
        assert env.stage == stage(trial, budget="map")


def test_a_trial_without_a_world_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onlooker.players.gymnasium.TrialEnv._quick", lambda *_: None)
    with pytest.raises(ValueError, match=r'early turn: found no world .* worlds="given" plays'):
        TrialEnv(EARLY).reset()


def test_only_some_worlds_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onlooker.players.gymnasium.MAX_GAMES", 3)
    env, free = TrialEnv(3), TrialEnv(3)
    for seed in range(20):
        assert equal(env.reset(seed=seed)[0], free.reset(seed=seed)[0])
        assert hidden(env) == hidden(free)
    assert len(env._games) == 3


def test_masks_are_offered_as_maskable_ppo_asks_for_them() -> None:
    env = gymnasium.make(ID, trials=EARLY)
    _, info = env.reset(seed=1)
    for _ in range(30):
        masks = env.get_wrapper_attr("action_masks")()
        assert masks.dtype == np.bool_
        assert masks.tolist() == info["action_mask"].astype(bool).tolist()
        info = env.step(env.action_space.sample(info["action_mask"]))[4]
    with pytest.raises(ResetNeeded, match="call reset"):
        TrialEnv(EARLY).action_masks()


@pytest.mark.parametrize("observation", ["arrays", "text"])
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_it_works_in_vector_environments(mode: str, observation: str) -> None:
    # Gymnasium reads texts from shared memory only once, so those go through pipes.
    kwargs = {"context": "spawn", "shared_memory": observation == "arrays"}
    envs = gymnasium.make_vec(
        ID,
        num_envs=2,
        vectorization_mode=mode,
        vector_kwargs=kwargs if mode == "async" else {},
        trials=TWO,
        observation=observation,
    )
    alone = TrialEnv(TWO, observation=observation)  # type: ignore[arg-type]
    together, info = envs.reset(seed=4)
    assert info["action_mask"].shape == (2, 6)
    envs.action_space.seed(1)
    expected, _ = alone.reset(seed=5)
    for _ in range(50):
        shown = (
            {name: each[1] for name, each in together.items()}
            if observation == "arrays"
            else together[1]
        )
        assert equal(shown, expected)
        actions = envs.action_space.sample()
        together, _, ended, cut, _ = envs.step(actions)
        if (ended | cut).any():
            break
        expected = alone.step(actions[1])[0]
    envs.close()


def equal(one: Any, other: Any) -> bool:
    if isinstance(one, str):
        return bool(one == other)
    return all(np.array_equal(one[name], other[name]) for name in one)


def test_text_says_what_happened_and_fits_its_space() -> None:
    env = TrialEnv("examples/two-experts.map", observation="text", limit=60)
    for observation, *_ in played(env, 3):
        assert observation in env.observation_space
    text = played(env, 3)[-1][0]
    lines = text.splitlines()
    watched = [str(turn.choice) for turn in env.turns].count("observe agent2")
    [line] = [line for line in lines if line.startswith("agent2: ")]
    assert len(line.removesuffix(", has arrived").split(", ")) == watched
    assert f"points left: {env.view.left} of {env.view.budget}" in lines
    assert "holds the amulet" not in text


def test_what_is_hidden_is_nowhere_before_it_is_shown() -> None:
    trial = load_trial("examples/two-experts.map")
    other = replace(
        trial,
        holders=next(held for held in possible_holders(trial.map) if held != trial.holders),
        npcs=tuple(Npc(npc.id, npc.at, "A", npc.expertise) for npc in trial.npcs),
    )
    for observation in ("arrays", "text"):
        for mode in ("ansi", "rgb_array"):
            envs = [
                TrialEnv(each, observation=observation, render_mode=mode)  # type: ignore[arg-type]
                for each in (trial, other)
            ]
            assert envs[0].observation_space == envs[1].observation_space
            assert envs[0].action_space == envs[1].action_space
            (seen, info), (seen_too, info_too) = (env.reset(seed=1) for env in envs)
            assert equal(seen, seen_too)
            assert np.array_equal(info["action_mask"], info_too["action_mask"])
            assert info.keys() == info_too.keys() == {"action_mask", "unavailable"}
            assert np.array_equal(envs[0].render(), envs[1].render())


def test_pictures_are_of_one_size_and_leave_no_figures_behind() -> None:
    plots = sys.modules.get("matplotlib.pyplot")
    env = TrialEnv([1, EARLY], render_mode="rgb_array", order="sequence")
    shapes = set()
    for seed in (0, 20):
        env.reset(seed=seed)
        before = env.render()
        again = env.render()
        assert np.array_equal(before, again)
        env.step(int(np.flatnonzero(env._started().mask)[0]))
        assert not np.array_equal(before, env.render())
        shapes.add(before.shape)
        assert before.dtype == np.uint8
    assert len(shapes) == 1
    assert sys.modules.get("matplotlib.pyplot") is plots
    if plots:
        assert plots.get_fignums() == []


def test_rendering_needs_a_mode_and_a_trial() -> None:
    env = TrialEnv(EARLY, render_mode="ansi")
    with pytest.raises(ResetNeeded, match="call reset"):
        env.render()
    quiet = TrialEnv(EARLY)
    quiet.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert quiet.render() is None


def test_colours_can_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    env = TrialEnv(EARLY, render_mode="ansi")
    env.reset()
    assert "\x1b[" in env.render()
    monkeypatch.setenv("NO_COLOR", "1")
    assert "38;2" not in env.render()
    assert " you at (0, 4), goal A" in env.render()


def test_files_and_folders_are_read(tmp_path: Any) -> None:
    for trial in stimuli(1)[:3]:
        (tmp_path / f"{trial.name}.json").write_text(dump_trial(trial, "json"))
    env = TrialEnv(tmp_path)
    assert [stage.trial.name for stage in env.stages] == ["m101", "m102", "m103"]


def output_of(code: str) -> str:
    """What a Python of its own prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return done.stdout.strip() or done.stderr


@pytest.mark.parametrize(
    ("imports", "name"),
    [
        ("import onlooker, gymnasium", "onlooker/Trial-v0"),
        ("import gymnasium, onlooker", "onlooker/Trial-v0"),
        ("import gymnasium", "onlooker:onlooker/Trial-v0"),  # the name says where it is
    ],
)
def test_it_is_found_whatever_is_imported_first(imports: str, name: str) -> None:
    made = f"print(gymnasium.make({name!r}, trials={EARLY!r}).unwrapped)"
    assert output_of(f"{imports}; {made}") == "<TrialEnv<onlooker/Trial-v0>>"


def test_the_package_alone_loads_neither_gymnasium_nor_numpy() -> None:
    code = "import sys, onlooker; print({'gymnasium', 'numpy'} & set(sys.modules))"
    assert output_of(code) == "set()"


def test_the_missing_extra_is_named() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import onlooker.players.gymnasium"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "the Gymnasium environment needs gymnasium: pip install 'onlooker[gym]'" in done.stderr


def test_only_drawing_a_picture_needs_the_extra_and_names_it() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None; import onlooker.players.gymnasium as ours;"
        f"env = ours.TrialEnv('{EARLY}', render_mode='rgb_array'); env.reset();"
        "print(env.step(4)[1], flush=True); env.render()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "-1.0\n"
    assert "drawing figures needs matplotlib: pip install 'onlooker[figures]'" in done.stderr


def test_a_view_is_what_a_participant_would_see() -> None:
    env = TrialEnv("examples/two-experts.map")
    played(env, 2, choices=20)
    assert env.view == env.views[-1] == player_view(env.stage, env.turns)
    turns = env.turns
    assert env.views == [player_view(env.stage, turns[:n]) for n in range(len(turns) + 1)]
    assert turns == replay(env.stage, env.log)
