"""The pictures of the interface that a report shows: how they are taken, and what is on them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, expect

from browser.participant import Participant
from browser.study import Study, settings
from onlooker.experiments.orderings import save_orderings
from onlooker.experiments.stimuli import stimuli
from onlooker.game import Move, dump_map_text
from onlooker.planning import Tables, main_path
from onlooker.web.participant.service import StudyService
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.store import Store
from running import ROOT
from waiting import HANG

EXPERIMENT, FIRST = 4, "m409_1"
OBSERVED = 5
PICTURES = ROOT / "src" / "onlooker" / "analysis" / "interface"
RECORD = PICTURES / "shown.json"  # what is on them, in words and as a digest
STATIC = ROOT / "src" / "onlooker" / "web" / "static"
STYLES = ("shared/base.css", "shared/style.css", "shared/game.css")
VIEW = {"width": 1120, "height": 800}
COLOURS = 200


@dataclass(frozen=True)
class Shot:
    """A picture of a screen and what is on it."""

    name: str
    png: bytes
    text: str
    structure: str  # the elements with their attributes, drawings included

    @property
    def record(self) -> dict[str, str]:
        """What tells whether the screen has changed; no pixels, which depend on fonts."""
        return {"text": self.text, "sha256": _digest(self.structure)}


def take(browser: Browser, folder: Path) -> Iterator[Shot]:
    """Go through the tutorial and into a trial as a participant does, and take the pictures."""
    with _study(folder) as study:
        context = browser.new_context(viewport=VIEW, reduced_motion="reduce")
        person = Participant(context.new_page(), study, "pictures", EXPERIMENT)
        person.page.goto(f"{study.url}/?PROLIFIC_PID=pictures&STUDY_ID=s{EXPERIMENT}&SESSION_ID=x")
        expect(person.page.locator("main")).to_have_attribute("data-screen", "consent")
        person.go_on()
        yield _shot(person, "instructions")
        yield from _tutorial(person)
        person.answer()
        person.go_on()
        yield _shot(person, "trial")
        for _ in range(OBSERVED):
            person.choose("observe agent2")
        yield _shot(person, "observation")
        trial = study.stage(person.pid, EXPERIMENT).trial
        for step in main_path(Tables(trial.map), trial):
            person.choose(str(step.action))
            if not isinstance(step.event, Move):
                break
        yield _shot(person, "interaction")
        context.close()


def record(shots: list[Shot]) -> str:
    """The record of some pictures and of the styles they were drawn with, as JSON."""
    styles = "".join(_plain_css(STATIC / name) for name in STYLES)
    shown = {shot.name: shot.record for shot in shots}
    return json.dumps({"styles": _digest(styles), "shown": shown}, indent=2, ensure_ascii=False)


def _tutorial(person: Participant) -> Iterator[Shot]:
    """Go through the pages; the one on novices is seen to its end."""
    while person.screen == "tutorial":
        if person.page.locator(".play").count():
            list(person.play(0))
        elif "novice" in person.page.locator("h1").inner_text().lower():
            while person.page.locator("main .primary:disabled").count():
                person.page.locator(".example .controls button").last.click()
            yield _shot(person, "instructions-novice")
        person.go_on()


def _shot(person: Participant, name: str) -> Shot:
    page = person.page
    page.locator("main:not([aria-busy])").wait_for()
    page.evaluate("() => { document.activeElement?.blur(); window.scrollTo(0, 0); }")
    page.mouse.move(0, 0)
    drawn = Image.open(BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    small = BytesIO()
    drawn.quantize(COLOURS, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    main = page.locator("body")
    text = re.sub(r"\s+", " ", main.inner_text())
    return Shot(name, small.getvalue(), text, str(main.evaluate("body => body.outerHTML")))


@contextmanager
def _study(folder: Path) -> Iterator[Study]:
    """Experiment 4 with one ordering, so that everybody has the same first trial."""
    trials = sorted(stimuli(EXPERIMENT), key=lambda trial: trial.label != FIRST)[:10]
    place = folder / "stimuli"
    place.mkdir()
    for trial in trials:
        place.joinpath(f"{trial.name}.map").write_text(dump_map_text(trial), encoding="utf-8")
    names = [trial.label for trial in trials]
    save_orderings(place / "orderings.json", [names], experiment=EXPERIMENT)
    given = settings({EXPERIMENT: {"folder": str(place)}})
    with Store(str(folder / "study.db"), HANG) as store:
        service = StudyService(given, store)
        with serving(create_app(given, store, service=service)) as url:
            yield Study(url, service)


def _plain_css(path: Path) -> str:
    """A style sheet without comments and white space."""
    return re.sub(r"/\*.*?\*/|\s+", "", path.read_text("utf-8"), flags=re.DOTALL)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
