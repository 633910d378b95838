"""What holds on every screen: a reload leads back to it, and everybody can use it."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from browser.conftest import Visit
from browser.participant import Participant
from browser.study import Study

CONTENT = """main => {
  const copy = main.cloneNode(true);
  copy.querySelectorAll(".history").forEach(part => part.remove());
  return copy.textContent;
}"""


def content(page: Page) -> str:
    """Everything on the screen but the list of what happened while the page was open."""
    return str(page.locator("main[data-screen]").evaluate(CONTENT))


@pytest.mark.parametrize("experiment", [1, 4])
def test_a_reload_leads_back_to_the_same_screen(
    visit: Visit, short: Study, experiment: int
) -> None:
    person = visit(short, experiment)
    for stop in person.walk():
        before = content(person.page)
        person.page.reload()
        assert content(person.page) == before, stop


def findings(page: Page) -> list[str]:
    """What axe finds to be serious or critical, with where it is."""
    violations = Axe().run(page).response["violations"]
    return [
        f"{violation['id']}: {node['target']}"
        for violation in violations
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("experiment", [2, 4])
def test_axe_finds_nothing_serious(visit: Visit, short: Study, experiment: int) -> None:
    person = visit(short, experiment)
    found = {stop: problems for stop in person.walk() if (problems := findings(person.page))}
    assert found == {}


def test_axe_finds_nothing_serious_besides_the_way(visit: Visit, short: Study) -> None:
    person = visit(short, 1)
    person.page.locator("#leave").click()
    assert findings(person.page) == []
    person.page.get_by_role("button", name="Yes, withdraw").click()
    expect(person.page.locator("main")).to_have_attribute("data-screen", "withdrawn")
    assert findings(person.page) == []
    person.page.set_viewport_size({"width": 600, "height": 500})
    assert findings(person.page) == []


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (900, 600)])
def test_the_game_fits_into_the_window(visit: Visit, study: Study, size: tuple[int, int]) -> None:
    person = visit(study, 4, viewport={"width": size[0], "height": size[1]})
    for stop in person.walk(observations=1):
        if stop.startswith(("practice", "trial")):
            assert inside(person, size), stop
        if stop == "trial result":
            break


def inside(person: Participant, size: tuple[int, int]) -> bool:
    """Whether nothing that matters lies outside of the window."""
    parts = person.page.locator(".map, .actions, .news, #points-left").all()
    boxes = [box for part in parts if (box := part.bounding_box())]
    return len(boxes) == 4 and all(
        box["x"] >= 0
        and box["y"] >= 0
        and box["x"] + box["width"] <= size[0]
        and box["y"] + box["height"] <= size[1]
        for box in boxes
    )
