"""What goes wrong on the way: no connection, lost replies, a busy server, two tabs."""

from __future__ import annotations

import json
from itertools import cycle
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from browser.conftest import Visit
from browser.participant import Participant
from browser.study import Study
from web.records import notes

INTENT = "**/api/intent"
RECONNECTING = "Reconnecting…"


@pytest.fixture
def person(visit: Visit, short: Study) -> Participant:
    """Somebody who is about to make the first choice of a round."""
    person = visit(short, 3, faulty=True, routed=True, at="card")
    person.go_on()
    return person


def choices(person: Participant) -> tuple[str, ...]:
    return person.study.state(person.pid).logs[-1]


def test_offline_and_back(person: Participant) -> None:
    page = person.page
    page.context.set_offline(True)
    page.keyboard.press("2")
    expect(page.locator("#connection")).to_have_text(RECONNECTING)
    page.keyboard.press("3")  # one thing at a time
    for _ in range(2):
        page.wait_for_event("requestfailed")
    expect(page.locator("#connection")).to_be_visible()
    assert choices(person) == ()
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator(".seen").first).to_have_text("observed for 1 step")
    assert choices(person) == ("observe agent2",)
    page.keyboard.press("3")
    expect(page.locator(".seen").last).to_have_text("observed for 1 step")
    assert choices(person) == ("observe agent2", "observe agent3")


def test_leaving_while_offline_waits_for_what_is_under_way(person: Participant) -> None:
    page = person.page
    page.context.set_offline(True)
    page.keyboard.press("2")
    expect(page.locator("#connection")).to_have_text(RECONNECTING)
    page.locator("#leave").click()
    page.get_by_role("button", name="Yes, withdraw").click()
    page.context.set_offline(False)
    expect(page.locator("main")).to_have_attribute("data-screen", "withdrawn")
    assert person.events[-2:] == ["choose", "withdraw"]


def test_a_lost_reply_is_asked_for_again_with_the_same_id(person: Participant) -> None:
    sent: list[dict[str, Any]] = []

    def lose(route: Route) -> None:
        sent.append(json.loads(route.request.post_data or ""))
        if len(sent) == 1:
            route.fetch()  # it arrives, but the answer does not come back
            route.abort()
        else:
            route.continue_()

    person.page.route(INTENT, lose)
    person.page.keyboard.press("2")
    expect(person.page.locator(".seen").first).to_have_text("observed for 1 step")
    assert len(sent) == 2
    assert sent[0] == sent[1]
    assert choices(person) == ("observe agent2",)


def test_a_busy_server_is_waited_for(person: Participant) -> None:
    answers = cycle([503, 429])
    refused: list[int] = []
    noticed = False

    def busy(route: Route) -> None:
        if len(refused) < 3 or not noticed:
            refused.append(next(answers))
            body = json.dumps({"error": "busy", "message": "busy"})
            route.fulfill(status=refused[-1], headers={"Retry-After": "1"}, body=body)
        else:
            route.continue_()

    person.page.route(INTENT, busy)
    person.page.keyboard.press("2")
    expect(person.page.locator("#connection")).to_have_text(RECONNECTING)
    noticed = True
    expect(person.page.locator(".seen").first).to_have_text("observed for 1 step")
    expect(person.page.locator("#connection")).to_be_hidden()
    assert choices(person) == ("observe agent2",)


@pytest.mark.parametrize(
    ("change", "told"),
    [({"seq": 0}, False), ({"data": {"choice": "observe nobody"}}, True)],
    ids=["stale", "forged"],
)
def test_a_refusal_shows_where_things_stand(
    person: Participant, change: dict[str, Any], told: bool
) -> None:
    def forge(route: Route) -> None:
        intent = json.loads(route.request.post_data or "") | change
        route.continue_(post_data=json.dumps(intent))

    person.page.route(INTENT, forge)
    person.choose("observe agent2")
    expect(person.page.locator(".seen").first).to_have_text("not observed yet")
    expect(person.page.locator("#notice")).to_be_visible(visible=told)
    person.page.unroute(INTENT)
    person.choose("observe agent2")
    expect(person.page.locator("#notice")).to_be_hidden()
    expect(person.page.locator(".seen").first).to_have_text("observed for 1 step")
    assert choices(person) == ("observe agent2",)


def test_a_second_tab_takes_over(person: Participant) -> None:
    first, second = person.page, person.page.context.new_page()
    second.goto(first.url)
    expect(second.locator(".play")).to_be_visible()
    first.locator('[data-choice="observe agent2"]').click()
    expect(first.locator("h1")).to_have_text("Continued in another tab")
    assert choices(person) == ()
    second.locator('[data-choice="observe agent2"]').click()
    expect(second.locator(".seen").first).to_have_text("observed for 1 step")
    first.get_by_role("button", name="Go on here instead").click()
    expect(first.locator(".seen").first).to_have_text("observed for 1 step")
    second.evaluate("dispatchEvent(new Event('focus'))")  # noticed without an action
    expect(second.locator("h1")).to_have_text("Continued in another tab")


def test_focus_and_errors_are_noted(person: Participant) -> None:
    page = person.page
    page.evaluate("dispatchEvent(new Event('blur'))")
    page.evaluate("dispatchEvent(new ErrorEvent('error', { message: 'odd' }))")
    page.set_viewport_size({"width": 1100, "height": 700})
    session = person.study.session(person.pid)
    expected = {"blur", "error", "resize"}
    while not expected <= {note.kind for note in notes(person.study.store, session.id)}:
        page.wait_for_event("requestfinished")
