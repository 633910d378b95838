"""Replays of the people of a dataset: for the researcher only, and true to the data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from onlooker.experiments.archive import import_archive
from onlooker.experiments.recordings import Recordings, read_recordings
from onlooker.web.store import Store
from onlooker.web.study.course import Courses
from waiting import HANG
from web.replay.calls import RESEARCHER, ask, ids, offered
from web.short_study import Study, short_study

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def data(own_archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Recordings:
    """The people of Experiment 2 of an archive."""
    out = tmp_path_factory.mktemp("imported") / "out"
    import_archive(own_archive, [2]).write(out)
    return read_recordings(out)


@pytest.fixture(scope="module")
def study(
    data: Recordings, tmp_path_factory: pytest.TempPathFactory, courses: Courses
) -> Iterator[Study]:
    """A study that is served with them."""
    file = tmp_path_factory.mktemp("recorded") / "study.db"
    with Store(str(file), HANG) as store, short_study(store, courses, data) as made:
        yield made


def test_its_people_are_for_the_researcher(study: Study, data: Recordings) -> None:
    person = f"data-{data.participants[0]}"
    open_to_all = offered(study.client, player=person)
    assert open_to_all["rounds"] == []
    assert [group["title"] for group in open_to_all["players"]] == ["Observers"]
    assert (refused := ask(study.client, player=person)).status_code == 401
    assert refused.json()["error"] == "sign_in"


def test_a_trial_of_somebody(study: Study, data: Recordings) -> None:
    study.sign_in()
    name = data.participants[0]
    offer = offered(study.client, RESEARCHER, player=f"data-{name}")
    rounds = offer["rounds"]
    assert len(rounds) == len(data.rounds(name))
    assert {each["id"] for each in rounds} <= ids(offer["trials"])
    trial = rounds[1]["id"]
    players = offered(study.client, RESEARCHER, trial=trial)["players"]
    assert players[-1]["title"] == "Data: The people of the paper"
    assert f"data-{name}" in ids(players[-1:])
    document = ask(study.client, RESEARCHER, trial=trial, player=f"data-{name}").json()
    recording = data.find(name, data.rounds(name)[1].key[1])
    shown = [frame["did"]["choice"] for frame in document["frames"] if frame["did"]]
    assert tuple(shown) == recording.log
    assert document["player"]["title"] == f"Participant {name}"
    last = ask(study.client, RESEARCHER, player=f"data-{name}").json()
    assert last["trial"]["id"] == rounds[-1]["id"]


@pytest.mark.parametrize("player", ["data-nobody", "data-"])
def test_who_and_what_is_not_there(study: Study, player: str, data: Recordings) -> None:
    study.sign_in()
    assert (answer := ask(study.client, RESEARCHER, player=player)).status_code == 422
    assert answer.json()["message"] == "This participant has no replay of this trial."
    name = f"data-{data.participants[0]}"
    elsewhere = ask(study.client, RESEARCHER, player=name, trial="gallery/two-experts")
    assert elsewhere.status_code == 422


def test_without_data(store: Store, courses: Courses) -> None:
    with short_study(store, courses) as made:
        made.sign_in()
        answer = ask(made.client, RESEARCHER, player="data-p1")
    assert (answer.status_code, answer.json()["error"]) == (404, "no_player")
