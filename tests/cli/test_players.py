"""`onlooker players run` as a user runs it, against a scripted server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chat_server import Answer, ChatServer, GoodPlayer, Request, completion
from onlooker.experiments.psych_ds import read_dataset
from onlooker.experiments.stimuli import stimuli
from onlooker.game import load_trial, save_trial
from running import ROOT, onlooker
from waiting import HANG

EXAMPLES = ROOT / "examples"
EARLY = EXAMPLES / "early-turn.map"
GOOD = GoodPlayer([load_trial(EARLY)])
QUICK = ("--wait", "0.001", "--retries", "1", "--timeout", f"{HANG}")


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ONLOOKER_API_KEY", raising=False)


def words(url: str, *more: str | Path) -> tuple[str | Path, ...]:
    return ("players", "run", "--model", "tiny", "--url", url, *QUICK, *more)


def test_a_model_plays_and_its_data_is_read_like_any_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret")
    out, maps, played = tmp_path / "out", tmp_path / "trials", stimuli(1)[:8]
    for trial in played:
        save_trial(trial, maps / f"{trial.name}.json")
    player = GoodPlayer(played)
    asked: tuple[str | Path, ...] = (
        maps,
        "--participants",
        "2",
        "--temperature",
        "0.5",
        "--seed",
        "4",
    )
    asked += ("--option", "top_p=0.9", "--key-env", "MY_KEY")
    with ChatServer(player) as server:
        printed, complaints = onlooker(*words(server.url, *asked, "-o", out, "--at-once", "8"))
        first = len(server.requests)
        again, _ = onlooker(*words(server.url, *asked, "-o", out))
        assert len(server.requests) == first
    assert not complaints
    name = "tiny grid temperature=0.5 top_p=0.9 seed=4"
    assert printed == (
        f"{name}: 16 trials, 0 of them unfinished, {first} answers,"
        f" tokens {100 * first} in and {10 * first} out\n{out / 'dataset'}\n"
    )
    assert again == printed.replace("16 trials,", "16 trials (16 of them before),")
    assert set(server.keys) == {"Bearer sk-secret"}
    assert server.requests[0]["temperature"] == 0.5
    assert server.requests[0]["top_p"] == 0.9
    for file in out.rglob("*"):
        assert file.is_dir() or b"sk-secret" not in file.read_bytes()

    about = read_dataset(out / "dataset").description
    assert about.simulated
    assert about.description == f"Artificial players, not people (language model): {name}."
    [who] = about.more["players"]
    assert who["kind"] == "language model"
    assert who["settings"]["model"] == "tiny"
    assert who["settings"]["answered_by"] == ["tiny-2026"]
    assert who["participants"] == [f"{name} exp1 #{number}" for number in (1, 2)]
    assert about.more["budgetRule"] == "map"
    assert about.more["failures"] == []
    assert about.more["usage"]["tokens_out"] == 10 * first
    assert "127.0.0.1" not in (out / "dataset" / "dataset_description.json").read_text()

    table = tmp_path / "p.csv"
    onlooker("predict", maps, "-o", table, "--observer", "rational_observer")
    human = ("--human", out / "dataset")
    compared, _ = onlooker("compare", "--predictions", table, *human, "--json")
    told = json.loads(compared)
    assert (told["data"], told["notes"][0]) == (
        "simulated",
        f"artificial players, not people: {name}",
    )
    assert all(
        value is None for row in told["fits"] for key, value in row.items() if "paper" in key
    )
    few = ("--experiment", "1", "--nodes", "5", "--jobs", "1")
    fits = (
        "-o",
        tmp_path / "fits",
        "--observer",
        "rational_mentalizing",
        "--observer",
        "naive_observer",
    )
    fitted, _ = onlooker("fit", *human, *few, *fits)
    assert "data: simulated; participants 2," in fitted
    selected = tmp_path / "selected"
    onlooker("compare", "--individual", "--fits", tmp_path / "fits", "-o", selected)
    drawn = "".join(file.read_text("utf-8") for file in selected.rglob("*.svg"))
    assert "ARTIFICIAL PLAYERS" in drawn
    assert "SIMULATED" not in drawn


def test_failures_are_reported_and_left_out_of_a_comparison(tmp_path: Path) -> None:
    with ChatServer(lambda *_: completion("Hm.", None)) as server:
        printed, complaints = onlooker(*words(server.url, EARLY, "-o", tmp_path))
    assert "1 trial, 1 of them unfinished, 2 answers, tokens 0 in and 0 out" in printed
    assert complaints == (
        "the server did not report the tokens of 2 answers\n"
        'tiny grid exp1 #1, early turn: unfinished: its last line does not begin with "CHOICE:"\n'
    )
    dataset = read_dataset(tmp_path / "dataset")
    assert not dataset.tables["participants"]["completed"].any()
    assert dataset.description.more["failures"][0]["level"] == "early turn"


@pytest.mark.parametrize("text", ["grid", "coordinates", "prose"])
def test_a_dry_run_asks_nobody(tmp_path: Path, text: str) -> None:
    nowhere = words("http://127.0.0.1:1/v1", EARLY, EXAMPLES / "two-experts.map")
    printed, _ = onlooker(*nowhere, "--text", text, "--dry-run")
    assert printed.count("In this game you lead an agent to a treasure chest.") == 2
    assert printed.count("--- Experiment 3, ") == 4
    assert printed.endswith("2 trials; nobody was asked\n")


def test_without_paths_our_stimuli_are_played() -> None:
    printed, _ = onlooker(*words("http://127.0.0.1:1/v1", "--experiment", "1", "--dry-run"))
    assert printed.endswith("20 trials; nobody was asked\n")


def test_nobody_there(tmp_path: Path) -> None:
    with ChatServer(GOOD) as server:
        url = server.url
    _, complaints = onlooker(*words(url, EARLY, "-o", tmp_path / "out"), status=2)
    assert complaints.startswith(f"{url}/chat/completions: nobody answers there (")
    assert complaints.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_server_that_goes_away_loses_nothing(tmp_path: Path) -> None:
    def leaving(request: Request, number: int) -> Answer:
        return GOOD(request, number) if number < 4 else Answer("gone", 503)

    with ChatServer(leaving) as server:
        _, complaints = onlooker(*words(server.url, EARLY, "-o", tmp_path), status=2)
    assert complaints == (
        f"{server.url}/chat/completions: tried 2 times: status 503: gone\n"
        f"what was played is kept in {tmp_path}; the same command continues from there\n"
    )
    with ChatServer(GOOD) as server:
        onlooker(*words(server.url, EARLY, "-o", tmp_path))
    assert (tmp_path / "dataset" / "dataset_description.json").exists()


def test_interrupted(tmp_path: Path) -> None:
    def interrupting(request: Request, number: int) -> Answer:
        if number == 4:
            os.kill(os.getpid(), signal.SIGINT)
            return Answer(delay=None)
        return GOOD(request, number)

    with ChatServer(interrupting) as server:
        _, complaints = onlooker(*words(server.url, EARLY, "-o", tmp_path), status=130)
    assert complaints == (
        f"interrupted: what was done is kept in {tmp_path}; the same command continues from there\n"
    )
    with ChatServer(GOOD) as server:
        printed, _ = onlooker(*words(server.url, EARLY, "-o", tmp_path))
    assert "1 trial, 0 of them unfinished" in printed


def test_a_wrong_key_names_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ChatServer(lambda *_: Answer({"error": {"message": "bad key sk-wrong"}}, 401)) as server:
        _, without = onlooker(*words(server.url, EARLY, "-o", tmp_path), status=2)
        monkeypatch.setenv("ONLOOKER_API_KEY", "sk-wrong")
        _, wrong = onlooker(*words(server.url, EARLY, "-o", tmp_path), status=2)
    assert "wants a key, and the environment variable ONLOOKER_API_KEY is not set" in without
    assert "does not accept the key in the environment variable ONLOOKER_API_KEY" in wrong
    assert "sk-wrong" not in wrong


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ((), "nothing to play: expected trial files, folders or --experiment N"),
        (("--experiment", "7"), "--experiment 7: there are no trials of it"),
        (("none.map",), "none.map: there is no such file"),
        ((EARLY,), "--output: missing; expected the folder to write to"),
        ((EARLY, "--key-env", "NO_SUCH_KEY"), "--key-env: the environment variable NO_SUCH_KEY is not set"),
        ((EARLY, "--url", "localhost"), "--url: expected an address such as https://host/v1, not 'localhost'"),
        ((EARLY, "--model", ""), "--model: expected the name of a model, not ''"),
        ((EARLY, "--model", "two\nlines"), "--model: expected the name of a model, not 'two"),
        ((EARLY, "--timeout", "inf"), "--timeout: expected seconds, not inf"),
        ((EARLY, "--wait", "inf"), "--wait: expected seconds, not inf"),
        ((EARLY, "--option", "x=1e999"), "options: expected values of JSON: Out of range"),
        ((EARLY, "--option", "top_p"), "--option top_p: expected NAME=VALUE, such as top_p=0.9"),
        ((EARLY, "--option", "stream=true"), "--option stream=true: it cannot be set"),
        ((EARLY, "--option", "seed=1"), "--option seed=1: it cannot be set; expected --seed"),
        ((EARLY, "--temperature", "1", "--option", "temperature=2"), "--option temperature=2: it is set twice"),
        ((EARLY, "--temperature", "nan"), "--temperature nan: expected a number"),
        ((EARLY, EARLY), "Experiment 1: two trials have the same name, 'early turn'"),
        ((EXAMPLES / "many-wizards.map", "-o", EARLY), f"{EARLY}: it holds something that is not a run of players"),
    ],
)  # fmt: skip
def test_players_run_refuses(
    monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...], expected: str
) -> None:
    _, complaints = onlooker(*words("http://127.0.0.1:1/v1", *more), status=2)
    assert complaints.startswith(expected)
    assert complaints.count("\n") == 1


def test_trials_of_no_experiment_are_left_out(tmp_path: Path) -> None:
    other = tmp_path / "other.map"
    other.write_text(EARLY.read_text().replace("experiment: 1\n", ""))
    nowhere = "http://127.0.0.1:1/v1"
    _, complaints = onlooker(*words(nowhere, other, EARLY, "--dry-run"))
    assert complaints == "1 trial for practice or of no experiment: left out\n"
    _, complaints = onlooker(*words(nowhere, other, "--dry-run"), status=2)
    assert complaints.startswith("none of these trials says which experiment it belongs to")


def test_without_the_extra_it_is_named() -> None:
    code = (
        "import sys; sys.modules['httpx'] = None; from onlooker.cli.main import main;"
        f"sys.argv = ['onlooker', 'players', 'run', '--model', 'm', '--url', 'u', {str(EARLY)!r}];"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert done.returncode == 2
    assert done.stderr == (
        "playing with language models needs httpx: pip install 'onlooker[players]'\n"
    )
