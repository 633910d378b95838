"""Two hundred bots, and two hundred bots on a server that is killed twenty times.

pytest -m soak -n 0 -s tests/soak
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from soak.light import run_light
from web import postgres
from web.crash import Server, check_all, loaded, play, settings_file

pytestmark = pytest.mark.server

KILLS = int(os.environ.get("ONLOOKER_SOAK_KILLS", "20"))
BOTS = int(os.environ.get("ONLOOKER_SOAK_BOTS", "200"))
RATE = float(os.environ.get("ONLOOKER_SOAK_RATE", "1"))  # actions of each in a second
ROUNDS = int(os.environ.get("ONLOOKER_SOAK_ROUNDS", "10"))
EVERY = int(os.environ.get("ONLOOKER_SOAK_EVERY", "2000"))  # actions between two kills


PEOPLE = int(os.environ.get("ONLOOKER_SOAK_PEOPLE", "200"))
SECONDS = float(os.environ.get("ONLOOKER_SOAK_SECONDS", "30"))


@pytest.mark.soak
@pytest.mark.parametrize("rate", [1.0, 2.0])
def test_many_people_with_a_light_client(tmp_path: Path, rate: float) -> None:
    file = settings_file(tmp_path)
    _, courses = loaded(file)
    with Server(tmp_path, file) as server:
        load = run_light(server.url, courses[1], PEOPLE, rate, SECONDS, server.pids)
    print("", f"SQLite, one process: {load.line()}", sep="\n")
    assert load.refused == 0


@pytest.mark.soak
def test_many_people_on_postgresql(tmp_path: Path, postgres_server: str) -> None:
    file = settings_file(tmp_path)
    _, courses = loaded(file)
    with (
        postgres.database(postgres_server) as url,
        Server(tmp_path, file, url) as server,
    ):
        load = run_light(server.url, courses[1], PEOPLE, 2.0, SECONDS, server.pids)
    print("", f"PostgreSQL: {load.line()}", sep="\n")
    assert load.refused == 0


@pytest.mark.soak
def test_many_bots_at_once(tmp_path: Path) -> None:
    file = settings_file(tmp_path, rounds=ROUNDS)
    settings, courses = loaded(file)
    with Server(tmp_path, file) as server:
        tally = play(server, courses, BOTS, RATE)
    print("", *tally.lines(), sep="\n")
    assert tally.finished == BOTS
    check_all(server.database, settings, courses, tally)


@pytest.mark.soak
def test_many_bots_on_a_server_that_is_killed_twenty_times(tmp_path: Path, any_url: str) -> None:
    file = settings_file(tmp_path, rounds=ROUNDS)
    settings, courses = loaded(file)
    with Server(tmp_path, file, any_url) as server:
        tally = play(server, courses, BOTS, RATE, kills=KILLS, every=EVERY)
    system = "PostgreSQL" if "://" in any_url else "SQLite"
    print("", f"{system}: killed {server.kills} times", *tally.lines(), sep="\n")
    assert tally.finished == BOTS
    assert server.kills == KILLS
    assert tally.retries > 0
    check_all(server.database, settings, courses, tally)
