"""The gallery; sizes and accessibility of both pages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from browser.accessibility import findings
from browser.replay.pages import NAMED, SIZES, TWO, Open, at


def test_the_gallery_leads_into_the_replay(opened: Open) -> None:
    page = opened("/gallery")
    expect(page.locator(".cards > li")).to_have_count(13)
    expect(page.locator(".cards svg.map")).to_have_count(13)
    assert findings(page) == []
    page.get_by_role("link", name="Open the replay").nth(1).click()
    at(page, 3)
    expect(page.locator(".news")).to_contain_text("Agent 2 moved left.")
    page.get_by_role("link", name="Gallery").click()
    expect(page.locator(".cards > li")).to_have_count(13)


@pytest.mark.parametrize("width", [1280, 800])
def test_a_card_is_as_wide_as_its_column(opened: Open, width: int) -> None:
    page = opened("/gallery", (width, 800))
    expect(page.locator(".cards > li")).to_have_count(13)
    columns, cards = page.evaluate("""() => [
      getComputedStyle(document.querySelector(".cards")).gridTemplateColumns,
      [...document.querySelectorAll(".cards > li")].map((card) => card.offsetWidth),
    ]""")
    column = float(columns.split()[0].removesuffix("px"))
    assert all(abs(card - column) <= 1 for card in cards)


@pytest.mark.parametrize("status", [200, 500])
def test_a_gallery_that_cannot_be_shown_is_told(opened: Open, status: int) -> None:
    answer = {"**/api/replay/gallery": lambda route: route.fulfill(status=status, body="no")}
    page = opened("/gallery", faulty=True, routes=answer)
    expect(page.get_by_role("alert")).to_contain_text("The gallery cannot be shown.")
    expect(page.get_by_text("One moment")).to_have_count(0)


@pytest.mark.parametrize(
    ("path", "call", "said", "failed"),
    [
        (TWO, "**/api/replay/document", "Computing the replay", "The server cannot be reached"),
        (TWO, "**/api/replay/offer*", "Computing the replay", ""),
        ("/gallery", "**/api/replay/gallery", "One moment", "The gallery cannot be shown."),
    ],
)
def test_a_page_that_waits_says_so_and_what_failed(
    opened: Open, path: str, call: str, said: str, failed: str
) -> None:
    held: list[Route] = []
    page = opened(path, faulty=True, routes={call: lambda route: held.append(route)})
    while not held:
        page.wait_for_timeout(10)
    expect(page.locator("main")).to_contain_text(said)
    held[0].abort()
    if failed:
        expect(page.get_by_role("alert").first).to_contain_text(failed)
    expect(page.locator("main")).not_to_contain_text(said)


def test_a_server_that_cannot_be_reached_is_told(opened: Open) -> None:
    page = opened(TWO, faulty=True)
    at(page, 0)
    page.route("**/api/replay/check", lambda route: route.abort())
    page.get_by_role("button", name="Edit or paste a map").click()
    page.get_by_label("Paste or draw a trial").fill(NAMED)
    expect(page.locator("#map-said")).to_contain_text("The server cannot be reached")


def test_the_number_of_an_agent_is_whole(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    page.get_by_role("button", name="Edit or paste a map").click()
    page.get_by_label("Paste or draw a trial").fill(
        NAMED.replace("agent2", "agent10").replace("...2...", "..32...")
        + "3 = novice agent3, goal A\n"
    )
    drawn = page.locator(".map .agent").filter(has_text="E")
    expect(drawn.first).to_have_text("E10")


def test_a_test_run_links_to_the_gallery_and_a_participant_does_not(opened: Open) -> None:
    page = opened("/")
    expect(page.locator("#top #gallery")).to_be_visible()
    page = opened("/?PROLIFIC_PID=test-somebody&STUDY_ID=x&SESSION_ID=y")
    expect(page.locator("#top")).to_be_visible()
    expect(page.locator("#top #gallery")).to_be_hidden()


@pytest.mark.parametrize("size", SIZES)
def test_it_fits_and_axe_finds_nothing_serious(opened: Open, size: tuple[int, int]) -> None:
    for path in (TWO, "/replay?trial=exp4/m401_1&step=2", "/gallery"):
        page = opened(path, size)
        expect(page.locator("svg.map").first).to_be_visible()
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= size[0], path
        if "replay" in path:
            page.get_by_role("button", name="Draw the tour").click()
            assert page.locator(".lines").bounding_box()["y"] < size[1] - 80  # type: ignore[index]
            assert findings(page) == []
