"""The command that compares players with the ideal observer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from onlooker.experiments.stimuli import stimuli
from onlooker.game import load_trial, save_trial
from onlooker.observers import Batch
from onlooker.planning import stage
from running import onlooker

OWN = """
class Hasty:
    title = "Hasty one"

    def choose(self, view):
        return "up"
"""

LEARNER = """
from collections import defaultdict
from functools import cache

import numpy as np

from onlooker.players.gymnasium import TrialEnv
from onlooker.players.policies import ArrayPlayer


def state(arrays):  # where it is, whom it asked and what it holds: it takes no notice of others
    return arrays["grid"][-2].tobytes(), arrays["asked"][0].tobytes(), arrays["amulets"].tobytes()


@cache
def learnt():
    env, rng = TrialEnv("early-turn.map", limit=200), np.random.default_rng(1)
    values = defaultdict(lambda: np.zeros(5))
    for seed in range(500):
        observation, info = env.reset(seed=seed)
        over = cut = False
        while not (over or cut):
            now, offered = state(observation), np.flatnonzero(env.action_masks())
            action = max(offered, key=lambda each: (values[now][each], rng.random()))
            observation, reward, over, cut, info = env.step(int(action))
            later = 0 if over else max(values[state(observation)][info["action_mask"] == 1])
            values[now][action] += 0.5 * (reward + later - values[now][action])
    return env.layout, values


class Learnt(ArrayPlayer):
    def __init__(self):
        layout, self.values = learnt()
        super().__init__(layout, self.best)

    def best(self, arrays, mask):
        return int(np.where(mask, self.values[state(arrays)], -np.inf).argmax())
"""


def test_a_policy_that_was_learnt_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_trial(load_trial("examples/early-turn.map"), tmp_path / "early-turn.map")
    (tmp_path / "tiny_learner.py").write_text(LEARNER)
    monkeypatch.chdir(tmp_path)
    onlooker("benchmark", "early-turn.map", "-o", "out", "--repeats", "1", "--player", "tiny_learner:Learnt")  # fmt: skip
    players = json.loads((tmp_path / "out" / "benchmark.json").read_text())["players"]
    by_name = {each["player"]: each for each in players}
    assert by_name["Learnt"]["finished"] == 1
    assert by_name["Learnt"]["cost"] < 200  # random choices spend 300 and more


@pytest.fixture
def trials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "trials"
    folder.mkdir()
    for trial in stimuli(3)[:3]:
        save_trial(trial, folder / f"{trial.name}.json")
    (tmp_path / "players_here.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    return folder


def test_players_are_compared_and_leave_their_data(trials: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    printed, _ = onlooker(
        "benchmark", trials, "-o", out, "--repeats", "2", "--player", "players_here:Hasty",
    )  # fmt: skip
    found = json.loads((out / "benchmark.json").read_text())
    by_name = {each["player"]: each for each in found["players"]}
    assert found["trials"] == 3
    assert by_name["ideal_observer"]["regret"]["value"] == 0
    assert by_name["rational_mentalizing"]["ccc_model"]["value"] == pytest.approx(1)
    assert by_name["rational_observer"]["knows_hidden_facts"]
    assert by_name["random"]["plays"] == 6
    assert by_name["Hasty"]["finished"] == 0
    budgets = [stage(trial, budget="map").budget for trial in stimuli(3)[:3]]
    assert by_name["Hasty"]["cost"] == pytest.approx(sum(budgets) / 3)  # it gives up at once
    assert by_name["Hasty"]["regret"]["value"] > by_name["naive_observer"]["regret"]["value"]
    assert len(by_name["Hasty"]["failures"]) == 6
    assert (
        "Hasty one: choice 1: expected the choice of one of view.choices, not str (6 plays)"
        in printed
    )
    assert (out / "benchmark.svg").exists()
    described = json.loads((out / "data" / "random" / "dataset_description.json").read_text())
    assert described["simulated"] is True
    assert described["budgetRule"] == "map"

    again, _ = onlooker("benchmark", trials, "-o", tmp_path / "b", "--data", f"mine={out / 'data' / 'rational_mentalizing'}")  # fmt: skip
    scores = json.loads((tmp_path / "b" / "benchmark.json").read_text())["players"]
    read = next(each for each in scores if each["player"] == "mine")
    assert read["regret"] == by_name["rational_mentalizing"]["regret"]
    assert "mine" in again


def test_a_second_run_adds_to_the_leaderboard(trials: Path, tmp_path: Path) -> None:
    board = tmp_path / "board.csv"
    common = ("benchmark", trials, "--repeats", "1", "--leaderboard", board)
    onlooker(*common, "-o", tmp_path / "one")
    first = pd.read_csv(board)
    assert {"ideal_observer", "random"} < set(first["player"])
    assert first["regret"].is_monotonic_increasing
    onlooker(*common, "-o", tmp_path / "two", "--player", "players_here:Hasty")
    both = pd.read_csv(board)
    assert sorted(both["player"]) == sorted([*first["player"], "Hasty"])  # nobody is there twice
    assert both["set"].nunique() == 1
    onlooker(*common, "-o", tmp_path / "three", "--set", "beta=1")
    assert pd.read_csv(board)["set"].nunique() == 2
    board.write_text("a,b\n1,2\n")
    _, error = onlooker(*common, "-o", tmp_path / "four", status=2)
    assert "board.csv: header: expected the columns of a leaderboard; missing: set" in error
    assert not (tmp_path / "four").exists()


def test_chances_that_are_known_are_not_sampled(trials: Path, tmp_path: Path) -> None:
    found = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        onlooker("benchmark", trials, "-o", out, "--repeats", "1", "--seed", seed, "--player", "graded_mentalizing")  # fmt: skip
        players = json.loads((out / "benchmark.json").read_text())["players"]
        found.append(next(each for each in players if each["player"] == "graded_mentalizing"))
    assert found[0]["cost"] == found[1]["cost"]
    assert found[0]["regret"]["value"] == found[1]["regret"]["value"]
    assert found[0]["cost"] == pytest.approx(
        sum(each.cost for each in Batch(stimuli(3)[:3]).expect(observer="graded_mentalizing")) / 3
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--player", "nobody"], "--player: there is no player 'nobody'"),
        (["--experiment", "2"], "--experiment 2: there are no trials of it"),
        (["--data", "nowhere"], "nowhere: expected the folder of a Psych-DS dataset"),
        (["--human", "nowhere.csv"], "nowhere.csv"),
        (["--archive", "nowhere"], "--archive and --stimuli: one of them, not both"),
    ],
)
def test_bad_input_is_named_before_anything_is_played(
    trials: Path, tmp_path: Path, words: list[str], message: str
) -> None:
    _, error = onlooker("benchmark", trials, "-o", tmp_path / "out", *words, status=2)
    assert message in error
    assert not (tmp_path / "out").exists()


def test_maps_of_no_experiment_are_refused(tmp_path: Path) -> None:
    save_trial(replace(stimuli(1)[0], experiment=None), tmp_path / "mine.map")
    _, error = onlooker("benchmark", tmp_path / "mine.map", "-o", tmp_path / "out", status=2)
    assert "none of these trials says which experiment it belongs to" in error
