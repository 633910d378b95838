"""Programs for the tests are found, installed or named as missing; a stamp claims nothing that is gone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import programs
from running import ROOT

Script = Callable[[str, str], Path]


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Script:
    """Put a script on a PATH that has nothing else but the shell's own needs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "env", "cat", "head", "id", "mkdir", "rm", "cksum", "mktemp", "dirname"):
        (folder / name).symlink_to(shutil.which(name) or name)
    monkeypatch.setenv("PATH", os.fspath(folder))

    def write(name: str, text: str) -> Path:
        path = folder / name
        path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        path.chmod(0o755)
        return path

    write("sudo", 'shift; exec "$@"')
    return write


@pytest.fixture(autouse=True)
def nothing_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No program of this machine and no file of this project is found or changed."""
    monkeypatch.setattr(programs, "PLACE", tmp_path / "programs")
    monkeypatch.setattr(programs, "MISSING", tmp_path / "programs" / "missing.json")
    monkeypatch.setattr(programs, "NPM", tmp_path / "npm")
    monkeypatch.setattr(programs, "SYSTEM", ())
    monkeypatch.setattr(programs, "_playwright_browser", lambda: None)
    programs._update_lists.cache_clear()


@pytest.mark.parametrize("package", ["chromium-headless-shell", "chromium"])
def test_a_missing_browser_is_installed_and_found(script: Script, package: str) -> None:
    place = script("waiting", "exit 0").parent
    rename = f"{shutil.which('mv', path=os.defpath)} {place}/waiting {place}/{package}"
    script("apt-get", f'case "$*" in install*" {package}") {rename};; install*) exit 100;; esac')
    assert programs.browser() is None
    assert programs._installed("browser") == ""
    assert programs.browser() == [os.fspath(place / package)]


def test_the_shell_without_windows_comes_before_a_whole_browser(script: Script) -> None:
    script("chromium", "exit 0")
    shell = script(programs.SHELL, "exit 0")
    assert programs.browser() == [os.fspath(shell)]


def test_what_cannot_be_had_is_noted_with_every_reason(
    script: Script, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script("apt-get", 'echo "E: Unable to locate package"; exit 100')
    script("python", 'echo "Error: Failed to download"; echo "    at somewhere"; exit 1')
    monkeypatch.setattr(sys, "executable", "python")
    programs.main()
    missing = json.loads(programs.MISSING.read_text("utf-8"))
    assert list(missing) == ["browser", "nginx", "TypeScript checker"]
    assert "chromium: E: Unable to locate package; " in missing["browser"]
    assert missing["browser"].endswith("Error: Failed to download")
    assert "There is no nginx: apt-get download nginx: E: Unable" in capsys.readouterr().err
    with pytest.raises(pytest.skip.Exception, match=r"^no browser: .*Failed to download$"):
        programs.need("browser")


def test_without_apt_it_says_so(script: Script) -> None:
    assert programs._installed("nginx") == "apt-get is not installed"


def test_an_installation_that_leaves_nothing_is_no_success(script: Script) -> None:
    script("apt-get", "exit 0")
    with_npm = script("npm", "exit 0")
    with_npm.with_name("node").symlink_to(with_npm)
    programs.NPM.mkdir()
    assert "does not start" in programs._installed("TypeScript checker")


def test_only_the_pinned_checker_counts(script: Script) -> None:
    def installed(version: str) -> dict[str, object]:
        return {"packages": {"node_modules/typescript": {"version": version}}}

    node = script("node", "exit 0")
    tsc = programs.NPM / "node_modules" / "typescript" / "bin" / "tsc"
    tsc.parent.mkdir(parents=True)
    tsc.touch()
    (programs.NPM / "package-lock.json").write_text(json.dumps(installed("5.9.3")), "utf-8")
    assert programs.typescript() is None
    stamp = programs.NPM / "node_modules" / ".package-lock.json"
    stamp.write_text(json.dumps(installed("5.9.2")), "utf-8")
    assert programs.typescript() is None
    stamp.write_text(json.dumps(installed("5.9.3")), "utf-8")
    assert programs.typescript() == [os.fspath(node), os.fspath(tsc)]
    tsc.unlink()
    assert programs.typescript() is None


def test_the_checkers_lock_names_no_registry() -> None:
    folder = ROOT / "tests" / "typescript"
    lock = (folder / "package-lock.json").read_text("utf-8")
    assert "resolved" not in lock
    assert "http" not in lock
    wanted = json.loads((folder / "package.json").read_text("utf-8"))["devDependencies"]
    packages = json.loads(lock)["packages"]
    assert {name: packages[f"node_modules/{name}"]["version"] for name in wanted} == wanted


# -- the environment of Python packages ------------------------------------------------------------

UV = """
echo "$*" >> calls
echo "noise"
case "$1" in venv)
    mkdir -p .venv/bin
    rm -f .venv/bin/python
    printf '#!/bin/sh\\nexec {python} "$@"\\n' > .venv/bin/python
    cat .venv/bin/python > .venv/bin/onlooker
    {chmod} +x .venv/bin/python .venv/bin/onlooker
esac
"""


@pytest.fixture
def project(tmp_path: Path, script: Script) -> Path:
    """A project whose packages a pretended uv installs."""
    folder = tmp_path / "project"
    (folder / "tools").mkdir(parents=True)
    shutil.copy(ROOT / "tools" / "make_venv", folder / "tools")
    for name in ("requirements.lock", "pyproject.toml"):
        (folder / name).write_text("one\n", "utf-8")
    chmod = shutil.which("chmod", path=os.defpath)
    script("uv", UV.format(python=sys.executable, chmod=chmod))
    return folder


def set_up(project: Path, status: int = 0) -> tuple[list[str], str]:
    """Run the set-up; the commands that uv was given, and what was printed."""
    calls = project / "calls"
    calls.unlink(missing_ok=True)
    done = subprocess.run(
        [project / "tools" / "make_venv"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PYTHON": sys.executable, "VENV": ".venv"},  # `make test` may set VENV
    )
    assert done.returncode == status, done.stdout
    first = [line.split()[0] for line in calls.read_text().splitlines()] if calls.exists() else []
    return first, done.stdout


def test_packages_are_installed_once_and_quietly(project: Path) -> None:
    assert set_up(project) == (
        ["venv", "pip", "pip"],
        "Setting up .venv (pinned packages from requirements.lock) …\n",
    )
    assert set_up(project) == ([], "")


def test_other_pins_are_installed_into_the_same_environment(project: Path) -> None:
    set_up(project)
    (project / "requirements.lock").write_text("two\n", "utf-8")
    assert set_up(project)[0] == ["pip", "pip"]


@pytest.mark.parametrize("lost", [".venv/bin/python", ".venv/.installed", ".venv/bin", ".venv"])
def test_a_broken_environment_is_made_again(project: Path, lost: str) -> None:
    set_up(project)
    path = project / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert set_up(project)[0] == ["venv", "pip", "pip"]
    assert set_up(project) == ([], "")


def test_a_moved_project_gets_a_new_environment(project: Path) -> None:
    set_up(project)
    moved = project.rename(project.with_name("moved"))
    assert set_up(moved)[0] == ["venv", "pip", "pip"]


def test_a_failed_installation_shows_why_and_leaves_no_stamp(project: Path, script: Script) -> None:
    set_up(project)
    (project / "requirements.lock").write_text("two\n", "utf-8")
    script("uv", 'echo "no such package"; exit 7')
    _, printed = set_up(project, status=7)
    assert "no such package\nSetting up .venv failed: " in printed
    assert not (project / ".venv" / ".installed").exists()
