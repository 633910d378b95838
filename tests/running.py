"""Running the command as a user does, within this process: a new one would import everything anew."""

from __future__ import annotations

import fcntl
import io
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TextIO

import pytest

from onlooker.cli import main

ROOT = Path(__file__).parents[1]


def run_here(words: Sequence[str], out: TextIO, err: TextIO) -> int:
    """Run the command with its output to `out` and `err`; the status that it leaves with."""
    with (
        pytest.MonkeyPatch.context() as patch,
        warnings.catch_warnings(),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        patch.setattr(sys, "argv", ["onlooker", *words])
        patch.setattr(sys, "path", [*sys.path])
        patch.setattr(warnings, "showwarning", warnings.showwarning)  # main() changes it
        warnings.simplefilter("default")
        # Users are not shown these, and they may be about what an earlier test left behind.
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            main.main()
        except SystemExit as left:
            return int(left.code or 0)
        finally:
            _forget_modules_of(Path.cwd())
    return 0


def _forget_modules_of(folder: Path) -> None:
    """Forget what was imported from the user's folder: another test has files of the same name."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and Path(file).parent == folder:
            del sys.modules[name]


def onlooker(*words: str | Path, status: int = 0) -> tuple[str, str]:
    """Run the command; what it printed and what it complained of."""
    out, err = io.StringIO(), io.StringIO()
    left = run_here([*map(str, words)], out, err)
    assert left == status, err.getvalue()
    return out.getvalue(), err.getvalue()


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that the first worker who needs it makes, for all workers of this run."""
    workers = "PYTEST_XDIST_WORKER" in os.environ
    base = factory.getbasetemp().parent if workers else factory.getbasetemp()
    folder = base / name
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (base / f"{name}.made").exists():
            make(folder)
            (base / f"{name}.made").touch()
    return folder
