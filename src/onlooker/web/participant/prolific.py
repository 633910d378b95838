"""Links that Prolific signs: a token in the link says who came, and nobody is asked about it.

The token is a JWT. Its signature is checked with Prolific's public keys, which are fetched once a
day, and when a token names a key that is not known yet.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
import jwt

ISSUER = "https://www.prolific.com"
ALGORITHMS = ["RS256"]
CACHE_SECONDS = 24 * 3600.0  # for which the keys are used without asking again
RETRY_SECONDS = 60.0  # between two questions about an unknown key, whoever invents one
TIMEOUT = 10.0  # seconds for an answer of the key server


class InvalidTokenError(Exception):
    """A token that was not made by Prolific for this study and these ids."""


class NoKeysError(Exception):
    """The keys cannot be had at this moment, so nothing can be said about a token."""


@dataclass(frozen=True, slots=True)
class LinkIds:
    """The ids in a link."""

    pid: str
    study_id: str
    session_id: str


class PublicKeys:
    """The platform's public keys by their id."""

    def __init__(self, url: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._url, self._clock, self._lock = url, clock, threading.Lock()
        self._keys: dict[str, Any] = {}
        self._fetched = self._asked = float("-inf")

    def find(self, key_id: str) -> Any:
        """A key; InvalidTokenError if there is none of this id, NoKeysError if nobody answers."""
        with self._lock:
            now = self._clock()
            stale = key_id not in self._keys or now - self._fetched > CACHE_SECONDS
            if stale and now - self._asked > RETRY_SECONDS:
                self._asked = now
                if (keys := self._fetch()) is not None:
                    self._keys, self._fetched = keys, now
            if key_id in self._keys:
                return self._keys[key_id]
            if now - self._fetched > RETRY_SECONDS:  # the key may be newer than what we have
                raise NoKeysError("the keys of signed links cannot be fetched now")
            raise InvalidTokenError("a token with an unknown key")

    def _fetch(self) -> dict[str, Any] | None:
        try:
            answer = httpx.get(self._url, timeout=TIMEOUT).raise_for_status()
            found = jwt.PyJWKSet.from_dict(answer.json())
        except (httpx.HTTPError, httpx.InvalidURL, jwt.PyJWTError, ValueError, AttributeError):
            return None
        return {key.key_id: key.key for key in found.keys if key.key_id}


class SignedLinks:
    """Checks the tokens of a study's links."""

    def __init__(self, audience: str, keys: PublicKeys) -> None:
        self._audience, self._keys = audience, keys

    def check(self, token: str, ids: LinkIds, expiry: bool) -> None:
        """InvalidTokenError unless a token is of these ids; `expiry`: it must not be too old."""
        try:
            header = jwt.get_unverified_header(token)
            key = self._keys.find(str(header.get("kid", "")))
            claims = jwt.decode(
                token,
                key,
                algorithms=ALGORITHMS,
                audience=self._audience,
                issuer=ISSUER,
                leeway=60,
                options={"require": ["exp", "aud", "iss"], "verify_exp": expiry},
            )
        except jwt.PyJWTError as error:
            raise InvalidTokenError(type(error).__name__) from None
        named = claims.get("prolific")
        named = named if isinstance(named, dict) else {}
        signed = (named.get("PROLIFIC_PID"), named.get("STUDY_ID"), named.get("SESSION_ID"))
        if signed != (ids.pid, ids.study_id, ids.session_id):
            raise InvalidTokenError("a token of other ids")
