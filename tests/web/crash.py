"""A server in a process of its own that can be killed, and what must hold after that."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from types import TracebackType

import httpx

from calling import client_of
from onlooker.experiments.stimuli import orderings
from onlooker.observers import find_observer
from onlooker.web.bots.crew import BotPlan, Tally, run_bots
from onlooker.web.settings import EXAMPLE, Settings, load_settings
from onlooker.web.store import Store
from onlooker.web.store.queries import people
from onlooker.web.study.course import Courses, load_courses
from waiting import HANG, wait_until
from web.records import ordering_counts

COMMAND = """
import typer
from onlooker.cli.serve import serve
app = typer.Typer()
app.command()(serve)
app()
"""


def settings_file(folder: Path, experiment: int = 1, rounds: int | None = None) -> Path:
    """Settings that let bots in, with as many rounds as are wanted."""
    text = EXAMPLE.read_text("utf-8").replace("experiment = 1 ", f"experiment = {experiment} ")
    text = text.replace("# allow_test_runs = false", "allow_test_runs = true")
    if rounds is not None:
        short = [ordering[:rounds] for ordering in orderings(experiment)]
        made = folder / "short.json"
        made.write_text(json.dumps({"length": rounds, "orderings": short}))
        text = text.replace(
            "[researcher]", f'[stimuli.{experiment}]\norderings = "short.json"\n\n[researcher]'
        )
    file = folder / "study.toml"
    file.write_text(text, "utf-8")
    return file


class Server:
    """`onlooker serve` on one port and one database, however often it is started."""

    def __init__(self, folder: Path, settings: Path, database: str | None = None) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.database, self.settings = database or str(folder / "study.db"), settings
        self.log = folder / "server.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.kills = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pids(self) -> list[int]:
        """The server's process and those it started."""
        assert self.process is not None
        found = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)],
            capture_output=True,
            text=True,
            check=False,
        )
        return [self.process.pid, *map(int, found.stdout.split())]

    def start(self) -> None:
        options = ["--settings", self.settings, "--database", self.database, "--port", self.port]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", COMMAND, *map(str, options)],
                stdout=log,
                stderr=log,
                env=os.environ | {"ONLOOKER_PASSWORD": "for tests"},
            )
        wait_until(self._answers, "the server did not start")

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log.read_text()
        try:
            with client_of(self.url) as client:
                return client.get("/healthz").is_success
        except httpx.HTTPError:
            return False

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        assert self.process is not None
        self.kills += how == signal.SIGKILL
        self.process.send_signal(how)
        self.process.wait(HANG)

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop(signal.SIGKILL if kind else signal.SIGTERM)


def play(
    server: Server, courses: Courses, bots: int, rate: float, kills: int = 0, every: int = 20
) -> Tally:
    """Bots take part while the server is killed, each time after so many more actions."""
    plan = BotPlan(
        bots, find_observer("rational_mentalizing"), rate=rate, patience=HANG, timeout=HANG
    )
    found: list[Tally] = []
    thread = threading.Thread(target=lambda: found.append(run_bots(server.url, courses, plan)))
    thread.start()
    with Store(server.database, HANG) as store:
        for actions in range(every, (kills + 1) * every, every):
            wait_until(
                partial(_has_stored, store, actions), f"the bots did not do {actions} actions"
            )
            server.stop(signal.SIGKILL)
            server.start()
    thread.join()
    return found[0]


def _has_stored(store: Store, actions: int) -> bool:
    return sum(session.seq for session in store.sessions(test=True)) >= actions


def check_all(database: str, settings: Settings, courses: Courses, tally: Tally) -> None:
    """Nothing acknowledged is lost, nothing is done twice, and every log gives the stored state."""
    assert tally.problems == []
    with Store(database) as store:
        pids = {key: person.pid for key, person in people(store).items()}
        sessions = store.sessions(test=True)
        assert {pids[s.participant_id]: s.seq for s in sessions} == tally.seqs
        assert [problem for s in sessions for problem in store.verify(s.id, courses)] == []
        done = [s for s in sessions if s.end_reason == "complete"]
        assert len(done) == tally.finished
        number = settings.study.run[0]
        counts = ordering_counts(store, number, len(courses[number].orderings), "", test=True)
        assert max(counts.values()) - min(counts.values()) <= 1


def loaded(settings: Path) -> tuple[Settings, Courses]:
    read = load_settings(settings)
    return read, load_courses(read)
