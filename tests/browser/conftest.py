"""The study on a free port, a browser to visit it with, and an eye on what the browser complains of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

import programs
from browser.participant import Participant
from browser.study import Study, settings
from onlooker.experiments.orderings import save_orderings
from onlooker.experiments.stimuli import tutorials
from onlooker.game import dump_map_text
from onlooker.web.participant.service import StudyService
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import Round
from onlooker.web.store import Store
from waiting import HANG
from web.visitor import Visitor

TIMEOUT_MS = 1000 * HANG
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need a browser."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")  # its event loop must not run on under other tests
def browser() -> Iterator[Browser]:
    (found,) = programs.need("browser")
    expect.set_options(timeout=TIMEOUT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    """All four experiments as they come with the package."""
    with _running(tmp_path_factory.mktemp("study") / "study.db", {}) as running:
        yield running


@pytest.fixture(scope="session")
def short(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    """All four experiments with two small rounds each."""
    folder = tmp_path_factory.mktemp("short")
    stimuli = {number: {"folder": _small_rounds(folder, number)} for number in range(1, 5)}
    with _running(folder / "study.db", stimuli) as running:
        yield running


@pytest.fixture(scope="session")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    """Experiment 2 with two small rounds and questions after each."""
    folder = tmp_path_factory.mktemp("asking")
    stimuli = {number: {"folder": _small_rounds(folder, number)} for number in range(1, 5)}
    goal = {"id": "goal", "kind": "choice", "text": "Which chest was Agent 2 going to?"}
    sure = {"id": "sure", "kind": "scale", "text": "How sure are you of the wizard?"}
    why = {"id": "why", "kind": "text", "text": "Why are you not sure?"}
    steps = {"id": "steps", "kind": "number", "text": "How many more steps?", "minimum": 0}
    questions = [
        goal | {"options_from": "chests", "required": True},
        sure | {"minimum": 1, "maximum": 7, "low": "not at all", "high": "completely"},
        why | {"when": {"question": "sure", "answer": 1}, "required": True},
        steps | {"when": {"question": "why", "answer": "count"}},
    ]
    asked = Round.model_validate({"questions": questions})
    with _running(folder / "study.db", stimuli, round=asked) as running:
        yield running


@contextmanager
def _running(database: Path, stimuli: dict[int, Any], **changes: Any) -> Iterator[Study]:
    study_settings = settings(stimuli).model_copy(update=changes)
    with Store(str(database), HANG) as store:
        service = StudyService(study_settings, store)
        with serving(create_app(study_settings, store, service=service)) as url:
            yield Study(url, store, service.courses)


def _small_rounds(folder: Path, experiment: int) -> str:
    """The practice trials of an experiment as trials that count."""
    place = folder / f"exp{experiment}"
    place.mkdir()
    names = []
    for trial in tutorials(experiment):
        text = dump_map_text(trial).replace("tutorial: yes\n", "")
        place.joinpath(f"{trial.name}.map").write_text(text, encoding="utf-8")
        names.append(trial.label)
    save_orderings(place / "orderings.json", [names], experiment=experiment)
    return str(place)


Visit = Callable[..., Participant]


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Open a study as a new participant; in the end nothing must have been complained of."""
    opened: list[Any] = []
    complaints: list[str] = []

    def begin(
        study: Study,
        experiment: int,
        *,
        keyboard: bool = False,
        faulty: bool = False,  # failed calls are part of the test
        query: str | None = None,
        at: str = "",  # the screen to begin on; what comes before is not played in the browser
        **options: Any,
    ) -> Participant:
        options = {
            "viewport": {"width": 1280, "height": 800},
            "reduced_motion": "reduce",
            **options,
        }
        context = browser.new_context(**options)
        context.set_default_timeout(TIMEOUT_MS)
        # Calls slip past a route that is set while the page is open, if it is the first one.
        context.route("**/api/intent", lambda route: route.fallback())
        opened.append(context)
        pid = f"{request.node.name}-{len(opened)}".translate(str.maketrans("[]", "--"))[:60]
        query = (
            f"?PROLIFIC_PID={pid}&STUDY_ID=s{experiment}&SESSION_ID=x" if query is None else query
        )
        if at:
            _come_to(study, experiment, pid, at)
        context.on("page", lambda page: _watch(page, study.url, complaints, faulty))
        participant = Participant(context.new_page(), study, pid, experiment, keyboard)
        participant.page.goto(f"{study.url}/{query}")
        if at:
            participant.page.locator("main[data-screen]").wait_for()
        return participant

    yield begin
    for context in opened:
        context.unroute_all(behavior="ignoreErrors")
        context.close()
    assert complaints == []


def _come_to(study: Study, experiment: int, pid: str, screen: str) -> None:
    """Let a participant come to a screen without a browser; "practice" is its first round."""
    course = study.courses[experiment]
    with httpx.Client(base_url=study.url, timeout=HANG) as client:
        visitor = Visitor(client, pid, f"s{experiment}")
        visitor.arrive()
        if screen == "practice":
            while not visitor.view.get("game"):
                visitor.step(course)
        else:
            visitor.go_to(course, screen)


def _watch(page: Page, url: str, complaints: list[str], faulty: bool) -> None:
    page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    page.on(
        "request",
        lambda request: request.url.startswith(url) or complaints.append(f"asked {request.url}"),
    )

    def told(message: Any) -> None:
        failed_call = message.text.startswith("Failed to load resource")
        if message.type in ("error", "warning") and not (faulty and failed_call):
            complaints.append(f"console: {message.text}")

    page.on("console", told)
