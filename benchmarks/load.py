"""The online experiment under load: many people who act at a steady rate, by the light client.

Run as `python -m benchmarks.load FOLDER PEOPLE SECONDS [DATABASE WORKERS]` it serves a study with
whatever onlooker is imported, lets people act once a second, and prints what that gave as JSON.
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from benchmarks.measuring import ROOT, machine, with_bar
from benchmarks.sheets import Sheet
from benchmarks.versions import COMMIT, NEW, OLD, old_sources

sys.path.insert(0, str(ROOT / "tests"))

SECONDS = 15.0
WAITS = ("p50", "p95", "p99")
COLUMNS = (
    "version, database, processes",
    "people",
    "calls/s",
    *(f"{name} ms" for name in WAITS),
    "CPU ms a call",
    "refused",
)
# version, database, processes, people
RUNS: list[tuple[str, str, int, int]] = [
    (OLD, "SQLite", 1, 200),
    (NEW, "SQLite", 1, 200),
    (NEW, "SQLite", 1, 400),
    (NEW, "PostgreSQL", 1, 200),
    (NEW, "PostgreSQL", 1, 400),
    (NEW, "PostgreSQL", 2, 200),
    (NEW, "PostgreSQL", 2, 400),
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
        for version, kind, workers, people in with_bar(RUNS, "load"):
            with ExitStack() as run:
                place = run.enter_context(TemporaryDirectory())
                url = f"{place}/study.db"
                if kind == "PostgreSQL":
                    url = run.enter_context(postgres.database(server))
                words = [place, str(people), str(SECONDS), url, str(workers)]
                found = _process(sources[version], words)
            sheet.add(
                f"{version}, {kind}, {workers}",
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


def _courses(settings: Path) -> Any:
    """The courses of the version at hand."""
    from onlooker.web.settings import load_settings

    try:
        from onlooker.web.study.course import load_courses
    except ImportError:  # of version 0.1.0
        from onlooker.web.course import (  # type: ignore[import-not-found,no-redef,unused-ignore]
            load_courses,
        )
    return load_courses(load_settings(settings))


def _settings(folder: Path) -> Path:
    from onlooker.web.settings import EXAMPLE

    text = EXAMPLE.read_text("utf-8")
    file = folder / "study.toml"
    file.write_text(text.replace("# allow_test_runs = false", "allow_test_runs = true"), "utf-8")
    return file


def _wait(process: subprocess.Popen[bytes], url: str, most: float = 120) -> None:
    """Wait until the server answers."""
    deadline = time.monotonic() + most
    while time.monotonic() < deadline:
        try:
            with urlopen(f"{url}/healthz", timeout=5):
                return
        except (URLError, OSError):
            if process.poll() is not None:
                sys.exit("the server has ended")
            time.sleep(0.1)
    sys.exit("the server did not start")


def _children(pid: int) -> list[int]:
    command = ["ps", "-o", "pid=", "--ppid", str(pid)]
    return [int(word) for word in subprocess.check_output(command, text=True).split()]


def main() -> None:
    """Serve with the version at hand and measure."""
    from soak.light import run_light

    folder, people, seconds = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    database, workers = sys.argv[4], int(sys.argv[5])
    settings = _settings(folder)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "onlooker", "serve", "--settings", str(settings)]
    command += ["--database", database, "--port", str(port)]
    command += ["--workers", str(workers)] if workers > 1 else []
    url = f"http://127.0.0.1:{port}"
    environment = os.environ | {"ONLOOKER_PASSWORD": "for tests"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment) as process:
        try:
            _wait(process, url)
            pids = [process.pid, *(_children(process.pid) if workers > 1 else [])]
            measured = run_light(url, _courses(settings)[1], people, 1.0, seconds, pids)
        finally:
            process.terminate()
    cuts = statistics.quantiles(measured.waits, n=100)
    found = {f"p{place}": 1000 * cuts[place - 1] for place in (50, 95, 99)}
    found["rate"] = len(measured.waits) / measured.seconds
    found["cpu"] = 1000 * measured.server_cpu / len(measured.waits)
    print(json.dumps(found | {"refused": measured.refused}))


if __name__ == "__main__":
    main()
