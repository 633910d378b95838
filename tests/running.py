"""Running the command as a user does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def onlooker(*words: str | Path, status: int = 0) -> tuple[str, str]:
    """Run the command; what it printed and what it complained of."""
    done = subprocess.run(
        [sys.executable, "-m", "onlooker", *map(str, words)],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr
