"""All measurements in one run on one machine, as ratios; `make bench` runs it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.commands import commands
from benchmarks.cores import over_cores
from benchmarks.engine import against_reference, parts
from benchmarks.environment import environment
from benchmarks.fitting import fitting
from benchmarks.graded import graded
from benchmarks.ideal import ideal
from benchmarks.load import load
from benchmarks.measuring import CONSOLE, QUIET, ROOT, machine
from benchmarks.posteriors import against_peers
from benchmarks.scaling import growth
from benchmarks.sheets import Sheet, write_tables
from benchmarks.teachers import teachers
from benchmarks.trialsets import trial_sets
from benchmarks.versions import against_release

PAGE = ROOT / "docs" / "speed.md"
PARTS: dict[str, Callable[[], Sheet]] = {
    "versions": against_release,
    "engine": lambda: against_reference(trial_sets()),
    "parts": lambda: parts(trial_sets()),
    "ideal": lambda: ideal(trial_sets()),
    "graded": lambda: graded(trial_sets()),
    "teachers": lambda: teachers(trial_sets()),
    "fitting": fitting,
    "environment": environment,
    "commands": commands,
    "peers": against_peers,
    "cores": over_cores,
    "scaling": growth,
    "load": load,
}


def arguments() -> argparse.Namespace:
    """What the user asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "out" / "bench", help="folder")
    words = f"put the tables into {PAGE.relative_to(ROOT)}; without PART those of the last run"
    parser.add_argument("--write-docs", action="store_true", help=words)
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    return asked


def measured(names: list[str], output: Path) -> Iterator[Sheet]:
    """The tables, each written as soon as it is there; those of an earlier run go first."""
    for name in names:
        (output / f"{name}.md").unlink(missing_ok=True)
    for count, name in enumerate(names):
        QUIET.print(f"{count + 1} of {len(names)}: {name} …")
        sheet = PARTS[name]()
        sheet.write(output)
        yield sheet


def main() -> None:
    """Measure and print, or update the page."""
    asked = arguments()
    os.environ.setdefault("ONLOOKER_COMPILE", "always")  # however little is measured
    if asked.parts or not asked.write_docs:
        CONSOLE.print(f"Measuring on {machine()}\n")
        for sheet in measured(asked.parts or list(PARTS), asked.output):
            CONSOLE.print(sheet.table())
        print(f"As Markdown: {asked.output}")
    if asked.write_docs:
        written = write_tables(PAGE, asked.output)
        if not written:
            sys.exit(f"{asked.output} holds no tables: run `make bench` first")
        print(f"{PAGE.relative_to(ROOT)}: {', '.join(written)}")


if __name__ == "__main__":
    main()
