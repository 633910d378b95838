"""The online experiment under load: many people who act at a steady rate, by the light client.

Run as `python -m benchmarks.load FOLDER PEOPLE SECONDS DATABASE` it serves a study with
whatever onlooker is imported, lets people act once a second, and prints what that gave as JSON.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.measuring import ROOT, machine, with_bar
from benchmarks.serving import Served, courses, settings_file
from benchmarks.sheets import Sheet
from benchmarks.versions import COMMIT, NEW, OLD, old_sources

SECONDS = 10.0
WAITS = ("p50", "p95", "p99")
COLUMNS = (
    "version, database",
    "people",
    "calls/s",
    *(f"{name} ms" for name in WAITS),
    "CPU ms a call",
    "refused",
)
# version, database, people
RUNS: list[tuple[str, str, int]] = [
    (OLD, "SQLite", 200),
    (NEW, "SQLite", 200),
    (NEW, "SQLite", 400),
    (NEW, "SQLite", 600),
    (NEW, "PostgreSQL", 200),
    (NEW, "PostgreSQL", 400),
    (NEW, "PostgreSQL", 600),
]


def load() -> Sheet:
    """How many calls a second are answered, how fast, and what they cost the server."""
    sheet = Sheet(
        "load",
        "The online experiment under load",
        COLUMNS,
        note=(
            f"Each person acts once a second for {SECONDS:.0f} s, in a round of Experiment 1. The"
            " client and the database run on the same machine; CPU is that of onlooker's processes"
            f" alone. 0.1.0 is commit {COMMIT[:7]}. {machine()}"
        ),
    )
    from web import postgres

    with TemporaryDirectory() as folder, ExitStack() as stack:
        sources = {OLD: old_sources(Path(folder)), NEW: ROOT / "src"}
        server = stack.enter_context(postgres.server(durable=True))
        for version, kind, people in with_bar(RUNS, "load"):
            with ExitStack() as run:
                place = run.enter_context(TemporaryDirectory())
                url = f"{place}/study.db"
                if kind == "PostgreSQL":
                    url = run.enter_context(postgres.database(server))
                words = [place, str(people), str(SECONDS), url]
                found = _process(sources[version], words)
            sheet.add(
                f"{version}, {kind}",
                str(people),
                f"{found['rate']:.0f}",
                *(f"{found[name]:.0f}" for name in WAITS),
                f"{found['cpu']:.2f}",
                str(found["refused"]),
            )
    return sheet


def _process(source: Path, words: list[str]) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load", *words],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(source)},
        check=True,
    )
    return json.loads(done.stdout)


# -- in a process with one of the versions -----------------------------------------------------


def main() -> None:
    """Serve with the version at hand and measure."""
    from soak.light import run_light

    folder, people, seconds = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    settings = settings_file(folder)
    with Served(settings, sys.argv[4]) as served:
        course = courses(settings)[1]
        measured = run_light(served.url, course, people, 1.0, seconds, served.pids)
    cuts = statistics.quantiles(measured.waits, n=100)
    found = {f"p{place}": 1000 * cuts[place - 1] for place in (50, 95, 99)}
    found["rate"] = len(measured.waits) / measured.seconds
    found["cpu"] = 1000 * measured.server_cpu / len(measured.waits)
    print(json.dumps(found | {"refused": measured.refused}))


if __name__ == "__main__":
    main()
