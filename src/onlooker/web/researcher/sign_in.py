"""The researcher's sign-in: the password, the signed cookie and the tokens of forms."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from asyncio import sleep
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import parse_qsl

from fastapi import HTTPException, Request
from itsdangerous import BadData, Signer, URLSafeTimedSerializer
from sqlalchemy import delete, select
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from onlooker.web.settings import Researcher
from onlooker.web.store import Store
from onlooker.web.store.models import Clock, EndedSignInRow, KeyRow, now, timestamp

COOKIE = "onlooker_researcher"
LOGIN = "/researcher/login"
SECONDS = 12 * 3600  # until the cookie expires
DELAY = 1.0  # seconds that every attempt takes, so that guessing takes long; the proxy limits more


@dataclass(frozen=True, slots=True)
class SignedInUser:
    """A user who has signed in."""

    sign_in: str  # random, different for each sign-in
    form_token: str  # every form must send it


class Authentication:
    """Signs people in; cookies stay valid after a restart and in every process of the study."""

    def __init__(self, researcher: Researcher, store: Store, clock: Clock = now) -> None:
        # With another password all cookies are void.
        key = hmac.new(_cookie_key(store), researcher.fingerprint.encode(), "sha256").digest()
        sha256 = hashlib.sha256
        self._researcher, self._store, self._clock = researcher, store, clock
        self._cookies = URLSafeTimedSerializer(
            key, salt="cookie", signer_kwargs={"digest_method": sha256}
        )
        self._form_signer = Signer(key, salt="form", digest_method=sha256)

    @property
    def enabled(self) -> bool:
        """Whether a password is set; without one nobody can sign in."""
        return self._researcher.configured

    async def admits(self, password: str) -> bool:
        """Whether this is the password; each attempt takes a second, in which others are served."""
        await sleep(DELAY)
        return self.enabled and await run_in_threadpool(self._researcher.admits, password)

    def sign_in(self, request: Request, response: Response) -> None:
        """Set the cookie that signs the caller in."""
        response.set_cookie(
            COOKIE,
            self._cookies.dumps(secrets.token_urlsafe(16)),
            max_age=SECONDS,
            path="/researcher",
            httponly=True,
            samesite="strict",
            secure=_encrypted(request),
        )

    def user(self, request: Request) -> SignedInUser | None:
        """The user who calls; None without a valid cookie."""
        try:
            sign_in, signed = self._cookies.loads(
                request.cookies.get(COOKIE, ""), return_timestamp=True
            )
        except BadData:
            return None
        if self._clock() - signed > timedelta(seconds=SECONDS):  # less than 0: it was set back
            return None
        if _has_ended(self._store, sign_in):
            return None
        return SignedInUser(sign_in, self._form_signer.get_signature(sign_in).decode())

    def sign_out(self, request: Request, response: Response) -> None:
        """End the caller's sign-in: its cookie is void from now on, wherever it is kept."""
        if (user := self.user(request)) is not None:
            moment = self._clock()
            expired = timestamp(moment - timedelta(seconds=SECONDS))
            _end_sign_in(self._store, user.sign_in, timestamp(moment), expired)
        response.delete_cookie(COOKIE, path="/researcher", httponly=True, samesite="strict")


# -- sign-ins in the database: they hold after a restart and in every process ----------------------


def _cookie_key(store: Store) -> bytes:
    """The key that signs cookies."""
    with store.read() as orm:
        return bytes.fromhex(
            orm.scalars(select(KeyRow.value).where(KeyRow.name == "cookies")).one()
        )


def _has_ended(store: Store, sign_in: str) -> bool:
    """Whether a sign-in was ended."""
    with store.read() as orm:
        return orm.get(EndedSignInRow, _hashed(sign_in)) is not None


def _end_sign_in(store: Store, sign_in: str, time: str, forget_before: str) -> None:
    """End a sign-in; forget those whose cookies have expired anyway."""
    with store.write() as tx:
        tx.orm.execute(delete(EndedSignInRow).where(EndedSignInRow.ended_at < forget_before))
        tx.orm.merge(EndedSignInRow(sign_in_hash=_hashed(sign_in), ended_at=time))


def _hashed(sign_in: str) -> str:
    return hashlib.sha256(sign_in.encode()).hexdigest()


# -- forms -----------------------------------------------------------------------------------------


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form, which must have been sent from one of our own pages.

    Starlette's own parser needs python-multipart; these forms have a few short fields.
    """
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise HTTPException(403, "The form was sent from another site.")
    kind = request.headers.get("content-type", "").partition(";")[0]
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(415, "Expected a form.")
    text = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=50))
    except ValueError:
        raise HTTPException(400, "The form cannot be read.") from None


def check_token(user: SignedInUser, form: dict[str, str]) -> None:
    """Refuse a form without the user's token."""
    if not hmac.compare_digest(form.get("token", "").encode(), user.form_token.encode()):
        raise HTTPException(403, "The form is out of date; please reload the page and try again.")


def _encrypted(request: Request) -> bool:
    """Whether the browser talks HTTPS, to us or to a proxy before us."""
    return "https" in (request.url.scheme, request.headers.get("x-forwarded-proto", ""))
