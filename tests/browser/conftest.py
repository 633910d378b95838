"""The study on a free port, a browser to visit it with, and an eye on what the browser complains of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

import programs
from browser.participant import Hands, Participant
from browser.study import Study, settings
from onlooker.experiments.orderings import save_orderings
from onlooker.experiments.stimuli import tutorials
from onlooker.game import dump_map_text
from onlooker.web.participant.service import StudyService
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import Round, default_settings
from onlooker.web.store import Store
from onlooker.web.study.course import Courses, load_courses
from waiting import HANG
from web.person import Person

TIMEOUT_MS = 1000 * HANG
VIEWPORT: ViewportSize = {"width": 1280, "height": 800}
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
    """Experiment 4 as it comes with the package."""
    known = load_courses(default_settings(4))
    with _running(tmp_path_factory.mktemp("study") / "study.db", {}, known) as running:
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
def _running(
    database: Path, stimuli: dict[int, Any], known: Courses | None = None, **changes: Any
) -> Iterator[Study]:
    study_settings = settings(stimuli).model_copy(update=changes)
    with Store(str(database), HANG) as store:
        service = StudyService(study_settings, store, known)
        with serving(create_app(study_settings, store, service=service)) as url:
            yield Study(url, service)


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


@pytest.fixture(scope="package")
def lasting_tab(browser: Browser) -> Iterator[Page]:
    """A tab that stays open: a new one starts a process, which loads everything anew."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(TIMEOUT_MS)
    yield context.new_page()
    context.close()


@pytest.fixture
def tab(lasting_tab: Page) -> Iterator[Page]:
    """A tab that keeps nothing of what an earlier test did in it."""
    yield lasting_tab
    context = lasting_tab.context
    for other in context.pages:
        if other is not lasting_tab:
            other.close()
    lasting_tab.unroute_all(behavior="ignoreErrors")
    if lasting_tab.url.startswith("http"):
        lasting_tab.evaluate("localStorage.clear()")
        leave(lasting_tab)
    context.clear_cookies()


def leave(page: Page) -> None:
    """Leave a page for one where nothing happens; a blank one would have a process of its own."""
    page.goto(urljoin(page.url, "/favicon.svg"))


Visit = Callable[..., Participant]


@pytest.fixture
def visit(browser: Browser, tab: Page, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Open a study as a new participant; in the end nothing must have been complained of."""
    opened: list[BrowserContext] = []
    visits = count(1)
    complaints: list[str] = []
    ends: list[Callable[[], None]] = []

    def page_for(routed: bool, options: dict[str, Any]) -> Page:
        """A page in a context of its own."""
        context = browser.new_context(reduced_motion="reduce", **{"viewport": VIEWPORT, **options})
        context.set_default_timeout(TIMEOUT_MS)
        if routed:
            # Calls slip past a route that is set while the page is open, if it is the first one.
            context.route("**/api/intent", lambda route: route.fallback())
        opened.append(context)
        return context.new_page()

    def begin(
        study: Study,
        experiment: int,
        *,
        hands: Hands = "both",
        faulty: bool = False,  # failed calls are part of the test
        routed: bool = False,  # the test holds calls back or answers them, which slows all others
        query: str | None = None,
        at: str = "",  # the screen to begin on; what comes before is not played in the browser
        **options: Any,
    ) -> Participant:
        number = next(visits)
        pid = f"{request.node.name}-{number}".translate(str.maketrans("[]", "--"))[-60:]
        query = (
            f"?PROLIFIC_PID={pid}&STUDY_ID=s{experiment}&SESSION_ID=x" if query is None else query
        )
        if at:
            _come_to(study, experiment, pid, at)
        if number > 1 or faulty or routed or options:
            page = page_for(routed, options)
        else:
            page = tab
            page.set_viewport_size(VIEWPORT)

        def watched(page: Page) -> None:
            ends.append(watch(page, study.url, complaints, faulty))

        watched(page)
        page.context.on("page", watched)
        ends.append(lambda: page.context.remove_listener("page", watched))
        page.goto(f"{study.url}/{query}")
        if at:
            page.locator("main[data-screen]").wait_for()
        return Participant(page, study, pid, experiment, hands)

    yield begin
    for end in ends:
        end()
    for context in opened:
        context.unroute_all(behavior="ignoreErrors")
        context.close()
    assert complaints == []


def _come_to(study: Study, experiment: int, pid: str, screen: str) -> None:
    """Let a participant come to a screen without a browser; "practice" is its first round."""
    course, person = study.courses[experiment], Person(study.service, pid, f"s{experiment}")
    if screen == "practice":
        while not person.view.get("game"):
            person.step(course)
    else:
        person.go_to(course, screen)


def watch(page: Page, url: str, complaints: list[str], faulty: bool) -> Callable[[], None]:
    """Add what a page complains of, and what it asks for elsewhere, to a list; how to end that."""

    def failed(error: Any) -> None:
        complaints.append(f"error: {error}")

    def asked(request: Any) -> None:
        if not request.url.startswith(url):
            complaints.append(f"asked {request.url}")

    def told(message: Any) -> None:
        failed_call = message.text.startswith("Failed to load resource")
        if message.type in ("error", "warning") and not (faulty and failed_call):
            complaints.append(f"console: {message.text}")

    listeners: dict[Any, Any] = {"pageerror": failed, "request": asked, "console": told}
    for event, listener in listeners.items():
        page.on(event, listener)

    def end() -> None:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)

    return end
