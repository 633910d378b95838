"""The examples in `deploy` do what they are for: nginx before a real server, units, the image."""

from __future__ import annotations

import configparser
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

import programs
from onlooker.observers import find_observer
from onlooker.web.bots.crew import BotPlan, Tally, run_bots
from onlooker.web.researcher import sign_in
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import Researcher, default_settings
from onlooker.web.store import Store
from running import ROOT
from waiting import HANG, wait_until
from web import postgres
from web.conftest import postgres_server
from web.crash import Server, check_all, loaded, settings_file
from web.passwords import HASHED, PASSWORD

pytestmark = pytest.mark.server

__all__ = ["postgres_server"]  # a fixture of tests/web

DEPLOY = ROOT / "deploy"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def nginx(folder: Path, *upstreams: str) -> Iterator[httpx.Client]:
    """nginx with the shipped file on loopback, with a certificate of its own; a client for it."""
    command = programs.need("nginx")
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl to make a certificate with")
    key, certificate = folder / "privkey.pem", folder / "fullchain.pem"
    subprocess.run(
        [
            openssl,
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-keyout",
            key,
            "-out",
            certificate,
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1",
        ],
        check=True,
        capture_output=True,
    )
    ports = {"80": free_port(), "443": free_port()}
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    text, listens = re.subn(
        r"listen (\d+)", lambda found: f"listen 127.0.0.1:{ports[found[1]]}", text
    )
    text, keys = re.subn(r"/etc/letsencrypt/live/study\.example\.org/", f"{folder}/", text)
    servers = "".join(f"server {urlsplit(upstream).netloc};" for upstream in upstreams)
    text, passes = re.subn(r"(?<!# )server 127\.0\.0\.1:8000;", servers, text)
    assert (listens, keys, passes) == (2, 2, 1)
    folders = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "\n".join(f"{name}_temp_path {folder}/{name};" for name in folders)
    whole = folder / "nginx.conf"
    whole.write_text(
        f"daemon off;\npid {folder}/nginx.pid;\nevents {{}}\nhttp {{\n{temporary}\n{text}\n}}\n",
        "utf-8",
    )
    process = subprocess.Popen(
        [*command, "-e", "stderr", "-p", folder, "-c", whole], stderr=subprocess.PIPE
    )
    try:
        wait_for(ports["443"], process)
        trusted = ssl.create_default_context(cafile=str(certificate))
        with httpx.Client(
            base_url=f"https://localhost:{ports['443']}", verify=trusted, timeout=HANG
        ) as client:
            yield client
    finally:
        process.terminate()
        process.communicate(timeout=HANG)


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    def answers() -> bool:
        if process.poll() is not None:
            raise AssertionError(process.communicate()[1].decode())
        try:
            socket.create_connection(("127.0.0.1", port), HANG).close()
        except OSError:
            return False
        return True

    wait_until(answers, "nginx did not start")


def test_nginx_serves_the_study_and_limits_attempts_to_sign_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_in, "DELAY", 0.0)
    settings = default_settings(1).model_copy(
        update={"researcher": Researcher(password_hash=HASHED)}
    )
    with Store(str(tmp_path / "study.db"), HANG) as store:
        app = create_app(settings, store)
        with serving(app) as upstream, nginx(tmp_path, upstream) as client:
            assert client.get("/healthz").json()["ok"] is True
            assert '<main id="screen">' in client.get("/").text
            assert client.post("/api/arrive", json={}).status_code == 200
            signed_in = client.post("/researcher/login", data={"password": PASSWORD})
            assert "Secure" in signed_in.headers["set-cookie"]
            assert client.get("/researcher").status_code == 200
            guesses = [
                client.post("/researcher/login", data={"password": "guess"}).status_code
                for _ in range(12)
            ]
            assert guesses[0] == 403
            assert guesses[-1] == 429
            refused = client.post("/researcher/login", data={"password": "guess"})
            assert refused.headers["Retry-After"] == "10"
            assert "Please wait ten seconds" in refused.text
            assert client.get("/researcher/login").status_code == 200  # looking is free
            assert client.get("/researcher").status_code == 200  # who is signed in stays so
            assert {client.get("/healthz").status_code for _ in range(60)} == {200}


def test_nginx_asks_people_to_wait_while_the_server_restarts(tmp_path: Path) -> None:
    with nginx(tmp_path, f"http://127.0.0.1:{free_port()}") as client:
        for path in ("/", "/researcher", "/researcher/login"):
            page = client.get(path)
            assert (page.status_code, page.headers["Retry-After"]) == (503, "5")
            assert page.headers["content-type"].startswith("text/html")
            assert "One moment, please" in page.text
        assert client.post("/api/arrive", json={}).status_code == 503  # the browser tries again


@pytest.mark.slow
def test_two_processes_behind_nginx_and_one_is_killed(
    tmp_path: Path, postgres_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As onlooker@1 and onlooker@2 do it: they share the database, and nobody loses anything."""
    file = settings_file(tmp_path, rounds=1)
    settings, courses = loaded(file)
    with postgres.database(postgres_server) as url, ExitStack() as stack:
        first, second = Server(tmp_path, file, url), Server(tmp_path, file, url)
        first.start()
        stack.enter_context(second)
        client = stack.enter_context(nginx(tmp_path, first.url, second.url))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "fullchain.pem"))
        plan = BotPlan(
            4, find_observer("rational_mentalizing"), rate=0, patience=HANG, timeout=HANG
        )
        address, found = str(client.base_url), list[Tally]()
        bots = threading.Thread(target=lambda: found.append(run_bots(address, courses, plan)))
        bots.start()
        store = stack.enter_context(Store(url, HANG))
        wait_until(lambda: sum(s.seq for s in store.sessions(test=True)) > 60, "nobody plays")
        first.stop(signal.SIGKILL)
        bots.join()
        [tally] = found
        assert tally.finished == 4
        check_all(url, settings, courses, tally)
        wait_until(lambda: client.get("/healthz").is_success, "the other process does not serve")


def test_one_address_cannot_take_all_connections_of_nginx(tmp_path: Path) -> None:
    half = (
        b"POST /api/arrive HTTP/1.1\r\nHost: study\r\nContent-Type: application/json\r\n"
        b"Content-Length: 60000\r\n\r\n{"
    )
    untrusting = ssl._create_unverified_context()
    with Store(str(tmp_path / "study.db"), HANG) as store, ExitStack() as opened:
        app = create_app(default_settings(1), store)
        upstream = opened.enter_context(serving(app))
        client = opened.enter_context(nginx(tmp_path, upstream))
        for _ in range(600):  # nginx has 512 connections unless it is set
            with suppress(OSError):
                plain = socket.create_connection(("127.0.0.1", client.base_url.port), timeout=HANG)
                secure = opened.enter_context(untrusting.wrap_socket(plain))
                secure.sendall(half)
        elsewhere = httpx.HTTPTransport(verify=untrusting, local_address="127.0.0.2")
        with httpx.Client(transport=elsewhere, timeout=HANG) as other:
            url = f"https://127.0.0.1:{client.base_url.port}/healthz"

            def answers() -> bool:
                with suppress(httpx.TransportError):
                    return other.get(url).is_success
                return False

            wait_until(answers, "nginx has no connection left for others")


@pytest.mark.parametrize(
    "name", ["onlooker.service", "onlooker@.service", "onlooker-backup.service"]
)
def test_units_call_commands_that_there_are(name: str) -> None:
    unit = read_unit(name)
    words = re.search(r"venv/bin/onlooker (\w+)(.*)", unit["Service"]["ExecStart"])
    assert words is not None
    command = ROOT / "src" / "onlooker" / "cli"
    assert f"def {words[1]}(" in "".join(p.read_text("utf-8") for p in command.glob("*.py"))
    assert unit["Service"]["UMask"] == "0077"


def test_the_server_may_have_many_connections_and_is_backed_up_every_hour() -> None:
    assert int(read_unit("onlooker.service")["Service"]["LimitNOFILE"]) >= 65_536
    assert read_unit("onlooker-backup.timer")["Timer"]["OnCalendar"] == "hourly"


def read_unit(name: str) -> configparser.ConfigParser:
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(DEPLOY / name, "utf-8")
    return unit


def test_the_image_takes_its_versions_from_the_lock_file(tmp_path: Path) -> None:
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    [script] = re.findall(r"RUN (sed -E '.*?') /build/requirements\.lock", text)
    made = subprocess.run(
        ["sh", "-c", f"{script} '{ROOT / 'requirements.lock'}'"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert [line for line in made if line and not re.match(r"[\w.-]+(\[\w+\])?==\S+", line)] == []
    pinned = {line.partition("==")[0] for line in made}
    assert {"fastapi", "uvicorn", "uvloop", "httptools", "sqlalchemy", "numba"} <= pinned
    assert "-c /build/constraints.txt '/build[web]'" in text
    assert "postgresql-client" in text
