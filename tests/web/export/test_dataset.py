"""From play to analysis: the dataset that a study's logs give."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from onlooker.analysis.data.human import summarize
from onlooker.analysis.data.words import Source
from onlooker.analysis.tables.comparison import predictions_frame
from onlooker.experiments.predictions import predict
from onlooker.experiments.psych_ds import read_dataset
from onlooker.observers import find_observer
from onlooker.web.export.dataset import Export, export, pid_map
from onlooker.web.export.tables import ALL_TABLES
from onlooker.web.store import Store, queries
from onlooker.web.store.models import SessionRow
from onlooker.web.study.course import Courses
from web.short_study import ROUNDS, Study, short_study

pytestmark = pytest.mark.server


def rows(made: Export, table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(made.files[f"data/study-exp1_desc-{table}_data.csv"])))


def written(made: Export, folder: Path) -> Path:
    for name, text in made.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def exported(study: Study, tests: bool = False) -> Export:
    return export(study.store, study.settings, study.courses, tests)


def people(study: Study) -> None:
    """One who finished, one who stopped in a round, one who declined and a test run."""
    study.complete("anna")
    bert = study.visitor("bert")
    bert.go_to(study.courses[1], "trial")
    bert.step(study.courses[1])
    note = {"kind": "error", "detail": "at /?PROLIFIC_PID=bert&x=1"}
    study.client.post("/api/note", json={"notes": [note]}, headers=bert.headers)
    study.visitor("carl").send("consent", agree=False)
    study.visitor("test-dora")


@pytest.fixture
def visited(after: Callable[..., Study]) -> Study:
    return after(people)


def test_what_people_did_is_all_there(visited: Study) -> None:
    made = exported(visited)
    assert made.problems == []
    assert (made.sessions, made.participants) == (3, 2)
    ends = [row["end_reason"] for row in rows(made, "sessions")]
    assert ends == ["complete", "", "declined"]
    assert [row["completed"] for row in rows(made, "participants")] == ["true", "false"]
    assert [row["age"] for row in rows(made, "participants")] == ["30", ""]
    trials = [row for row in rows(made, "trials") if row["tutorial"] == "false"]
    assert [row["finished"] for row in trials] == ["true"] * ROUNDS + ["false"]
    assert [row["agreed"] for row in rows(made, "consents")] == ["true", "true", "false"]
    assert {row["right"] for row in rows(made, "checks")} == {"true"}
    answers = {row["question"]: row["answer"] for row in rows(made, "answers")}
    assert answers == {"age": "30", "gender": "Female", "feedback": "Fine."}
    assert "Your age in years" in made.files["documentation/codebook.csv"]
    assert all(row["time"].endswith("Z") for row in rows(made, "actions"))
    [session] = [row for row in rows(made, "sessions") if row["end_reason"] == "complete"]
    assert 0 <= float(session["bonus"]) <= 2
    assert session["replayed"] == "true"


def test_actions_are_the_events_of_the_log(visited: Study) -> None:
    made = exported(visited)
    chosen = [
        (row["participant"], json.loads(row["data"])["choice"], row["server_time"])
        for row in rows(made, "events")
        if row["kind"] == "choose"
    ]
    acted = [(row["participant"], row["choice"], row["time"]) for row in rows(made, "actions")]
    names = {row["participant"] for row in rows(made, "participants")}
    assert sorted(acted) == sorted(entry for entry in chosen if entry[0] in names)


def test_every_row_is_stamped(visited: Study) -> None:
    made = exported(visited)
    [stimuli] = {course.stimulus_hash for course in visited.courses.values()}
    for table in ("sessions", "consents", "checks", "answers", "events", "notes"):
        for row in rows(made, table):
            assert row["config_hash"] == visited.settings.config_hash
            assert row["stimulus_hash"] == stimuli
            assert row["code_version"]
            assert row["seed"]


def test_nobody_can_be_told_from_the_data(visited: Study) -> None:
    made = exported(visited)
    everything = "\n".join(made.files.values())
    for known in ("anna", "bert", "carl", "127.0.0.1"):
        assert known not in everything
    assert "PROLIFIC_PID=[id]" in everything
    names = {row["participant"] for row in rows(made, "sessions")}
    listed = list(csv.DictReader(io.StringIO(pid_map(visited.store))))
    assert {row["participant"] for row in listed} == names
    assert {row["prolific_pid"] for row in listed} == {"anna", "bert", "carl"}
    assert "dora" not in pid_map(visited.store)


def test_test_runs_come_apart_and_are_marked_as_simulated(visited: Study) -> None:
    people, tests = exported(visited), exported(visited, tests=True)
    assert not json.loads(people.files["dataset_description.json"])["simulated"]
    assert json.loads(tests.files["dataset_description.json"])["simulated"]
    assert {row["test"] for row in rows(people, "sessions")} == {"false"}
    assert {row["test"] for row in rows(tests, "sessions")} == {"true"}


def test_every_column_is_in_the_dictionary(visited: Study) -> None:
    made = exported(visited)
    described = json.loads(made.files["dataset_description.json"])["variableMeasured"]
    named = {entry["name"] for entry in described}
    for name, text in made.files.items():
        if name.startswith("data/"):
            assert set(text.partition("\n")[0].split(",")) <= named
    told = csv.DictReader(io.StringIO(made.files["documentation/data_dictionary.csv"]))
    columns = {(row["table"], row["column"]) for row in told}
    assert columns == {(t.name, c.name) for t in ALL_TABLES.values() for c in t.columns}


def test_a_log_that_cannot_be_replayed_is_told_and_left_out(visited: Study) -> None:
    with visited.store.write() as tx:
        session = tx.orm.get(SessionRow, 1)
        assert session is not None
        session.state = session.state.replace('"attempts":1', '"attempts":2')
    made = exported(visited)
    assert made.participants == 1
    assert len(made.problems) == 1
    assert "not where its log leads" in made.problems[0]
    assert made.problems[0] in made.files["README.md"]


def test_bots_data_goes_through_the_analysis(
    store: Store, courses: Courses, tmp_path: Path
) -> None:
    with short_study(store, courses) as study:
        assert study.bots(4).problems == []
        made = exported(study, tests=True)
    dataset = read_dataset(written(made, tmp_path))
    assert dataset.description.simulated
    stages = study.courses[1].stages.values()
    predictions = predictions_frame(
        predict([stage.trial for stage in stages], [find_observer("naive_observer")])
    )
    means = summarize(dataset, predictions)
    assert means.source is Source.SIMULATED
    assert means.participants is not None
    assert len(means.participants) == 4
    assert (means.means["n"] > 0).all()


def test_people_who_play_during_the_export_are_in_it(
    visited: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sessions and logs are read in one snapshot, so they fit together."""
    dora = visited.visitor("dora")
    dora.go_to(visited.courses[1], "trial")
    real = queries.log

    def while_dora_plays(*arguments):
        dora.step(visited.courses[1])
        return real(*arguments)

    monkeypatch.setattr(queries, "log", while_dora_plays)
    made = exported(visited)
    assert made.problems == []
    assert {row["replayed"] for row in rows(made, "sessions")} == {"true"}
    assert len(dora.views) > int(rows(made, "sessions")[-1]["events"]) + 2
