"""Running a study that a language model plays: several trials at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from onlooker.experiments.records import Records
from onlooker.game import Choice, PlayerView, Turn, replay, score
from onlooker.game.player import playing
from onlooker.players.chat.conversation import AnswerError, Conversation
from onlooker.players.chat.endpoint import (
    ChatClient,
    Endpoint,
    EndpointError,
    Message,
    RefusedError,
    Reply,
)
from onlooker.players.chat.study import DATASET, ChatStudy, Job, RunFolder
from onlooker.players.chat.transcript import Transcript
from onlooker.players.datasets import PlayerNote, record_plays, write_players


@dataclass
class Usage:
    """Tokens that the answers took, as the server counts them."""

    answers: int = 0
    uncounted: int = 0  # answers whose tokens the server does not report
    tokens_in: int = 0
    tokens_out: int = 0

    def add(self, tokens_in: int | None, tokens_out: int | None) -> None:
        """Count one answer."""
        self.answers += 1
        self.uncounted += tokens_in is None or tokens_out is None
        self.tokens_in += tokens_in or 0
        self.tokens_out += tokens_out or 0


@dataclass(frozen=True, slots=True)
class Played:
    """One trial as it was played."""

    job: Job
    log: Sequence[Choice]
    times: Sequence[str]
    failure: str | None  # why it did not come to its end


@dataclass
class ChatRun:
    """A run: what was played, in the order of the study, and what it took."""

    study: ChatStudy
    played: dict[int, Played] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    models: set[str] = field(default_factory=set)  # as the server calls what answered
    known: int = 0  # trials that had been played before

    @property
    def failures(self) -> list[Played]:
        """The trials that did not come to their end."""
        return [play for _, play in sorted(self.played.items()) if play.failure is not None]


Progress = Callable[[ChatRun], None]


def run_chat(
    study: ChatStudy,
    endpoint: Endpoint,
    folder: Path,
    at_once: int = 4,
    progress: Progress = lambda run: None,
) -> ChatRun:
    """Play what is not yet played, and keep every prompt and answer in a folder.

    After an interruption or an EndpointError the same call continues from there.
    """
    return asyncio.run(play_study(study, endpoint, folder, at_once, progress))


async def play_study(
    study: ChatStudy,
    endpoint: Endpoint,
    folder: Path,
    at_once: int = 4,
    progress: Progress = lambda run: None,
) -> ChatRun:
    """The same, inside a running event loop."""
    run = ChatRun(study)
    trials = list(enumerate(RunFolder(folder, study).transcripts()))
    for _, (_, transcript) in trials:
        for entry in transcript.entries:
            _count(run, entry["tokens_in"], entry["tokens_out"], entry["model"])
    async with ChatClient(endpoint) as client:
        queue = iter(trials)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(at_once, len(trials))):
                    group.create_task(_work(queue, client, run, progress))
        except BaseExceptionGroup as group_error:
            raise _first(group_error) from None
    return run


async def _work(
    queue: Iterator[tuple[int, tuple[Job, Transcript]]],
    client: ChatClient,
    run: ChatRun,
    progress: Progress,
) -> None:
    """Play one trial after the other until there is none left."""
    for index, (job, transcript) in queue:
        table = _Table(job, transcript, client, run, progress)
        run.played[index] = await table.play()
        run.known += table.asked == 0
        progress(run)


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _count(run: ChatRun, tokens_in: int | None, tokens_out: int | None, model: str | None) -> None:
    run.usage.add(tokens_in, tokens_out)
    run.models |= {model} if model else set()


class _Table:
    """One trial at which the model sits."""

    def __init__(
        self,
        job: Job,
        transcript: Transcript,
        client: ChatClient,
        run: ChatRun,
        progress: Progress,
    ) -> None:
        self.job, self.transcript, self.client, self.run = job, transcript, client, run
        self.progress = progress
        self.asked = 0  # answers that were not recorded before

    async def play(self) -> Played:
        """Play to the end, or to where the model fails."""
        talk, log = Conversation(self.run.study.variant), list[Choice]()
        views = playing(self.job.stage, self.run.study.most)
        view = next(views, None)
        try:
            while view is not None:
                log.append(await talk.choose(view, self._send, self.transcript.heard))
                view = _after(views, log[-1])
        except (AnswerError, RefusedError) as error:
            self.transcript.fail(str(error))
        return Played(self.job, log, self.transcript.times, self._failure(log))

    async def _send(self, messages: list[Message]) -> Reply:
        """The recorded answer, or a new one."""
        if self.transcript.recorded:
            return self.transcript.again(messages[-1]["content"])
        if self.transcript.failure is not None:
            raise AnswerError(self.transcript.failure)
        try:
            reply = await self.client.ask(messages, self.run.study.seed_of(self.job))
        except RefusedError as error:
            if self.transcript.entries:  # it may have become too long, or said too much
                raise
            raise EndpointError(self.client.about(str(error))) from None
        self.asked += 1
        _count(self.run, reply.tokens_in, reply.tokens_out, reply.model)
        self.progress(self.run)
        return reply

    def _failure(self, log: Sequence[Choice]) -> str | None:
        if self.transcript.failure is not None:
            return self.transcript.failure
        if score(self.job.stage, replay(self.job.stage, log)).finished:
            return None
        return f"not at its end after {len(log)} choices"


def _after(views: Generator[PlayerView, Choice, list[Turn]], choice: Choice) -> PlayerView | None:
    """The view after a choice; None at the end."""
    try:
        return views.send(choice)
    except StopIteration:
        return None


# -- the data --------------------------------------------------------------------------------------


def records_of(run: ChatRun) -> Records:
    """The tables of a run, a participant after the other."""
    groups: dict[str, list[Played]] = {}
    for _, play in sorted(run.played.items()):
        groups.setdefault(play.job.participant, []).append(play)
    records = Records()
    for participant, plays in groups.items():
        first = plays[0].job
        stages = [play.job.stage for play in plays]
        logs, times = [play.log for play in plays], [play.times for play in plays]
        records.extend(
            record_plays(first.experiment, participant, stages, logs, times, first.ordering)
        )
    return records


def write_run(run: ChatRun, folder: Path, extra: Mapping[str, Any] | None = None) -> Path:
    """Write the dataset of a run beside its conversations; where it is."""
    study, records = run.study, records_of(run)
    who = PlayerNote(
        study.name,
        "language model",
        [row["participant"] for row in records.participants],
        {**study.settings, "answered_by": sorted(run.models)},
    )
    failures = [
        {
            "participant": play.job.participant,
            "level": play.job.stage.trial.label,
            "reason": play.failure,
        }
        for play in run.failures
    ]
    about = {"usage": asdict(run.usage), "failures": failures, **(extra or {})}
    place = folder / DATASET
    return write_players(place, records, [who], study.budget, about, replace=True)
