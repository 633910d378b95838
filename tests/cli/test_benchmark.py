"""The command that compares players with the ideal observer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a player and the trials are."""
    found = tmp_path_factory.mktemp("benchmark")
    for trial in stimuli(3)[:3]:
        save_trial(trial, found / "trials" / f"{trial.name}.json")
    (found / "players_here.py").write_text(OWN)
    return found


@pytest.fixture
def trials(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(folder)
    return folder / "trials"


@pytest.fixture(scope="module")
def printed(folder: Path) -> str:
    """What is printed by a benchmark in `out`, with the first rows of a leaderboard."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return onlooker(
            "benchmark", "trials", "-o", "out", "--repeats", "2", "--leaderboard", "board.csv",
            "--player", "players_here:Hasty", "--player", "graded_mentalizing",
        )[0]  # fmt: skip


def players(out: Path) -> dict[str, Any]:
    rows = json.loads((out / "benchmark.json").read_text())["players"]
    return {row["player"]: row for row in rows}


def test_players_are_compared_and_leave_their_data(folder: Path, printed: str) -> None:
    out = folder / "out"
    by_name = players(out)
    assert json.loads((out / "benchmark.json").read_text())["trials"] == 3
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


@pytest.mark.usefixtures("printed")
def test_later_runs_read_data_and_add_to_the_leaderboard(trials: Path, folder: Path) -> None:
    before, board = players(folder / "out"), folder / "board.csv"
    first = pd.read_csv(board)
    assert {"ideal_observer", "random", "Hasty"} < set(first["player"])
    assert first["regret"].is_monotonic_increasing
    common = ("benchmark", trials, "--repeats", "1", "--leaderboard", board)
    mine = f"mine={folder / 'out' / 'data' / 'rational_mentalizing'}"
    words = ("--seed", "2", "--data", mine, "--player", "graded_mentalizing")
    printed, _ = onlooker(*common, "-o", "two", *words)
    assert "mine" in printed
    after = players(folder / "two")
    assert after["mine"]["regret"] == before["rational_mentalizing"]["regret"]
    both = pd.read_csv(board)
    assert sorted(both["player"]) == sorted([*first["player"], "mine"])  # nobody is there twice
    assert both["set"].nunique() == 1
    # Chances that are known are not sampled: another seed gives the same.
    graded, again = (each["graded_mentalizing"] for each in (before, after))
    assert graded["cost"] == again["cost"]
    assert graded["regret"]["value"] == again["regret"]["value"]
    assert graded["cost"] == pytest.approx(
        sum(each.cost for each in Batch(stimuli(3)[:3]).expect(observer="graded_mentalizing")) / 3
    )
    onlooker(*common, "-o", "three", "--set", "beta=1")
    assert pd.read_csv(board)["set"].nunique() == 2
    board.write_text("a,b\n1,2\n")
    _, error = onlooker(*common, "-o", "four", status=2)
    assert "board.csv: header: expected the columns of a leaderboard; missing: set" in error
    assert not (folder / "four").exists()


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
