"""The whole way of a participant, with the mouse and with the keyboard, and what holds on every screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browser.accessibility import findings
from browser.conftest import Visit
from browser.participant import Hands, Participant
from browser.study import Study


def kind_of(page: Page, stop: str) -> tuple[str, ...]:
    """What a stop has in common with others: pages of the tutorial differ in what is on them."""
    if not stop.startswith("tutorial"):
        return (stop,)
    return ("tutorial", *(part for part in (".example", ".play") if page.locator(part).count()))


def content(page: Page) -> str:
    """Everything on the screen."""
    return str(page.locator("main[data-screen]").text_content())


@pytest.mark.parametrize(
    ("experiment", "hands"), [pytest.param(1, "mouse", marks=pytest.mark.slow), (4, "keyboard")]
)
def test_from_consent_to_the_completion_link(
    visit: Visit, short: Study, experiment: int, hands: Hands
) -> None:
    """A reload leads back to each kind of screen, and everybody can use it."""
    person = visit(short, experiment, hands=hands)
    stops, kinds = [], set()
    for stop in person.walk(observations=2):
        stops.append(stop)
        if (kind := kind_of(person.page, stop)) not in kinds:
            kinds.add(kind)
            before = content(person.page)
            person.page.reload()
            assert content(person.page) == before, stop
        if experiment == 4:  # it has everything that the others have
            assert findings(person.page) == [], stop
    assert stops.count("card") == stops.count("trial result") == 2
    link = person.page.locator(".completion a")
    expect(link).to_have_attribute("href", "https://app.prolific.com/submissions/complete?cc=DONE")
    expect(person.page.locator("#completion-code")).to_have_text("DONE")
    session = short.session(person.pid)
    assert short.store.verify(session.id, short.courses) == []
    assert session.end_reason == "complete"
    observed = [log[:2] for log in short.state(person.pid).logs]
    assert all(choice.startswith("observe") for log in observed for choice in log)


def test_axe_finds_nothing_serious_besides_the_way(visit: Visit, short: Study) -> None:
    person = visit(short, 1)
    person.page.locator("#leave").click()
    assert findings(person.page) == []
    person.page.get_by_role("button", name="Yes, withdraw").click()
    expect(person.page.locator("main")).to_have_attribute("data-screen", "withdrawn")
    assert findings(person.page) == []
    person.page.set_viewport_size({"width": 600, "height": 500})
    assert findings(person.page) == []


@pytest.mark.parametrize(
    "at", ["consent", "practice", "check", "card", "trial", "survey", "debrief"]
)
def test_every_screen_can_be_read_where_pages_are_dark_and_has_the_rules(
    visit: Visit, short: Study, at: str
) -> None:
    person = visit(short, 4, at=at, color_scheme="dark")
    page, before = person.page, person.events
    page.locator("main:not(.fresh)").wait_for()
    ground = page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    assert max(map(int, re.findall(r"\d+", ground))) < 64
    assert findings(page) == []
    page.get_by_role("button", name="Rules & contact").click()
    dialog = page.locator("#helping")
    expect(dialog.get_by_text("lab@example.org")).to_be_in_viewport(ratio=1)
    expect(dialog).to_contain_text("Every choice is final")
    assert findings(page) == []
    page.keyboard.press("ArrowUp")
    page.get_by_role("button", name="Close").click()
    assert person.events == before
    if at == "check":
        person.answer(right=False)
        assert findings(page) == []


@pytest.mark.parametrize("at", ["practice", "trial"])
def test_the_game_fits_into_the_window(visit: Visit, study: Study, at: str) -> None:
    person = visit(study, 4, at=at)
    for stop in person.play(1):
        for width, height in ((1280, 800), (1920, 1080), (900, 600)):
            person.page.set_viewport_size({"width": width, "height": height})
            assert inside(person, width, height), (stop, width)


def inside(person: Participant, width: int, height: int) -> bool:
    """Whether nothing that matters lies outside of the window."""
    parts = person.page.locator(".map, .actions, .news, #points-left").all()
    boxes = [box for part in parts if (box := part.bounding_box())]
    return len(boxes) == 4 and all(
        box["x"] >= 0
        and box["y"] >= 0
        and box["x"] + box["width"] <= width
        and box["y"] + box["height"] <= height
        for box in boxes
    )
