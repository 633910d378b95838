"""The server is killed while bots take part: a small version of tests/soak."""

from __future__ import annotations

from pathlib import Path

import pytest

from web.crash import Server, check_all, loaded, play, settings_file

pytestmark = [pytest.mark.server, pytest.mark.slow]


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    file = settings_file(tmp_path, rounds=2)
    settings, courses = loaded(file)
    with Server(tmp_path, file) as server:
        tally = play(server, courses, bots=5, rate=0, kills=2, every=100)
    assert tally.finished == 5
    assert server.kills == 2
    assert tally.retries > 0
    check_all(server.database, settings, courses, tally)
