"""The researcher's pages as HTML, from the templates; Jinja escapes every value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined

from onlooker.version import __version__
from onlooker.web.export.background import Archive
from onlooker.web.researcher.bonuses import OpenBonuses, PaymentBatch
from onlooker.web.researcher.dashboard import ExperimentFigures, Trouble
from onlooker.web.researcher.sign_in import SignedInUser

TABS = (
    ("/researcher", "Dashboard"),
    ("/researcher/data", "Data"),
    ("/researcher/bonus", "Bonuses"),
    ("/researcher/replay", "Replay"),
    ("/gallery", "Gallery"),
)

LIVE_SECONDS = 10  # between two refreshes of a page's live part

_ENDS = {
    "declined": "did not consent",
    "failed_check": "failed the check",
    "screened_out": "were screened out",
    "withdrawn": "withdrew",
    "technical": "had a technical failure",
    "expired": "were away for too long",
    "too_many_choices": "made too many choices in one round",
}


def login_page(problem: str = "", closed: bool = False, wanted: str = "/researcher") -> str:
    """The page to sign in on."""
    return _page("login", "Researcher’s pages", problem=problem, closed=closed, wanted=wanted)


def dashboard_page(
    title: str,
    experiments: Sequence[ExperimentFigures],
    troubles: tuple[int, Sequence[Trouble]],
    currency: str,
    time: str,
    user: SignedInUser,
    tests: bool,
) -> str:
    """The dashboard with its live part."""
    return _page(
        "dashboard",
        title,
        user,
        tab="/researcher",
        live_address="/researcher/live" + ("?tests=1" if tests else ""),
        tests=tests,
        **_live_values(experiments, troubles, currency, time),
    )


def live_part(
    experiments: Sequence[ExperimentFigures],
    troubles: tuple[int, Sequence[Trouble]],
    currency: str,
    time: str,
    user: SignedInUser,
) -> str:
    """The part of the dashboard that changes while the page is open."""
    values = _live_values(experiments, troubles, currency, time)
    return _templates.get_template("live.html").render(user=user, **values)


def _live_values(
    experiments: Sequence[ExperimentFigures],
    troubles: tuple[int, Sequence[Trouble]],
    currency: str,
    time: str,
) -> dict[str, object]:
    count, newest = troubles
    return {
        "experiments": experiments,
        "trouble_count": count,
        "troubles": newest,
        "currency": currency,
        "time": time,
    }


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
_templates.filters.update(ago=_ago, clock=_clock, ends=_ends)
