"""The languages: all say the same things, and a whole study speaks one of them."""

from __future__ import annotations

import re
import shutil
import string
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pydantic import ValidationError

from onlooker.game import Turn, opening, player_view, replay, take
from onlooker.web import STATIC, texts
from onlooker.web.participant.service import StudyService
from onlooker.web.server.app import create_app
from onlooker.web.settings import Settings, default_settings
from onlooker.web.settings.questions import localised
from onlooker.web.store import Store
from onlooker.web.study.course import load_courses
from onlooker.web.study.game_view import game_view
from onlooker.web.texts import FOLDER, changed_texts, languages, load_texts
from web.asgi import Browser
from web.short_study import shortened
from web.visitor import Visitor, assert_nothing_leaks


def flat(value: Any, key: str = "") -> dict[str, str]:
    """Every text by its key."""
    if isinstance(value, dict):
        return {k: t for name, one in value.items() for k, t in flat(one, f"{key}.{name}").items()}
    if isinstance(value, list):
        return {k: t for n, one in enumerate(value) for k, t in flat(one, f"{key}[{n}]").items()}
    return {key: value}


def names(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_same_keys_and_values(language: str) -> None:
    english, other = flat(load_texts("en").tables), flat(load_texts(language).tables)
    assert list(other) == list(english)
    assert [key for key, text in other.items() if names(text) != names(english[key])] == []
    rights = {
        key: text
        for key, text in english.items()
        if key.startswith(".check") and key.endswith(".right")
    }
    assert {key: other[key] for key in rights} == rights


def test_the_browser_asks_only_for_texts_that_there_are() -> None:
    english = load_texts("en")
    known = set(english.table("client")) | set(english.table("shared")) | {"leave_cost"}
    asked = set()
    for file in [*STATIC.glob("participant/*.js"), *STATIC.glob("shared/*.js")]:
        asked |= set(re.findall(r'\bt\(\s*"(\w+)"', file.read_text("utf-8")))
    assert asked - known == set()
    unused = set(english.table("client")) - asked
    assert {name for name in unused if not name.startswith(BUILT)} == set()


# Keys that the browser puts together, such as `end_${screen}`.
BUILT = (
    *("end_", "part_", "fact_", "card_", "meaning_", "points_", "steps_", "price_", "error_"),
    *("leave_coded", "leave_unpaid", "info_other", "overspent", "unspent", "actions", "result"),
    *("go_on_here", "reload", "at_its_chest", "blocked_way", "check_look_again", "check_right"),
)


def test_the_replay_has_the_same_english() -> None:
    text = (STATIC / "shared" / "texts.js").read_text("utf-8")
    found = dict(re.findall(r'^  (\w+): "(.*)",$', text, re.MULTILINE))
    assert found == load_texts("en").table("shared")


def test_a_german_study_has_no_english_in_it(store: Store) -> None:
    base = default_settings(2)
    german = base.study.model_copy(update={"language": "de"})
    settings = base.model_copy(update={"study": german})
    course = shortened({1: load_courses(settings)[2]}, whole_tutorial=True)[1]
    app = create_app(settings, store, service=StudyService(settings, store, {2: course}))
    visitor = Visitor(Browser(app), "anna", "study2")
    visitor.arrive()
    english = {"the", "you", "your", "wizard", "points", "step", "agent", "chest"}
    seen = [visitor.view, *visitor.walk(course)]
    for view in seen:
        assert_nothing_leaks(course, view)
        shown = {key: value for key, value in view.items() if key != "text" or "facts" not in view}
        shown.pop("data_protection", None)
        shown.pop("study")
        said = [t for k, t in flat(shown).items() if " " in str(t) and not k.endswith(".choice")]
        said = [t for t in said if not t.startswith(("observe ", "the person"))]
        words = set(re.findall(r"[a-z]+", " ".join(said).replace(base.study.contact, "").lower()))
        assert not words & english, said
    assert {view["screen"] for view in seen} >= {"tutorial", "check", "trial", "debrief"}
    assert store.verify(store.sessions()[0].id, {2: course}) == []
    replies = Browser(app).get("/api/texts").json()
    assert replies["texts"]["start"] == "Los"
    assert "wenden Sie sich bitte an" in replies["contact"]
    page = Browser(app).get("/").text
    assert '<html lang="de">' in page
    assert "Einen Moment…" in page
    facts = {fact["kind"]: fact["text"] for fact in seen[0]["facts"]}
    assert facts["pay"] == "4,00\xa0$"


def test_a_third_language_is_one_file(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for language in languages():
        shutil.copy(FOLDER / f"{language}.toml", tmp_path)
    text = (FOLDER / "en.toml").read_text("utf-8").replace('start = "Start', 'start = "Aloita')
    (tmp_path / "fi.toml").write_text(text, "utf-8")
    monkeypatch.setattr(texts, "FOLDER", tmp_path)
    base = default_settings(1).model_dump()
    question = {"id": "why", "kind": "text", "text": {"en": "Why?", "fi": "Miksi?"}}
    base["study"]["language"] = "fi"
    base["survey"]["questions"] = [question]
    settings = Settings.model_validate(base)
    app = create_app(settings, store)
    assert Browser(app).get("/api/texts").json()["texts"]["start"].startswith("Aloita")
    assert '<html lang="fi">' in Browser(app).get("/").text
    [asked] = settings.survey.asked(settings.spoken)
    assert localised(asked.text, settings.study.language) == "Miksi?"
    with pytest.raises(ValidationError, match="expected one of the languages de, en, fi"):
        Settings.model_validate(base | {"study": base["study"] | {"language": "sv"}})


def test_somebody_with_a_wrong_link_reads_german(store: Store) -> None:
    base = default_settings(1)
    german = base.study.model_copy(update={"language": "de"})
    browser = Browser(create_app(base.model_copy(update={"study": german}), store))
    page = browser.get("/nichts", headers={"Accept": "text/html"})
    assert page.status_code == 404
    assert '<html lang="de">' in page.text
    assert "<h1>Diese Seite gibt es nicht</h1>" in page.text
    for pid, beginning in (("a b", "Der Link ist nicht"), ("{{%PROLIFIC_PID%}}", "Dieser Link")):
        message = browser.post("/api/arrive", json={"prolific_pid": pid}).json()["message"]
        assert message.startswith(beginning)
        assert "{{%…%}}" in message or pid == "a b"


def test_turns_are_told_in_german_as_in_english(courses: Any) -> None:
    course = courses[3]
    german, stage = load_texts("de"), course.practice[0]
    log = ["observe agent2"] * 2
    turns = replay(stage, log)
    for count in (1, 2):
        text = game_view(stage, turns[:count], True, german)["last"]["text"]
        assert text.startswith("Figur 2 ")
        assert text.endswith(".")


@pytest.mark.parametrize("experiment", [1, 2, 3, 4])
def test_turns_are_told_in_english_as_the_game_tells_them(courses: Any, experiment: int) -> None:
    random = Random(experiment)
    kinds = set()
    for stage in courses[experiment].practice:
        turns: list[Turn] = []
        while len(turns) < 60 and not (turns and turns[-1].situation.over):
            view = player_view(stage, turns)
            turn = take(
                stage,
                turns[-1].situation if turns else opening(stage),
                random.choice(view.choices).choice,
            )
            turns.append(turn)
            last = player_view(stage, turns).last
            assert game_view(stage, turns, True)["last"]["text"] == last.text
            kinds.add((last.kind, last.who == "main"))
    assert len(kinds) >= 3


def test_what_turns_say_can_be_replaced_too(courses: Any) -> None:
    changed = changed_texts("en", '{"turn": {"you": "The wanderer"}}')
    stage = courses[1].practice[0]
    way = next(str(c.choice) for c in player_view(stage, []).choices if c.kind == "move")
    said = game_view(stage, replay(stage, [way]), True, changed)["last"]["text"]
    assert said.startswith("The wanderer moved")


def test_any_text_can_be_replaced_in_the_settings(store: Store) -> None:
    base = default_settings(1)
    changes = {
        "client": {"start": "Go"},
        "tutorial": {"welcome": {"title": "Hello"}},
        "check": {"end": {"text": "When is it over?"}},
    }
    settings = base.model_copy(update={"texts": changes})
    browser = Browser(create_app(settings, store))
    assert browser.get("/api/texts").json()["texts"]["start"] == "Go"
    course = load_courses(settings)[1]
    assert course.pages[0].title == "Hello"
    assert course.questions[0].text == "When is it over?"
    assert course.stimulus_hash == load_courses(base)[1].stimulus_hash  # words alone
