"""Attacks on a study, on this version and on 0.1.0: what they bring about, with numbers.

`python -m benchmarks.attacks` prints the table. Run as `python -m benchmarks.attacks NAME` it does
one of them on whatever onlooker is imported, and prints what it found. Attacks that would take long
are smaller than they could be; their titles say how large they are.
"""

from __future__ import annotations

import csv
import io
import json
import os
import resource
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
import time
import uuid
import zipfile
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from benchmarks.measuring import QUIET, ROOT, machine
from benchmarks.serving import PASSWORD, Served, courses, settings_file
from benchmarks.sheets import Sheet
from benchmarks.versions import NEW, OLD, old_sources

sys.path.insert(0, str(ROOT / "tests"))

BACK = {"up": "down", "down": "up", "left": "right", "right": "left"}


class Guest:
    """Somebody who calls the study as a browser does."""

    def __init__(self, url: str, pid: str, timeout: float = 60) -> None:
        self.client = httpx.Client(base_url=url, timeout=timeout)
        self.pid, self.token = pid, ""
        self.view: dict[str, Any] = {}

    def arrive(self) -> dict[str, Any]:
        """Open the study; what is shown."""
        ids = {"prolific_pid": self.pid, "study_id": "s", "session_id": "x"}
        found = self.client.post("/api/arrive", json=ids | {"viewport": [1280, 800]}).json()
        self.token, self.view = found.get("session") or "", found.get("view", {})
        return self.view

    def send(self, kind: str, **data: Any) -> int:
        """Send an intent, again if calls come too fast; the status."""
        body = {"id": uuid.uuid4().hex, "seq": self.view["seq"], "kind": kind, "data": data}
        answer = self.client.post("/api/intent", json=body, headers={"X-Session": self.token})
        if answer.status_code == 429:
            time.sleep(float(answer.headers["Retry-After"]))
            return self.send(kind, **data)
        self.view = answer.json().get("view", self.view)
        return answer.status_code

    def to_first_round(self, course: Any) -> None:
        """Agree, go through the tutorial and the check, and begin the first round."""
        from soak.light import first_part

        self.arrive()
        for kind, data in first_part(course):
            self.send(kind, **data)

    def a_move(self) -> str:
        """A direction in which there is nothing but floor."""
        choices = self.view["game"]["choices"]
        return str(next(c["choice"] for c in choices if c["kind"] == "move"))

    def wander(self, moves: int) -> None:
        """Go to and fro in a round."""
        there = self.a_move()
        for number in range(moves):
            if self.view["screen"] != "trial":
                return
            self.send("choose", choice=(there, BACK[there])[number % 2])


def _way(course: Any, game: dict[str, Any]) -> list[str]:
    """The best way through the round on the screen, from its start."""
    from onlooker.planning import Tables, main_path

    walls = {tuple(cell) for cell in game["walls"]}
    wizards = [(wizard["id"], tuple(wizard["at"])) for wizard in game["wizards"]]
    for stage in course.stages.values():
        trial = stage.trial
        same = walls == trial.map.walls and trial.main.goal == game["main"]["goal"]
        if same and wizards == [(wizard.id, wizard.at) for wizard in trial.map.wizards]:
            return [str(taken.action) for taken in main_path(Tables(trial.map), trial)]
    raise LookupError("no trial looks like this")


def _command(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "onlooker", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


# -- the attacks ---------------------------------------------------------------------------------


def long_rounds(folder: Path) -> str:
    """Somebody finishes two rounds of 450 detours while another one plays"""
    from onlooker.experiments.stimuli import orderings

    short = {"length": 2, "orderings": [names[:2] for names in orderings(1)]}
    (folder / "short.json").write_text(json.dumps(short))
    changes = {"[researcher]": '[stimuli.1]\norderings = "short.json"\n\n[researcher]'}
    settings = settings_file(folder, changes)
    waits: list[float] = []
    statuses: list[int] = []
    over = threading.Event()
    with Served(settings, str(folder / "study.db")) as served:
        course = courses(settings)[1]
        long, other = Guest(served.url, "test-long"), Guest(served.url, "test-other")
        other.to_first_round(course)
        long.to_first_round(course)
        for _ in range(2):
            way = _way(course, long.view["game"])
            long.wander(450)
            for action in way:
                long.send("choose", choice=action)
            long.send("next")
            if long.view["screen"] == "card":
                long.send("next")

        def act() -> None:
            there = other.a_move()
            while not over.is_set():
                began = time.monotonic()
                choice = (there, BACK[there])[statuses.count(200) % 2]
                statuses.append(other.send("choose", choice=choice))
                waits.append(time.monotonic() - began)
                time.sleep(0.05)

        acting = threading.Thread(target=act)
        acting.start()
        time.sleep(0.5)
        began = time.monotonic()
        status = long.send("survey", age=30, gender="Female", feedback="")
        took = time.monotonic() - began
        over.set()
        acting.join()
    return (
        f"the last call ({status}) took {took:.1f} s; the other one's longest call"
        f" {max(waits):.1f} s, {statuses.count(503)} of {len(statuses)} got 503"
    )


def export_while_playing(folder: Path) -> str:
    """The dataset is exported twice while 30 people act three times a second"""
    from soak.light import run_light

    settings = settings_file(folder)
    lost: list[str] = []
    with Served(settings, str(folder / "study.db")) as served:
        course = courses(settings)[1]

        def act() -> None:
            run_light(served.url, course, 30, 3.0, 20, [])

        acting = threading.Thread(target=act)
        acting.start()
        while _events(served.database) < 30 * 60 and acting.is_alive():
            time.sleep(0.5)
        for number in range(2):
            file = folder / f"data{number}.zip"
            words = [str(served.database), str(file), "--settings", str(settings), "--tests"]
            _command("export", *words)
            people, sessions = (_rows(file, name) for name in ("participants", "sessions"))
            lost.append(f"{sessions - people} of {sessions}")
        acting.join()
    return f"sessions left out: {' and '.join(lost)}"


def sigterm(folder: Path) -> str:
    """SIGTERM after 20 actions"""
    settings = settings_file(folder)
    with Served(settings, str(folder / "study.db")) as served:
        guest = Guest(served.url, "test-guest")
        guest.to_first_round(courses(settings)[1])
        guest.wander(20)
        status = served.stop(signal.SIGTERM)
    main, beside = Path(served.database), Path(f"{served.database}-wal")
    left = f"{beside.stat().st_size:,} in the log beside it" if beside.exists() else "no log left"
    return f"exit status {status}; {main.stat().st_size:,} bytes in the file, {left}"


def invented_ids(folder: Path) -> str:
    """Eight invented ids on a quota of 8; then a person comes"""
    settings = settings_file(folder, {"# [quota]": "[quota]\n1 = 8"})
    with Served(settings, str(folder / "study.db")) as served:
        began = time.monotonic()
        for number in range(8):
            Guest(served.url, f"{number:024x}").arrive()
        took = time.monotonic() - began
        screen = Guest(served.url, f"{99:024x}").arrive().get("screen")
    return f"after {took:.1f} s the person sees “{screen}”"


def lock_out(folder: Path) -> str:
    """Four wrong passwords a second from another address, for 20 s; then the researcher signs in"""
    settings = settings_file(folder)
    with Served(settings, str(folder / "study.db")) as served:
        elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(base_url=served.url, transport=elsewhere, timeout=30) as attacker:
            begin = time.monotonic()
            for number in range(80):
                time.sleep(max(0.0, begin + number / 4 - time.monotonic()))
                attacker.post("/researcher/login", data={"password": "guess"})
            form = {"password": PASSWORD}
            answer = httpx.post(f"{served.url}/researcher/login", data=form, timeout=30)
    return f"{answer.status_code}: {'signed in' if answer.status_code == 303 else 'refused'}"


def hidden_failure(folder: Path) -> str:
    """Another process holds the database; 300 calls with an unknown session; half a body"""
    settings = settings_file(folder)
    with Served(settings, str(folder / "study.db")) as served:
        head = httpx.head(f"{served.url}/healthz", timeout=30).status_code
        mode = stat.S_IMODE(Path(served.database).stat().st_mode)
        with closing(sqlite3.connect(served.database, isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            time.sleep(2)  # an answer holds for a second
            health = httpx.get(f"{served.url}/healthz", timeout=30).status_code
            holder.execute("ROLLBACK")
        before = served.log.stat().st_size
        with httpx.Client(base_url=served.url, timeout=30) as client:
            for _ in range(300):
                headers = {"X-Session": "x" * 43}
                body = {"id": uuid.uuid4().hex, "seq": 0, "kind": "next", "data": {}}
                client.post("/api/intent", json=body, headers=headers)
        logged = served.log.stat().st_size - before
        closed = _half_body(served.port)
    return (
        f"healthz says {health} (HEAD without the other process: {head}); {logged:,} bytes in the"
        f" log; the half-sent call {closed}; the file's mode is {mode:o}"
    )


def _half_body(port: int, most: float = 25) -> str:
    with socket.create_connection(("127.0.0.1", port)) as half:
        half.settimeout(most)
        half.sendall(
            b"POST /api/arrive HTTP/1.1\r\nHost: study\r\nContent-Type: application/json\r\n"
            b"Content-Length: 100\r\n\r\n{"
        )
        began = time.monotonic()
        try:
            half.recv(1000)
        except TimeoutError:
            return f"is open after {most:.0f} s"
        return f"is ended after {time.monotonic() - began:.0f} s"


def restore_under_server(folder: Path) -> str:
    """A backup is restored while the server runs; then somebody acts"""
    settings = settings_file(folder)
    database, copy = str(folder / "study.db"), str(folder / "copy.db")
    with Served(settings, database) as served:
        guest = Guest(served.url, "test-guest")
        guest.to_first_round(courses(settings)[1])
        _command("backup", database, copy)
        done = _command("restore", copy, database, "--replace")
        before = guest.view["seq"]
        guest.wander(10)
        acknowledged = guest.view["seq"] - before
    stored = _events(database) - before
    return (
        f"restore ends with {done.returncode}; {acknowledged} actions acknowledged after it,"
        f" {stored} in the database"
    )


def erasure(folder: Path) -> str:
    """A participant asks for erasure"""
    settings = settings_file(folder)
    with Served(settings, str(folder / "study.db")) as served:
        guest = Guest(served.url, "test-guest")
        guest.to_first_round(courses(settings)[1])
        before = _events(served.database)
        done = _command("erase", served.database, "test-guest", "--yes")
        after = _events(served.database)
    return (
        f"`onlooker erase` ends with {done.returncode}; events before and after: {before}, {after}"
    )


def silent_connections(folder: Path) -> str:
    """Somebody opens 1,100 connections and says nothing, where a process has 1,024 files"""
    settings, (_, most) = settings_file(folder), resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, most))
    with Served(settings, str(folder / "study.db")) as served, ExitStack() as opened:
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096, most))
        for _ in range(1100):
            opened.enter_context(socket.create_connection(("127.0.0.1", served.port), timeout=10))
        found = []
        for seconds in (0, 20):
            time.sleep(seconds)
            try:
                answer = httpx.get(f"{served.url}/", timeout=10).status_code
                found.append(f"{answer} after {seconds} s")
            except httpx.HTTPError:
                found.append(f"no answer after {seconds} s")
        opened.close()
    return f"another one gets {', '.join(found)}"


def deleted_file(folder: Path) -> str:
    """The database's file is deleted while somebody plays"""
    settings = settings_file(folder)
    with Served(settings, str(folder / "study.db")) as served:
        guest = Guest(served.url, "test-guest")
        guest.to_first_round(courses(settings)[1])
        Path(served.database).unlink()
        before = guest.view["seq"]
        guest.wander(10)
        health = httpx.get(f"{served.url}/healthz", timeout=30).status_code
    lost = guest.view["seq"] - before
    return f"{lost} actions acknowledged that are stored nowhere; healthz says {health}"


def _events(database: str) -> int:
    with closing(sqlite3.connect(database)) as connection:
        return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])


def _rows(file: Path, table: str) -> int:
    with zipfile.ZipFile(file) as archive:
        text = archive.read(f"data/study-exp1_desc-{table}_data.csv").decode("utf-8")
    return len(list(csv.reader(io.StringIO(text)))) - 1


ATTACKS: dict[str, Callable[[Path], str]] = {
    attack.__name__: attack
    for attack in (
        long_rounds,
        export_while_playing,
        sigterm,
        invented_ids,
        lock_out,
        hidden_failure,
        restore_under_server,
        erasure,
        silent_connections,
        deleted_file,
    )
}


def attacks() -> Sheet:
    """What each attack brings about in both versions."""
    note = f"{OLD} is what the history has. {machine()}"
    sheet = Sheet("attacks", "Attacks", ("attack", OLD, NEW), note=note)
    with TemporaryDirectory() as folder:
        sources = {OLD: old_sources(Path(folder)), NEW: ROOT / "src"}
        for name, attack in ATTACKS.items():
            QUIET.print(f"{name} …")
            sheet.add(str(attack.__doc__), *(_run(source, name) for source in sources.values()))
    return sheet


def _run(source: Path, name: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.attacks", name],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(source)},
        check=False,
    )
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


def main() -> None:
    """Do one attack with the version at hand, or all with both."""
    if len(sys.argv) > 1:
        with TemporaryDirectory() as folder:
            print(ATTACKS[sys.argv[1]](Path(folder)))
        return
    print(attacks().markdown())


if __name__ == "__main__":
    main()
