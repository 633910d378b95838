"""Between two screens: late replies, double clicks, held keys, narrow windows, dead connections."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from browser.conftest import Visit
from browser.study import Study
from onlooker.planning import Tables, main_path

INTENT = "**/api/intent"

# What a second click would hit, and whether a held Enter would be taken, on the next screen.
NEXT_SCREEN = """(selector) => new Promise((resolve) => {
  const main = document.querySelector("main");
  const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
  const look = () => {
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    const key = { key: "Enter", repeat: true, cancelable: true, bubbles: true };
    const target = document.activeElement ?? main;
    const taken = target.dispatchEvent(new KeyboardEvent("keydown", key));
    resolve([Boolean(hit?.closest("button")), taken && main.contains(target)]);
  };
  new MutationObserver((_, observer) => (observer.disconnect(), look()))
    .observe(main, { childList: true });
  document.querySelector(selector).click();
})"""


def hold(page: Page, kind: str) -> list[Route]:
    """Keep the calls of a kind back until the test lets them go."""
    held: list[Route] = []

    def handle(route: Route) -> None:
        if json.loads(route.request.post_data or "")["kind"] == kind:
            held.append(route)
        else:
            route.continue_()

    page.route(INTENT, handle)
    return held


def let_go(page: Page, held: list[Route]) -> None:
    for route in held:
        route.continue_()
    page.unroute(INTENT)


def finish_round(person: Any) -> None:
    assert list(person.play()) == ["observed", "result"]


def test_a_key_between_two_rounds_is_no_choice_of_the_next(visit: Visit, short: Study) -> None:
    person = visit(short, 1, routed=True, at="trial")
    finish_round(person)
    page = person.page
    held = hold(page, "next")
    with page.expect_request(INTENT):
        page.locator("main .primary").click()
    page.keyboard.press("ArrowUp")
    let_go(page, held)
    expect(page.locator("main")).to_have_attribute("data-screen", "card")
    person.go_on()
    person.choose("observe agent2")
    assert short.state(person.pid).logs[-1] == ("observe agent2",)


def test_a_key_before_a_round_is_no_choice_of_it(visit: Visit, short: Study) -> None:
    person = visit(short, 1, routed=True, at="card")
    page = person.page
    page.locator("main:not(.fresh)").wait_for()
    held = hold(page, "next")
    with page.expect_request(INTENT):
        page.locator("main .primary").click()
    for key in ("ArrowUp", "o", "ArrowLeft"):
        page.keyboard.press(key)
    let_go(page, held)
    expect(page.locator("main")).to_have_attribute("data-screen", "trial")
    person.choose("observe agent2")
    assert short.state(person.pid).logs == (("observe agent2",),)


def test_keys_after_the_last_choice_of_a_round_go_nowhere(visit: Visit, short: Study) -> None:
    person = visit(short, 1, routed=True, at="trial")
    page, trial = person.page, short.stage(person.pid, 1).trial
    *way, last = (str(taken.action) for taken in main_path(Tables(trial.map), trial))
    for choice in way:
        person.choose(choice)
    held = hold(page, "choose")
    with page.expect_request(INTENT):
        page.keyboard.press(f"Arrow{last.capitalize()}")
    for key in ("ArrowUp", "o", "Enter"):
        page.keyboard.press(key)
    let_go(page, held)
    expect(page.locator(".result")).to_be_visible()
    page.locator("main:not(.fresh):not([aria-busy])").wait_for()
    assert short.state(person.pid).logs == ((*way, last),)
    assert short.state(person.pid).screen == "trial"


@pytest.mark.parametrize(("at", "first"), [("consent", None), ("check", "answers"), ("card", None)])
def test_a_double_click_or_held_key_skips_no_screen(
    visit: Visit, short: Study, at: str, first: str | None
) -> None:
    person = visit(short, 1, at=at)
    if first:
        for question in short.courses[1].questions:
            person.page.locator(f'input[name="{question.id}"][value="{question.right}"]').check()
    person.page.locator("main:not(.fresh)").wait_for()
    hit, held = person.page.evaluate(NEXT_SCREEN, "main .primary")
    assert not hit
    assert not held


def test_the_result_of_a_round_cannot_be_skipped(visit: Visit, short: Study) -> None:
    person = visit(short, 1, at="trial")
    finish_round(person)
    taken = person.page.evaluate(
        """() => document.activeElement.dispatchEvent(new KeyboardEvent(
          "keydown", { key: "Enter", repeat: true, cancelable: true, bubbles: true }))"""
    )
    assert not taken


def test_the_completion_code_can_be_read_in_any_window(visit: Visit, short: Study) -> None:
    person = visit(short, 1, at="debrief")
    page = person.page
    for width, height in ((880, 600), (320, 256)):  # 400 % of 1280 × 1024
        page.set_viewport_size({"width": width, "height": height})
        code = page.locator("#completion-code")
        expect(code).to_be_visible()
        code.scroll_into_view_if_needed()
        box = code.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.reload()
    expect(page.locator("#completion-code")).to_be_visible()


def test_the_completion_code_can_be_copied(visit: Visit, short: Study) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    page = visit(short, 1, at="debrief", permissions=permissions).page
    page.locator("main:not(.fresh)").wait_for()
    page.get_by_role("button", name="Copy the code").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "DONE"


def test_the_header_fits_into_a_narrow_window(visit: Visit, short: Study) -> None:
    page = visit(short, 1, at="card").page
    page.set_viewport_size({"width": 360, "height": 600})
    title, help_, leave = (page.locator(f"#{name}") for name in ("study", "help", "leave"))
    assert title.evaluate("title => title.scrollWidth <= title.clientWidth")
    boxes = help_.bounding_box(), leave.bounding_box()
    assert boxes[0]
    assert boxes[1]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_texts_grow_with_the_readers_font(visit: Visit, short: Study) -> None:
    page = visit(short, 1, at="consent").page
    sizes = [
        page.evaluate("getComputedStyle(document.documentElement).fontSize")
        for width in (1280, 853)
        if page.set_viewport_size({"width": width, "height": 800}) is None
    ]
    assert sizes[0] == sizes[1]  # a zoom of 150 % leaves 853 of 1280 pixels


def test_arrow_keys_scroll_the_log(visit: Visit, short: Study) -> None:
    person = visit(short, 1, at="trial")
    before = person.events
    person.page.locator(".history .scroll").focus()
    for key in ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"):
        person.page.keyboard.press(key)
    person.push(person.page.locator('[data-choice="observe agent2"]'))
    assert person.events == [*before, "choose"]
    assert short.state(person.pid).logs[-1] == ("observe agent2",)


def test_gaps_in_the_check_are_shown_and_right_answers_stay(visit: Visit, short: Study) -> None:
    person = visit(short, 4, at="check")
    page, questions, before = person.page, short.courses[4].questions, person.events
    person.go_on()
    expect(page.locator("fieldset.missing")).to_have_count(len(questions))
    expect(page.locator("input:focus")).to_have_count(1)
    assert person.events == before
    expect(page.get_by_text("Please answer every question.")).to_be_in_viewport()
    for question in questions[1:]:
        page.locator(f'input[name="{question.id}"][value="{question.right}"]').check()
    wrong = next(o.id for o in questions[0].options if o.id != questions[0].right)
    page.locator(f'input[name="{questions[0].id}"][value="{wrong}"]').check()
    person.go_on()
    expect(page.locator(".feedback")).to_be_visible()
    page.reload()
    expect(page.locator("input:checked")).to_have_count(len(questions) - 1)
    page.get_by_role("button", name="Back to the tutorial").click()
    expect(page.locator("main")).to_have_attribute("data-screen", "tutorial")
    person.go_on()
    expect(page.locator(".feedback")).to_be_visible()


def test_a_captive_portal_is_waited_for(visit: Visit, short: Study) -> None:
    person = visit(short, 1, faulty=True, routed=True, at="consent")
    answers = [{"body": "<html>Please sign in</html>"}, {"status": 503, "body": ""}]

    def portal(route: Route) -> None:
        if answers:
            route.fulfill(**answers.pop())  # type: ignore[arg-type]
        else:
            route.continue_()

    person.page.route("**/api/texts*", portal)
    person.page.reload()
    expect(person.page.locator("main")).to_have_attribute("data-screen", "consent")


def test_without_scripts_the_page_says_so_and_whom_to_write_to(visit: Visit, short: Study) -> None:
    page = visit(short, 1, faulty=True, routed=True, at="consent").page
    page.route("**/participant/dialogs.js", lambda route: route.abort())
    page.reload()
    late = page.locator(".late")
    expect(late).to_contain_text("lab@example.org")
    expect(late).to_be_hidden()
    late.evaluate("late => late.getAnimations().forEach((waiting) => waiting.finish())")
    expect(late).to_be_visible()


def test_going_on_in_a_tab_is_not_swallowed(visit: Visit, short: Study) -> None:
    person = visit(short, 1, faulty=True, at="trial")
    first, second = person.page, person.page.context.new_page()
    second.goto(first.url)
    expect(second.locator(".play")).to_be_visible()
    first.locator('[data-choice="observe agent2"]').click()
    button = first.get_by_role("button", name="Go on here instead")
    button.evaluate("button => button.dataset.mark = 'same'")
    with second.expect_response("**/api/note"):  # this one may send notes, the other may not
        for page in (first, second):
            page.evaluate("dispatchEvent(new Event('blur')); dispatchEvent(new Event('focus'))")
    first.evaluate("fetch('/healthz')")
    expect(button).to_have_attribute("data-mark", "same")
    first.locator("main:not(.fresh)").wait_for()
    button.click()
    expect(first.locator(".play")).to_be_visible()


def test_a_reload_keeps_the_log_and_a_slow_reply_is_announced(visit: Visit, short: Study) -> None:
    person = visit(short, 2, routed=True, at="trial")
    page = person.page
    for _ in range(3):
        person.choose("observe agent2")
    lines = page.locator(".log li").all_inner_texts()
    assert len(lines) == 3
    page.reload()
    expect(page.locator(".log li")).to_have_text(lines)
    held = hold(page, "choose")
    page.keyboard.press("o")
    expect(page.locator("#connection")).to_have_text("One moment…")
    let_go(page, held)
    expect(page.locator(".log li")).to_have_count(4)
    expect(page.locator("#connection")).to_be_empty()


def test_digits_are_taken_by_their_place_on_the_keyboard(visit: Visit, short: Study) -> None:
    person = visit(short, 3, at="trial")
    person.page.evaluate(
        """document.dispatchEvent(new KeyboardEvent(
          "keydown", { key: "é", code: "Digit2", bubbles: true }))"""
    )
    expect(person.page.locator(".seen").first).to_have_text("observed for 1 step")


def test_errors_name_the_contact_too(visit: Visit, short: Study) -> None:
    page = visit(short, 1, faulty=True, query="?PROLIFIC_PID=lost&STUDY_ID=none").page
    page.get_by_role("button", name="Rules & contact").click()
    expect(page.locator("#helping")).to_contain_text("lab@example.org")
    page.goto(f"{short.url}/nowhere")
    expect(page.locator("main")).to_contain_text("lab@example.org")


def test_bars_have_an_edge_where_colours_are_forced(visit: Visit, short: Study) -> None:
    page = visit(short, 1, at="trial", forced_colors="active").page
    width = page.locator("#top progress").evaluate("bar => getComputedStyle(bar).borderTopWidth")
    assert width == "1px"
    hint = page.locator("kbd").first.evaluate("key => getComputedStyle(key).fontWeight")
    assert hint == "600"


def test_the_notice_hides_nothing_of_the_header(visit: Visit, short: Study) -> None:
    person = visit(short, 4, at="practice")
    blocked = person.page.locator(".act:disabled").first.get_attribute("data-choice")
    key = {"up": "w", "down": "s", "left": "a", "right": "d"}[str(blocked)]
    person.page.keyboard.press(key)
    notice, bar = (person.page.locator(name).bounding_box() for name in ("#notice", "#progress"))
    assert notice
    assert bar
    assert notice["y"] >= bar["y"] + bar["height"]
