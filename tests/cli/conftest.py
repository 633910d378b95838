from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from onlooker.cli import main


@pytest.fixture
def onlooker(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[str, str]]:
    """Run the command within this process: quicker than `running.onlooker`, and it can be patched."""

    def run(*words: str | Path, status: int = 0) -> tuple[str, str]:
        monkeypatch.setattr(sys, "argv", ["onlooker", *map(str, words)])
        with warnings.catch_warnings():  # main() changes how they are shown
            warnings.simplefilter("default")
            with pytest.raises(SystemExit) as left:
                main.main()
        printed, complaints = capsys.readouterr()
        assert (left.value.code or 0) == status, complaints
        return printed, complaints

    return run
