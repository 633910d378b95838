"""The programs that tests need beside Python packages: where they are, and how to get them.

`make test` runs this file, which installs what is missing. What cannot be had is written to
`MISSING` with the reason, and the tests that need it are skipped and counted (`conftest.py`).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PLACE = ROOT / ".programs"
MISSING = PLACE / "missing.json"
NPM = ROOT / "tests" / "typescript"

SHELL = "chromium-headless-shell"  # it has no windows and opens a page in a third of the time
BROWSERS = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIETLY = ("env", "DEBIAN_FRONTEND=noninteractive")
SYSTEM = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin")  # not on every user's PATH


class InstallError(Exception):
    """Why a program could not be installed in one way."""


# -- finding ---------------------------------------------------------------------------------------


def browser() -> list[str] | None:
    """An installed Chromium or Chrome, or the one that Playwright downloaded."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None) or _playwright_browser()
    return [found] if found else None


def _playwright_browser() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    starts = (
        os.access(path, os.X_OK)
        and not subprocess.run([path, "--version"], capture_output=True, check=False).returncode
    )  # it does not without the libraries it needs
    return path if starts else None


def nginx() -> list[str] | None:
    """An installed nginx, or the one unpacked into `PLACE`."""
    places = [os.environ.get("PATH", ""), *SYSTEM, os.fspath(PLACE / "nginx" / "usr" / "sbin")]
    found = shutil.which("nginx", path=os.pathsep.join(places))
    return [found] if found else None


def typescript() -> list[str] | None:
    """The command that checks types: the version in package-lock.json and no other."""
    node = shutil.which("node")
    return (
        [node, os.fspath(NPM / "node_modules/typescript/bin/tsc")] if node and _pinned() else None
    )


def _pinned() -> bool:
    """Whether what npm says it has installed is what the lock file names."""
    name = "node_modules/typescript"
    try:
        wanted, installed = (
            json.loads((NPM / file).read_text("utf-8"))["packages"][name]
            for file in ("package-lock.json", "node_modules/.package-lock.json")
        )
    except (OSError, ValueError, KeyError):
        return False
    return wanted["version"] == installed["version"] and (NPM / name / "bin" / "tsc").is_file()


# -- installing ------------------------------------------------------------------------------------


def _run(*command: str, cwd: Path | None = None) -> None:
    shown = " ".join(command).replace(sys.executable, "python").removeprefix(" ".join(QUIETLY))
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
            cwd=cwd,
            timeout=900,
        )
    except FileNotFoundError:
        raise InstallError(f"{command[0]} is not installed") from None
    except subprocess.TimeoutExpired:
        raise InstallError(f"{shown.strip()}: no end after 15 minutes") from None
    if done.returncode:
        lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
        errors = [line for line in lines if line.lower().startswith(("e:", "error", "npm err"))]
        why = (errors or lines[-1:] or [f"status {done.returncode}"])[0]
        raise InstallError(f"{shown.strip()}: {why}")


def _as_root(*command: str) -> None:
    if not shutil.which(command[0]):
        raise InstallError(f"{command[0]} is not installed")
    _run(*(() if os.geteuid() == 0 else ("sudo", "-n")), *QUIETLY, *command)


@cache
def _update_lists() -> None:
    with suppress(InstallError):  # the lists that are there may do
        _as_root("apt-get", "update", "-q")


def _apt_install(package: str) -> None:
    _update_lists()
    options = ("-y", "-q", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=600")
    _as_root("apt-get", "install", *options, package)


def _install_debian_shell() -> None:
    _apt_install(SHELL)


def _install_debian_browser() -> None:
    _apt_install("chromium")


def _download_browser() -> None:
    _run(sys.executable, "-m", "playwright", "install", "--no-shell", "chromium")


def _unpack_nginx() -> None:
    """Unpack Debian's package here: installing it would start a server on port 80."""
    _update_lists()
    PLACE.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=PLACE) as name:
        folder = Path(name)
        _run("apt-get", "download", "nginx", cwd=folder)
        _run("dpkg-deb", "-x", *map(os.fspath, folder.glob("*.deb")), os.fspath(folder / "nginx"))
        _run(os.fspath(folder / "nginx" / "usr" / "sbin" / "nginx"), "-v")
        shutil.rmtree(PLACE / "nginx", ignore_errors=True)
        (folder / "nginx").rename(PLACE / "nginx")


def _install_typescript() -> None:
    if not (shutil.which("npm") and shutil.which("node")):
        _apt_install("npm")
    _run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=NPM)


@dataclass(frozen=True)
class Program:
    """A program, how it is found, and the ways to install it in the order to try them."""

    find: Callable[[], list[str] | None]
    ways: Sequence[Callable[[], None]]


PROGRAMS = {
    "browser": Program(
        browser, (_install_debian_shell, _install_debian_browser, _download_browser)
    ),
    "nginx": Program(nginx, (_unpack_nginx,)),
    "TypeScript checker": Program(typescript, (_install_typescript,)),
}


# -- for tests and for make ------------------------------------------------------------------------


@cache
def need(name: str) -> list[str]:
    """The command that starts a program; without it the test is skipped."""
    import pytest

    found = PROGRAMS[name].find()
    if found is None:
        pytest.skip(f"no {name}: {_why_missing().get(name, 'run `make programs` to install it')}")
    return found


def _why_missing() -> dict[str, str]:
    try:
        return dict(json.loads(MISSING.read_text("utf-8")))
    except (OSError, ValueError):
        return {}


def _installed(name: str) -> str:
    """Install a program if it is missing; why that failed, or nothing."""
    program, failures = PROGRAMS[name], []
    if program.find():
        return ""
    what = f"Installing the {name} for the tests …" if name != "nginx" else "Unpacking nginx …"
    print(what, flush=True)  # others print beside it
    for way in program.ways:
        try:
            way()
        except InstallError as error:
            failures.append(str(error))
        else:
            if program.find():
                return ""
            failures.append(f"{way.__name__.strip('_')} worked, but the {name} does not start")
    return "; ".join(failures)


def main() -> None:
    """Install what is missing and note what cannot be had."""
    missing = {name: why for name in PROGRAMS if (why := _installed(name))}
    for name, why in missing.items():
        print(f"There is no {name}: {why}", file=sys.stderr)
    PLACE.mkdir(exist_ok=True)
    MISSING.write_text(json.dumps(missing, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
