"""A round on the screen: what is told, what is not, and what the keys do."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Response, expect

from browser.conftest import Visit
from browser.study import Study
from onlooker.planning import Tables, main_path
from onlooker.web.store.queries import log


def test_hidden_outcomes_are_not_shown(visit: Visit, short: Study) -> None:
    person = visit(short, 4, at="card")
    replies: list[dict[str, Any]] = []

    def keep(response: Response) -> None:
        if response.url.endswith("/api/intent"):
            replies.append(response.json()["view"])

    person.page.on("response", keep)
    person.go_on()
    asked = 0
    while (buttons := person.page.locator(".observe button:enabled")).count():
        person.choose(str(buttons.first.get_attribute("data-choice")))
        if person.page.locator(".news.interaction").count():
            asked += 1
            expect(person.page.locator(".bubble")).to_have_class("bubble hidden")
    assert asked >= 2
    told = person.page.locator("main").inner_text().lower()
    assert "not told what the wizard answered" in told
    assert not any(words in told for words in ("gave", "does not have", "has nothing"))
    sent = json.dumps(replies)
    assert '"hidden"' in sent
    assert not any(word in sent for word in ('"given"', '"nothing"', "holder", '"goals"'))


def test_own_outcomes_are_always_told(visit: Visit, short: Study) -> None:
    person = visit(short, 4, at="trial")
    told = []
    for choice in solution(short, person.pid):
        person.choose(choice)
        told.append(person.page.locator(".news").inner_text())
    assert any("gave you the blue amulet" in text for text in told)
    expect(person.page.locator(".info .held")).to_contain_text("blue")


def solution(study: Study, pid: str) -> list[str]:
    trial = study.stage(pid, 4).trial
    return [str(taken.action) for taken in main_path(Tables(trial.map), trial)]


def test_points_go_below_zero_and_the_round_goes_on(visit: Visit, short: Study) -> None:
    person = visit(short, 1, hands="keyboard", at="trial")
    left = person.page.locator("#points-left")
    way = next(
        pair
        for pair in (("left", "right"), ("right", "left"), ("up", "down"), ("down", "up"))
        if person.page.locator(f'[data-choice="{pair[0]}"]:enabled .price.move').count()
    )
    while not left.inner_text().startswith("−"):
        for choice in way:
            person.choose(choice)
    expect(person.page.locator(".points.negative")).to_be_visible()
    assert list(person.play()) == ["observed", "result"]
    expect(person.page.locator(".unspent.negative")).to_contain_text("−")
    person.go_on()
    assert person.screen == "card"


def test_only_what_is_available_can_be_chosen(visit: Visit, short: Study) -> None:
    person = visit(short, 4, at="practice")
    page = person.page
    blocked = page.locator(".act:disabled")
    before = len(person.events)
    for button in blocked.all():
        page.keyboard.press({"up": "w", "down": "s", "left": "a", "right": "d"}[direction(button)])
    page.keyboard.press("9")
    page.keyboard.press("Control+ArrowUp")
    assert blocked.count() > 0
    assert len(person.events) == before
    expect(page.locator("#notice")).to_have_text("You can't go that way: it is blocked.")


def test_keys_that_are_pressed_fast_wait_for_their_turn(visit: Visit, short: Study) -> None:
    person = visit(short, 1, at="trial")
    page, before = person.page, len(person.events)
    person.page.evaluate(
        """() => {
          for (let press = 0; press < 6; press += 1)
            document.dispatchEvent(new KeyboardEvent("keydown", { key: "o", bubbles: true }));
        }"""
    )
    expect(page.locator(".seen")).to_have_text("observed for 4 steps")
    assert len(person.events) == before + 4  # one under way and three waiting; two were refused


def direction(button: Any) -> str:
    return str(button.get_attribute("data-choice"))


def test_shift_and_arrows_look_around_without_acting(visit: Visit, short: Study) -> None:
    person = visit(short, 4, at="practice")
    page, before = person.page, len(person.events)
    page.keyboard.press("Shift+ArrowLeft")
    here = page.locator("[role=gridcell]:focus")
    assert "you, M" in str(here.get_attribute("aria-label"))
    labels = set()
    for key in ["ArrowLeft"] * 9 + ["ArrowUp"] * 9 + (["ArrowRight"] * 9 + ["ArrowDown"]) * 9:
        page.keyboard.press(f"Shift+{key}")
        labels.add(str(here.get_attribute("aria-label")).partition(";")[0])
    assert {"wall", "floor", "blue barrier"} <= labels
    assert len(person.events) == before


def test_the_focus_stays_where_one_acts(visit: Visit, short: Study) -> None:
    person = visit(short, 2, at="trial")
    button = person.page.locator('[data-choice="observe agent2"]')
    button.click()
    expect(button).to_be_focused()
    person.page.keyboard.press("Enter")
    expect(person.page.locator(".seen")).to_have_text("observed for 2 steps")


@pytest.mark.parametrize("width", [1280, 360])
def test_questions_after_a_round(visit: Visit, asking: Study, width: int) -> None:
    person = visit(asking, 2, at="questions", viewport={"width": width, "height": 800})
    page = person.page
    expect(page.get_by_role("heading", level=1)).to_have_text("After round 1 of 2")
    chests = [chest.letter for chest in asking.stage(person.pid, 2).trial.map.chests]
    options = page.locator("[name=goal]")
    assert [each.get_attribute("value") for each in options.all()] == chests
    assert page.locator(".map").bounding_box()["height"] > 200
    person.go_on()  # the required one is missing
    expect(page.locator("main")).to_have_attribute("data-screen", "questions")
    page.locator(f"[name=goal][value={chests[0]}]").check()
    page.locator("[name=sure][value='6']").check()
    person.go_on()
    expect(page.locator("main")).to_have_attribute("data-screen", "card")
    with asking.store.read() as orm:
        last = log(orm, asking.session(person.pid))[-1]
    assert last.data["answers"] == {"goal": chests[0], "sure": 6}
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_question_is_asked_where_an_answer_leads_to_it(visit: Visit, asking: Study) -> None:
    person = visit(asking, 2, at="questions")
    page, why, steps = person.page, *(person.page.locator(f"[name={n}]") for n in ("why", "steps"))
    page.locator("[name=goal]").first.check()
    expect(why).to_be_hidden()
    page.locator("[name=sure][value='1']").check()
    why.fill("count")
    steps.fill("3")
    page.locator("[name=sure][value='2']").check()
    expect(why).to_be_hidden()
    expect(steps).to_be_hidden()  # what leads to it is not asked
    page.locator("[name=sure][value='1']").check()
    expect(steps).to_have_value("3")
    person.go_on()
    expect(page.locator("main")).to_have_attribute("data-screen", "card")
    with asking.store.read() as orm:
        given = log(orm, asking.session(person.pid))[-1].data["answers"]
    assert {key: given[key] for key in ("sure", "why", "steps")} == {
        "sure": 1,
        "why": "count",
        "steps": 3,
    }
