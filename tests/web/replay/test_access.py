"""While a study is live, the public sees none of its trials."""

from __future__ import annotations

from dataclasses import replace

import pytest
from examples.own_observer import Satisficer

from calling import client_of
from onlooker.experiments.stimuli import stimuli
from onlooker.game import dump_map_text
from onlooker.web.participant.service import StudyService
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import Researcher, default_settings
from onlooker.web.store import Store
from onlooker.web.study.course import Courses
from web.asgi import Browser
from web.passwords import HASHED, PASSWORD
from web.replay.calls import OPEN, RESEARCHER, ask, ids, live_study, offered
from web.short_study import Study, short_study

pytestmark = pytest.mark.server


def test_a_live_study_keeps_its_trials_to_itself(store: Store, courses: Courses) -> None:
    with live_study(store, courses) as study:
        offer = offered(study.client)
        assert offer["hidden"]
        used = {f"exp1/{name}" for name in study.courses[1].stages}
        assert used
        assert used.isdisjoint(ids(offer["trials"]))
        for trial in sorted(used)[:3]:
            response = ask(study.client, trial=trial)
            assert (response.status_code, response.json()["error"]) == (401, "sign_in")
        assert ask(study.client, trial="exp3/m301_1").status_code == 200
        assert ask(study.client, trial="gallery/two-experts").status_code == 200
        assert len(study.client.get(f"{OPEN}/gallery").json()["cards"]) == 13
        study.sign_in()
        assert used <= ids(offered(study.client, RESEARCHER)["trials"])
        assert ask(study.client, RESEARCHER, trial=min(used)).status_code == 200


def test_another_scenario_on_a_map_of_the_study_is_kept_too(store: Store, courses: Courses) -> None:
    """Both scenarios of a map have the same holders."""
    one, two = stimuli(2)[:2]
    assert one.map == two.map
    course = courses[2]
    short = replace(
        course,
        stages={one.label: course.stages[one.label]},
        orderings=((one.label,),),
    )
    settings = default_settings(2)
    codes = settings.completion.model_copy(update={"complete": "C1"})
    settings = settings.model_copy(update={"completion": codes})
    copy = replace(two, name="a copy")
    service = StudyService(settings, store, {2: short})
    app = create_app(settings, store, service=service, trials=[copy])
    with serving(app) as url, client_of(url) as client:
        for trial in (f"exp2/{one.label}", f"exp2/{two.label}", "own/a copy"):
            assert ask(client, trial=trial).status_code == 401
        assert ask(client, trial=f"exp2/{stimuli(2)[4].label}").status_code == 200


def test_a_pasted_map_of_the_study_tells_nothing(store: Store, courses: Courses) -> None:
    """Every guess at the holders is answered alike: by a replay with the holders that it names."""
    with live_study(store, courses) as study:
        trial = next(iter(study.courses[1].stages.values())).trial
        colour = next(c for c, wizards in trial.map.wizards_of.items() if len(wizards) > 1)
        for wizard in trial.map.wizards_of[colour]:
            guess = replace(trial, holders={**trial.holders, colour: wizard.id}, name=None)
            text = dump_map_text(guess)
            response = ask(study.client, text=text)
            assert response.status_code == 200
            document = response.json()
            assert document["trial"]["text"] == text
            assert document["trial"]["id"] == ""
            checked = study.client.post(f"{OPEN}/check", json={"text": text})
            assert checked.json() == {"ok": True, "title": "unnamed trial", "warnings": []}


def test_the_first_participant_makes_a_study_live(study: Study) -> None:
    study.bots(1)
    assert ask(study.client, trial="exp1/m101").status_code == 200
    study.visitor("anna")
    assert ask(study.client, trial="exp1/m101").status_code == 401


def test_without_test_runs_a_study_is_live(store: Store, courses: Courses) -> None:
    study_part = default_settings(1).study.model_copy(update={"allow_test_runs": False})
    with short_study(store, courses, study=study_part) as study:
        assert ask(study.client, trial="exp1/m101").status_code == 401


@pytest.mark.parametrize(
    "path", ["/replay", "/gallery", "/api/replay/offer", "/api/replay/gallery"]
)
def test_outsiders_compute_nothing_in_a_study_for_people(store: Store, path: str) -> None:
    settings = default_settings(1).model_copy(
        update={"researcher": Researcher(password_hash=HASHED)}
    )
    browser = Browser(create_app(settings, store, public_replay=False))
    assert browser.get(path).status_code == 404
    assert browser.post("/api/replay/check", json={"text": "map:"}).status_code == 404
    browser.post("/researcher/login", data={"password": PASSWORD})
    assert browser.get("/researcher/replay/offer").status_code == 200


def test_an_observer_of_ones_own_has_sliders_of_its_own(store: Store) -> None:
    app = create_app(default_settings(1), store, observers=[Satisficer()])
    with serving(app) as url, client_of(url) as client:
        offer = offered(client)
        assert "satisficer" in ids(offer["players"])
        control = next(each for each in offer["controls"] if each["name"] == "accepted")
        assert (control["value"], control["range"]) == ("0.22", [0.01, 1.5, 0.01])
        asked = {"trial": "gallery/two-experts", "player": "satisficer"}
        document = ask(client, **asked, parameters={"accepted": "1.2"}).json()
        assert document["parameters"]["accepted"] == 1.2
        assert {"accepted", "patience"} <= set(document["uses"])
        assert next(line for line in document["lines"] if line["current"])["observed"] == [0, 0]
        assert "accepted" not in ask(client, trial="gallery/two-experts").json()["uses"]
        refused = ask(client, **asked, parameters={"accepted": "9"})
        assert (refused.status_code, refused.json()["message"]) == (
            422,
            "accepted must be from 0.01 to 1.5, not 9.0",
        )
