"""Language models play studies: kept as they come, continued, refused."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from chat_server import Answer, ChatServer, GoodPlayer, Request, Script, completion
from onlooker.experiments.stimuli import stimuli
from onlooker.game import Trial, load_trial, play_trial, score
from onlooker.planning import stage
from onlooker.players.chat import ChatPlayer, Endpoint
from onlooker.players.chat.conversation import AnswerError
from onlooker.players.chat.endpoint import EndpointError
from onlooker.players.chat.running import ChatRun, play_study, records_of, run_chat
from onlooker.players.chat.study import ChatStudy
from onlooker.support.problems import DataError
from running import ROOT
from waiting import HANG

EARLY = load_trial(ROOT / "examples" / "early-turn.map")
TWO = load_trial(ROOT / "examples" / "two-experts.map")
TRIALS = [EARLY, TWO]
GOOD = GoodPlayer(TRIALS)


def play(
    script: Script, folder: Path, trials: list[Trial] = TRIALS, at_once: int = 1, **settings: object
) -> tuple[ChatRun, ChatServer]:
    study = ChatStudy("tiny", trials, **settings)  # type: ignore[arg-type]
    with ChatServer(script) as server:
        endpoint = Endpoint(server.url, "tiny", "sk-secret", retries=1, wait=0.001, timeout=HANG)
        return run_chat(study, endpoint, folder, at_once), server


def lines(folder: Path, trial: str) -> list[dict[str, object]]:
    [file] = folder.glob(f"conversations/*/*-{trial}.jsonl")
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("variant", ["grid", "coordinates", "prose"])
def test_a_good_player_comes_to_the_end(tmp_path: Path, variant: str) -> None:
    run, server = play(GOOD, tmp_path, variant=variant, at_once=4)
    assert not run.failures
    records = records_of(run)
    assert all(row["completed"] for row in records.participants)
    assert [row["level"] for row in records.trials] == ["early turn", "two experts"]
    assert [row["participant"] for row in records.participants] == [
        f"tiny {variant} exp1 #1",
        f"tiny {variant} exp3 #1",
    ]
    made = len(records.actions)
    assert run.usage.answers == made == len(server.requests)
    assert (run.usage.tokens_in, run.usage.tokens_out) == (100 * made, 10 * made)
    assert run.models == {"tiny-2026"}
    head, first, *_ = lines(tmp_path, "early-turn")
    assert head["system"] in [request["messages"][0]["content"] for request in server.requests]
    assert (first["choice"], first["answer"]) == (
        "observe agent2",
        "Let me think.\n\nCHOICE: observe agent2",
    )
    assert all(row["time"].endswith("Z") for row in records.actions)


def test_each_choice_is_a_turn_of_one_conversation(tmp_path: Path) -> None:
    _, server = play(GOOD, tmp_path, trials=[EARLY])
    last = server.requests[-1]["messages"]
    roles = [message["role"] for message in last]
    assert roles == ["system", *["user", "assistant"] * (len(server.requests) - 1), "user"]
    for earlier in server.requests:
        assert last[: len(earlier["messages"])] == earlier["messages"]


def badly(bad: str, *numbers: int) -> Script:
    """A good player whose answers of some numbers are bad."""

    def script(request: Request, number: int) -> Answer:
        return completion(bad) if number in numbers else GOOD(request, number)

    return script


@pytest.mark.parametrize("bad", ["I go right.", "CHOICE: up", ""])
def test_a_bad_answer_is_repaired(tmp_path: Path, bad: str) -> None:
    run, server = play(badly(bad, 1, 4), tmp_path, trials=[EARLY])
    assert not run.failures
    problems = [line["problem"] for line in lines(tmp_path, "early-turn")[1:]]
    assert [problem is not None for problem in problems[:6]] == [
        True,
        False,
        False,
        True,
        False,
        False,
    ]
    repair = server.requests[1]["messages"][-1]["content"]
    assert repair.startswith(f"That answer cannot be used: {problems[0]}. ")


def test_two_bad_answers_are_a_failure_and_the_others_go_on(tmp_path: Path) -> None:
    run, _ = play(badly("What?", 3, 4), tmp_path)
    [failed] = run.failures
    assert failed.failure == 'its last line does not begin with "CHOICE:"'
    assert len(failed.log) == 2
    assert lines(tmp_path, "early-turn")[-1]["failure"] == failed.failure
    records = records_of(run)
    assert [row["finished"] for row in records.trials] == [False, True]
    assert [row["completed"] for row in records.participants] == [False, True]
    again, asked = play(GOOD, tmp_path)
    assert not asked.requests
    assert [play.failure for play in again.failures] == [failed.failure]
    assert records_of(again) == records


def test_a_conversation_that_the_server_refuses_later_is_a_failure(tmp_path: Path) -> None:
    long = Answer({"error": {"message": "context too long"}}, 400)
    run, _ = play(lambda request, number: long if number == 3 else GOOD(request, number), tmp_path)
    assert [play.failure for play in run.failures] == ["status 400: context too long"]
    again, asked = play(GOOD, tmp_path)
    assert (len(again.failures), len(asked.requests)) == (1, 0)
    with pytest.raises(EndpointError, match=r"/v1/chat/completions: status 400: context too long"):
        play(lambda *_: long, tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_a_trial_without_end_is_ended(tmp_path: Path) -> None:
    def back_and_forth(request: Request, number: int) -> Answer:
        steps = [message for message in request["messages"] if message["role"] == "assistant"]
        return completion(f"CHOICE: {'left' if len(steps) % 2 else 'right'}")

    run, _ = play(back_and_forth, tmp_path, trials=[EARLY], most=7)
    assert [play.failure for play in run.failures] == ["not at its end after 7 choices"]
    assert records_of(run).trials[0]["moves"] == 7


def test_after_a_server_error_the_same_call_goes_on(tmp_path: Path) -> None:
    broken = Answer("broken", 500)
    with pytest.raises(EndpointError, match="tried 2 times: status 500: broken"):
        play(lambda request, number: broken if number > 5 else GOOD(request, number), tmp_path)
    kept = lines(tmp_path, "early-turn")
    assert len(kept) == 6
    run, server = play(GOOD, tmp_path)
    whole, all_asked = play(GOOD, tmp_path / "whole")
    assert lines(tmp_path, "early-turn")[:6] == kept
    assert len(server.requests) == len(all_asked.requests) - 5
    assert server.requests[0] == all_asked.requests[5]
    strip = [dict(row, time=None) for row in records_of(run).actions]
    assert strip == [dict(row, time=None) for row in records_of(whole).actions]
    assert run.usage == whole.usage
    again, none = play(GOOD, tmp_path)
    assert (again.known, len(none.requests)) == (2, 0)


def test_half_a_line_is_asked_for_again(tmp_path: Path) -> None:
    play(GOOD, tmp_path, trials=[EARLY])
    [file] = tmp_path.glob("conversations/*/*.jsonl")
    whole = file.read_bytes()
    file.write_bytes(whole[:-10])
    run, server = play(GOOD, tmp_path, trials=[EARLY])
    assert len(server.requests) == 1
    assert not run.failures


def test_a_failing_trial_keeps_what_others_were_answered(tmp_path: Path) -> None:
    def script(request: Request, number: int) -> Answer:
        return Answer("", 401) if number > 8 else GOOD(request, number)

    with pytest.raises(EndpointError, match="401: the server does not accept the key"):
        play(script, tmp_path, at_once=2)
    kept = sum(
        len(file.read_text().splitlines()) - 1 for file in tmp_path.glob("conversations/*/*")
    )
    assert kept >= 7  # the eighth may have come while the run stopped


def test_interrupted_and_continued(tmp_path: Path) -> None:
    def interrupting(request: Request, number: int) -> Answer:
        if number == 6:
            os.kill(os.getpid(), signal.SIGINT)
            return Answer(delay=None)
        return GOOD(request, number)

    with pytest.raises(KeyboardInterrupt):
        play(interrupting, tmp_path)
    assert len(lines(tmp_path, "early-turn")) == 6
    run, _ = play(GOOD, tmp_path)
    assert not run.failures


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"variant": "prose"}, "text is 'grid' there, and 'prose' here"),
        ({"budget": "paper"}, "budget is 'map' there, and 'paper' here"),
        ({"seed": 3}, "seed is None there, and 3 here"),
        ({"options": {"temperature": 0}}, "options is {} there, and {'temperature': 0} here"),
        ({"trials": [EARLY]}, r"the trials differ \(exp3 two experts\)"),
        ({"participants": 1}, "it has 2 participants, and here are 1"),
    ],
)
def test_other_settings_in_the_same_folder_are_refused(
    tmp_path: Path, change: dict[str, object], expected: str
) -> None:
    play(GOOD, tmp_path, participants=2)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    with pytest.raises(DataError, match=expected):
        play(GOOD, tmp_path, **{"participants": 2, **change})  # type: ignore[arg-type]
    assert before == {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}


def test_participants_can_be_added(tmp_path: Path) -> None:
    play(GOOD, tmp_path, seed=5)
    run, server = play(GOOD, tmp_path, seed=5, participants=3)
    assert run.known == 2
    assert {request["seed"] for request in server.requests} == {6, 7}
    assert len(records_of(run).participants) == 6


def test_orderings_are_those_of_people(tmp_path: Path) -> None:
    trials = stimuli(1)
    jobs = ChatStudy("tiny", trials, participants=9, orderings=True).jobs
    assert len(jobs) == 90
    assert [job.ordering for job in jobs[::10]] == [1, 2, 3, 4, 5, 6, 7, 8, 1]
    assert len(ChatStudy("tiny", trials).jobs) == len(trials)


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (lambda text: text.replace("moved", "walked"), r"line 3: the prompt is not the one that this version asks"),
        (lambda text: text.replace("In this game", "In that game"), "line 1: it is of another trial"),
        (lambda text: "{\n" + text, "line 1: expected an object of JSON"),
        (lambda text: text + "{}\n", r"line \d+: expected an answer"),
        (lambda text: text + "[]\n", r"line \d+: expected an object of JSON"),
    ],
)  # fmt: skip
def test_a_damaged_transcript_is_refused(
    tmp_path: Path, damage: Callable[[str], str], expected: str
) -> None:
    play(GOOD, tmp_path, trials=[EARLY])
    [file] = tmp_path.glob("conversations/*/*.jsonl")
    file.write_text(damage(file.read_text("utf-8")), "utf-8")
    with pytest.raises(DataError, match=rf"jsonl: {expected}"):
        play(GOOD, tmp_path, trials=[EARLY])


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(DataError, match="it holds something that is not a run of players"):
        play(GOOD, tmp_path)
    (tmp_path / "notes.txt").rename(tmp_path / "players.json")
    with pytest.raises(DataError, match=r"players\.json: expected the settings of a run"):
        play(GOOD, tmp_path)


def test_two_runs_in_one_folder_are_noticed(tmp_path: Path) -> None:
    def meddling(request: Request, number: int) -> Answer:
        if number == 3:
            [file] = tmp_path.glob("conversations/*/*.jsonl")
            file.write_text(file.read_text() + "{}\n")
        return GOOD(request, number)

    with pytest.raises(DataError, match="another run writes to it at the same time"):
        play(meddling, tmp_path, trials=[EARLY])


def test_the_key_is_written_nowhere(tmp_path: Path) -> None:
    def telling(request: Request, number: int) -> Answer:
        return completion(f"My key is sk-secret.\nCHOICE: {GOOD.choice(request)}")

    play(telling, tmp_path)
    for file in tmp_path.rglob("*"):
        assert file.is_dir() or b"sk-secret" not in file.read_bytes()


def test_trials_of_the_same_name_are_refused() -> None:
    with pytest.raises(ValueError, match="Experiment 1: two trials have the same name"):
        _ = ChatStudy("tiny", [EARLY, EARLY]).jobs


def test_inside_a_running_loop(tmp_path: Path) -> None:
    async def main() -> ChatRun:
        with ChatServer(GOOD) as server:
            return await play_study(
                ChatStudy("tiny", TRIALS), Endpoint(server.url, "tiny"), tmp_path
            )

    assert not asyncio.run(main()).failures


def test_a_chat_player_is_a_player() -> None:
    async def in_a_loop() -> None:
        for trial in TRIALS:
            game = stage(trial, budget="map")
            assert score(game, play_trial(game, player)).arrived

    with ChatServer(GOOD) as server, ChatPlayer(Endpoint(server.url, "tiny")) as player:
        asyncio.run(in_a_loop())
        assert len(player.exchanges) == len(server.requests)
        assert all(exchange.problem is None for exchange in player.exchanges)


def test_a_chat_player_fails_with_a_reason() -> None:
    game = stage(EARLY, budget="map")
    with (
        ChatServer(lambda *_: completion("Hm.")) as server,
        ChatPlayer(Endpoint(server.url, "tiny")) as player,
        pytest.raises(AnswerError, match="its last line does not begin"),
    ):
        play_trial(game, player)
