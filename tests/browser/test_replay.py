"""The replay in the browser: stepping, scrubbing, sliders, links, and the page that opens from disk."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import _watch
from browser.test_screens import findings
from maps import BEHIND_A_BARRIER
from onlooker.drawing.words import percent, points
from onlooker.experiments.stimuli import stimuli
from onlooker.game import dump_map_text
from onlooker.observers import Engine, find_observer
from onlooker.web.app import create_app
from onlooker.web.bots import Plan, run_bots
from onlooker.web.conductor import Conductor
from onlooker.web.course import Course
from onlooker.web.passwords import hash_password
from onlooker.web.replay.gallery import story_trial
from onlooker.web.replay.page import replay_page
from onlooker.web.replay.sliders import controls
from onlooker.web.server import serving
from onlooker.web.settings import Researcher, default_settings
from onlooker.web.store import Store

SIZES = [(1280, 800), (1920, 1080)]
TWO = "/replay?trial=gallery/two-experts"
NAMED = """map:
...2...
.#####.
.b.@.h.
###.###
###=###
###A###

legend:
@ = main agent, goal A
2 = expert agent2, goal A
b = blue wizard radagast
h = blue wizard gandalf_the_grey_pilgrim, holder
= = blue barrier
"""
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A study for trying out, in which a bot has played two rounds."""
    password = Researcher(password_hash=hash_password("pw"))
    settings = default_settings(4).model_copy(update={"researcher": password})
    with Store(str(tmp_path_factory.mktemp("replay") / "study.db")) as store:
        conductor = Conductor(settings, store)
        course = conductor.courses[4]
        conductor.courses = {4: _short(course)}
        with serving(create_app(settings, store, conductor=conductor)) as url:
            plan = Plan(1, find_observer("naive_observer"), rate=0, seed=4)
            assert run_bots(url, conductor.courses, plan).finished == 1
            yield url


def _short(course: Course) -> Course:
    return replace(course, orderings=tuple(ordering[:2] for ordering in course.orderings))


@pytest.fixture
def opened(browser: Browser, site: str) -> Iterator[Open]:
    """Open a page of the site; in the end nothing must have been complained of."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def begin(path: str, size: tuple[int, int] = SIZES[0], **options: Any) -> Page:
        faulty = options.pop("faulty", False)
        viewport = {"width": size[0], "height": size[1]}
        context = browser.new_context(viewport=viewport, reduced_motion="reduce", **options)  # type: ignore[arg-type]
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        address = path if path.startswith("file:") else site + path
        _watch(page, address if path.startswith("file:") else site, complaints, faulty)
        if path.startswith("/researcher"):
            page.goto(address)
            page.locator("#password").fill("pw")
            page.get_by_role("button", name="Sign in").click()
        else:
            page.goto(address)
        return page

    yield begin
    for context in contexts:
        context.close()
    assert complaints == []


def step(page: Page) -> str:
    return page.locator(".where").inner_text()


def at(page: Page, number: int) -> None:
    expect(page.locator(".where")).to_have_text(re.compile(rf"^{number} / "))
    expect(page).to_have_url(re.compile(rf"step={number}\b"))


def in_sight(page: Page) -> bool:
    """Whether the present step of the timelines can be seen beside the names."""
    return bool(
        page.evaluate("""() => {
          const box = (name) => document.querySelector(name).getBoundingClientRect();
          const [now, who, all] = [".line .now", ".line .who", ".scroller"].map(box);
          return now.left >= who.right && now.right <= all.right;
        }""")
    )


# -- stepping --------------------------------------------------------------------------------------


def test_stepping_playing_and_scrubbing(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    page.get_by_role("button", name="One step on").click()
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
    at(page, 2)
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


def focus_of(page: Page) -> str:
    element = "document.activeElement"
    return str(page.evaluate(f"{element}.getAttribute('aria-label') ?? {element}.textContent"))


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
    expect(slider).to_have_accessible_description("Points for a move")


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
    expect(page.locator(".cell.parts")).to_have_count(3)
    page.get_by_role("button", name="Naive Observer, step 4: observes Agent 2").click()
    at(page, 4)
    expect(page).to_have_url(re.compile("player=naive_observer"))
    expect(page.locator(".line.current .who b")).to_have_text("Naive Observer")
    expect(page.locator(".chip")).to_have_text("≠ not as the model")
    page.get_by_role("button", name="Naive Observer, step 1: observes Agent 3").click()
    at(page, 1)


def test_a_link_to_a_late_step_brings_it_into_sight(opened: Open) -> None:
    page = opened("/replay?trial=exp3/m310_1&player=mentalizing_observer&step=47")
    at(page, 47)
    assert in_sight(page)


@pytest.mark.parametrize("width", [360, 700, 1280])
def test_the_present_step_is_never_under_the_names(opened: Open, width: int) -> None:
    page = opened("/replay?trial=exp3/m310_1&step=20", (width, 800))
    at(page, 20)
    for key in ["ArrowRight"] * 25 + ["ArrowLeft"] * 40:
        page.keyboard.press(key)
        assert in_sight(page)


def test_numbers_are_written_as_in_words(opened: Open) -> None:
    page = opened("/gallery")
    chances = [k / 800 for k in range(801)] + [k / 7 for k in range(8)] + [1e-9, 0.0009, 0.99951]
    costs = [k / 8 for k in range(400)] + [k / 7 for k in range(100)] + [0.005, 1.005, 2.675]
    chances += [random.Random(1).random() for _ in range(500)]
    written = page.evaluate(
        """async ([chances, costs]) => {
          const { percent, cost } = await import("/replay-numbers.js");
          return [...chances.map(percent), ...costs.map(cost)];
        }""",
        [chances, costs],
    )
    assert written == [*map(percent, chances), *map(points, costs)]


# -- sliders and links -----------------------------------------------------------------------------


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


def test_a_late_answer_is_dropped(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)

    def slow(route: Any) -> None:
        if '"observe":"9"' in (route.request.post_data or ""):
            page.wait_for_timeout(600)
        route.continue_()

    page.route("**/document", slow)
    page.locator("#p-observe").fill("9")
    page.wait_for_timeout(100)
    page.locator("#p-observe").fill("2")
    expect(page).to_have_url(re.compile("observe=2"))
    page.wait_for_timeout(700)
    assert "observe=2" in page.url


SLOW = """(wait) => {  // how many calls are under way at once, and how many are made
  const real = window.fetch;
  window.most = window.made = 0;
  let now = 0;
  window.fetch = async (address, options) => {
    if (!String(address).endsWith("/document")) return real(address, options);
    window.most = Math.max(window.most, (now += 1));
    window.made += 1;
    await new Promise((resolve) => setTimeout(resolve, wait));
    return real(address, options).finally(() => (now -= 1));
  };
}"""

BUSY = """([times, status, seconds]) => {  // refuse some calls
  const real = window.fetch;
  window.fetch = async (address, options) => {
    if (!String(address).endsWith("/document") || times-- <= 0) return real(address, options);
    const body = { error: "busy", message: "Too many.", problems: [] };
    const headers = { "Retry-After": seconds };
    return new Response(JSON.stringify(body), { status, headers });
  };
}"""


def test_a_slider_ends_on_what_is_shown(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    page.evaluate(SLOW, 200)
    for value in range(15):
        page.locator("[data-parameter=beta]").fill(f"{0.6 + 0.1 * value:.1f}")
        page.wait_for_timeout(60)
    expect(page).to_have_url(re.compile(r"beta=2\b"))
    assert page.evaluate("window.most") == 1
    assert page.evaluate("window.made") < 12


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again(opened: Open, status: int) -> None:
    page = opened(TWO)
    at(page, 0)
    page.evaluate(BUSY, [2, status, "1"])
    page.locator("[data-parameter=beta]").fill("0.8")
    expect(page.locator("#notice")).to_have_text("The server is busy and will be asked again.")
    expect(page).to_have_url(re.compile(r"beta=0.8"))
    expect(page.locator("#notice")).to_be_empty()


def test_after_a_refusal_everything_tells_of_what_is_shown(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    page.evaluate(BUSY, [99, 503, "0.01"])
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
    expect(page.locator("#trial option:checked")).to_have_text("A map of your own")
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("ArrowRight")
    link = page.url
    assert "#map=" in link
    again = opened(link.removeprefix(page.url.split("/replay")[0]))
    at(again, 1)
    expect(again.locator("#trial option:checked")).to_have_text("A map of your own")


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
    expect(page.locator("#trial option:checked")).to_have_text("A map of your own")
    assert findings(page) == []


# -- participants ----------------------------------------------------------------------------------


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


def test_without_signing_in_the_page_says_where_to(opened: Open) -> None:
    page = opened("/replay?trial=exp4/m401_1&player=session-1", faulty=True)
    link = page.locator("#notice a")
    expect(link).to_have_text("Sign in")
    link.click()
    expect(page).to_have_url(re.compile("/researcher/login"))


# -- from disk -------------------------------------------------------------------------------------


def test_the_page_opens_from_disk_and_asks_for_nothing(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "replay.html"
    trial = story_trial("expert-and-novice")
    file.write_text(replay_page(trial, find_observer("rational_mentalizing")), "utf-8")
    page = opened(file.as_uri())  # whatever else is asked for is complained of
    at(page, 0)
    page.keyboard.press("ArrowRight")
    at(page, 1)
    expect(page.locator(".news")).to_contain_text("the answer is not told")
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


# -- gallery, sizes, accessibility -----------------------------------------------------------------


def test_the_gallery_leads_into_the_replay(opened: Open) -> None:
    page = opened("/gallery")
    expect(page.locator(".cards > li")).to_have_count(8)
    expect(page.locator(".cards svg.map")).to_have_count(8)
    assert findings(page) == []
    page.get_by_role("link", name="Open the replay").nth(1).click()
    at(page, 3)
    expect(page.locator(".news")).to_contain_text("Agent 2 moved left.")
    page.get_by_role("link", name="Gallery").click()
    expect(page.locator(".cards > li")).to_have_count(8)


@pytest.mark.parametrize("status", [200, 500])
def test_a_gallery_that_cannot_be_shown_is_told(opened: Open, status: int) -> None:
    page = opened("/gallery", faulty=True)
    page.route("**/api/replay/gallery", lambda route: route.fulfill(status=status, body="no"))
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("The gallery cannot be shown.")
    expect(page.get_by_text("One moment")).to_have_count(0)


def test_a_server_that_cannot_be_reached_is_told(opened: Open) -> None:
    page = opened(TWO, faulty=True)
    at(page, 0)
    page.route("**/api/replay/check", lambda route: route.abort())
    page.get_by_role("button", name="Edit or paste a map").click()
    page.get_by_label("Paste or draw a trial").fill(NAMED)
    expect(page.locator("#map-said")).to_contain_text("The server cannot be reached")


def test_a_late_offer_is_dropped(opened: Open) -> None:
    page = opened("/researcher/replay?trial=exp1/m101")
    at(page, 0)
    offer = page.evaluate("fetch('/researcher/replay/offer?player=session-1').then(r => r.json())")
    played = offer["rounds"][0]["id"]
    page.evaluate(
        """(played) => {  // the offer of who has played it comes late
          const real = window.fetch;
          window.fetch = async (address, options) => {
            const answer = await real(address, options);
            if (String(address).includes(`offer?${new URLSearchParams({ trial: played })}`))
              await new Promise((resolve) => setTimeout(resolve, 500));
            return answer;
          };
        }""",
        played,
    )
    for trial in (played, "gallery/two-experts"):
        page.locator("#trial").select_option(trial)
        expect(page).to_have_url(re.compile(trial))
    page.wait_for_timeout(700)
    expect(page.locator("#trial")).to_have_value("gallery/two-experts")
    expect(page.locator("#player option[value=session-1]")).to_have_count(0)


def test_the_number_of_an_agent_is_whole(opened: Open) -> None:
    page = opened(TWO)
    at(page, 0)
    page.get_by_role("button", name="Edit or paste a map").click()
    page.get_by_label("Paste or draw a trial").fill(
        NAMED.replace("agent2", "agent10").replace("...2...", "..32...")
        + "3 = novice agent3, goal A\n"
    )
    drawn = page.locator(".map .agent").filter(has_text="E")
    expect(drawn.first).to_have_text("E10")


def test_a_test_run_links_to_the_gallery_and_a_participant_does_not(opened: Open) -> None:
    page = opened("/")
    expect(page.locator("#top #gallery")).to_be_visible()
    page = opened("/?PROLIFIC_PID=test-somebody&STUDY_ID=x&SESSION_ID=y")
    expect(page.locator("#top")).to_be_visible()
    expect(page.locator("#top #gallery")).to_be_hidden()


@pytest.mark.parametrize("size", SIZES)
def test_it_fits_and_axe_finds_nothing_serious(opened: Open, size: tuple[int, int]) -> None:
    for path in (TWO, "/replay?trial=exp4/m401_1&step=20", "/gallery"):
        page = opened(path, size)
        expect(page.locator("svg.map").first).to_be_visible()
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= size[0], path
        if "replay" in path:
            page.get_by_role("button", name="Draw the tour").click()
            assert page.locator(".lines").bounding_box()["y"] < size[1] - 80  # type: ignore[index]
            assert findings(page) == []
