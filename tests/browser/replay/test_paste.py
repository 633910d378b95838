"""Pasting and editing a map."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.accessibility import findings
from browser.replay.pages import NAMED, TWO, Open, at
from maps import BEHIND_A_BARRIER
from onlooker.experiments.stimuli import stimuli
from onlooker.game import dump_map_text


@pytest.mark.parametrize("query", ["?trial=nope", "#map=map%3A%0Axx"])
def test_where_nothing_is_shown_a_map_can_be_pasted_and_a_trial_chosen(
    opened: Open, query: str
) -> None:
    page = opened(f"/replay{query}", faulty=True)
    expect(page.locator("#notice")).not_to_be_empty()
    expect(page.locator(".stage")).to_be_hidden()
    page.get_by_role("button", name="Edit or paste a map").click()
    area = page.get_by_label("Paste or draw a trial")
    expect(area).to_have_value("map:\nxx" if "#" in query else "")
    area.fill(dump_map_text(stimuli(1)[0]))
    expect(page.locator(".map")).to_be_visible()
    page.reload()
    page.locator("#trial").select_option("gallery/early-turn")
    at(page, 0)
    expect(page.locator("#notice")).to_be_empty()


def test_a_link_leads_back_to_the_same_view(opened: Open) -> None:
    link = "/replay?trial=exp3/m301_1&player=mentalizing_observer&step=4&beta=0.3&order=fixed"
    page = opened(link)
    at(page, 4)
    expect(page.locator("#trial")).to_have_value("exp3/m301_1")
    expect(page.locator("#player")).to_have_value("mentalizing_observer")
    expect(page.locator("#p-beta")).to_have_value("0.3")
    expect(page.locator("#p-order")).to_have_value("fixed")
    before = page.locator(".mind").inner_text()
    page.reload()
    at(page, 4)
    assert page.locator(".mind").inner_text() == before
    page.locator("#trial").select_option("exp3/m302_1")
    at(page, 0)
    page.locator("#player").select_option("naive_observer")
    expect(page).to_have_url(re.compile("player=naive_observer"))
    page.go_back()
    expect(page).to_have_url(re.compile("m302_1.*mentalizing_observer"))
    page.go_back()
    at(page, 4)
    expect(page.locator("#trial")).to_have_value("exp3/m301_1")
    expect(page.locator(".line.current .who b")).to_have_text("Mentalizing Observer")


def test_a_map_is_checked_as_one_types(opened: Open) -> None:
    page = opened(TWO, faulty=True)
    at(page, 0)
    page.get_by_role("button", name="Edit or paste a map").click()
    area = page.get_by_label("Paste or draw a trial")
    expect(area).to_have_value(re.compile("^name: two experts"))
    area.fill("map:\n@.A\n")
    expect(page.locator("#map-said")).to_contain_text("unknown character '@'")
    area.fill(dump_map_text(stimuli(1)[0]))
    expect(page.locator("#map-said")).to_have_text("Nothing is wrong with this map.")
    expect(page.locator("#trial option:checked")).to_have_text("Your own map")
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("ArrowRight")
    at(page, 1)
    link = page.url
    assert "#map=" in link
    again = opened(link.removeprefix(page.url.split("/replay")[0]))
    at(again, 1)
    expect(again.locator("#trial option:checked")).to_have_text("Your own map")


def test_a_map_that_is_not_finished_is_kept(opened: Open) -> None:
    page = opened(TWO, faulty=True)
    at(page, 0)
    edit = page.get_by_role("button", name="Edit or paste a map")
    area = page.get_by_label("Paste or draw a trial")
    edit.click()
    area.fill("map:\n@.A\n")
    page.get_by_role("button", name="Close").click()
    page.locator("#trial").select_option("gallery/early-turn")
    expect(page).to_have_url(re.compile("early-turn"))
    edit.click()
    expect(area).to_have_value("map:\n@.A\n")
    expect(page.locator("#map-said")).to_contain_text("unknown character '@'")
    page.get_by_role("button", name="Start over").click()
    expect(area).to_have_value(re.compile("^name: early turn"))
    expect(page.locator("#map-said")).to_be_empty()
    edit.click()
    page.locator("#trial").select_option("gallery/two-experts")
    expect(page).to_have_url(re.compile("two-experts"))
    edit.click()
    expect(area).to_have_value(re.compile("^name: two experts"))  # nothing was changed
    area.fill(BEHIND_A_BARRIER.replace("$.@...%b", "b.@...%$"))
    expect(page.locator("#notice")).to_contain_text("cannot get from")
    edit.click()
    edit.click()
    expect(area).to_have_value(re.compile("b.@...%"))  # it could not be shown


def test_the_edits_of_a_map_are_one_step_of_the_history(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    page.get_by_role("button", name="Edit or paste a map").click()
    area = page.get_by_label("Paste or draw a trial")
    for name in ("radagast", "saruman", "pallando"):
        area.fill(NAMED.replace("radagast", name))
        expect(page.locator(".belief .name").first).to_have_text(name)
    page.go_back()
    expect(page.locator("#trial")).to_have_value("gallery/two-experts")
    expect(area).to_have_value(re.compile("^name: two experts"))
    page.go_forward()
    expect(area).to_have_value(NAMED.replace("radagast", "pallando"))
    expect(page.locator(".belief .name").first).to_have_text("pallando")


def test_warnings_about_a_map_are_shown(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    page.get_by_role("button", name="Edit or paste a map").click()
    page.get_by_label("Paste or draw a trial").fill(BEHIND_A_BARRIER)
    said = page.locator("#map-said.doubtful")
    expect(said).to_contain_text("stands behind a barrier of one that it does not need")
    expect(said).not_to_contain_text("Nothing is wrong")
    expect(page.locator("#trial option:checked")).to_have_text("Your own map")
    assert findings(page) == []
