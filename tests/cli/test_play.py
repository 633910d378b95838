"""`onlooker play`, with lines from a pipe."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from onlooker.experiments.psych_ds import read_dataset
from running import onlooker

EARLY, NEAR = "examples/early-turn.map", "examples/near-wizards.map"
WAY = ["right"] * 5 + ["up"] * 4 + ["left"] * 5 + ["right"] * 4 + ["down"] * 6


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def typed(*words: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{word}\n" for word in words)))

    return typed


def test_a_trial_is_played_and_kept(typed: Callable[..., None], tmp_path: Path) -> None:
    typed("observe agent2", "o", "2", *WAY)
    out, err = onlooker("play", EARLY, "-o", tmp_path / "data", "--participant", "me")
    assert err == ""
    assert "You moved down, and reached your chest, A." in out
    assert "early turn: Chest reached: 18 of 95 points left. 3 steps watched, 23 moves" in out
    assert "\x1b[" not in out
    data = read_dataset(tmp_path / "data")
    assert not data.description.simulated
    assert data.description.name == "A person at the terminal"
    [person] = data.tables["participants"].to_dict("records")
    assert (person["participant"], person["completed"]) == ("me", True)
    [trial] = data.tables["trials"].to_dict("records")
    assert (trial["observed"], trial["unspent"], trial["finished"]) == (3, 18, True)
    assert data.tables["actions"]["time"].notna().all()
    about = json.loads((tmp_path / "data" / "dataset_description.json").read_text())
    assert about["budgetRule"] == "paper"


def test_what_was_played_is_kept_when_the_person_leaves(
    typed: Callable[..., None], tmp_path: Path
) -> None:
    typed("o", "o", "o", *WAY, "o", "q")
    out, _ = onlooker("play", EARLY, NEAR, "-o", tmp_path / "data", "--budget", "map")
    assert "early turn, 1 of 2" in out
    assert "near wizards: Not finished: 5" in out
    tables = read_dataset(tmp_path / "data").tables
    assert tables["participants"]["completed"].tolist() == [False]
    assert tables["trials"]["finished"].tolist() == [True, False]
    assert len(tables["actions"]) == 3 + len(WAY) + 1


def test_nothing_played_is_nothing_written(typed: Callable[..., None], tmp_path: Path) -> None:
    typed()
    _, err = onlooker("play", EARLY, "-o", tmp_path / "data")
    assert "Nothing was played" in err
    assert not (tmp_path / "data").exists()


def test_a_wrong_line_is_named_and_nothing_is_written(
    typed: Callable[..., None], tmp_path: Path
) -> None:
    typed("o", "up")
    _, err = onlooker("play", EARLY, "-o", tmp_path / "data", status=2)
    assert err.startswith(
        "standard input, line 2: You cannot choose up now. Expected one of: right"
    )
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nowhere.map"], "nowhere.map"),
        ([EARLY, "--budget", "large"], "large"),
        ([EARLY, EARLY, "-o", "DIR"], "two trials have the same name"),
        (["examples/who-knows", "-o", "DIR"], "a dataset takes trials of one experiment"),
        ([EARLY, "-o", "FULL"], "there is something already"),
        ([EARLY, "-o", "DIR", "--participant", " "], "--participant: expected a name"),
    ],
)
def test_wrong_words_are_refused_before_anything_is_played(
    typed: Callable[..., None],
    tmp_path: Path,
    words: list[str],
    complaint: str,
) -> None:
    typed("o", "q")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    places = {"DIR": tmp_path / "data", "FULL": tmp_path / "full"}
    out, err = onlooker("play", *(places.get(word, word) for word in words), status=2)
    assert complaint in err
    assert "watch" not in out
    assert not (tmp_path / "data").exists()
