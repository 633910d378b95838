"""The researcher's pages as HTML, from the templates; Jinja escapes every value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined

from onlooker.version import __version__
from onlooker.web.export.background import Archive
from onlooker.web.researcher.bonuses import OpenBonuses, PaymentBatch
from onlooker.web.researcher.dashboard import ExperimentFigures, Trouble
from onlooker.web.researcher.people import PeoplePage
from onlooker.web.researcher.sign_in import SignedInUser
from onlooker.web.store.erasure import BACKUPS
from onlooker.web.store.models import ErasureRow
from onlooker.web.store.troubles import MINUTES, RecentTrouble

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
    "declined": "did not consent",
    "failed_check": "failed the check",
    "screened_out": "screened out",
    "withdrawn": "withdrew",
    "technical": "had a technical failure",
    "expired": "away for too long",
    "too_many_choices": "made too many choices in one round",
}

_TROUBLES = {
    "busy": ("call could not reach the database", "calls could not reach the database"),
    "slow": ("commit was slow", "commits were slow"),
    "refused": ("call was refused", "calls were refused"),
    "failed": ("call failed by an error of the server", "calls failed by errors of the server"),
}


def login_page(problem: str = "", closed: bool = False, wanted: str = "/researcher") -> str:
    """The page to sign in on."""
    return _page("login", "Researcher’s pages", problem=problem, closed=closed, wanted=wanted)


@dataclass(frozen=True, slots=True)
class DashboardContent:
    """What the live part of the dashboard shows."""

    experiments: Sequence[ExperimentFigures]
    alarms: Sequence[str]  # what does not work now
    recent_troubles: Sequence[RecentTrouble]
    trouble_count: int
    troubles: Sequence[Trouble]  # the latest
    currency: str
    time: str


def dashboard_page(title: str, content: DashboardContent, user: SignedInUser, tests: bool) -> str:
    """The dashboard with its live part."""
    address = "/researcher/live" + ("?tests=1" if tests else "")
    return _page("dashboard", title, user, "/researcher", address, tests=tests, content=content)


def live_part(content: DashboardContent, user: SignedInUser) -> str:
    """The part of the dashboard that changes while the page is open."""
    return _templates.get_template("live.html").render(user=user, content=content)


@dataclass(frozen=True, slots=True)
class DatasetSection:
    """A dataset on the page to download the data from."""

    tests: bool
    sessions: int
    made: Archive | None

    @property
    def title(self) -> str:
        """The heading."""
        return "Test runs and bots" if self.tests else "Dataset"

    @property
    def name(self) -> str:
        """What the buttons call it."""
        return "the test runs" if self.tests else "the dataset"

    @property
    def about(self) -> str:
        """What is in it."""
        return "Marked as simulated; never data." if self.tests else "Everybody who arrived."

    @property
    def query(self) -> str:
        """What its address ends with."""
        return "?tests=1" if self.tests else ""


def data_page(archives: Sequence[DatasetSection], user: SignedInUser) -> str:
    """The page to download the data from; it refreshes while a dataset is being made."""
    running = any(archive.made is not None and archive.made.running for archive in archives)
    address = "/researcher/data/live" if running else ""
    return _page(
        "data", "Data", user, "/researcher/data", address, live_seconds=1, archives=archives
    )


def archives_part(archives: Sequence[DatasetSection], user: SignedInUser) -> str:
    """The part of that page that changes."""
    return _templates.get_template("archives.html").render(user=user, archives=archives)


def bonus_page(
    bonuses: OpenBonuses, batches: Sequence[PaymentBatch], currency: str, user: SignedInUser
) -> str:
    """What is due, what needs a decision and what was recorded."""
    return _page(
        "bonuses",
        "Bonuses",
        user,
        tab="/researcher/bonus",
        bonuses=bonuses,
        batches=batches,
        currency=currency,
    )


def people_page(people: PeoplePage, erased: Sequence[ErasureRow], user: SignedInUser) -> str:
    """The people of the study, and whose data was erased."""
    return _page(
        "people",
        "People",
        user,
        "/researcher/people",
        people=people,
        erasures=erased,
        backups=BACKUPS,
    )


@dataclass(frozen=True, slots=True)
class Question:
    """What the researcher must confirm: the form is sent again with `sure` in it."""

    title: str
    text: str
    action: str
    label: str  # of the button
    fields: dict[str, str]


def question_page(question: Question, user: SignedInUser) -> str:
    """A question before something that cannot be undone."""
    return _page("question", question.title, user, question=question)


_ERRORS = {404: "There is no such page", 503: "The study does not answer"}


def error_page(status: int, text: str) -> str:
    """The page that says what went wrong, with a way back."""
    return _page("error", _ERRORS.get(status, "This did not work"), status=status, text=text)


def _page(
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
        **({"live_seconds": LIVE_SECONDS} | values),
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


def _trouble(trouble: RecentTrouble) -> str:
    """What went wrong lately, in words.

    >>> _trouble(RecentTrouble("busy", 3, "2025-03-01T12:30:00.000Z", "database or disk is full"))
    '3 calls could not reach the database'
    """
    one, many = _TROUBLES[trouble.kind]
    return f"{trouble.count} {one if trouble.count == 1 else many}"


def _people_address(people: PeoplePage, **changes: object) -> str:
    """The address of the list of people with something else chosen."""
    chosen: dict[str, object] = {"show": people.shown, "search": people.search, "page": people.page}
    chosen |= {"show" if name == "shown" else name: value for name, value in changes.items()}
    if people.tests:
        chosen["tests"] = 1
    return "/researcher/people?" + urlencode({k: v for k, v in chosen.items() if v})


def _combine(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    return {**one, **other}


def _ends(counts: Mapping[str, int]) -> str:
    """How many sessions ended in which way, in words.

    >>> _ends({"declined": 2, "withdrawn": 1})
    '2 did not consent, 1 withdrew'
    """
    return ", ".join(f"{count} {_ENDS.get(reason, reason)}" for reason, count in counts.items())


_templates = Environment(
    loader=PackageLoader("onlooker.web.researcher"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.filters.update(ago=_ago, clock=_clock, ends=_ends, trouble=_trouble, combine=_combine)
_templates.filters["people_address"] = _people_address
_templates.globals["minutes"] = MINUTES
