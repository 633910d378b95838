"""Makes the files of this folder with version 0.1.0, whose sources have to be the ones imported.

PYTHONPATH=SOURCES_OF_0.1.0/src:SOURCES_OF_0.1.0/tests python tests/web/store/release/make.py
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from dataclasses import replace
from pathlib import Path

import httpx
from onlooker.experiments.orderings_file import save_orderings
from onlooker.web.app import create_app
from onlooker.web.conductor import Conductor
from onlooker.web.course import load_courses

from onlooker.experiments.stimuli import tutorials
from onlooker.game import dump_map_text
from onlooker.web import bonus
from onlooker.web.export import export
from onlooker.web.server import serving
from onlooker.web.settings import EXAMPLE, load_settings
from onlooker.web.store import Store
from web.visitor import Visitor

HERE = Path(__file__).parent
TABLES = ("participants", "trials", "observations", "actions", "sessions", "checks", "surveys")


def make_trials() -> None:
    """Two rounds and two practice rounds, on the maps of the tutorial."""
    folder = HERE / "trials"
    folder.mkdir(exist_ok=True)
    names = []
    for number, practice in enumerate(tutorials(1), 1):
        trial = replace(practice, name=f"round_{number}", tutorial=False)
        for each in (practice, trial):
            folder.joinpath(f"{each.name}.map").write_text(dump_map_text(each), "utf-8")
        names.append(trial.label)
    save_orderings(folder / "orderings.json", [names, names[::-1]], experiment=1)


def make_settings() -> Path:
    """The example's settings with these trials."""
    text = EXAMPLE.read_text("utf-8").replace("# allow_test_runs = false", "allow_test_runs = true")
    file = HERE / "study.toml"
    file.write_text(text + '\n[stimuli.1]\nfolder = "trials"\n', "utf-8")
    return file


def main() -> None:
    """Make all files."""
    make_trials()
    settings = load_settings(make_settings())
    courses = load_courses(settings)
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/study.db"
        with Store(database) as store:
            app = create_app(settings, store, conductor=Conductor(settings, store, courses))
            with serving(app) as url, httpx.Client(base_url=url, timeout=60) as client:

                def arrive(pid: str) -> Visitor:
                    visitor = Visitor(client, pid, "study1")
                    visitor.arrive()
                    return visitor

                list(arrive("anna").walk(courses[1]))
                due = bonus.reckon(store, settings.payment, courses).due
                bonus.enter(store, due, settings.payment.currency, "2025-03-01T12:00:00.000Z")
                list(arrive("ben").walk(courses[1]))
                playing = arrive("dora")
                playing.go_to(courses[1], "trial")
                playing.step(courses[1])
                arrive("emil").send("consent", agree=False)
                arrive("finn").send("consent", agree=True)
                view = playing.look()
            due = bonus.reckon(store, settings.payment, courses).due
            made = export(store, settings, courses)
            sessions = store.sessions()
            assert not any(store.verify(session.id, courses) for session in sessions)
            expected = {
                "sessions": [[s.screen, s.seq, s.ordering, s.end_reason] for s in sessions],
                "due": [[each.pseudonym, str(each.amount)] for each in due],
                "batches": [[b.people, str(b.total)] for b in bonus.batches(store)],
                "token": playing.token,
                "game": view["game"],
                "data": {
                    name: made.files[f"data/study-exp1_desc-{name}_data.csv"] for name in TABLES
                },
            }
        with sqlite3.connect(database) as connection:
            # What was answered on the way is most of a database, and is not needed here.
            connection.execute(
                "UPDATE events SET reply = '{}' WHERE seq + 1 <"
                " (SELECT seq FROM sessions WHERE sessions.id = events.session_id)"
            )
            HERE.joinpath("study.sql").write_text("\n".join(connection.iterdump()) + "\n", "utf-8")
    HERE.joinpath("expected.json").write_text(json.dumps(expected, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
