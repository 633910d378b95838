"""The researcher's pages in a browser: what is announced, and where buttons lead."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from browser.accessibility import findings
from browser.conftest import TIMEOUT_MS
from onlooker.web.participant.arrivals import Arrival
from onlooker.web.participant.service import StudyService
from onlooker.web.researcher.pages import LIVE_SECONDS
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import Researcher, default_settings
from onlooker.web.store import Store
from waiting import HANG
from web.passwords import HASHED, PASSWORD

ColorScheme = Literal["light", "dark"]
SILENT = "The server does not answer. The figures below are not up to date."

# Counts what is announced: every change of the text that readers of the screen are told.
COUNT = """() => { window.announced = []; const news = document.getElementById("news");
  new MutationObserver(() => window.announced.push(news.textContent))
    .observe(news, { childList: true, characterData: true, subtree: true }); }"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A study with a password in which somebody has arrived."""
    password = Researcher(password_hash=HASHED)
    settings = default_settings(1).model_copy(update={"researcher": password})
    folder: Path = tmp_path_factory.mktemp("researcher")
    with Store(str(folder / "study.db"), HANG) as store:
        service = StudyService(settings, store)
        service.arrive(Arrival("anna", "study1"))
        with serving(create_app(settings, store, service=service)) as url:
            yield url


@pytest.fixture
def scheme() -> ColorScheme:
    """Where colours are looked at, a test asks for both."""
    return "light"


in_both_schemes = pytest.mark.parametrize("scheme", ["light", "dark"])


@pytest.fixture(scope="module")
def signed_in(browser: Browser, served: str) -> StorageState:
    """What the browser of somebody who has signed in keeps."""
    context = browser.new_context()
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    page.goto(f"{served}/researcher")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#live")).to_be_visible()
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def dashboard(
    browser: Browser, served: str, signed_in: StorageState, scheme: ColorScheme
) -> Iterator[Page]:
    """The dashboard of somebody who has signed in."""
    context = browser.new_context(color_scheme=scheme, storage_state=signed_in)
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    page.clock.install()
    page.goto(f"{served}/researcher")
    expect(page.locator("#live")).to_be_visible()
    yield page
    context.close()


def refresh(page: Page) -> None:
    """Let the time pass until the live part is asked for, and wait for the answer."""
    with page.expect_response("**/researcher/live*"):
        page.clock.run_for(1000 * LIVE_SECONDS)


@in_both_schemes
def test_cancel_leads_back_to_where_one_was(dashboard: Page) -> None:
    dashboard.get_by_role("button", name="End with pay").click()
    expect(dashboard.locator("h1")).to_contain_text("End the session of")
    assert findings(dashboard) == []
    dashboard.get_by_role("link", name="Cancel").click()
    expect(dashboard.locator("#live")).to_be_visible()


def test_what_is_wrong_is_announced_once(dashboard: Page) -> None:
    dashboard.evaluate(COUNT)
    alarm = '<p class="alarm">The database cannot be written.</p>'
    dashboard.route("**/researcher/live*", lambda route: route.fulfill(body=alarm))
    for _ in range(3):
        refresh(dashboard)
        expect(dashboard.locator("#live .alarm")).to_be_visible()
    expect(dashboard.locator("#news")).to_have_text("The database cannot be written.")
    assert dashboard.evaluate("announced") == ["The database cannot be written."]


@in_both_schemes
def test_a_server_that_does_not_answer_is_announced_once(dashboard: Page) -> None:
    dashboard.evaluate(COUNT)
    dashboard.route("**/researcher/live*", lambda route: route.fulfill(status=502, body=""))
    for _ in range(3):
        refresh(dashboard)
        expect(dashboard.locator("#news")).to_have_text(SILENT)
    assert dashboard.evaluate("announced") == [SILENT]
    assert findings(dashboard) == []


@in_both_schemes
def test_axe_finds_nothing_serious(dashboard: Page, served: str) -> None:
    for path in ("people?show=all", "data", "bonus", "nothing"):
        dashboard.goto(f"{served}/researcher/{path}")
        assert findings(dashboard) == [], path
