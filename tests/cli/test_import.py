"""`onlooker import` with people: from a folder, a zip and a server that breaks off."""

from __future__ import annotations

import json
import re
import shutil
import threading
from pathlib import Path

import pytest

from breaking_server import Handler, Server
from onlooker.experiments.archive import download
from running import onlooker


def test_a_folder(own_archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    printed, complaints = onlooker("import", own_archive, "-o", out)
    assert not complaints
    assert "Experiment 1: 6 people, 5 completed all they began, 1 excluded by the paper" in printed
    assert re.search(r"NPC positions: \d+ of \d+ are those of our planner \(9\d\.\d%\)", printed)
    assert "(score below 65.375), 1 by ours\n" in printed
    assert "Points left: in 14 of 228 finished trials the log and our rules differ" in printed
    assert "Trials that cannot be replayed (8):\n" in printed
    assert re.search(r"  sessions/exp1/u\d+\.csv: line \d+: s\d+_1: the player is at", printed)
    assert printed.endswith(f"148 trials, 24 people in {out}\n")
    names = sorted(path.name for path in out.iterdir())
    assert names == ["exp1", "exp2", "exp3", "exp4", "manifest.json", "means.csv", "people"]


def test_one_experiment(own_archive: Path, tmp_path: Path) -> None:
    printed, _ = onlooker("import", own_archive, "-o", tmp_path / "out", "--experiment", "2")
    assert printed.endswith(f"48 trials, 6 people in {tmp_path / 'out'}\n")
    assert "Logs of an experiment without maps" not in printed


def test_a_zip_from_a_server_that_breaks_off(
    own_archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(download, "TRIES", 1)
    packed = Path(shutil.make_archive(str(tmp_path / "own"), "zip", own_archive))
    out = tmp_path / "out"
    with Server(("127.0.0.1", 0), Handler) as server:
        server.asked, server.content = [], packed.read_bytes()
        server.break_after = len(server.content) // 2
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        _, complaints = onlooker("import", server.address, "-o", out, status=2)
        assert "bytes are kept, and the same command continues from there" in complaints
        assert not out.exists()
        server.break_after = None
        printed, complaints = onlooker("import", server.address, "-o", out)
        server.shutdown()
        thread.join()
    assert server.asked == [None, f"bytes={len(server.content) // 2}-"]
    assert "delete it to fetch it again" in complaints
    assert printed.endswith(f"148 trials, 24 people in {out}\n")
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["levels"][0]["source"] == "problems_exp1/s211.txt"


def test_without_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(download, "OSF_ZIP", "https://127.0.0.1:1/{}/?zip=")
    _, complaints = onlooker("import", "osf:e93kh", "-o", tmp_path / "out", status=2)
    assert complaints == (
        "osf:e93kh: cannot be fetched: Connection refused."
        " To fetch it by hand: https://127.0.0.1:1/e93kh/?zip= - then give the file instead\n"
    )


@pytest.mark.parametrize("archive", ["http://example.org/a.zip", "osf:", "none.zip"])
def test_what_cannot_be_an_archive(tmp_path: Path, archive: str) -> None:
    _, complaints = onlooker("import", archive, "-o", tmp_path / "out", status=2)
    assert complaints.startswith(f"{archive}: expected ")
    assert not (tmp_path / "out").exists()
