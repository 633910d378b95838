"""Replays of participants and bots."""

from __future__ import annotations

import contextlib
import re
from urllib.parse import quote

from playwright.sync_api import Error, Route, expect

from browser.replay.pages import Open, at


def test_a_players_replay_with_advice(opened: Open, site: str) -> None:
    page = opened("/researcher/replay?trial=exp1/m101", faulty=True)
    at(page, 0)
    offer = page.evaluate("fetch('/researcher/replay/offer?player=session-1').then(r => r.json())")
    first, second = (entry["id"] for entry in offer["rounds"])
    page.goto(f"{site}/researcher/replay?trial={first}&player=session-1&step=1")
    at(page, 1)
    expect(page.locator(".words b")).to_have_text("Model’s advice: ")
    expect(page.locator(".line .who b").nth(1)).to_have_text("Model’s advice")
    expect(page.locator(".chip")).to_be_visible()
    page.goto(f"{site}/researcher/replay?player=session-1")
    expect(page).to_have_url(re.compile(f"trial={second}"))
    page.locator("#round").select_option(first)
    at(page, 0)
    expect(page).to_have_url(re.compile("player=session-1"))
    page.locator("#player").select_option("rational_mentalizing")
    expect(page.locator(".line.current .who b")).to_have_text("Rational Mentalizing")


def test_who_is_not_told_shows_what_it_takes_npcs_for(opened: Open) -> None:
    page = opened("/replay?trial=gallery/expert-and-novice&player=untold_mentalizing")
    at(page, 0)
    panels = page.locator(".panel.npc")
    expect(panels).to_have_count(2)
    for index in range(2):
        shares = panels.nth(index).locator("[data-expertise] .value")
        expect(shares).to_have_text(["50 %", "50 %"])
    page.keyboard.press("ArrowRight")  # it watches Agent 3
    at(page, 1)
    expect(page.locator("[data-expertise=novice] .value")).to_have_text(["50 %", "62 %"])
    page.locator("#player").select_option("rational_mentalizing")
    expect(page.locator("[data-expertise]")).to_have_count(0)


def test_without_signing_in_the_page_says_where_to(opened: Open) -> None:
    page = opened("/replay?trial=exp4/m401_1&player=session-1", faulty=True)
    link = page.locator("#notice a")
    expect(link).to_have_text("Sign in")
    link.click()
    expect(page).to_have_url(re.compile("/researcher/login"))


def test_a_late_offer_is_dropped(opened: Open) -> None:
    page = opened("/researcher/replay?trial=exp1/m101")
    at(page, 0)
    offer = page.evaluate("fetch('/researcher/replay/offer?player=session-1').then(r => r.json())")
    played = offer["rounds"][0]["id"]
    late: list[Route] = []
    page.route(
        re.compile(rf"offer\?trial={re.escape(quote(played, safe=''))}"),
        lambda route: late.append(route),
    )
    for trial in (played, "gallery/two-experts"):
        page.locator("#trial").select_option(trial)
        expect(page).to_have_url(re.compile(trial))
    page.locator("#player option[value=session-1]").wait_for(state="detached")
    for route in late:  # the offer of who has played it comes late, or was given up
        with contextlib.suppress(Error):
            route.continue_()
    page.locator("body").evaluate("() => fetch('/replay')")  # the page has had its turn
    expect(page.locator("#trial")).to_have_value("gallery/two-experts")
    expect(page.locator("#player option[value=session-1]")).to_have_count(0)
    assert late
