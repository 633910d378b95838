"""`onlooker settings`, `preflight`, `links` and `bots`: a study before people come."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from onlooker.cli.errors import InputError, refusing
from onlooker.cli.inputs import observer_of
from onlooker.cli.options import NoisyObserver, Seed, SettingsFile, StimuliFolder, StudyExperiment
from onlooker.cli.printing import bar
from onlooker.cli.serve import study_settings, web_extra

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def settings(
    password: Annotated[
        bool,
        typer.Option("--password", help="Ask for a password and print the line with its hash."),
    ] = False,
) -> None:
    """Print an example of a study's settings (TOML), with everything that can be set.

    Write it to a file, change it, and give it to --settings of serve, preflight and bots.

    Examples:
        onlooker settings
    """
    with web_extra():
        from onlooker.web.settings import EXAMPLE
        from onlooker.web.settings.passwords import hash_password
    if password:
        chosen = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
        print(f'password_hash = "{hash_password(chosen)}"')
    else:
        print(EXAMPLE.read_text(encoding="utf-8"), end="")


def preflight(
    settings: SettingsFile = None,
    experiment: StudyExperiment = None,
    stimuli: StimuliFolder = None,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Check the database that the study will use.")
    ] = None,
    observer: NoisyObserver = "rational_mentalizing",
) -> None:
    """Check everything before people come, on a database made for it.

    With --database, that one is checked too: that it can be written and copied, that every log in
    it holds, and that no participants are in it yet. With PostgreSQL the bots play on its server,
    in a schema that is dropped afterwards.

    The settings are looked over, bots play every ordering, every log is replayed, the data is
    exported, bonuses are computed twice, and a backup is made and restored. The exit status is 1
    if the study is not ready, as it is without a password.
    """
    with web_extra():
        from onlooker.web.preflight import preflight as check
        from onlooker.web.preflight import ready
        from onlooker.web.study.course import load_courses

    chosen = study_settings(settings, experiment, stimuli)
    player = observer_of(observer)
    findings = check(
        chosen, load_courses(chosen), player, database, lambda finding: print(finding, flush=True)
    )
    if not ready(findings):
        print("Verdict: not ready")
        raise typer.Exit(1)
    print("Verdict: ready")


def links(
    ids: Annotated[
        Path, typer.Argument(metavar="FILE", help="One participant's id on each line; - is stdin.")
    ],
    settings: Annotated[
        Path, typer.Option("--settings", metavar="FILE", help="The study's settings (TOML).")
    ],
    url: Annotated[str, typer.Option(metavar="URL", help="The study's address.")],
    study_id: Annotated[str, typer.Option("--study", metavar="ID", help="The STUDY_ID.")],
    days: Annotated[
        int,
        typer.Option(min=1, max=3650, metavar="N", help="How long the links open a new session."),
    ] = 30,
) -> None:
    """Print a signed link for each participant's id.

    The settings name the key (admission.link_key_env). With it, a study lets only people in who
    come with such a link, and nobody can invent ids. A link that has expired still leads
    back to the session that it opened.
    """
    with web_extra():
        from onlooker.web.participant.links import signed_link
        from onlooker.web.settings import SettingsError, load_settings

    with refusing("", SettingsError):
        chosen = load_settings(settings)
    admission = chosen.admission
    if admission.link_key_env is None:
        raise InputError(f"{settings}: admission.link_key_env: missing; it names the key of links")
    if not admission.link_key:
        raise InputError(f"the environment variable {admission.link_key_env} is not set")
    if chosen.experiment_of(study_id) is None:
        raise InputError(f"--study {study_id}: the settings do not know this STUDY_ID")
    expires = int(time.time()) + days * 24 * 3600
    text = sys.stdin.read() if str(ids) == "-" else ids.read_text("utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        pid = line.strip()
        if pid and not _ID.fullmatch(pid):
            raise InputError(
                f"{ids}: line {number}: expected letters, digits, - and _, at most 64, not {pid!r}"
            )
        if pid:
            print(signed_link(url, admission.link_key, pid, study_id, expires))


def bots(
    url: Annotated[str, typer.Option(metavar="URL", help="Where the study is served.")],
    n: Annotated[
        int, typer.Option("--n", min=1, max=10_000, metavar="N", help="How many bots.")
    ] = 10,
    observer: NoisyObserver = "rational_mentalizing",
    rate: Annotated[
        float,
        typer.Option(
            min=0, metavar="N", help="Actions of each bot in a second; 0 is without a pause."
        ),
    ] = 1.0,
    drop_out: Annotated[
        float,
        typer.Option(min=0, max=1, metavar="SHARE", help="The share that leaves without a word."),
    ] = 0.0,
    experiment: StudyExperiment = None,
    settings: SettingsFile = None,
    stimuli: StimuliFolder = None,
    study_id: Annotated[str, typer.Option(metavar="ID", help="The STUDY_ID in their link.")] = "",
    seed: Seed = 1,
) -> None:
    """Let bots take part through the real HTTP interface and check every reply.

    The server must allow test runs; bots are flagged as such and never count. They need the same
    stimuli as the server, by the same --settings, --experiment or --stimuli: a bot finds the trial
    it is in by what the view shows, and checks that each reply is what the rules give. A call that
    is not answered is made again with the same id. The exit status is 1 if anything was wrong.
    """
    with web_extra():
        from onlooker.web.bots.crew import BotPlan, run_bots
        from onlooker.web.study.course import load_courses

    if not url.startswith(("http://", "https://")):
        raise InputError(f"--url {url}: expected an address such as http://127.0.0.1:8000")
    player = observer_of(observer)
    courses = load_courses(study_settings(settings, experiment, stimuli))
    plan = BotPlan(
        n, player, rate=rate, drop_out=drop_out, seed=seed, study_id=study_id, patience=30
    )
    with bar("bots", n) as update:
        tally = run_bots(url, courses, plan, update)
    for line in tally.lines():
        print(line)
    if tally.problems:
        raise typer.Exit(1)
