"""What is told of where an output comes from."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from onlooker.experiments.provenance import (
    config_hash,
    git_state,
    provenance,
    write_provenance,
)
from onlooker.version import __version__


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_what_is_told(tmp_path: Path) -> None:
    file = tmp_path / "single.map"
    file.write_text("one")
    folder = tmp_path / "trials"
    (folder / "exp1").mkdir(parents=True)
    (folder / "exp1" / "a.json").write_text("two")
    (folder / "b.json").write_text("three")
    (folder / ".hidden").write_text("four")
    found = provenance([file, folder], {"beta": 0.5}, seed=3)
    assert found["onlooker"] == __version__
    assert found["inputs"] == [
        {"name": "single.map", "sha256": sha256(b"one")},
        {"name": "b.json", "sha256": sha256(b"three")},
        {"name": "exp1/a.json", "sha256": sha256(b"two")},
    ]
    assert found["config"] == {"beta": 0.5}
    assert found["config_sha256"] == sha256(b'{"beta":0.5}')
    assert found["seed"] == 3
    assert {"numpy", "rich", "typer"} <= found["packages"].keys()
    made = datetime.fromisoformat(found["created"])
    assert abs((datetime.now(UTC) - made).total_seconds()) < 60
    text = json.dumps(found)
    assert str(tmp_path) not in text
    assert str(Path.home()) not in text
    kept = provenance([folder], {}, keep=lambda path: path.name == "b.json")
    assert [entry["name"] for entry in kept["inputs"]] == ["b.json"]


def test_it_lies_beside_the_output(tmp_path: Path) -> None:
    output = tmp_path / "table.csv"
    output.write_text("a,b\n")
    beside = write_provenance(output, [], {"what": "nothing"})
    assert beside == tmp_path / "table.csv.provenance.json"
    told = json.loads(beside.read_text())
    assert told["output"] == {"name": "table.csv", "sha256": sha256(b"a,b\n")}
    assert told["config"] == {"what": "nothing"}
    assert told["seed"] is None


def test_the_hash_of_a_configuration_does_not_hang_on_its_order() -> None:
    assert config_hash({"a": 1, "b": [1, 2]}) == config_hash({"b": [1, 2], "a": 1})
    assert config_hash({"a": 1}) != config_hash({"a": 2})
    with pytest.raises(ValueError, match="not JSON compliant"):
        config_hash({"a": float("nan")})


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=Someone", "-c", "user.email=someone@example.org")
    done = subprocess.run(
        ["git", *identity, *words], cwd=folder, check=True, capture_output=True, encoding="utf-8"
    )
    return done.stdout.strip()


@pytest.mark.skipif(not shutil.which("git"), reason="git is not here")
def test_the_state_of_a_checkout(tmp_path: Path) -> None:
    package = tmp_path / "src" / "onlooker"
    package.mkdir(parents=True)
    version = package / "version.py"
    version.write_text("1")
    (tmp_path / "README").write_text("read")
    assert git_state(package) == (None, None)
    git(tmp_path, "init", "--quiet")
    assert git_state(package) == (None, None)  # inside somebody's repository, but no part of it
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "all")
    commit = git(tmp_path, "rev-parse", "HEAD")
    assert git_state(package) == (commit, False)
    (tmp_path / "predictions.csv").write_text("an output")
    assert git_state(package) == (commit, False)
    (tmp_path / "README").write_text("changed")
    assert git_state(package) == (commit, True)
    git(tmp_path, "checkout", "--quiet", "README")
    (package / "new.py").write_text("new")
    assert git_state(package) == (commit, True)


def test_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = provenance([], {})
    assert found["git_sha"] is None
    assert found["git_dirty"] is None
