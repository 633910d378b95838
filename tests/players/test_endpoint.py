"""Asking a server that answers well, badly, slowly, with errors, and never."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from chat_server import Answer, ChatServer, Script, completion
from onlooker.players.chat.endpoint import (
    ChatClient,
    Endpoint,
    EndpointError,
    RefusedError,
    Reply,
    _retry_after,
)
from waiting import HANG

KEY = "sk-secret/123"
SAID = [{"role": "user", "content": "Hello"}]


def ask(script: Script, **settings: Any) -> tuple[Reply, ChatServer]:
    """The reply to one question, and the server that was asked."""
    settings = {"wait": 0.001, "retries": 2, "timeout": HANG, "key": KEY, **settings}

    async def once(url: str) -> Reply:
        async with ChatClient(Endpoint(url, "tiny", **settings)) as client:
            return await client.ask(SAID, seed=7)

    with ChatServer(script) as server:
        return asyncio.run(once(server.url)), server


def test_a_good_answer() -> None:
    reply, server = ask(lambda *_: completion("Hi"), options={"temperature": 0.5})
    assert (reply.text, reply.model, reply.fingerprint, reply.finish) == (
        "Hi",
        "tiny-2026",
        "fp_1",
        "stop",
    )
    assert (reply.tokens_in, reply.tokens_out, reply.tries) == (100, 10, 1)
    assert server.requests == [{"model": "tiny", "messages": SAID, "temperature": 0.5, "seed": 7}]
    assert server.keys == [f"Bearer {KEY}"]


def test_without_a_key_none_is_sent() -> None:
    assert ask(lambda *_: completion("Hi"), key="")[1].keys == [None]


@pytest.mark.parametrize("body", [completion(None).body, completion("", None).body])
def test_an_empty_answer_is_an_answer(body: object) -> None:
    assert ask(lambda *_: Answer(body))[0].text == ""


def test_half_a_character_is_replaced() -> None:
    body = '{"choices": [{"message": {"content": "a\\ud83d CHOICE"}}]}'
    assert ask(lambda *_: Answer(body))[0].text == "a? CHOICE"


@pytest.mark.parametrize(
    "trouble",
    [
        Answer("oops", 500),
        Answer({"error": {"message": "slow down"}}, 429, {"Retry-After": "0.01"}),
        Answer("no", 503, {"Retry-After": "Wed, 01 Jan 2020 00:00:00 GMT"}),
        Answer("<html>", 200),
        Answer("[]", 200),
        Answer({"choices": []}, 200),
        Answer({"choices": [{"message": {}}]}, 200),
        Answer({"choices": [{"message": {"content": 5}}]}, 200),
        Answer("[" * 100_000, 200),
    ],
    ids=lambda answer: str(answer.body)[:20],
)
def test_trouble_that_passes_is_waited_for(trouble: Answer) -> None:
    reply, server = ask(lambda _, number: trouble if number < 3 else completion("Hi"))
    assert (reply.text, reply.tries, len(server.requests)) == ("Hi", 3, 3)


def test_a_timeout_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = iter([0.0])  # only the first is over at once
    real = asyncio.timeout
    monkeypatch.setattr(asyncio, "timeout", lambda limit: real(next(limits, limit)))
    reply, _ = ask(lambda *_: completion("Hi"))
    assert reply.tries == 2


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Answer("oops", 500), "tried 3 times: status 500: oops"),
        (Answer({"error": {"message": "slow down"}}, 429), "tried 3 times: status 429: slow down"),
        (Answer("<html>"), "tried 3 times: the answer is not JSON: <html>"),
        (Answer({"error": 3}), "tried 3 times: the answer has no text in choices[0].message.content:"),
        (Answer(delay=None), "tried 3 times: no answer within 0.05 seconds"),
        (Answer("late", 429, {"Retry-After": "7200"}), "status 429: late; it asks to wait 7200 seconds"),
        (Answer("no such model", 404), "status 404: no such model"),
        (Answer("", 302, {"Location": "http://elsewhere.example/"}), "status 302"),
        (Answer("", 401), "401: the server does not accept the key in the environment variable ONLOOKER_API_KEY"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_trouble_that_stays_is_reported(answer: Answer, expected: str) -> None:
    with pytest.raises(EndpointError) as caught:
        ask(lambda *_: answer, timeout=0.05 if answer.delay is None else HANG)
    address, _, reason = str(caught.value).partition("/v1/chat/completions: ")
    assert address.startswith("http://127.0.0.1:")
    assert reason.startswith(expected)


def test_a_missing_key_is_named() -> None:
    with pytest.raises(
        EndpointError, match=r"wants a key, and the environment variable MY_KEY is not set"
    ):
        ask(lambda *_: Answer("", 401), key="", key_name="MY_KEY")


def test_a_request_that_is_refused_is_not_made_again() -> None:
    answer = Answer({"error": {"message": "too long"}}, 400)
    with pytest.raises(RefusedError, match=r"^status 400: too long$"):
        ask(lambda _, number: answer if number == 1 else completion("Hi"))


@pytest.mark.parametrize("status", [200, 400, 404, 500])
def test_the_key_is_never_repeated(status: int) -> None:
    escaped = KEY.replace("/", "\\/")
    body = f'{{"choices": [{{"message": {{"content": "{escaped} {KEY}"}}}}], "error": "{escaped} {KEY}"}}'
    try:
        said = ask(lambda *_: Answer(body, status))[0].text
    except EndpointError as error:
        said = str(error)
    assert "secret" not in said
    assert "[key]" in said
    assert "secret" not in repr(Endpoint("http://host/v1", "tiny", KEY))


def test_nobody_there_is_said_without_waiting() -> None:
    with ChatServer(lambda *_: completion("Hi")) as server:
        url = server.url

    async def once() -> None:
        async with ChatClient(Endpoint(url, "tiny", wait=1000)) as client:
            await client.ask(SAID)

    with pytest.raises(EndpointError, match=r"chat/completions: nobody answers there \("):
        asyncio.run(once())


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"url": "localhost:8000"}, "url: expected an address such as https://host/v1"),
        ({"url": "ftp://host/v1"}, "url: expected an address"),
        ({"url": "http:///v1"}, "url: expected an address"),
        ({"url": "https://me:pass@host/v1"}, "url: expected no name or password in it"),
        ({"model": " "}, "model: expected the name of a model"),
        ({"key": "two words"}, "ONLOOKER_API_KEY: expected a key of printable characters"),
        ({"key": "schlüssel"}, "ONLOOKER_API_KEY: expected a key of printable characters"),
        ({"options": {"messages": []}}, "options: messages cannot be set"),
        ({"options": {"stop": "\ud800"}}, "options: expected values of JSON"),
        ({"timeout": 0}, "timeout: expected seconds, not 0"),
    ],
)
def test_an_endpoint_refuses(values: dict[str, Any], expected: str) -> None:
    with pytest.raises(ValueError, match=f"^{expected}") as caught:
        Endpoint(**{"url": "http://host/v1", "model": "tiny", **values})
    assert not any(secret in str(caught.value) for secret in ("pass@", "two words", "schlüssel"))


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://host:1/v1", "http://host:1/v1/chat/completions"),
        ("http://host/v1/", "http://host/v1/chat/completions"),
        ("http://host/v1/chat/completions", "http://host/v1/chat/completions"),
        ("https://host/x?api-version=1", "https://host/x/chat/completions?api-version=1"),
    ],
)
def test_the_address_of_the_call(url: str, address: str) -> None:
    assert Endpoint(url, "tiny").address == address


@pytest.mark.parametrize("value", ["", "nan", "-5", "inf", "soon"])
def test_a_strange_wish_to_wait_is_passed_over(value: str) -> None:
    assert _retry_after(value) == 0
