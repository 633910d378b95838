"""Links that Prolific signs, with keys of our own that a server on this machine gives out."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from onlooker.web.participant import links
from onlooker.web.participant.arrivals import Arrival, ArrivalError, LinkProof, NotNowError
from onlooker.web.participant.links import (
    CACHE_SECONDS,
    ISSUER,
    RETRY_SECONDS,
    InvalidTokenError,
    NoKeysError,
    PublicKeys,
)
from onlooker.web.participant.service import StudyService
from onlooker.web.settings import Admission
from onlooker.web.store import Store
from onlooker.web.study.course import Course
from waiting import HANG, wait_until
from web.person import study

pytestmark = pytest.mark.server

DOMAIN = "study.example.org"
OURS, THEIRS, NEXT = (rsa.generate_private_key(65537, 2048) for _ in range(3))


class KeyServer:
    """Gives public keys out, counts how often it is asked, and can be down."""

    def __init__(self) -> None:
        self.keys: dict[str, Any] = {"first": OURS}
        self.asked, self.down = 0, False
        self.answering = threading.Event()
        self.answering.set()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked += 1
                server.answering.wait(HANG)
                self.send_response(503 if server.down else 200)
                self.end_headers()
                self.wfile.write(json.dumps({"keys": server.public()}).encode())

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/jwks.json"

    def public(self) -> list[dict[str, Any]]:
        algorithm = jwt.algorithms.RSAAlgorithm
        return [
            {**algorithm.to_jwk(key.public_key(), as_dict=True), "kid": name, "alg": "RS256"}
            for name, key in self.keys.items()
        ]


@pytest.fixture
def key_server() -> Iterator[KeyServer]:
    server = KeyServer()
    thread = threading.Thread(target=server.http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.http.shutdown()
    server.http.server_close()


@pytest.fixture
def service(store: Store, short: Course, key_server: KeyServer) -> StudyService:
    admission = Admission(prolific="signed", prolific_audience=DOMAIN, prolific_keys=key_server.url)
    return StudyService(study(admission=admission), store, {1: short})


def token(key: Any = OURS, kid: str = "first", algorithm: str = "RS256", **changes: Any) -> str:
    claims = {
        "iss": ISSUER,
        "aud": DOMAIN,
        "sub": "anna",
        "iat": int(time.time()),
        "exp": int(time.time()) + 3600,
        "prolific": {"PROLIFIC_PID": "anna", "STUDY_ID": "study1", "SESSION_ID": "s1"},
    }
    return jwt.encode(claims | changes, key, algorithm, {"kid": kid})


def arrive(service: StudyService, given: str, pid: str = "anna") -> int:
    return service.arrive(Arrival(pid, "study1", "s1", link=LinkProof(token=given))).status


LONG_AGO = {"iat": 1_000_000_000, "exp": 1_000_003_600}
OTHER = {"PROLIFIC_PID": "ben", "STUDY_ID": "study1", "SESSION_ID": "s1"}
REFUSED: dict[str, Callable[[], str]] = {
    "no token": lambda: "",
    "garbage": lambda: "no.token.at-all",
    "wrong key": lambda: token(THEIRS),
    "unknown key": lambda: token(kid="invented"),
    "another audience": lambda: token(aud="another.example.org"),
    "another issuer": lambda: token(iss="https://elsewhere.example"),
    "ids of another": lambda: token(prolific=OTHER),
    "no ids": lambda: token(prolific=["anna"]),
    "alg none": lambda: token("", algorithm="none"),
    "alg HS256": lambda: token("x" * 64, algorithm="HS256"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_links_are_refused(service: StudyService, name: str) -> None:
    with pytest.raises(ArrivalError, match="not made for you"):
        arrive(service, REFUSED[name]())
    assert service.store.sessions() == []


def test_a_signed_link_is_let_in_and_the_keys_are_asked_for_once(
    service: StudyService, key_server: KeyServer
) -> None:
    for _ in range(3):
        assert arrive(service, token()) == 200
    assert key_server.asked == 1
    with pytest.raises(ArrivalError, match="not made for you"):
        arrive(service, token(), pid="ben")  # of another participant


def test_a_link_that_has_expired_leads_back_but_not_in(service: StudyService) -> None:
    with pytest.raises(ArrivalError, match="has expired"):
        arrive(service, token(**LONG_AGO))
    assert arrive(service, token()) == 200
    assert arrive(service, token(**LONG_AGO)) == 200  # a reload
    with pytest.raises(ArrivalError, match="not made for you"):
        arrive(service, token(THEIRS, **LONG_AGO))


def test_people_wait_while_there_are_no_keys(service: StudyService, key_server: KeyServer) -> None:
    key_server.down = True
    with pytest.raises(NotNowError) as raised:
        arrive(service, token())
    assert (raised.value.status, raised.value.code) == (503, "unconfirmed")


def test_nobody_waits_while_the_key_server_is_asked_about_an_invented_key(
    key_server: KeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "TIMEOUT", HANG)
    now = [0.0]
    keys = PublicKeys(key_server.url, clock=lambda: now[0])
    assert keys.find("first")
    key_server.answering.clear()
    now[0] += RETRY_SECONDS + 1
    with ThreadPoolExecutor(3) as pool:
        invented = pool.submit(keys.find, "invented")
        wait_until(lambda: key_server.asked == 2)
        assert pool.submit(keys.find, "first").result(HANG)
        with pytest.raises(NoKeysError):  # it may be new: whoever has it is asked to wait
            pool.submit(keys.find, "next").result(HANG)
        key_server.answering.set()
        with pytest.raises(InvalidTokenError):
            invented.result(HANG)


def test_a_new_key_is_waited_for_though_others_invent_keys(key_server: KeyServer) -> None:
    now = [0.0]
    keys = PublicKeys(key_server.url, clock=lambda: now[0])
    with pytest.raises(InvalidTokenError):
        keys.find("invented")
    key_server.keys = {"next": NEXT}
    now[0] += 1
    with pytest.raises(NoKeysError):  # the keys that are known are older than this question
        keys.find("next")
    now[0] += RETRY_SECONDS
    assert keys.find("next")


def test_keys_are_kept_changed_and_asked_for_sparingly(key_server: KeyServer) -> None:
    now = [0.0]
    keys = PublicKeys(key_server.url, clock=lambda: now[0])
    assert keys.find("first")
    for _ in range(50):
        with pytest.raises(NoKeysError):
            keys.find("invented")  # who invents keys makes nobody ask for them
    assert key_server.asked == 1
    key_server.keys = {"first": OURS, "next": NEXT}
    now[0] += RETRY_SECONDS + 1
    assert keys.find("next")  # a new key is found at the first link that names it
    key_server.down = True
    now[0] += CACHE_SECONDS + 1
    assert keys.find("first")  # the old ones do while nobody answers
    assert keys.find("next")
    assert key_server.asked == 3
    with pytest.raises(NoKeysError):
        keys.find("newest")
