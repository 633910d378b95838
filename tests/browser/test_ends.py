"""The ways out besides the regular one, and the ways in that are closed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.conftest import Visit
from browser.study import Study

SMALL = {"width": 600, "height": 500}


def test_declining(visit: Visit, short: Study) -> None:
    person = visit(short, 1)
    person.push(person.page.get_by_role("button", name="I do not want to take part"))
    expect(person.page.locator("h1")).to_have_text("You decided not to take part")
    expect(person.page.locator("#completion-code")).to_have_text("DECLINED")
    expect(person.page.locator("#leave")).to_be_hidden()


def test_withdrawing_is_asked_about_first(visit: Visit, short: Study) -> None:
    person = visit(short, 2, at="practice")
    page, before = person.page, person.events
    page.locator("#leave").click()
    page.keyboard.press("ArrowUp")  # not a move while the question is open
    page.get_by_role("button", name="No, go on").click()
    assert person.events == before
    page.locator("#leave").click()
    page.get_by_role("button", name="Yes, withdraw").click()
    expect(page.locator("h1")).to_have_text("You have left the study")
    assert person.events == [*before, "withdraw"]


def test_failing_the_check(visit: Visit, short: Study) -> None:
    person = visit(short, 4, at="check")
    person.answer(right=False)
    expect(person.page.locator(".feedback")).to_contain_text("You have one more try")
    expect(person.page.locator("fieldset.wrong")).to_have_count(len(short.courses[4].questions))
    person.answer(right=False)
    expect(person.page.locator("#completion-code")).to_have_text("FAILED")


def test_a_pause_can_be_waited_for(visit: Visit, short: Study) -> None:
    short.store.set_paused(2, True, "2026-01-01T00:00:00Z")
    try:
        page = visit(short, 2).page
        expect(page.locator("h1")).to_have_text("The study is paused")
    finally:
        short.store.set_paused(2, False, "2026-01-01T00:00:01Z")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("main")).to_have_attribute("data-screen", "consent")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("?PROLIFIC_PID=lost&STUDY_ID=none", "does not say which study it is for"),
        ("?PROLIFIC_PID=lo%20st&STUDY_ID=s1", "something in it was changed"),
    ],
)
def test_a_wrong_link_says_what_to_check_and_whom_to_ask(
    visit: Visit, short: Study, query: str, words: str
) -> None:
    page = visit(short, 1, faulty=True, query=query).page
    expect(page.locator("h1")).to_have_text("The study cannot be opened")
    for said in (words, "the whole link is in the address bar", "lab@example.org"):
        expect(page.locator("main")).to_contain_text(said)
    expect(page.locator("main button")).to_have_count(0)  # the same link would not help


def test_a_test_run_is_resumed_and_begun_anew(visit: Visit, short: Study) -> None:
    person = visit(short, 1, query="")
    person.go_on()
    expect(person.page.locator("main")).to_have_attribute("data-screen", "tutorial")
    person.page.reload()
    expect(person.page.locator("main")).to_have_attribute("data-screen", "tutorial")
    person.page.get_by_role("button", name="New test run").click()
    expect(person.page.locator("main")).to_have_attribute("data-screen", "consent")


def test_a_small_window_is_asked_to_grow(visit: Visit, short: Study) -> None:
    person = visit(short, 1, viewport=SMALL, faulty=True)
    page = person.page
    expect(page.locator("#blocked h1")).to_have_text("Please make this window larger")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator("main")).to_have_attribute("data-screen", "consent")
    page.set_viewport_size(SMALL)
    expect(page.locator("main")).to_be_visible()  # texts can be read in any window
    person = visit(short, 1, at="trial")
    page = person.page
    page.set_viewport_size(SMALL)
    expect(page.locator("#blocked")).to_be_visible()
    expect(page.locator("main")).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator("main")).to_be_visible()


def test_a_phone_is_told_to_be_a_computer(visit: Visit, short: Study) -> None:
    page = visit(short, 1, is_mobile=True, has_touch=True, faulty=True).page
    expect(page.locator("#blocked h1")).to_have_text("Please use a computer")
