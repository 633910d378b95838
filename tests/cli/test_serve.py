"""The commands of the online experiment."""

from __future__ import annotations

import io
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from calling import client_of
from onlooker.cli.serve import is_local, study_settings
from onlooker.experiments.archive import import_archive
from onlooker.web.settings import EXAMPLE
from onlooker.web.settings.passwords import check_password
from onlooker.web.store import Store
from running import onlooker, run_here
from waiting import HANG, wait_until

pytestmark = pytest.mark.server


def environment(**more: str) -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k != "ONLOOKER_PASSWORD"} | more


@contextmanager
def serving(folder: Path, *options: object, **more: str) -> Iterator[str]:
    """What `onlooker serve` prints before it serves."""
    process = subprocess.Popen(
        [sys.executable, "-m", "onlooker", "serve", *map(str, options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        cwd=folder,
        env=environment(**more),
    )
    assert process.stdout is not None
    printed = ""
    try:
        for line in process.stdout:
            printed += line
            if line.startswith("Ctrl+C"):
                break
        else:
            raise AssertionError(printed)
        yield printed
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "Stopped.\n"
        assert process.wait(HANG) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def up(url: str) -> httpx.Client:
    client = client_of(url)

    def answers() -> bool:
        try:
            return client.get("/healthz").is_success
        except httpx.TransportError:
            return False

    wait_until(answers, "the server did not start")
    return client


def run(*words: object) -> tuple[int, str]:
    """One of the commands that need no server of their own."""
    out, err = io.StringIO(), io.StringIO()
    status = run_here([*map(str, words)], out, err)
    return status, out.getvalue() + err.getvalue().removesuffix("\n")


def test_serve_is_playable_at_once_and_bots_can_play(tmp_path: Path) -> None:
    with serving(tmp_path, "--experiment", 2, "--port", 0) as printed:
        [url] = re.findall(r"Participant +(http://127.0.0.1:\d+)/", printed)
        [password] = re.findall(r"Password +(\S+)", printed)
        assert "PROLIFIC_PID={{%PROLIFIC_PID%}}" in printed
        links = re.findall(r"^  (\w+) +(http\S+)", printed, re.MULTILINE)
        assert links[0] == ("Gallery", f"{url}/gallery")
        with closing(up(url)) as client:
            assert "<html" in client.get("/").text
            body = {"viewport": [1280, 800]}
            view = client.post("/api/arrive", json=body).json()["view"]
            assert (view["screen"], view["study"]["experiment"]) == ("consent", 2)
            signed = client.post("/researcher/login", data={"password": password})
            assert signed.headers["location"] == "/researcher"
            status, said = run(
                "bots", "--url", url, "--n", 2, "--experiment", 2, "--rate", 0, "--drop-out", 1
            )
            assert status == 0, said
            assert "problems  0" in said
            status, said = run("bots", "--url", url, "--n", 1, "--experiment", 1, "--rate", 0)
            assert status == 1
            assert "Experiment 2, which this bot does not know" in said
    database = tmp_path / "onlooker-study.sqlite3"
    assert run("backup", database, tmp_path / "copy.db")[0] == 0
    assert run("backup", database, tmp_path / "copy.db")[0] == 2
    assert run("restore", tmp_path / "copy.db", database)[0] == 2
    assert run("restore", tmp_path / "copy.db", database, "--replace")[0] == 0
    options = ("--experiment", 2, "--tests")
    status, said = run("export", database, tmp_path / "out.zip", *options)
    assert (status, "3 sessions" in said or "4 sessions" in said) == (0, True)
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert b'"simulated": true' in archive.read("dataset_description.json")
    assert run("export", database, tmp_path / "out.zip", *options)[0] == 2


def test_serve_with_the_people_of_a_dataset_and_a_password_of_the_environment(
    own_archive: Path, tmp_path: Path
) -> None:
    imported = tmp_path / "imported"
    import_archive(own_archive, [1]).write(imported)
    options = ("--port", 0, "--data", imported)
    with serving(tmp_path, *options, ONLOOKER_PASSWORD="open sesame") as printed:
        said = f"  Data         6 people of {imported}, in the researcher's replay\n"
        assert said in printed
        assert "Password" not in printed
        [url] = re.findall(r"Participant +(http://127.0.0.1:\d+)/", printed)
        with closing(up(url)) as client:
            signed = client.post("/researcher/login", data={"password": "open sesame"})
            assert signed.status_code == 303
            query = {"player": "data-p10001"}
            offer = client.get("/researcher/replay/offer", params=query).json()
            assert len(offer["rounds"]) == 10
    assert run("serve", "--port", 0, "--data", tmp_path / "none")[0] == 2


@pytest.fixture
def no_password(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ONLOOKER_PASSWORD", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("no_password")
def test_others_cannot_reach_a_study_without_a_password(tmp_path: Path) -> None:
    status, said = run("serve", "--host", "0.0.0.0", "--port", 0)
    assert status == 2
    assert "ONLOOKER_PASSWORD" in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("no_password")
@pytest.mark.parametrize("password", ["short", "aaaaaaaaaaaa"])
def test_a_weak_password_is_for_this_machine_only(
    monkeypatch: pytest.MonkeyPatch, password: str
) -> None:
    monkeypatch.setenv("ONLOOKER_PASSWORD", password)
    status, said = run("serve", "--host", "0.0.0.0", "--port", 0)
    assert status == 2
    assert said.startswith("the password in ONLOOKER_PASSWORD is too weak: ")


@pytest.mark.usefixtures("no_password")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--experiment", "7"], " are bundled; expected --stimuli DIR, the maps of another"),
        (["--settings", "none.toml"], "none.toml: cannot be read"),
        (["--database", "mysql://host/x"], "expected an SQLite file or a PostgreSQL URL"),
        (["--database", "no/such/folder/x.db"], "no/such/folder"),
        (["--trials", "no/such/folder"], "no/such/folder: there is no such file"),
    ],
)
def test_what_is_wrong_is_said_in_plain_words(options: list[str], said: str) -> None:
    status, output = run("serve", "--port", 0, *options)
    assert status == 2
    assert said in output


@pytest.mark.usefixtures("no_password")
def test_a_file_that_is_no_database() -> None:
    Path("h.csv").write_text("experiment,level\n" * 100)
    status, said = run("serve", "--port", 0, "--database", "h.csv")
    assert (status, said) == (
        2,
        "--database h.csv: not a study's database: file is not a database",
    )
    assert Path("h.csv").read_text() == "experiment,level\n" * 100
    assert not Path("h.csv.lock").exists()


@pytest.mark.usefixtures("no_password")
def test_a_place_where_nothing_can_be_written() -> None:
    Path("study.db.lock").mkdir()
    status, said = run("serve", "--port", 0, "--database", "study.db")
    assert status == 2
    assert said.startswith("--database study.db: study.db.lock: unable to open database file")
    assert not Path("study.db").exists()


@pytest.mark.usefixtures("no_password")
def test_a_database_with_tables_of_another_version() -> None:
    with closing(sqlite3.connect("other.db")) as other:
        other.execute("CREATE TABLE alembic_version (version_num TEXT)")
        other.execute("INSERT INTO alembic_version VALUES ('of another program')")
        other.commit()
    status, said = run("serve", "--port", 0, "--database", "other.db")
    assert status == 2
    assert said.startswith("--database other.db: not a study's database: ")
    assert "of another program" in said


@pytest.mark.usefixtures("no_password")
@pytest.mark.parametrize(
    ("made_by", "said"),
    [
        (None, "there is no such file"),
        ("", "not a study's database, or one of a newer onlooker"),
        ("CREATE TABLE foo (bar)", "not a study's database, or one of a newer onlooker"),
        ("CREATE TABLE participants (bar)", "not a study's database, or one of a newer onlooker"),
        (
            "CREATE TABLE alembic_version AS SELECT 'other' AS version_num",
            "not a study's database, or one of a newer onlooker",
        ),
        ("no SQL", "not a study's database: file is not a database"),
    ],
)
def test_export_leaves_a_file_that_is_no_study_as_it_was(made_by: str | None, said: str) -> None:
    database = Path("a #1% b.db")
    if made_by == "no SQL":
        database.write_text("experiment,level\n" * 100)
    elif made_by is not None:
        with closing(sqlite3.connect(database)) as other:
            other.execute(made_by)
            other.commit()
    before = database.read_bytes() if database.exists() else None
    assert run("export", database, "out.zip") == (2, f"{database}: {said}")
    assert (database.read_bytes() if database.exists() else None) == before
    assert not Path("out.zip").exists()


@pytest.mark.usefixtures("no_password")
def test_export_of_a_damaged_database() -> None:
    Store("study.db").close()
    with closing(sqlite3.connect("study.db")) as database:
        database.execute("PRAGMA journal_mode=DELETE")
        where = "SELECT rootpage FROM sqlite_master WHERE name = 'participants'"
        [[page]] = database.execute(where)
        [[size]] = database.execute("PRAGMA page_size")
    with Path("study.db").open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"Z" * size)
    status, said = run("export", "study.db", "out.zip")
    assert status == 2
    assert said == "study.db: cannot be read: database disk image is malformed"
    assert not Path("out.zip").exists()


@pytest.mark.usefixtures("no_password")
def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        status, said = run("serve", "--port", other.getsockname()[1])
    assert status == 2
    assert "try another --port" in said


@pytest.mark.usefixtures("no_password")
@pytest.mark.parametrize("host", ["no host", "192.0.2.1", "x" * 70])
def test_an_address_that_is_not_of_this_machine_is_told(host: str) -> None:
    status, said = run("serve", "--host", host, "--port", 0)
    assert status == 2
    assert said.startswith(f"--host {host[:40]}")
    assert "expected an address of this machine, such as 127.0.0.1" in said
    assert "--port" not in said


@pytest.mark.usefixtures("no_password")
def test_preflight_refuses_what_is_for_trying_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onlooker.web.preflight.rehearse", lambda *_: iter(()))
    status, said = run("preflight", "--experiment", 1)
    assert status == 1
    assert "no password" in said
    assert said.endswith("Verdict: not ready\n")


def test_bots_need_an_address() -> None:
    assert run("bots", "--url", "localhost:8000") == (
        2,
        "--url localhost:8000: expected an address such as http://127.0.0.1:8000",
    )


def test_the_command_line_goes_before_the_file() -> None:
    settings = study_settings(EXAMPLE, experiment=3, stimuli=Path("maps"))
    assert settings.study.run == (3,)
    assert settings.stimuli[3].folder == Path("maps")


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("192.168.1.5", False),
        ("study.example.org", False),
    ],
)
def test_what_only_this_machine_can_reach(host: str, local: bool) -> None:
    assert is_local(host) is local


def test_example_settings_can_be_used(tmp_path: Path) -> None:
    text, _ = onlooker("settings")
    file = tmp_path / "study.toml"
    file.write_text(text)
    assert study_settings(file) == study_settings(EXAMPLE)


def test_a_password_is_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typer.prompt", lambda *_, **__: "open sesame")
    line, _ = onlooker("settings", "--password")
    name, _, hashed = line.strip().partition(" = ")
    assert name == "password_hash"
    assert check_password("open sesame", hashed.strip('"'))


def test_a_participant_is_erased_after_a_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "study.db"
    with Store(str(database)) as store, store.write() as tx:
        name = tx.participant("anna", False, "2025-03-01T12:00:00.000Z").pseudonym
    monkeypatch.setattr("typer.confirm", lambda text, abort: print(text))
    printed, _ = onlooker("erase", database, "anna")
    assert printed.startswith("Erase everything about anna?")
    assert f"Erased {name}: 0 sessions, 0 events." in printed
    _, complaint = onlooker("erase", database, "anna", "--yes", status=2)
    assert "there is no participant anna" in complaint
    _, complaint = onlooker("erase", tmp_path / "none.db", "anna", "--yes", status=2)
    assert "there is no such file" in complaint
