"""Compiling the engine in another process, for a server that others wait for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from onlooker.observers import warm
from onlooker.planning import compiling


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled yet, and what would compile goes on until it is ended."""
    endless = tmp_path / "python"
    endless.write_text("#!/bin/sh\nexec sleep 3600\n", "utf-8")
    endless.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(endless))
    monkeypatch.setattr(compiling._Process, "may_compile", True)
    monkeypatch.setattr(warm, "on_disk", lambda: False)
    monkeypatch.setenv(compiling.VARIABLE, "")


def test_another_process_compiles_and_ends_with_this_one() -> None:
    with warm.compiling_beside() as process:
        assert process is not None
        assert process.poll() is None
        assert not compiling._Process.may_compile
    assert process.returncode is not None


def test_nothing_is_started_where_nothing_is_to_be_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(warm, "on_disk", lambda: True)
    with warm.compiling_beside() as process:
        assert process is None
    monkeypatch.setattr(warm, "on_disk", lambda: False)
    monkeypatch.setenv(compiling.VARIABLE, "never")
    with warm.compiling_beside() as process:
        assert process is None
