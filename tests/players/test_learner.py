"""The example of a learner."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from onlooker.game import load_trial
from running import ROOT

EXAMPLE = ROOT / "examples" / "learner.py"
MAP = ROOT / "examples" / "early-turn.map"


def test_the_learner_spends_less_and_less() -> None:
    example = runpy.run_path(str(EXAMPLE))
    rows = example["learn"](load_trial(MAP), 400)
    assert rows[-100:, 0].mean() < 0.8 * rows[:100, 0].mean()
    assert (rows[:, 0] >= 74).all()  # the least that somebody spends who knows the holder


def test_it_prints_and_draws_its_curve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "learner.png"
    monkeypatch.setattr(
        sys, "argv", ["learner.py", str(MAP), "--episodes", "20", "-o", str(output)]
    )
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    assert "ideal_observer spends 77 points on average" in capsys.readouterr().out
    assert output.read_bytes().startswith(b"\x89PNG")
