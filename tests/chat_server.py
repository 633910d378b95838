"""A server of the chat-completions protocol whose answers are scripted."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from onlooker.game import BudgetRule, Trial, player_view
from onlooker.planning import Tables, main_path, stage
from onlooker.players.chat.variants import writer_of
from onlooker.players.chat.words import VARIANTS, first_text

Request = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What the server sends, and after how many seconds; None: never."""

    body: object = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float | None = 0.0


def completion(text: str | None, tokens: tuple[int, int] | None = (100, 10)) -> Answer:
    """An answer of the usual form."""
    body: dict[str, Any] = {
        "model": "tiny-2026",
        "system_fingerprint": "fp_1",
        "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
    }
    if tokens:
        body["usage"] = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return Answer(body)


Script = Callable[[Request, int], Answer]  # of a request and its number, from 1


class _Listener(ThreadingHTTPServer):
    """Says nothing about a connection that the client has closed; anything else is printed."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class ChatServer:
    """Answers by a script while it is used in `with`, and keeps the requests."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.requests: list[Request] = []
        self.keys: list[str | None] = []
        self._lock, self._closing = threading.Lock(), threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # head and body in one piece, which is quicker

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.answer(self, body)

            def log_message(self, *_: object) -> None:
                pass

        self._http = _Listener(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self) -> ChatServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def answer(self, handler: BaseHTTPRequestHandler, body: Request) -> None:
        with self._lock:
            self.requests.append(body)
            self.keys.append(handler.headers.get("Authorization"))
            number = len(self.requests)
        answer = self.script(body, number)
        if answer.delay is None or answer.delay:
            self._closing.wait(answer.delay)
        content = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
        try:
            handler.send_response(answer.status)
            for name, value in answer.headers.items():
                handler.send_header(name, value)
            handler.send_header("Content-Length", str(len(content.encode())))
            handler.end_headers()
            handler.wfile.write(content.encode())
        except OSError:
            handler.close_connection = True  # nobody waits for it any more


class GoodPlayer:
    """A script that watches each NPC once and then takes the cheapest way to the chest."""

    def __init__(self, trials: Iterable[Trial], budget: BudgetRule = "map") -> None:
        self.logs: dict[str, list[str]] = {}
        for trial in trials:
            game = stage(trial, budget=budget)
            way = main_path(Tables(trial.map), trial)
            log = [f"observe {npc.id}" for npc in trial.npcs] + [str(taken.action) for taken in way]
            for variant in VARIANTS:
                self.logs[first_text(player_view(game, []), writer_of(variant))] = log

    def __call__(self, request: Request, number: int) -> Answer:
        return completion(f"Let me think.\n\nCHOICE: {self.choice(request)}")

    def choice(self, request: Request) -> str:
        _, first, *later = request["messages"]
        said = [message["content"] for message in later if message["role"] == "user"]
        repairs = sum("cannot be used" in content for content in said)
        return self.logs[first["content"]][len(said) - repairs]
