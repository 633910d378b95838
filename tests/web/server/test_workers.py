"""Several processes on one PostgreSQL database: they share sessions, sign-ins and datasets."""

from __future__ import annotations

import io
import os
import re
import signal
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
