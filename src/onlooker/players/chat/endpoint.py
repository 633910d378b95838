"""Asking a server that speaks the chat-completions protocol, with new tries where that may help.

The key is sent as a header and goes nowhere else: it has no place in a repr, and is removed from
whatever a server sends back.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import count
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from onlooker.players.chat import players_extra

with players_extra():
    import httpx

Message = Mapping[str, str]  # role and content

PATH = "/chat/completions"
LONGEST_WAIT = 60.0  # seconds between two tries, unless the server asks for more
LONGEST_REQUEST = 600.0  # seconds that a server may ask to wait; beyond, the run stops
LOCKED = (401, 403)  # the key is wrong or missing
REFUSED = (400, 413, 422)  # the request is wrong, or too long
BUSY = (408, 409, 425, 429)  # try again, as with all from 500
OWN = ("model", "messages", "stream", "n")  # fields of a request that are not options


class EndpointError(Exception):
    """The server cannot be asked, or answers nothing that can be used."""


class RefusedError(EndpointError):
    """The server refuses this request, and would again; the text does not have its address."""


@dataclass(frozen=True)
class Endpoint:
    """Where a model answers, and how it is asked.

    `options` are further fields of each request, such as temperature. ValueError says what is wrong
    with a field.
    """

    url: str
    model: str
    key: str = field(default="", repr=False)
    key_name: str = "ONLOOKER_API_KEY"  # where the key was looked for, for messages
    options: Mapping[str, Any] = field(default_factory=dict)
    timeout: float = 120.0  # seconds for one answer
    retries: int = 6  # new tries after a failed one
    wait: float = 1.0  # seconds before the first new try; then twice as long, and so on

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"url: expected an address such as https://host/v1, not {self.url!r}")
        if parts.username is not None or parts.password is not None:
            raise ValueError(
                f"url: expected no name or password in it; {self.key_name} has the key"
            )
        if not self.key.isascii() or any(
            not sign.isprintable() or sign == " " for sign in self.key
        ):
            raise ValueError(f"{self.key_name}: expected a key of printable characters, no blanks")
        if self.model != self.model.strip() or not self.model or not self.model.isprintable():
            raise ValueError(f"model: expected the name of a model, not {self.model!r}")
        if clash := sorted(set(self.options) & set(OWN)):
            raise ValueError(f"options: {', '.join(clash)} cannot be set")
        try:
            json.dumps(dict(self.options), ensure_ascii=False, allow_nan=False).encode()
        except (ValueError, TypeError) as error:
            raise ValueError(f"options: expected values of JSON: {error}") from None
        for name, least in (("timeout", 0.001), ("wait", 0.0)):
            if not least <= getattr(self, name) < math.inf:
                raise ValueError(f"{name}: expected seconds, not {getattr(self, name)}")

    @property
    def address(self) -> str:
        """The full address of the call."""
        parts = urlsplit(self.url)
        path = parts.path.rstrip("/")
        return parts._replace(path=path if path.endswith(PATH) else path + PATH).geturl()


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer of a model, and what is known about it."""

    text: str
    model: str | None = None  # as the server calls it
    fingerprint: str | None = None
    finish: str | None = None  # why it ended
    tokens_in: int | None = None
    tokens_out: int | None = None
    tries: int = 1
    seconds: float = 0.0


class ChatClient:
    """Asks an endpoint; use it in `async with`."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.answered = False  # did the server ever answer?
        self._random = random.Random()
        headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        self._http = httpx.AsyncClient(
            headers=headers, timeout=None, limits=httpx.Limits(max_connections=None)
        )

    async def __aenter__(self) -> ChatClient:
        await self._http.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._http.__aexit__(kind, error, trace)

    async def ask(self, messages: Sequence[Message], seed: int | None = None) -> Reply:
        """The model's answer; EndpointError after the last try, or where none would help."""
        body = {**self.endpoint.options, "model": self.endpoint.model, "messages": list(messages)}
        if seed is not None:
            body["seed"] = seed
        begin, pause = time.perf_counter(), self.endpoint.wait
        for tries in count(1):
            found = await self._try(body)
            if isinstance(found, dict):
                return self._reply(found, tries, time.perf_counter() - begin)
            if tries > self.endpoint.retries:
                times = "once" if tries == 1 else f"{tries} times"
                raise EndpointError(self.about(f"tried {times}: {found.reason}"))
            await asyncio.sleep(max(found.wait, pause * self._random.uniform(0.75, 1.25)))
            pause = min(2 * pause, LONGEST_WAIT)
        raise AssertionError("unreachable")

    async def _try(self, body: Mapping[str, Any]) -> dict[str, Any] | _Trouble:
        """The fields of a reply, or why there are none this time."""
        limit = self.endpoint.timeout
        try:
            async with asyncio.timeout(limit):
                response = await self._http.post(self.endpoint.address, json=body)
        except TimeoutError:
            return _Trouble(f"no answer within {limit:g} seconds")
        except httpx.ConnectError as error:
            if not self.answered:
                raise EndpointError(self.about(f"nobody answers there ({error})")) from None
            return _Trouble(f"no connection ({error})")
        except httpx.TransportError as error:
            return _Trouble(f"the connection broke ({str(error) or type(error).__name__})")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise EndpointError(self.about(str(error))) from None
        self.answered = True
        return self._judge(response)

    def _judge(self, response: httpx.Response) -> dict[str, Any] | _Trouble:
        """What a response is worth; EndpointError if the same request would get it again."""
        status = response.status_code
        if status in LOCKED:
            raise EndpointError(self.about(f"{status}: {self._key_problem()}"))
        content = self._without_key(response.text)
        if status == 200:
            return _fields(content)
        said = f"status {status}{self._said(content)}"
        if status in BUSY or status >= 500:
            wait = _retry_after(response.headers.get("Retry-After", ""))
            if wait > LONGEST_REQUEST:
                raise EndpointError(self.about(f"{said}; it asks to wait {wait:.0f} seconds"))
            return _Trouble(said, wait)
        if status in REFUSED:
            raise RefusedError(said)
        raise EndpointError(self.about(said))

    def _reply(self, found: Mapping[str, Any], tries: int, seconds: float) -> Reply:
        choice, usage = found["choices"][0], found.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        return Reply(
            text=self._text(choice["message"]["content"]) or "",
            model=self._text(found.get("model")),
            fingerprint=self._text(found.get("system_fingerprint")),
            finish=self._text(choice.get("finish_reason")),
            tokens_in=_tokens(usage.get("prompt_tokens")),
            tokens_out=_tokens(usage.get("completion_tokens")),
            tries=tries,
            seconds=round(seconds, 3),
        )

    def _text(self, value: object) -> str | None:
        """A text that can be sent on and written: JSON can have half of a surrogate pair."""
        if not isinstance(value, str):
            return None
        return self._without_key(value.encode("utf-8", "replace").decode("utf-8"))

    def _key_problem(self) -> str:
        name = self.endpoint.key_name
        if self.endpoint.key:
            return f"the server does not accept the key in the environment variable {name}"
        return f"the server wants a key, and the environment variable {name} is not set"

    def about(self, reason: str) -> str:
        """A reason with the address that it is about."""
        return f"{self.endpoint.address}: {self._without_key(reason)}"

    def _said(self, content: str) -> str:
        """What a server says about an error, if it says it in the usual form or shortly."""
        try:
            error = json.loads(content)["error"]
            content = error["message"] if isinstance(error, dict) else error
        except (ValueError, LookupError, TypeError, RecursionError):
            pass
        if not isinstance(content, str) or not content.strip():
            return ""
        return f": {_short(self._without_key(content))}"

    def _without_key(self, content: str) -> str:
        """A text without the key, also as JSON may write it."""
        key = self.endpoint.key
        written = {key, json.dumps(key)[1:-1], key.replace("/", "\\/")} - {""}
        for form in sorted(written, key=len, reverse=True):
            content = content.replace(form, "[key]")
        return content


@dataclass(frozen=True, slots=True)
class _Trouble:
    """Why a try failed that may be made again, and the seconds to wait before."""

    reason: str
    wait: float = 0.0


def _fields(content: str) -> dict[str, Any] | _Trouble:
    """The fields of a chat completion that has an answer."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return _Trouble(f"the answer is not JSON: {_short(content)}")
    try:
        message = found["choices"][0]["message"]
        if not isinstance(message["content"], str | None):
            raise TypeError
    except (LookupError, TypeError):
        place = "choices[0].message.content"
        return _Trouble(f"the answer has no text in {place}: {_short(content)}")
    return dict(found)


def _tokens(value: object) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _short(content: str, most: int = 200) -> str:
    plain = " ".join(content.split())
    plain = "".join(sign for sign in plain if sign.isprintable())
    return (plain if len(plain) <= most else f"{plain[:most]}…") or "nothing"


def _retry_after(value: str) -> float:
    """The seconds of a Retry-After header, which may be a date; 0 if it says nothing.

    >>> _retry_after("2.5"), _retry_after("soon"), _retry_after("Wed, 01 Jan 2020 00:00:00 GMT")
    (2.5, 0.0, 0.0)
    """
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return 0.0
    return max(0.0, seconds) if math.isfinite(seconds) else 0.0
