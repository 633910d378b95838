"""Parameters, busy servers and links."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from browser.replay.pages import BUSY, SETTLED, TWO, Open, at
from onlooker.experiments.stimuli import stimuli
from onlooker.observers import Engine


def test_sliders_run_the_model_anew(opened: Open) -> None:
    engine = Engine(next(trial for trial in stimuli(4) if trial.name == "m401_1"))
    c_self = f"{engine.c_self(engine.opening):.0f}"
    page = opened("/replay?trial=exp4/m401_1", faulty=True)
    at(page, 0)
    expect(page.locator(".comparison .value").first).to_have_text(c_self)
    page.locator("[data-parameter=move]").fill("1")
    expect(page.locator(".took")).to_contain_text("recomputed in")
    expect(page.locator(".comparison .value").first).not_to_have_text(c_self)
    expect(page).to_have_url(re.compile("move=1"))
    took = []
    for value in ("0.4", "0.45", "0.55", "0.6", "0.65"):
        page.locator("[data-parameter=beta]").fill(value)
        expect(page).to_have_url(re.compile(f"beta={value}"))
        took.append(int(re.sub(r"\D", "", page.locator(".took").inner_text())))
    print(f"slider to new result, two NPCs: {took} ms")
    page.locator("#p-prune").fill("2")
    expect(page.locator(".parameters .problem")).to_have_text("prune must be from 0 to 1, not 2.0")
    page.get_by_role("button", name="Defaults").click()
    expect(page.locator(".parameters .problem")).to_have_text("")
    expect(page.locator(".comparison .value").first).to_have_text(c_self)
    assert "beta" not in page.url


def test_a_slider_ends_on_what_is_shown(opened: Open) -> None:
    """One call is under way at a time; of those that wait only the newest is made."""
    page = opened(TWO)
    at(page, 0)
    held: list[Route] = []
    asked: list[str] = []

    def hold_the_first(route: Route) -> None:
        asked.append(route.request.post_data or "")
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/document", hold_the_first)
    beta = page.locator("[data-parameter=beta]")
    with page.expect_request("**/document"):
        beta.fill("0.6")
    for value in range(7, 21):
        beta.fill(f"{value / 10:.1f}")
        page.evaluate(SETTLED)
    assert len(asked) == 1
    held[0].continue_()
    expect(page).to_have_url(re.compile(r"beta=2\b"))  # the late answer to the first was dropped
    assert len(asked) == 2
    assert '"beta":"2"' in asked[1]


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again(opened: Open, status: int) -> None:
    page = opened(TWO)
    at(page, 0)
    page.evaluate(BUSY, [status, "3"])
    page.locator("[data-parameter=beta]").fill("0.8")
    expect(page.locator("#notice")).to_have_text("The server is busy and will be asked again.")
    page.evaluate("busy = false")
    expect(page).to_have_url(re.compile(r"beta=0.8"))
    expect(page.locator("#notice")).to_be_empty()


def test_after_a_refusal_everything_tells_of_what_is_shown(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    page.evaluate(BUSY, [503, "0.01"])
    page.locator("#trial").select_option("exp3/m301_1")
    expect(page.locator("#notice")).to_have_text("Too many.")
    expect(page.locator("#trial")).to_have_value("gallery/two-experts")
    page.locator("#player").select_option("naive_observer")
    expect(page.locator("#player")).to_have_value("rational_mentalizing")
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    at(page, 1)
    assert "trial=gallery/two-experts&player=rational_mentalizing" in page.url


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("&beta=abc", "beta must be a number, not 'abc'; the defaults are used instead"),
        ("&utm_source=mail&gclid=1", ""),
    ],
)
def test_a_link_with_a_bad_parameter_is_no_dead_end(opened: Open, query: str, problem: str) -> None:
    page = opened(TWO + query, faulty=True)
    at(page, 0)
    expect(page.locator("#notice")).to_be_empty()
    expect(page.locator(".parameters .problem")).to_have_text(problem)
    assert not re.search("beta|utm|gclid", page.url)
    page.locator("#trial").select_option("exp3/m301_1")
    expect(page.locator(".parameters .problem")).to_have_text("")
    expect(page).to_have_url(re.compile("m301_1"))


def test_a_refused_parameter_stays_out_of_the_address(opened: Open) -> None:
    page = opened(TWO, faulty=True)
    at(page, 0)
    page.locator("#p-move").fill("2")
    expect(page).to_have_url(re.compile("move=2"))
    page.locator("#p-beta").fill("-1")
    expect(page.locator(".parameters .problem")).to_have_text("beta must be at least 0, not -1.0")
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    at(page, 1)
    assert "beta" not in page.url
    page.locator("#p-beta").fill("1")
    expect(page).to_have_url(re.compile("move=2&beta=1"))


def test_a_soft_rule_brings_its_sliders_and_bars(opened: Open) -> None:
    page = opened(f"{TWO}&player=graded_mentalizing")
    expect(page.locator("[data-parameter=curiosity]")).to_be_visible()
    expect(page.locator("[data-parameter=lapse]")).to_have_count(0)
    expect(page.locator(".next .chances li")).to_have_count(3)
    acting = page.locator(".next [data-choice=act] .value")
    expect(acting).to_have_text("<0.1 %")
    page.locator("[data-parameter=curiosity]").fill("-5")
    expect(acting).not_to_have_text("<0.1 %")
    expect(page.locator(".comparison .ideal.best")).to_contain_text("65")
    page.locator("#p-rule").select_option("softmax")
    expect(page.locator("[data-parameter=lapse]")).to_be_visible()
    page.locator("#p-rule").select_option("hard")
    expect(page.locator(".next")).to_have_count(0)
