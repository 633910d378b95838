"""Finding trials in folders."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from onlooker.experiments.trialset import load_trials, trial_files
from running import ROOT

MAP = ROOT / "examples" / "early-turn.map"


@pytest.mark.parametrize("name", ["sweep.json", "dataset_description.json", "provenance.json"])
def test_results_beside_trials_are_no_trials(tmp_path: Path, name: str) -> None:
    for place in ("a.map", "deeper/b.map", "results/data/c.map"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(MAP, tmp_path / place)
    (tmp_path / "results" / name).write_text("{}")
    assert trial_files([tmp_path]) == [tmp_path / "a.map", tmp_path / "deeper" / "b.map"]
    assert len(load_trials([tmp_path])) == 2
    assert trial_files([tmp_path / "results" / "data"]) == [tmp_path / "results/data/c.map"]


def test_a_folder_that_leads_to_itself(tmp_path: Path) -> None:
    shutil.copy(MAP, tmp_path)
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
    assert trial_files([tmp_path]) == [tmp_path / MAP.name]
