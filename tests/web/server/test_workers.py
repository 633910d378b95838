"""Several processes on one PostgreSQL database: they share sessions, sign-ins and datasets."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import httpx
import pytest

from web import postgres
from web.crash import Server, check_all, loaded, play, settings_file


def test_workers_share_everything(postgres_server: str, tmp_path: Path) -> None:
    file = settings_file(tmp_path, rounds=1)
    settings, courses = loaded(file)
    with (
        postgres.database(postgres_server) as url,
        Server(tmp_path, file, url, workers=2) as server,
    ):
        assert server.process is not None
        tally = play(server, courses, bots=4, rate=0)
        assert tally.finished == 4
        check_all(url, settings, courses, tally)
        signed_in = sign_in(server)
        for _ in range(6):  # new connections, answered by whichever process is free
            assert httpx.get(f"{server.url}/researcher", cookies=signed_in).status_code == 200
        assert len(zipfile.ZipFile(io.BytesIO(dataset(server, signed_in))).namelist()) > 5
        for worker in server.pids[1:]:
            command = Path(f"/proc/{worker}/cmdline").read_bytes()
            if b"spawn_main" in command:
                os.kill(worker, signal.SIGKILL)
                break
        else:
            pytest.fail("there is no worker")
        again = play(server, courses, bots=2, rate=0)  # one that dies is replaced
        assert (again.finished, again.problems) == (2, [])


def test_workers_end_when_their_parent_is_killed(postgres_server: str, tmp_path: Path) -> None:
    file = settings_file(tmp_path, rounds=1)
    with postgres.database(postgres_server) as url:
        server = Server(tmp_path, file, url, workers=2)
        server.start()
        workers = server.pids[1:]
        assert len(workers) >= 2
        server.stop(signal.SIGKILL)
        deadline = time.monotonic() + 60
        while any(Path(f"/proc/{worker}/cmdline").exists() for worker in workers):
            assert time.monotonic() < deadline, "workers outlive their parent"
            time.sleep(0.1)
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{server.url}/healthz")
        server.start()  # on the same port
        server.stop()


NO_DATABASE = """
from onlooker.web.server import workers
from onlooker.web.settings import default_settings

if __name__ == "__main__":
    workers.MOST_FAILURES, workers.LONGEST_PAUSE = 2, 0.1
    app = workers.WorkerApp(default_settings(1), "postgresql://nobody@127.0.0.1:1/none", (), 4)
    try:
        workers.serve_with_workers(app, "127.0.0.1", 0, 2)
    except workers.NoWorkerError as error:
        print(error)
"""


def test_workers_that_cannot_start_are_not_started_for_ever(tmp_path: Path) -> None:
    script = tmp_path / "start.py"
    script.write_text(NO_DATABASE)
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=300, check=True
    )
    assert "in a row ended before they served" in done.stdout
    assert "a worker process cannot use the database" in done.stderr
    assert "Traceback" not in done.stderr


def sign_in(server: Server) -> dict[str, str]:
    answer = httpx.post(f"{server.url}/researcher/login", data={"password": "for tests"})
    return dict(answer.cookies)


def dataset(server: Server, cookies: dict[str, str]) -> bytes:
    """The dataset of the test runs, prepared by one process and downloaded from any."""
    page = httpx.get(f"{server.url}/researcher/data", cookies=cookies).text
    token = re.findall(r'name="token" value="([\w-]+)"', page)[0]
    form = {"token": token, "tests": "True"}
    httpx.post(f"{server.url}/researcher/data", data=form, cookies=cookies)
    while True:
        address = f"{server.url}/researcher/data.zip?tests=1"
        answer = httpx.get(address, cookies=cookies, timeout=30)
        if answer.status_code == 200:
            return answer.content
        assert answer.status_code == 303
        time.sleep(0.2)


def test_workers_need_postgresql(tmp_path: Path) -> None:
    file = settings_file(tmp_path, rounds=1)
    with pytest.raises(AssertionError, match="an SQLite file has one writer"):
        Server(tmp_path, file, workers=2).start()
