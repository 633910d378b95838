"""What was said in a trial, stored at once: a file with a line of JSON for each answer.

A trial that was broken off is not played again: the recorded answers are given once more, which
leads to the same place, since a trial is a function of its choices and a server keeps no state
between requests.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from onlooker.players.chat.conversation import Exchange
from onlooker.players.chat.endpoint import Reply
from onlooker.support.problems import DataError, Problem

Line = dict[str, Any]

REPLY = [field.name for field in fields(Reply) if field.name != "text"]


class Transcript:
    """The file of one trial; `head` is its first line, which says whose it is."""

    def __init__(self, file: Path, head: Mapping[str, Any], begin: Callable[[], None]) -> None:
        self.file, self.head, self._begin = file, dict(head), begin
        self.entries: list[Line] = []  # an entry for each answer
        self.failure: str | None = None
        self.times: list[str] = []  # of the choices that were made until now
        self._at, self._size = 0, 0  # entries that were given once more, bytes of the file
        if file.exists():
            self._read()

    @property
    def recorded(self) -> bool:
        """Whether the next answer is already there."""
        return self._at < len(self.entries)

    def again(self, prompt: str) -> Reply:
        """The recorded answer to a prompt; DataError if another prompt was recorded."""
        entry = self.entries[self._at]
        if entry["prompt"] != prompt:
            reason = (
                "the prompt is not the one that this version asks here; expected the version that"
                " began this run, or another folder"
            )
            raise DataError([Problem(f"{self.file}: line {self._at + 2}", reason)])
        return Reply(entry["answer"], **{name: entry[name] for name in REPLY})

    def heard(self, exchange: Exchange) -> None:
        """Take in an answer, and write it if it is new."""
        if not self.recorded:
            values = asdict(exchange.reply)
            self._add(
                {
                    "choice": None if exchange.choice is None else str(exchange.choice),
                    "problem": exchange.problem,
                    "prompt": exchange.prompt,
                    "answer": values.pop("text"),
                    **values,
                    "time": _now(),
                }
            )
        if exchange.choice is not None:
            self.times.append(self.entries[self._at]["time"])
        self._at += 1

    def fail(self, reason: str) -> None:
        """Write that the trial cannot go on."""
        if self.failure is None:
            self.failure = reason
            self._write([{"failure": reason, "time": _now()}])

    # -- the file ----------------------------------------------------------------------------------

    def _add(self, entry: Line) -> None:
        self._write([entry])
        self.entries.append(entry)

    def _write(self, lines: list[Line]) -> None:
        """Append lines, on the disk before the next answer is asked for."""
        self._begin()
        if not self._size:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            lines = [self.head, *lines]
        content = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
        with self.file.open("ab") as file:
            if file.tell() != self._size:
                reason = "another run writes to it at the same time"
                raise DataError([Problem(str(self.file), reason)])
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        self._size += len(content)

    def _read(self) -> None:
        """Read what is there; a last line that was not written to its end is removed."""
        content = self.file.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            os.truncate(self.file, len(whole))
        self._size = len(whole)
        lines = [self._line(number, line) for number, line in enumerate(whole.splitlines(), 1)]
        if lines and lines[0] != self.head:
            reason = "it is of another trial, version or participant; expected another folder"
            raise DataError([Problem(f"{self.file}: line 1", reason)])
        for number, line in enumerate(lines[1:], start=2):
            if set(line) == {"failure", "time"}:
                self.failure = str(line["failure"])
            elif self.failure is None and _is_answer(line):
                self.entries.append(line)
            else:
                raise DataError([Problem(f"{self.file}: line {number}", "expected an answer")])

    def _line(self, number: int, line: bytes) -> Line:
        try:
            found = json.loads(line)
            if isinstance(found, dict):
                return found
        except ValueError:
            pass
        raise DataError([Problem(f"{self.file}: line {number}", "expected an object of JSON")])


def _is_answer(line: Line) -> bool:
    """Whether a line has all fields of an answer that are read, each of its kind."""
    return (
        set(REPLY) <= set(line)
        and all(isinstance(line.get(name), str) for name in ("prompt", "answer", "time"))
        and all(isinstance(line[name], int | None) for name in ("tokens_in", "tokens_out"))
        and isinstance(line["model"], str | None)
    )


def _now() -> str:
    text = datetime.now(UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")
