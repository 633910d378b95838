"""`onlooker bots`: bots take part in a study that is served somewhere."""

from __future__ import annotations

from typing import Annotated

import typer

from onlooker.cli.common import InputError, observer_of
from onlooker.cli.serve import (
    Experiment,
    SettingsFile,
    StimuliFolder,
    study_settings,
    web_extra,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(bots)


def bots(
    url: Annotated[str, typer.Option(metavar="URL", help="Where the study is served.")],
    n: Annotated[int, typer.Option("--n", min=1, max=10_000, help="How many bots.")] = 10,
    observer: Annotated[
        str, typer.Option(metavar="NAME", help="Whose noisy versions play, as for run.")
    ] = "rational_mentalizing",
    rate: Annotated[
        float, typer.Option(min=0, help="Actions of each bot in a second; 0 is without a pause.")
    ] = 1.0,
    drop_out: Annotated[
        float, typer.Option(min=0, max=1, help="The share that leaves without a word.")
    ] = 0.0,
    experiment: Experiment = None,
    settings: SettingsFile = None,
    stimuli: StimuliFolder = None,
    study_id: Annotated[str, typer.Option(metavar="ID", help="The STUDY_ID in their link.")] = "",
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="The random seed.")] = 1,
) -> None:
    """Let bots take part through the real HTTP interface and check every reply.

    The server must allow test runs; bots are flagged as such and never count. They need the same
    stimuli as the server, by the same --settings, --experiment or --stimuli: a bot finds the trial
    it is in by what the view shows, and checks that each reply is what the rules give. A call that
    is not answered is made again with the same id. The exit status is 1 if anything was wrong.
    """
    with web_extra():
        from onlooker.web.rehearsal.bots import BotPlan, run_bots
        from onlooker.web.study.course import load_courses

    if not url.startswith(("http://", "https://")):
        raise InputError(f"--url {url}: expected an address such as http://127.0.0.1:8000")
    player = observer_of(observer)
    courses = load_courses(study_settings(settings, experiment, stimuli))
    plan = BotPlan(
        n, player, rate=rate, drop_out=drop_out, seed=seed, study_id=study_id, patience=30
    )
    tally = run_bots(url, courses, plan)
    for line in tally.lines():
        print(line)
    if tally.problems:
        raise typer.Exit(1)
