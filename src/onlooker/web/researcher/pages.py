"""The researcher's pages as HTML; every text from outside is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from onlooker.version import __version__
from onlooker.web.researcher.bonuses import OpenBonuses, PaymentBatch
from onlooker.web.researcher.dashboard import ExperimentFigures, OpenSession, Pay, Trouble
from onlooker.web.researcher.sign_in import SignedInUser

TABS = (
    ("/researcher", "Dashboard"),
    ("/researcher/data", "Data"),
    ("/researcher/bonus", "Bonuses"),
    ("/researcher/replay", "Replay"),
    ("/gallery", "Gallery"),
)

_ENDS = {
    "declined": "did not consent",
    "failed_check": "failed the check",
    "screened_out": "were screened out",
    "withdrawn": "withdrew",
    "technical": "had a technical failure",
    "expired": "stayed away for too long",
}


def page(title: str, body: str, user: SignedInUser | None, here: str = "", live: str = "") -> str:
    """A whole page; `live` is the address whose content replaces the part that is live."""
    watch = f' data-live="{escape(live)}"' if live else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{escape(title)} – onlooker</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/researcher/static/researcher.css">
<script type="module" src="/researcher/static/researcher.js"></script>
</head>
<body{watch}>
<a class="skip" href="#main">Skip to the content</a>
{_head(user, here)}
<main id="main">
<h1>{escape(title)}</h1>
{body}
</main>
<footer>onlooker {escape(__version__)}</footer>
</body>
</html>
"""


def _head(user: SignedInUser | None, here: str) -> str:
    if user is None:
        return ""
    links = "".join(
        f'<li><a href="{path}"{" aria-current=page" if path == "/researcher" + here else ""}>'
        f"{name}</a></li>"
        for path, name in TABS
    )
    out = form("/researcher/logout", user, "Sign out", kind="quiet")
    return f'<header><nav aria-label="Researcher"><ul>{links}</ul></nav>{out}</header>'


def form(
    action: str, user: SignedInUser, label: str, fields: str = "", kind: str = "", **hidden: Any
) -> str:
    """A form that carries the user's token and has one button."""
    kept = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(str(value))}">'
        for name, value in {"token": user.form_token, **hidden}.items()
    )
    return (
        f'<form method="post" action="{escape(action)}">{kept}{fields}'
        f'<button class="{kind}">{escape(label)}</button></form>'
    )


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are HTML, and the first of each row is its head."""
    made = [
        f'<tr><th scope="row">{row[0]}</th>' + "".join(f"<td>{cell}</td>" for cell in row[1:])
        for row in rows
    ]
    if not made:
        return f'<p class="none">{escape(caption)}: none.</p>'
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    return (
        f'<div class="wide" role="region" aria-label="{escape(caption)}" tabindex="0"><table>'
        f"<caption>{escape(caption)}</caption><thead><tr>{top}</tr></thead>"
        f"<tbody>{'</tr>'.join(made)}</tr></tbody></table></div>"
    )


# -- signing in ------------------------------------------------------------------------------------


def login_page(problem: str = "", closed: bool = False, wanted: str = "/researcher") -> str:
    """Where one signs in."""
    said = f'<p class="bad" role="alert">{escape(problem)}</p>' if problem else ""
    if closed:
        body = (
            "<p>No password is set, so nobody can sign in. Set one and start the server anew.</p>"
        )
    else:
        body = f"""{said}<form method="post" action="/researcher/login" class="sheet">
<input type="hidden" name="next" value="{escape(wanted)}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required
 autofocus>
<button>Sign in</button></form>"""
    return page("Researcher's pages", body, None)


# -- dashboard -------------------------------------------------------------------------------------


def dashboard_page(title: str, live: str, user: SignedInUser, tests: bool) -> str:
    """The dashboard around its live part."""
    other = (
        '<a href="/researcher">Show participants</a>'
        if tests
        else '<a href="/researcher?tests=1">Show test runs and bots</a>'
    )
    note = '<p class="note">These are test runs and bots. They never count.</p>' if tests else ""
    address = "/researcher/live" + ("?tests=1" if tests else "")
    return page(title, f'{note}<div id="live">{live}</div><p>{other}</p>', user, "", address)


def live_part(
    figures: Sequence[ExperimentFigures],
    troubles: tuple[int, Sequence[Trouble]],
    user: SignedInUser,
    currency: str,
    time: str,
) -> str:
    """Everything that changes while one looks."""
    parts = [f'<p class="note">As of <time>{escape(_clock(time))}</time> UTC.</p>']
    parts += [_experiment(entry, user, currency) for entry in figures]
    count, newest = troubles
    rows = [
        (
            _clock(entry.time),
            escape(entry.kind),
            escape(entry.source),
            escape(entry.pseudonym or "–"),
            escape(entry.detail),
        )
        for entry in newest
    ]
    heads = ("Time", "What", "Noticed by", "Participant", "Detail")
    parts.append(f"<section><h2>Errors and refused calls: {count}</h2>")
    parts.append(table("The latest", heads, rows) + "</section>")
    return "\n".join(parts)


def _experiment(figures: ExperimentFigures, user: SignedInUser, currency: str) -> str:
    state = (
        '<strong class="bad">paused</strong>: nobody can start; those who have begun go on'
        if figures.paused
        else '<strong class="good">open</strong>'
    )
    switch = form(
        "/researcher/pause",
        user,
        "Open the experiment" if figures.paused else "Pause the experiment",
        experiment=figures.experiment,
        paused="no" if figures.paused else "yes",
    )
    ends = ", ".join(f"{count} {_ENDS.get(why, why)}" for why, count in figures.ends.items())
    return f"""<section>
<h2>Experiment {figures.experiment}</h2>
<div class="row"><p>The experiment is {state}.</p>{switch}</div>
<dl class="figures">
{_figure("Complete", figures.complete, _quota(figures))}
{_figure("Active", figures.active, "heard of lately")}
{_figure("Dropped", figures.dropped, "silent for too long")}
{_figure("Arrived", figures.arrived, ends)}
{_pay(figures.pay, currency)}
</dl>
<div class="columns">
{_funnel(figures)}
{_orderings(figures)}
</div>
{_underway(figures, user)}
</section>"""


def _figure(name: str, value: object, more: str = "") -> str:
    small = f"<small>{escape(more)}</small>" if more else ""
    return f"<div><dt>{escape(name)}</dt><dd>{escape(str(value))}{small}</dd></div>"


def _quota(figures: ExperimentFigures) -> str:
    return "no quota is set" if figures.quota is None else f"quota {figures.quota}"


def _pay(pay: Pay | None, currency: str) -> str:
    if pay is None:
        return _figure("Median time", "–") + _figure("Implied wage", "–")
    wage = f"{currency}{pay.hourly_with_bonus}/h"
    more = f"{currency}{pay.hourly}/h without the bonus; median bonus {currency}{pay.bonus}"
    return _figure("Median time", f"{pay.minutes:.1f} min") + _figure("Implied wage", wage, more)


def _funnel(figures: ExperimentFigures) -> str:
    most = max(1, figures.arrived)
    rows = [
        (
            escape(stage.title),
            f'<meter min="0" max="{most}" value="{stage.reached}">{stage.reached}</meter>',
            str(stage.reached),
            str(stage.here or ""),
        )
        for stage in figures.funnel
    ]
    return table("Funnel", ("Screen", "Share", "Reached", "There now"), rows)


def _orderings(figures: ExperimentFigures) -> str:
    rows = [
        (str(entry.number), str(entry.complete), str(entry.active), str(entry.dropped))
        for entry in figures.orderings
    ]
    return table("Orderings", ("Ordering", "Complete", "Active", "Dropped"), rows)


def _underway(figures: ExperimentFigures, user: SignedInUser) -> str:
    rows = [
        (
            _replay_link(entry),
            escape(entry.screen) + (f" {entry.round}" if entry.screen == "trial" else ""),
            str(entry.ordering or "–"),
            _ago(entry.silent),
            "active" if entry.active else "dropped",
            str(entry.troubles or ""),
            form("/researcher/end", user, "End with pay", kind="quiet", session=entry.id),
        )
        for entry in figures.underway
    ]
    heads = ("Participant", "Screen", "Ordering", "Last seen", "State", "Errors", "Action")
    return table("Sessions under way", heads, rows)


def _replay_link(entry: OpenSession) -> str:
    """The participant's name, with a link to what it has done so far."""
    name = escape(entry.pseudonym)
    if not entry.round:
        return name
    return f'<a href="/researcher/replay?player=session-{entry.id}" title="Replay">{name}</a>'


def _ago(seconds: int) -> str:
    """A time span in words.

    >>> _ago(42), _ago(600), _ago(90_000)
    ('42 s ago', '10 min ago', '25 h ago')
    """
    if seconds < 120:
        return f"{max(0, seconds)} s ago"
    return f"{seconds // 60} min ago" if seconds < 7200 else f"{seconds // 3600} h ago"


def _clock(stamp: str) -> str:
    return stamp[:19].replace("T", " ")


# -- data ------------------------------------------------------------------------------------------


def data_page(people: int, tests: int, user: SignedInUser, problem: str = "") -> str:
    """Where the data is downloaded."""
    said = f'<p class="bad" role="alert">{escape(problem)}</p>' if problem else ""
    confirm = (
        '<p><input type="checkbox" id="sure" name="sure" value="yes" required> '
        '<label for="sure">I need the participants’ ids and keep them apart from the data.'
        "</label></p>"
    )
    ids = form("/researcher/ids", user, "Download the list of ids", confirm)
    return page(
        "Data",
        f"""{said}<section><h2>Dataset</h2>
<p>Everything as a Psych-DS dataset: participants, trials, observations, actions, sessions, checks,
consents, surveys, events and notes, with a data dictionary. Participants are called by random
pseudonyms; neither their ids nor any addresses are in it.</p>
<p><a class="button" href="/researcher/data.zip" download>Download the dataset</a>
<span class="note">{people} sessions</span></p>
<p><a href="/researcher/data.zip?tests=1" download>Test runs and bots</a>
<span class="note">{tests} sessions, marked as simulated</span></p></section>
<section><h2>Participants’ ids</h2>
<p>Which id on the platform each pseudonym stands for. This makes the data personal.</p>
{ids}</section>""",
        user,
        "/data",
    )


# -- bonuses ---------------------------------------------------------------------------------------


def bonus_page(
    bonuses: OpenBonuses, batches: Sequence[PaymentBatch], currency: str, user: SignedInUser
) -> str:
    """What is due, what was entered, and what somebody has to look at."""
    if bonuses.due:
        number = len(bonuses.due)
        make = form("/researcher/bonus", user, f"Enter {number} and make the payment file")
        ask = f"<p>{number} bonuses are due, {currency}{bonuses.total} in all.</p>{make}"
    else:
        ask = "<p>No bonuses are due: everybody who is complete is in the ledger.</p>"
    due = [(escape(d.pseudonym), f"{currency}{d.amount}") for d in bonuses.due]
    held = [(escape(h.pseudonym), escape(h.problem)) for h in bonuses.on_hold]
    entered = [
        (
            escape(batch.name),
            _clock(batch.time),
            str(batch.people),
            f"{escape(batch.currency)}{batch.total:.2f}",
            f'<a href="/researcher/bonus/{escape(batch.name)}.csv" download>Payment file</a>',
        )
        for batch in batches
    ]
    listed = table("Due", ("Participant", "Bonus"), due) if due else ""
    parts = [
        f"<section><h2>Due</h2>{ask}{listed}</section>",
        "<section><h2>Ledger</h2><p>Whoever is in it is never entered again. A payment file has a"
        " line <code>id,amount</code> for each participant, as Prolific’s bulk bonus wants it."
        " Upload each file once.</p>",
        table("Entered", ("Batch", "Time (UTC)", "People", "Total", "File"), entered),
        "</section>",
    ]
    if held:
        parts.insert(1, table("To be looked at first", ("Participant", "Why"), held))
    return page("Bonuses", "\n".join(parts), user, "/bonus")
