"""Signing in: guessing takes long, and cookies outlive the process."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from itsdangerous import TimestampSigner

from onlooker.web.participant.service import StudyService
from onlooker.web.researcher import sign_in as signing
from onlooker.web.researcher.sign_in import COOKIE
from onlooker.web.server.app import create_app
from onlooker.web.settings import Researcher, default_settings
from onlooker.web.settings.passwords import hash_password
from onlooker.web.store import Store
from onlooker.web.study.course import Course
from web.asgi import Browser
from web.passwords import HASHED, PASSWORD

Start = Callable[..., Browser]


@pytest.fixture
def browser(any_store: Store, short: Course) -> Start:
    """A browser at an address, on a server that has just been started or runs already."""
    settings = default_settings(1).model_copy(
        update={"researcher": Researcher(password_hash=HASHED)}
    )
    running = []

    def start(address: str = "203.0.113.7", new: bool = False, hashed: str = HASHED) -> Browser:
        if new or not running:
            changed = {"researcher": Researcher(password_hash=hashed)}
            known = settings.model_copy(update=changed)
            service = StudyService(known, any_store, {1: short})
            running.append(create_app(known, any_store, service=service))
        return Browser(running[-1], address)

    return start


def sign_in(browser: Browser, password: str = PASSWORD, **headers: str) -> int:
    form = {"password": password}
    return browser.post("/researcher/login", data=form, headers=headers).status_code


def inside(browser: Browser) -> bool:
    return browser.get("/researcher").status_code == 200


def test_every_attempt_takes_a_while_wherever_it_comes_from(
    browser: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(signing, "DELAY", 1.0)
    monkeypatch.setattr(signing, "sleep", sleep)
    proxy = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "10.0.0.1"}
    for address in ("203.0.113.7", "127.0.0.1", "10.0.0.1"):
        assert sign_in(browser(address), "guess", **proxy) == 403
    assert sign_in(browser()) == 303
    assert slept == [1.0] * 4


def test_a_cookie_survives_a_restart_and_is_void_with_another_password(browser: Start) -> None:
    before = browser()
    sign_in(before)
    cookie = {COOKIE: before.cookies[COOKIE]}
    for hashed, valid in ((HASHED, True), (hash_password("another"), False)):
        later = browser(new=True, hashed=hashed)
        later.cookies.update(cookie)
        assert inside(later) is valid


def test_a_cookie_lasts_12_hours_also_if_the_clock_is_set_back(
    browser: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    for hours, valid in ((1, True), (-11, True), (-13, False)):
        signed = int(time.time()) + 3600 * hours
        with monkeypatch.context() as patched:
            patched.setattr(TimestampSigner, "get_timestamp", lambda _, signed=signed: signed)
            sign_in(visitor := browser())
        assert inside(visitor) is valid, hours


def test_signing_out_ends_the_sign_in_on_every_server(browser: Start) -> None:
    one, copied = browser(), browser(new=True)
    sign_in(one)
    copied.cookies.update({COOKIE: one.cookies[COOKIE]})
    assert inside(copied)
    one.post("/researcher/logout", data={"token": ""})
    assert not inside(one)
    assert not inside(copied)


def test_a_cookie_of_another_study_is_worth_nothing(browser: Start, tmp_path: Path) -> None:
    sign_in(one := browser())
    settings = default_settings(1).model_copy(
        update={"researcher": Researcher(password_hash=HASHED)}
    )
    with Store(str(tmp_path / "other.db")) as store:
        other = Browser(create_app(settings, store))
        other.cookies.update({COOKIE: one.cookies[COOKIE]})
        assert not inside(other)
