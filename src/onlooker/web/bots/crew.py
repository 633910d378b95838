"""Bots: they take part through the HTTP API like a browser and check every reply."""

from __future__ import annotations

import asyncio
import secrets
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

import httpx
import numpy as np

from onlooker.game import ExperimentName
from onlooker.observers import Observer, Parameters
from onlooker.web.bots.rounds import BotRound, MismatchError, Repertoire
from onlooker.web.participant.arrivals import TEST_PREFIX
from onlooker.web.study.course import Course, Courses
from onlooker.web.study.session_state import ENDS

ScreenJson = Mapping[str, Any]

AGAIN = (429, 502, 503, 504)  # answers after which the same call is made again
LONGEST_WAIT = 2.0  # seconds between two tries
LATEST_LEAVE = 250  # acknowledged intents, for bots that drop out


class BotError(Exception):
    """A reply that a bot cannot go on from."""


Condition = tuple[ExperimentName, str | None]  # an experiment and a label


@dataclass(frozen=True)
class BotPlan:
    """How many bots take part, and how they play."""

    number: int
    observer: Observer
    parameters: Parameters = field(default_factory=Parameters)
    rate: float = 1.0  # actions of each bot in a second; 0 is as fast as they can
    drop_out: float = 0.0  # the share that leaves early
    seed: int = 1
    study_id: str = ""
    patience: float = 120.0  # seconds for which a call is tried again
    timeout: float = 10.0  # seconds for one try


@dataclass
class Tally:
    """The results of a group of bots."""

    latencies: list[float] = field(default_factory=list)  # seconds, of answered calls
    ends: list[str] = field(default_factory=list)  # the last screen of each bot, or "left"
    problems: list[str] = field(default_factory=list)
    actions: int = 0  # intents that the server acknowledged
    retries: int = 0
    seconds: float = 0.0
    seqs: dict[str, int] = field(default_factory=dict)  # acknowledged intents of each bot, by id

    @property
    def finished(self) -> int:
        """How many bots came to the regular end."""
        return self.ends.count("debrief")

    def milliseconds(self, percent: float) -> float:
        """A percentile of the latencies."""
        return float(np.percentile(self.latencies, percent)) * 1000 if self.latencies else 0.0

    def lines(self) -> list[str]:
        """The tally as lines of text."""
        left = self.ends.count("left")
        others = len(self.ends) - self.finished - left
        speed = self.actions / self.seconds if self.seconds else 0.0
        return [
            f"bots      {len(self.ends)}: {self.finished} finished, {left} left, {others} others",
            f"actions   {self.actions} acknowledged, {self.retries} calls made again",
            f"speed     {speed:.1f} actions/s over {self.seconds:.1f} s",
            "latency   p50 {:.1f} ms, p95 {:.1f} ms, p99 {:.1f} ms, longest {:.1f} ms".format(
                *(self.milliseconds(percent) for percent in (50, 95, 99, 100))
            ),
            f"problems  {len(self.problems)}",
            *(f"  {problem}" for problem in self.problems[:20]),
        ]


def run_bots(
    url: str,
    courses: Courses,
    plan: BotPlan,
    progress: Callable[[int, int], None] = lambda ended, bots: None,
) -> Tally:
    """Send bots to a server and wait until all have finished.

    They run in a separate thread, so this also works inside a running event loop, for example in a
    notebook. `progress` is called now and then with how many bots have ended, and how many there
    are.
    """
    tally = Tally()
    with ThreadPoolExecutor(1) as thread:
        done = thread.submit(lambda: asyncio.run(send_bots(url, courses, plan, tally)))
        while wait([done], timeout=0.2).not_done:
            progress(len(tally.ends), plan.number)
        return done.result()


async def send_bots(url: str, courses: Courses, plan: BotPlan, tally: Tally | None = None) -> Tally:
    """The same, inside a running event loop; the tally may be given, to be read meanwhile."""
    repertoires: dict[Condition, Repertoire] = {
        (name, each.label): Repertoire(each, plan.observer, plan.parameters)
        for name, course in courses.items()
        for each in course.variants
    }
    for repertoire in repertoires.values():
        repertoire.prepare()
    tally, crew = tally or Tally(), secrets.token_hex(4)
    seeds = np.random.SeedSequence(plan.seed).spawn(plan.number)
    limits = httpx.Limits(max_connections=plan.number + 10, max_keepalive_connections=None)
    start = time.perf_counter()
    client = httpx.AsyncClient(base_url=url, timeout=plan.timeout, limits=limits)
    async with client, asyncio.TaskGroup() as group:
        for index, seed in enumerate(seeds):
            pid = f"{TEST_PREFIX}bot-{crew}-{index + 1}"
            bot = Bot(client, pid, plan, repertoires, tally, np.random.default_rng(seed))
            group.create_task(bot.live())
    tally.seconds = time.perf_counter() - start
    return tally


class Bot:
    """One participant."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        pid: str,
        plan: BotPlan,
        repertoires: Mapping[Condition, Repertoire],
        tally: Tally,
        rng: np.random.Generator,
    ) -> None:
        self.client, self.pid, self.plan, self.tally, self.rng = client, pid, plan, tally, rng
        self.repertoires = repertoires
        self.acknowledged = 0
        self.token = ""
        self.view: ScreenJson = {}
        self.round: BotRound | None = None
        leaves = rng.random() < plan.drop_out
        self.leaves_after = int(rng.integers(1, LATEST_LEAVE)) if leaves else None

    async def live(self) -> None:
        """Take part from arrival to end; the tally records what goes wrong."""
        try:
            await self._take_part()
        except (BotError, MismatchError) as error:
            self.tally.problems.append(f"{self.pid}: {error}")
            self.tally.ends.append("stopped")
        self.tally.seqs[self.pid] = self.acknowledged

    async def _take_part(self) -> None:
        await self._pause()
        await self._arrive()
        while self.view["screen"] not in ENDS:
            if self.leaves_after is not None and self.acknowledged >= self.leaves_after:
                self.tally.ends.append("left")
                return
            await self._pause()
            await self._step()
        seen = await self._call("GET", "/api/view")
        self._check_seq(seen["view"])
        self.tally.ends.append(self.view["screen"])

    async def _pause(self) -> None:
        if self.plan.rate > 0:
            await asyncio.sleep(self.rng.uniform(0.5, 1.5) / self.plan.rate)

    @property
    def _repertoire(self) -> Repertoire:
        name, label = (self.view["study"][key] for key in ("experiment", "label"))
        if (name, label) not in self.repertoires:
            what = f"Experiment {name}" + (f" under the label {label}" if label else "")
            raise BotError(f"the server runs {what}, which this bot does not know")
        return self.repertoires[name, label]

    # -- steps -------------------------------------------------------------------------------------

    async def _arrive(self) -> None:
        body = {
            "prolific_pid": self.pid,
            "study_id": self.plan.study_id,
            "session_id": "bot",
            "viewport": [1280, 800],
        }
        reply = await self._call("POST", "/api/arrive", body)
        if reply["session"] is None:
            raise BotError("the study is paused")
        self.token, self.view = reply["session"], reply["view"]
        self._check_seq(self.view)

    async def _step(self) -> None:
        """Do what the screen asks for."""
        view = self.view
        match view["screen"]:
            case "consent":
                await self._send("consent", agree=True)
            case "check":
                await self._send("answer", answers=right_answers(self._repertoire.course))
            case "survey" | "questions" as screen:
                self.round = None
                await self._send(screen, answers=bot_answers(view["questions"], self.rng))
            case "tutorial" | "trial" if view["game"] and not view["game"]["finished"]:
                await self._play(view["game"])
            case _:
                self.round = None
                await self._send("next")

    async def _play(self, game: Mapping[str, Any]) -> None:
        self.round = self.round or BotRound(self._repertoire, game, self.rng)
        choice = self.round.choose()
        offered = {entry["choice"]: entry["cost"] for entry in game["choices"]}
        if choice not in offered:
            raise BotError(f"'{choice}' is not offered, only {', '.join(offered)}")
        await self._send("choose", choice=choice)
        after = self.view["game"]
        paid = game["points"]["left"] - after["points"]["left"]
        if paid != offered[choice]:
            raise BotError(f"'{choice}' took {paid} points instead of {offered[choice]}")
        self.round.took(choice, after)

    async def _send(self, kind: str, **data: Any) -> None:
        """Send an intent, with the same id until it is acknowledged."""
        body = {"id": str(uuid.uuid4()), "seq": self.view["seq"], "kind": kind, "data": data}
        reply = await self._call("POST", "/api/intent", body)
        self.acknowledged += 1
        self.tally.actions += 1
        self.view = reply["view"]
        self._check_seq(self.view)

    def _check_seq(self, view: ScreenJson) -> None:
        """No action is lost and none is done twice: the server counts as many as the bot."""
        if view["seq"] != self.acknowledged:
            raise BotError(f"the server counts {view['seq']} actions, the bot {self.acknowledged}")

    # -- calls -------------------------------------------------------------------------------------

    async def _call(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """A call, made again while the server is away or busy."""
        deadline, wait = time.perf_counter() + self.plan.patience, 0.05
        headers = {"X-Session": self.token} if self.token else {}
        while True:
            start = time.perf_counter()
            try:
                response = await self.client.request(method, path, json=body, headers=headers)
            except httpx.TransportError as error:
                failed = f"{type(error).__name__}: {error}"
            else:
                if response.status_code == 200:
                    self.tally.latencies.append(time.perf_counter() - start)
                    return dict(response.json())
                failed = f"{response.status_code} {response.text[:200]}"
                if response.status_code not in AGAIN:
                    raise BotError(f"{method} {path}: {failed}")
            if time.perf_counter() > deadline:
                raise BotError(f"{method} {path}: still {failed}")
            self.tally.retries += 1
            await asyncio.sleep(wait * self.rng.uniform(0.5, 1.5))
            wait = min(2 * wait, LONGEST_WAIT)


def right_answers(course: Course) -> dict[str, str]:
    """The answers that pass the comprehension check."""
    return {question.id: question.right for question in course.questions}


def bot_answers(
    questions: Sequence[Mapping[str, Any]], rng: np.random.Generator
) -> dict[str, str | int]:
    """An answer to each question that a bot is shown."""
    given: dict[str, str | int] = {}
    for question in questions:
        when = question["when"]
        if when is not None and given.get(when["question"]) != when["answer"]:
            continue
        if question["kind"] == "text":
            given[question["id"]] = "A bot's."
        elif question["kind"] == "choice":
            given[question["id"]] = question["options"][-1]["value"]
        else:
            low = 0 if question["minimum"] is None else question["minimum"]
            high = low + 10 if question["maximum"] is None else question["maximum"]
            given[question["id"]] = int(rng.integers(low, high + 1))
    return given
