"""Replays are computed in a process of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from onlooker.web.replay.worker import Worker, WorkerError
from waiting import wait_until

TESTS = Path(__file__).parents[2]

# Whatever asks for a module that is None in `sys.modules` gets an ImportError.
SERVED = """
    import sys
    sys.modules["numba"] = sys.modules["scipy"] = None
    from dataclasses import replace
    from onlooker.web.participant.service import StudyService
    from onlooker.web.server.app import create_app
    from onlooker.web.settings import default_settings
    from onlooker.web.store import Store
    from onlooker.web.study.course import load_courses
    from web.asgi import Browser
    from web.visitor import Visitor

    settings = default_settings(1)
    course = load_courses(settings)[1]
    course = replace(course, orderings=(course.orderings[0][:1],))
    with Store(sys.argv[1]) as store:
        app = create_app(settings, store, service=StudyService(settings, store, {1: course}))
        browser = Browser(app)
        visitor = Visitor(browser, "test-anna")
        visitor.arrive()
        for view in visitor.walk(course):
            pass
        print(view["screen"])
        body = {"trial": "gallery/early-turn", "parameters": {}}
        replay = browser.post("/api/replay/document", json=body)
        print(replay.status_code, len(replay.json()["frames"]) > 0)
        app.state.resources.builder.close()
        app.state.intents.close()
"""


def test_the_process_that_serves_participants_needs_neither_numba_nor_scipy(
    tmp_path: Path,
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SERVED), str(tmp_path / "study.db")],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["debrief", "200", "True"], done.stderr


def test_a_process_that_was_killed_is_replaced() -> None:
    worker = Worker()
    first = worker.run(os.getpid)
    assert first != os.getpid()
    with pytest.raises(WorkerError):
        worker.run(os.kill, first, signal.SIGKILL)
    assert worker.run(os.getpid) != first
    worker.close()


def test_errors_come_back_as_they_are() -> None:
    worker = Worker()
    with pytest.raises(ZeroDivisionError):
        worker.run(divmod, 1, 0)
    worker.close()


def test_the_process_ends_with_a_server_that_is_killed() -> None:
    code = """
        import os
        from onlooker.web.replay.worker import Worker
        worker = Worker()
        print(worker.run(os.getpid), flush=True)
        os.kill(os.getpid(), 9)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, check=False
    )
    assert done.returncode == -signal.SIGKILL
    wait_until(lambda: not is_running(int(done.stdout)))


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
