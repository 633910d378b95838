"""The researcher's pages as HTML, from the templates; Jinja escapes every value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined

from onlooker.version import __version__
from onlooker.web.researcher.dashboard import ExperimentFigures, Problem
from onlooker.web.researcher.people import PeoplePage
from onlooker.web.researcher.sign_in import SignedInUser
from onlooker.web.texts import load_texts

TABS = (
    ("/researcher", "Dashboard"),
    ("/researcher/people", "People"),
    ("/researcher/data", "Data"),
    ("/researcher/bonus", "Bonuses"),
    ("/researcher/replay", "Replay"),
    ("/gallery", "Gallery"),
)

LIVE_SECONDS = 10  # between two refreshes of a page's live part

_ENDS = {
    "complete": "completed the study",
    "declined": "did not consent",
    "failed_check": "failed the check",
    "screened_out": "screened out",
    "withdrawn": "withdrew",
    "technical": "had a technical failure",
    "expired": "away for too long",
}


def login_page(problem: str = "", closed: bool = False, wanted: str = "/researcher") -> str:
    """The page to sign in on."""
    return page("login", "Researcher’s pages", problem=problem, closed=closed, wanted=wanted)


@dataclass(frozen=True, slots=True)
class DashboardContent:
    """What the live part of the dashboard shows."""

    experiments: Sequence[ExperimentFigures]
    alarms: Sequence[str]  # what does not work now
    problem_count: int
    problems: Sequence[Problem]  # the latest
    currency: str
    time: str


def dashboard_page(title: str, content: DashboardContent, user: SignedInUser, tests: bool) -> str:
    """The dashboard with its live part."""
    address = "/researcher/live" + ("?tests=1" if tests else "")
    return page("dashboard", title, user, "/researcher", address, tests=tests, content=content)


def live_part(content: DashboardContent, user: SignedInUser) -> str:
    """The part of the dashboard that changes while the page is open."""
    return _templates.get_template("live.html").render(user=user, content=content)


@dataclass(frozen=True, slots=True)
class Question:
    """What the researcher must confirm: the form is sent again, with these fields."""

    title: str
    text: str
    action: str
    label: str  # of the button
    fields: dict[str, str]
    back: str  # the page to return to without doing it


_ERRORS = {404: "There is no such page", 503: "The study does not answer"}


def error_page(status: int, text: str) -> str:
    """The page that says what went wrong, with a way back."""
    return page("error", _ERRORS.get(status, "This did not work"), status=status, text=text)


def page(
    template: str,
    title: str,
    user: SignedInUser | None = None,
    tab: str = "",
    live_address: str = "",
    **values: object,
) -> str:
    """A whole page; the content of `live_address` replaces the live part again and again."""
    return _templates.get_template(f"{template}.html").render(
        title=title,
        user=user,
        tabs=TABS,
        tab=tab,
        live_address=live_address,
        version=__version__,
        live_seconds=LIVE_SECONDS,
        **values,
    )


# -- filters ---------------------------------------------------------------------------------------


def _ago(seconds: int) -> str:
    """A time span in words.

    >>> _ago(42), _ago(600), _ago(90_000)
    ('42 s ago', '10 min ago', '25 h ago')
    """
    if seconds < 120:
        return f"{max(0, seconds)} s ago"
    return f"{seconds // 60} min ago" if seconds < 7200 else f"{seconds // 3600} h ago"


def _clock(timestamp: str) -> str:
    """A timestamp without the milliseconds.

    >>> _clock("2025-03-01T12:30:00.000Z")
    '2025-03-01 12:30:00'
    """
    return timestamp[:19].replace("T", " ")


def _people_address(people: PeoplePage, **changes: object) -> str:
    """The address of the list of people with something else chosen."""
    chosen: dict[str, object] = {"show": people.shown, "search": people.search, "page": people.page}
    chosen |= {"show" if name == "shown" else name: value for name, value in changes.items()}
    if people.tests:
        chosen["tests"] = 1
    return "/researcher/people?" + urlencode({k: v for k, v in chosen.items() if v})


def _money(amount: Decimal, currency: str) -> str:
    """An amount of money; the pages are English.

    >>> _money(Decimal("4.5"), "CHF")
    'CHF\xa04.50'
    """
    return load_texts("en").money(amount, currency)


def _ending(reason: str) -> str:
    """How a session ended, in words.

    >>> _ending("failed_check")
    'failed the check'
    """
    return _ENDS.get(reason, reason)


def _ends(counts: Mapping[str, int]) -> str:
    """How many sessions ended in which way, in words.

    >>> _ends({"declined": 2, "withdrawn": 1})
    '2 did not consent, 1 withdrew'
    """
    return ", ".join(f"{count} {_ending(reason)}" for reason, count in counts.items())


_templates = Environment(
    loader=PackageLoader("onlooker.web.researcher"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.filters.update(ago=_ago, clock=_clock, money=_money)
_templates.filters.update(ends=_ends, ending=_ending)
_templates.filters["people_address"] = _people_address
