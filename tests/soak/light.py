"""A light client: many people who act at a steady rate, with little work for each call.

It writes HTTP by hand and looks for single words in replies, so that it mostly measures the server.
Everybody goes through the tutorial as fast as possible, then walks to and fro in the first round.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from onlooker.planning import Tables, main_path

if TYPE_CHECKING:
    from onlooker.web.study.course import Course

BACK = {"up": "down", "down": "up", "left": "right", "right": "left"}
_MOVE = re.compile(rb'"choice":"(up|down|left|right)","kind":"move"')
_SEQ = re.compile(rb'"seq":(\d+)')

Intent = tuple[str, dict[str, object]]


@dataclass
class Load:
    """What a run of the light client gave."""

    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)  # seconds, of each call that counts
    refused: int = 0
    server_cpu: float = 0.0  # seconds of processor time, if the process was named

    def line(self) -> str:
        """The run in one line."""
        cuts = statistics.quantiles(self.waits, n=100)
        shown = "/".join(f"{1000 * cuts[place - 1]:.0f}" for place in (50, 95, 99))
        rate, cpu = len(self.waits) / self.seconds, 1000 * self.server_cpu / len(self.waits)
        return (
            f"{len(self.waits)} calls, {rate:.0f} a second, p50/p95/p99 {shown} ms, "
            f"{cpu:.2f} ms of server CPU a call, {self.refused} refused"
        )


def first_part(course: Course) -> list[Intent]:
    """The way from the consent form to the first round, the same for everybody."""
    intents: list[Intent] = [("consent", {"agree": True})]
    for page in course.pages:
        if page.practice is not None:
            trial = course.practice[page.practice].trial
            way = main_path(Tables(trial.map), trial)
            intents += [("choose", {"choice": str(taken.action)}) for taken in way]
        intents.append(("next", {}))
    answers = {question.id: question.right for question in course.questions}
    return [*intents, ("answer", {"answers": answers}), ("next", {})]


class Person:
    """One participant on one connection."""

    def __init__(self, url: str, name: str) -> None:
        split = urlsplit(url)
        self.host, self.port, self.name = split.hostname, split.port, name
        self.token, self.seq, self.last = "", 0, b""

    async def connect(self) -> None:
        """Open a connection; the server closes those that are silent for long."""
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port, limit=2**20)

    async def call(self, path: str, body: dict[str, object]) -> int:
        """Post a body; the status of the answer, whose text is kept."""
        content = json.dumps(body, separators=(",", ":")).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: study\r\nContent-Type: application/json\r\n"
            f"X-Session: {self.token}\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        self.writer.write(head.encode() + content)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"content-length: (\d+)", answer, re.IGNORECASE)[1])
        self.last = await self.reader.readexactly(length)
        return int(answer[9:12])

    async def intend(self, kind: str, data: dict[str, object], patient: bool = False) -> int:
        """Post an intent; with patience, again and again while the server is busy."""
        body = {"id": uuid.uuid4().hex, "seq": self.seq, "kind": kind, "data": data}
        while (status := await self.call("/api/intent", body)) == 503 and patient:
            await asyncio.sleep(0.5)
        if found := _SEQ.search(self.last):
            self.seq = int(found[1])
        return status

    async def arrive(self, intents: list[Intent]) -> None:
        """Come as far as the first round."""
        await self.connect()
        assert await self.call("/api/arrive", {"prolific_pid": f"test-{self.name}"}) == 200
        self.token = json.loads(self.last)["session"]
        for kind, data in intents:
            assert await self.intend(kind, data, patient=True) == 200, self.last

    async def play(self, rate: float, until: float, load: Load) -> None:
        """Walk to and fro at a rate."""
        self.writer.close()
        await self.connect()
        there = _MOVE.search(self.last)[1].decode()
        begin, number = time.perf_counter(), 0
        while (due := begin + number / rate) < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            began = time.perf_counter()
            status = await self.intend("choose", {"choice": (there, BACK[there])[number % 2]})
            load.waits.append(time.perf_counter() - began)
            load.refused += status != 200
            number += 1


async def _run(
    url: str, course: Course, people: int, rate: float, seconds: float, pids: list[int]
) -> Load:
    everybody = [Person(url, f"light-{uuid.uuid4().hex[:12]}") for _ in range(people)]
    intents, gate = first_part(course), asyncio.Semaphore(8)

    async def enter(person: Person) -> None:
        async with gate:
            await person.arrive(intents)

    await asyncio.gather(*(enter(person) for person in everybody))
    await settle(pids)
    load, begin, before = Load(), time.perf_counter(), cpu_seconds(pids)

    async def act(person: Person, place: int) -> None:
        await asyncio.sleep(place / people / rate)  # not all in the same moment
        await person.play(rate, begin + seconds, load)

    await asyncio.gather(*(act(person, place) for place, person in enumerate(everybody)))
    load.seconds, load.server_cpu = time.perf_counter() - begin, cpu_seconds(pids) - before
    return load


def run_light(
    url: str, course: Course, people: int, rate: float, seconds: float, pids: list[int]
) -> Load:
    """Let people play; the processor time of the server's processes is measured meanwhile."""
    return asyncio.run(_run(url, course, people, rate, seconds, pids))


async def settle(pids: list[int], most: float = 180.0) -> None:
    """Wait until the server has done what it does after its start, such as drawing the gallery."""
    deadline = time.perf_counter() + most
    while time.perf_counter() < deadline:
        before = cpu_seconds(pids)
        await asyncio.sleep(1)
        if cpu_seconds(pids) - before < 0.03:
            return


def cpu_seconds(pids: list[int]) -> float:
    """The processor time that processes have used, on Linux; 0 elsewhere."""
    ticks = 0
    for pid in pids:
        stat = Path(f"/proc/{pid}/stat")
        if stat.exists():
            fields = stat.read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
