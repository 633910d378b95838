"""Stepping, scrubbing, pointing and reading a replay."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import expect

from browser.replay.pages import IN_SIGHT, NAMED, STEPS_IN_SIGHT, TWO, Open, at, focus_of
from onlooker.support.rounding import percent, points
from onlooker.web.replay.controls import controls


def test_stepping_playing_and_scrubbing(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    page.get_by_role("button", name="One step forward").click()
    at(page, 1)
    expect(page.locator(".news")).to_contain_text("Agent 3 moved right.")
    expect(page.locator(".did")).to_have_text("Rational Mentalizing observes Agent 3.")
    page.get_by_role("button", name="One step back").click()
    at(page, 0)
    page.get_by_role("button", name="Next decision").click()
    at(page, 2)
    page.get_by_role("button", name="To the end").click()
    at(page, 20)
    expect(page.locator("#choice-title")).to_have_text("The end")
    page.get_by_role("slider", name="Step", exact=True).fill("5")
    at(page, 5)
    page.get_by_role("button", name="To the start").click()
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator(".where")).not_to_have_text(re.compile("^[01] / "))  # or further, by now
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_the_keyboard_does_it_all(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    for key, number in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 20),
        ("Home", 0),
        ("n", 2),
    ):
        page.keyboard.press(key)
        at(page, number)
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press(" ")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused == "floor; column 7, row 3"
    slider = page.get_by_role("slider", name="Step", exact=True)
    slider.focus()
    page.keyboard.press("ArrowRight")
    at(page, 1)
    assert slider.get_attribute("aria-valuetext") == "1 of 20"
    expect(page.locator(".news")).to_have_attribute("aria-live", "polite")
    expect(page.locator(".news")).to_contain_text("Step 1 of 20.")


def test_the_focus_stays_in_its_row(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    page.get_by_role("button", name="Naive Observer, step 0:").focus()
    page.keyboard.press("ArrowRight")
    at(page, 1)
    assert focus_of(page).startswith("Naive Observer, step 1: observes Agent 3")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("player=naive_observer"))
    page.keyboard.press("ArrowRight")
    at(page, 2)
    assert focus_of(page).startswith("Naive Observer, step 2")
    page.keyboard.press("End")
    assert focus_of(page) == "Naive Observer, the end"
    page.locator(".scroller").focus()
    page.keyboard.press("Home")
    at(page, 0)
    assert page.evaluate("document.activeElement.className") == "scroller"


def test_closing_the_map_gives_the_focus_back(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    page.get_by_role("button", name="Edit or paste a map").click()
    page.get_by_role("button", name="Close").click()
    assert focus_of(page) == "Edit or paste a map"


def test_what_a_parameter_means_is_read_out(opened: Open) -> None:
    page = opened(TWO)
    for name in ("move", "beta", "order"):
        text = next(control["help"] for control in controls() if control["name"] == name)
        expect(page.locator(f"#p-{name}")).to_have_accessible_description(text)
    slider = page.locator("[data-parameter=move]")
    expect(slider).to_have_accessible_description("Cost of a move (points)")
    gaps = page.locator(".parameter").evaluate_all("""rows => rows.map((row) => {
      const text = document.createRange();
      text.selectNodeContents(row.querySelector("label"));
      const control = row.querySelector("select, input[type=number]");
      return control.getBoundingClientRect().left - text.getBoundingClientRect().right;
    })""")
    assert min(gaps) > 0


def test_an_imagined_way_is_drawn_where_one_points(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    row = page.locator(".npc").nth(1).locator(".particles tbody tr").first
    assert page.locator(".map .trail").count() == 0
    row.hover()
    expect(page.locator(".map .trail")).to_have_count(1)
    page.mouse.move(2, 2)
    expect(page.locator(".map .trail")).to_have_count(0)
    row.locator("button").focus()
    expect(page.locator(".map .beyond")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(row.locator("button")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Draw the tour").click()
    expect(page.locator(".map .stop")).to_have_count(2)


def test_the_name_of_a_wizard_is_beside_its_bar(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    page.get_by_role("button", name="Edit or paste a map").click()
    page.get_by_label("Paste or draw a trial").fill(NAMED)
    expect(page.locator(".belief .name").first).to_have_text("radagast")
    names, bars = (page.locator(f".belief .{kind}").all() for kind in ("name", "bar"))
    boxes = [
        (name.bounding_box(), bar.bounding_box()) for name, bar in zip(names, bars, strict=True)
    ]
    assert all(name["x"] + name["width"] <= bar["x"] for name, bar in boxes if name and bar)
    assert all(name.evaluate("(name) => name.scrollWidth <= name.clientWidth") for name in names)
    assert len({bar["x"] for _, bar in boxes if bar}) == 1


def test_the_timelines_lead_to_any_observer_at_any_step(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    expect(page.locator(".cell.diverges")).to_have_count(5)
    page.get_by_role("button", name="Naive Observer, step 4: observes Agent 2").click()
    at(page, 4)
    expect(page).to_have_url(re.compile("player=naive_observer"))
    expect(page.locator(".line.current .who b")).to_have_text("Naive Observer")
    expect(page.locator(".chip")).to_have_text("≠ not as the model")
    page.get_by_role("button", name="Naive Observer, step 1: observes Agent 3").click()
    at(page, 1)


def test_a_link_to_a_late_step_brings_it_into_sight(opened: Open) -> None:
    page = opened("/replay?trial=exp4/m417_1&player=mentalizing_observer&step=75")
    at(page, 75)
    assert page.evaluate(IN_SIGHT)


@pytest.mark.parametrize("width", [360, 1280])
def test_the_present_step_is_never_under_the_names(opened: Open, width: int) -> None:
    page = opened("/replay?trial=exp4/m417_1&step=20", (width, 800))
    at(page, 20)
    for key, times in (("ArrowRight", 25), ("ArrowLeft", 40)):
        assert page.evaluate(STEPS_IN_SIGHT, [key, times]) == [True] * times
    at(page, 5)


def test_numbers_are_written_as_in_words(opened: Open) -> None:
    page = opened("/gallery")
    chances = [k / 800 for k in range(801)] + [k / 7 for k in range(8)] + [1e-9, 0.0009, 0.99951]
    costs = [k / 8 for k in range(400)] + [k / 7 for k in range(100)] + [0.005, 1.005, 2.675]
    chances += [random.Random(1).random() for _ in range(500)]
    written = page.evaluate(
        """async ([chances, costs]) => {
          const { percent, cost } = await import("/replay/numbers.js");
          return [...chances.map(percent), ...costs.map(cost)];
        }""",
        [chances, costs],
    )
    assert written == [*map(percent, chances), *map(points, costs)]


def test_a_reply_that_cannot_be_shown_blocks_no_later_one(opened: Open) -> None:
    taken = opened("/gallery").evaluate(
        """async () => {
          const { LatestOnly } = await import("/replay/calls.js");
          const taken = [];
          const take = (what) => {
            taken.push(what);
            if (what === "bad") throw new Error("it cannot be shown");
          };
          const calls = new LatestOnly(async () => ({ wait: 0 }), take);
          await calls.ask("bad").catch(() => {});
          await calls.ask("good");
          return taken;
        }"""
    )
    assert taken == ["bad", "good"]


def test_a_browser_that_refuses_to_change_the_address_shows_every_step(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    page.evaluate("""() => {
      history.pushState = history.replaceState = () => {
        throw new DOMException("more than 100 times in 30 seconds", "SecurityError");
      };
    }""")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".where")).to_have_text(re.compile("^1 / "))
    for player in ("naive_observer", "rational_observer"):
        page.locator("#player").select_option(player)
        expect(page.locator(f".line.current[data-line={player}]")).to_be_visible()


def test_many_steps_in_a_row_change_the_address_once(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    during = page.evaluate("""() => {
      const real = history.replaceState.bind(history);
      window.changes = 0;
      history.replaceState = (...given) => (window.changes++, real(...given));
      const next = { key: "ArrowRight", bubbles: true };
      for (let step = 0; step < 12; step += 1) document.body.dispatchEvent(
        new KeyboardEvent("keydown", next));
      return window.changes;
    }""")
    assert during == 0
    at(page, 12)
    assert page.evaluate("window.changes") == 1
