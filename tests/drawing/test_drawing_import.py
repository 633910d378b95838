from __future__ import annotations

import subprocess
import sys

import onlooker.drawing

MISSING = "drawing figures needs matplotlib: pip install 'onlooker[figures]'"


def run(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_the_package_imports_neither_matplotlib_nor_rich() -> None:
    program = "import sys, onlooker.drawing; print({'matplotlib', 'rich'} & set(sys.modules))"
    assert run(program) == "set()\n"


def test_the_terminal_does_without_matplotlib() -> None:
    program = (
        "import sys; from onlooker.drawing import map_text; print('matplotlib' in sys.modules)"
    )
    assert run(program) == "False\n"


def test_what_is_missing_is_said() -> None:
    for home in ("onlooker.drawing", "onlooker.drawing.figure"):
        program = f"""
import sys
sys.modules["matplotlib"] = None
from onlooker.drawing import MissingExtraError, map_text
try:
    from {home} import map_figure
except MissingExtraError as error:
    print(error)
"""
        assert run(program) == MISSING + "\n"


def test_every_name_the_package_offers_is_there() -> None:
    for name in onlooker.drawing.__all__:
        assert getattr(onlooker.drawing, name).__name__ == name
    assert not hasattr(onlooker.drawing, "nonsense")
