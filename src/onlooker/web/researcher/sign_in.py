"""The researcher's sign-in: the password, the signed cookie and the tokens of forms."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from urllib.parse import parse_qsl

from fastapi import HTTPException, Request
from itsdangerous import BadData, Signer, URLSafeTimedSerializer
from starlette.responses import Response

from onlooker.web.server.limits import Limiter, Rate
from onlooker.web.settings import Researcher

COOKIE = "onlooker_researcher"
LOGIN = "/researcher/login"
SIGN_INS = Rate(per_second=0.1, burst=6)  # attempts of everybody together
SECONDS = 12 * 3600  # until the cookie expires


@dataclass(frozen=True, slots=True)
class SignedInUser:
    """A user who has signed in."""

    form_token: str  # every form must send it


class Authentication:
    """Signs people in with a key made when the server starts; a restart signs everybody out."""

    def __init__(self, researcher: Researcher) -> None:
        key = secrets.token_bytes(32)
        sha256 = hashlib.sha256
        self._researcher = researcher
        self._cookies = URLSafeTimedSerializer(
            key, salt="cookie", signer_kwargs={"digest_method": sha256}
        )
        self._form_signer = Signer(key, salt="form", digest_method=sha256)
        self._limiter = Limiter()

    @property
    def enabled(self) -> bool:
        """Whether a password is set; without one nobody can sign in."""
        return self._researcher.configured

    def wait(self) -> float:
        """Count an attempt: 0, or the seconds until the next attempt is allowed."""
        return self._limiter.wait("sign in", SIGN_INS)

    def admits(self, password: str) -> bool:
        """Whether this is the password."""
        return self.enabled and self._researcher.admits(password)

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
            session = self._cookies.loads(request.cookies.get(COOKIE, ""), max_age=SECONDS)
        except BadData:
            return None
        return SignedInUser(self._form_signer.get_signature(session).decode())


def sign_out(response: Response) -> None:
    """Delete the cookie."""
    response.delete_cookie(COOKIE, path="/researcher", httponly=True, samesite="strict")


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
