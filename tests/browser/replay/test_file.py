"""The replay in a single file."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from browser.accessibility import findings
from browser.replay.pages import Open, at
from onlooker.observers import find_observer
from onlooker.web.replay.gallery import story_trial
from onlooker.web.replay.page import replay_page


def test_the_page_opens_from_disk_and_asks_for_nothing(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "replay.html"
    trial = story_trial("expert-and-novice")
    file.write_text(replay_page(trial, find_observer("rational_mentalizing")), "utf-8")
    page = opened(file.as_uri())  # whatever else is asked for is complained of
    at(page, 0)
    page.keyboard.press("ArrowRight")
    at(page, 1)
    expect(page.locator(".news")).to_contain_text("the answer is hidden")
    page.locator(".particles .show").first.focus()
    expect(page.locator(".map .trail")).to_have_count(1)
    page.get_by_role("button", name="Naive Observer, step 3: observes Agent 2").click()
    at(page, 3)
    page.reload()
    at(page, 3)
    expect(page.locator("#player")).to_have_value("naive_observer")
    page.goto(f"{file.as_uri()}#player=constructor")
    expect(page.locator("#player")).to_have_value("rational_mentalizing")
    for name in ("mentalizing_observer", "rational_observer"):
        page.locator("#player").select_option(name)
        expect(page.locator(".line.current")).to_have_count(1)
        expect(page).to_have_url(re.compile(f"player={name}"))
    expect(page.locator(".parameters")).to_have_count(0)
    expect(page.locator(".settings")).to_contain_text("β (beta) 0.5")
    assert findings(page) == []
