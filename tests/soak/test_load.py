"""Two hundred bots, and two hundred bots on a server that is killed twenty times.

pytest -m soak -n 0 -s tests/soak
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from web.crash import Server, check_all, loaded, play, settings_file

KILLS = 20
BOTS = int(os.environ.get("ONLOOKER_SOAK_BOTS", "200"))
RATE = float(os.environ.get("ONLOOKER_SOAK_RATE", "1"))  # actions of each in a second
ROUNDS = int(os.environ.get("ONLOOKER_SOAK_ROUNDS", "10"))
EVERY = float(os.environ.get("ONLOOKER_SOAK_EVERY", "10"))  # seconds between two kills


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
def test_many_bots_on_a_server_that_is_killed_twenty_times(tmp_path: Path) -> None:
    file = settings_file(tmp_path, rounds=ROUNDS)
    settings, courses = loaded(file)
    with Server(tmp_path, file) as server:
        tally = play(server, courses, BOTS, RATE, kills=KILLS, every=EVERY)
    print("", *tally.lines(), sep="\n")
    assert tally.finished == BOTS
    assert server.kills == KILLS
    assert tally.retries > 0
    check_all(server.database, settings, courses, tally)
