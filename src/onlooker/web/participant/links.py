"""Signed links: only the lab, or Prolific, can make one for a participant.

Links of `onlooker links` are signed with the lab's key. A link of Prolific has a token, a JWT,
whose signature is checked with Prolific's public keys. They are fetched once a day, and when a
token names a key that is not known yet; nobody is asked about a single arrival.
The packages for that are imported when a token comes: most studies need none, and start sooner.
"""

from __future__ import annotations

import hashlib
import hmac
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

ISSUER = "https://www.prolific.com"
ALGORITHMS = ["RS256"]
CACHE_SECONDS = 24 * 3600.0  # for which the keys are used without asking again
RETRY_SECONDS = 60.0  # between two questions about an unknown key, whoever invents one
TIMEOUT = 10.0  # seconds for an answer of the key server


# -- links of the lab ------------------------------------------------------------------------------


def signature(key: str, pid: str, study_id: str, expires: int) -> str:
    """The signature of a participant's id in a study, until a time in seconds since 1970.

    >>> signature("key", "anna", "pilot", 1_800_000_000)[:8]
    '7e33baf7'
    """
    message = f"{pid}\n{study_id}\n{expires}".encode()  # ids contain no line breaks
    return hmac.new(key.encode(), message, hashlib.sha256).hexdigest()


def is_signed(key: str, pid: str, study_id: str, expires: int, given: str) -> bool:
    """Whether a signature is that of the ids; an empty key signs nothing."""
    return bool(key) and hmac.compare_digest(signature(key, pid, study_id, expires), given)


def signed_link(address: str, key: str, pid: str, study_id: str, expires: int) -> str:
    """A participant's link to the study at an address."""
    ids = {
        "PROLIFIC_PID": pid,
        "STUDY_ID": study_id,
        "EXPIRES": expires,
        "SIGNATURE": signature(key, pid, study_id, expires),
    }
    return f"{address.rstrip('/')}/?{urlencode(ids)}"


# -- links of Prolific -----------------------------------------------------------------------------


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
        """A key; InvalidTokenError if there is none of this id.

        NoKeysError if the key may be newer than those that are known: whoever has it waits, and
        nobody else does.
        """
        now = self._clock()
        known = self._keys.get(key_id)
        if known is not None and now - self._fetched <= CACHE_SECONDS:
            return known
        renewed = self._renew(now)
        if (known := self._keys.get(key_id)) is not None:
            return known
        if not renewed:
            raise NoKeysError("the keys of signed links cannot be fetched now")
        raise InvalidTokenError("a token with an unknown key")

    def _renew(self, now: float) -> bool:
        """Whether the keys were fetched; not if somebody does or did so a moment ago."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            if now - self._asked <= RETRY_SECONDS:
                return False
            self._asked = now
            if (keys := self._fetch()) is None:
                return False
            self._keys, self._fetched = keys, now
            return True
        finally:
            self._lock.release()

    def _fetch(self) -> dict[str, Any] | None:
        import httpx
        import jwt

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
        import jwt

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
