"""Signed links from the command line."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from onlooker.web.participant.links import signed_link
from onlooker.web.settings import EXAMPLE
from running import onlooker


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    file = tmp_path / "study.toml"
    text = EXAMPLE.read_text("utf-8") + '\n[admission]\nlink_key_env = "LINK_KEY"\n'
    file.write_text(text, "utf-8")
    return file


def words(settings: Path, ids: Path) -> list[str | Path]:
    where = ["--url", "https://study.example.org", "--study", "pilot"]
    return ["links", ids, "--settings", settings, *where]


def test_a_link_for_each_id(
    settings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINK_KEY", "of the lab")
    monkeypatch.setattr(time, "time", lambda: 0.0)
    ids = tmp_path / "ids.txt"
    ids.write_text("anna\n\nben\n")
    printed, _ = onlooker(*words(settings, ids))
    assert printed.split() == [
        signed_link("https://study.example.org", "of the lab", pid, "pilot", 30 * 24 * 3600)
        for pid in ("anna", "ben")
    ]
    ids.write_text("anna\nb n\n")
    _, complaint = onlooker(*words(settings, ids), status=2)
    assert "ids.txt: line 2: expected letters" in complaint


def test_without_a_key_there_are_no_links(settings: Path, tmp_path: Path) -> None:
    _, complaint = onlooker(*words(settings, tmp_path / "ids.txt"), status=2)
    assert complaint == "the environment variable LINK_KEY is not set\n"
    settings.write_text(EXAMPLE.read_text("utf-8"))
    _, complaint = onlooker(*words(settings, tmp_path / "ids.txt"), status=2)
    assert "admission.link_key_env: missing" in complaint
