"""A study to replay, and its pages in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize

from browser.conftest import TIMEOUT_MS, leave, watch
from browser.replay.pages import SIZES, Open
from onlooker.observers import find_observer
from onlooker.web.bots.crew import BotPlan, run_bots
from onlooker.web.participant.service import StudyService
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import Researcher, default_settings
from onlooker.web.store import Store
from onlooker.web.study.course import Course
from waiting import HANG
from web.passwords import HASHED, PASSWORD


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A study for trying out, in which a bot has played two rounds."""
    password = Researcher(password_hash=HASHED)
    settings = default_settings(4).model_copy(update={"researcher": password})
    with Store(str(tmp_path_factory.mktemp("replay") / "study.db"), HANG) as store:
        service = StudyService(settings, store)
        course = service.courses[4]
        service.courses = {4: _short(course)}
        with serving(create_app(settings, store, service=service)) as url:
            plan = BotPlan(
                1, find_observer("naive_observer"), rate=0, seed=4, patience=HANG, timeout=HANG
            )
            assert run_bots(url, service.courses, plan).finished == 1
            yield url


def _short(course: Course) -> Course:
    return replace(course, orderings=tuple(ordering[:2] for ordering in course.orderings))


Routes = Mapping[str, Callable[[Route], object]]  # set before the first call is made
NONE: Routes = {}


@pytest.fixture
def opened(browser: Browser, tab: Page, site: str) -> Iterator[Open]:
    """Open a page of the site; in the end nothing must have been complained of."""
    contexts: list[Any] = []
    complaints: list[str] = []
    ends: list[Callable[[], None]] = []

    def begin(
        path: str, size: tuple[int, int] = SIZES[0], faulty: bool = False, routes: Routes = NONE
    ) -> Page:
        viewport: ViewportSize = {"width": size[0], "height": size[1]}
        if path.startswith(("/replay", "/gallery", "/researcher")):
            page = tab
            page.set_viewport_size(viewport)
        else:
            context = browser.new_context(viewport=viewport, reduced_motion="reduce")
            context.set_default_timeout(TIMEOUT_MS)
            contexts.append(context)
            page = context.new_page()
        address = path if path.startswith("file:") else site + path
        if page.url.partition("#")[0] == address.partition("#")[0]:
            leave(page)  # an address that differs after its # alone would load nothing
        end = watch(page, address if path.startswith("file:") else site, complaints, faulty)
        ends.append(end)
        for call, handler in routes.items():
            page.route(call, handler)
        if path.startswith("/researcher"):
            page.goto(address)
            page.locator("#password").fill(PASSWORD)
            page.get_by_role("button", name="Sign in").click()
        else:
            page.goto(address)
        return page

    yield begin
    for end in ends:
        end()
    for context in contexts:
        context.close()
    assert complaints == []
