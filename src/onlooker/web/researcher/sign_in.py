"""Who sits at the researcher's desk: signing in, the signed cookie and the forms' tokens."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qsl

from fastapi import HTTPException, Request
from starlette.responses import Response

from onlooker.web.server.limits import Limiter, Rate
from onlooker.web.settings import Researcher

COOKIE = "onlooker_researcher"
LOGIN = "/researcher/login"
SIGN_INS = Rate(per_second=0.1, burst=6)  # attempts of everybody together
HOURS = 12  # until one has to sign in again


@dataclass(frozen=True, slots=True)
class SignedInUser:
    """Somebody who has signed in."""

    form_token: str  # sent along with every form


class Authentication:
    """Signs people in; the key is made anew when the server starts, and so nobody stays in."""

    def __init__(self, researcher: Researcher, clock: Callable[[], float] = time.time) -> None:
        self._researcher, self._clock = researcher, clock
        self._key = secrets.token_bytes(32)
        self._limiter = Limiter()

    @property
    def open(self) -> bool:
        """Whether there is a password, without which nobody gets in."""
        return self._researcher.configured

    def wait(self) -> float:
        """The seconds until somebody may try a password again; 0 if now."""
        return self._limiter.wait("sign in", SIGN_INS)

    def admits(self, password: str) -> bool:
        """Whether this is the password."""
        return self.open and self._researcher.admits(password)

    def sign_in(self, request: Request, response: Response) -> None:
        """Give somebody the cookie."""
        expires = str(int(self._clock()) + HOURS * 3600)
        content = f"{expires}.{secrets.token_urlsafe(16)}"
        response.set_cookie(
            COOKIE,
            f"{content}.{self._signature('cookie', content)}",
            max_age=HOURS * 3600,
            path="/researcher",
            httponly=True,
            samesite="strict",
            secure=_encrypted(request),
        )

    def user(self, request: Request) -> SignedInUser | None:
        """Who calls; None if nobody has signed in."""
        content, _, signature = request.cookies.get(COOKIE, "").rpartition(".")
        if not content or not hmac.compare_digest(
            signature.encode(), self._signature("cookie", content).encode()
        ):
            return None
        if int(content.partition(".")[0]) < self._clock():
            return None
        return SignedInUser(self._signature("form", content))

    def _signature(self, purpose: str, content: str) -> str:
        return hmac.new(self._key, f"{purpose} {content}".encode(), hashlib.sha256).hexdigest()


def sign_out(response: Response) -> None:
    """Take the cookie away."""
    response.delete_cookie(COOKIE, path="/researcher", httponly=True, samesite="strict")


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form, which must have been sent from one of our own pages."""
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
    """Refuse a form that does not carry the user's token."""
    if not hmac.compare_digest(form.get("token", "").encode(), user.form_token.encode()):
        raise HTTPException(403, "The form is out of date; please reload the page and try again.")


def _encrypted(request: Request) -> bool:
    """Whether the browser talks HTTPS, to us or to a proxy before us."""
    return "https" in (request.url.scheme, request.headers.get("x-forwarded-proto", ""))
