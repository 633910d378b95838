"""What players leave: a dataset like any study's, which says who played."""

from __future__ import annotations

from pathlib import Path

import pytest

from onlooker.analysis.data.human import summarize
from onlooker.analysis.tables.comparison import compare, predictions_frame
from onlooker.analysis.tables.results import Results
from onlooker.experiments.predictions import predict
from onlooker.experiments.psych_ds import Description, read_dataset
from onlooker.game import load_trial
from onlooker.observers import find_observer
from onlooker.planning import Tables, main_path, stage
from onlooker.players.datasets import PlayerNote, record_plays, write_players
from running import ROOT

TRIAL = load_trial(ROOT / "examples" / "early-turn.map")
GAME = stage(TRIAL, budget="map")
WAY = [str(taken.action) for taken in main_path(Tables(TRIAL.map), TRIAL)]


def written(folder: Path, *logs: list[str]) -> Path:
    records = record_plays(1, "a", [GAME], logs[:1])
    for number, log in enumerate(logs[1:]):
        records.extend(record_plays(1, f"b{number}", [GAME], [log]))
    names = [row["participant"] for row in records.participants]
    note = PlayerNote("Script", "program", names, {"seed": 3})
    return write_players(folder, records, [note], "map", {"more": 1})


def test_a_dataset_says_who_played(tmp_path: Path) -> None:
    dataset = read_dataset(written(tmp_path / "out", WAY, ["observe agent2", *WAY]))
    assert dataset.description.simulated
    assert dataset.description.players == ("Script",)
    assert dataset.description.more["players"] == [
        {"name": "Script", "kind": "program", "participants": ["a", "b0"], "settings": {"seed": 3}}
    ]
    assert dataset.description.more["more"] == 1
    assert dataset.tables["participants"]["completed"].all()
    assert dataset.tables["trials"]["budget"].tolist() == [GAME.budget] * 2
    assert dataset.tables["actions"]["time"].isna().all()


def test_an_unfinished_trial_is_not_completed(tmp_path: Path) -> None:
    tables = read_dataset(written(tmp_path / "out", WAY[:2], [], WAY)).tables
    assert tables["participants"]["completed"].tolist() == [False, False, True]
    assert tables["trials"]["finished"].tolist() == [False, False, True]


def test_what_is_there_is_not_replaced(tmp_path: Path) -> None:
    written(tmp_path / "out", WAY)
    with pytest.raises(ValueError, match="there is a dataset already; it is not replaced"):
        written(tmp_path / "out", WAY)


def test_comparisons_and_figures_say_that_players_are_artificial(tmp_path: Path) -> None:
    predictions = predictions_frame(predict([TRIAL], [find_observer("naive_observer")]))
    human = summarize(read_dataset(written(tmp_path / "out", WAY), [TRIAL]), predictions)
    found = compare(predictions, human, resamples=2, splits=2)
    assert (found.data, found.people) == ("simulated", "artificial players")
    assert found.notes[0] == "artificial players, not people: Script"
    who = Results(predictions, human, found).human.source
    assert (who.stamp, who.short) == ("ARTIFICIAL PLAYERS", "artificial")
    assert who.caption("Text.") == "Artificial players, not people. Text."


@pytest.mark.parametrize("players", [None, 3, "Script", {}, [3], [{"kind": "program"}]])
def test_other_descriptions_name_no_players(players: object) -> None:
    assert Description("n", "d", True, {"players": players}).players == ()
    assert Description("n", "d", False, {"players": [{"name": "Script"}]}).players == ()
