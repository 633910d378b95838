"""`onlooker simulate`: a study with simulated participants."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from onlooker.cli.common import (
    NO_EXPERIMENT,
    InputError,
    Settings,
    observer_of,
    parameters_of,
    planned,
    track,
)


class Budget(StrEnum):
    """The rules of budgets."""

    PAPER = "paper"
    MAP = "map"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(simulate)


def simulate(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Where to write the dataset.")
    ],
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="Trial files or folders; by default our stimuli."),
    ] = None,
    observer: Annotated[
        str, typer.Option(metavar="NAME", help="Whose noisy versions play, as for run.")
    ] = "rational_mentalizing",
    participants: Annotated[
        int, typer.Option(min=1, max=100_000, help="Participants in each experiment.")
    ] = 80,
    temperature: Annotated[
        float, typer.Option(help="Points: how far costs may differ and still be mistaken.")
    ] = 2.0,
    lapse: Annotated[float, typer.Option(help="How often a choice is made at random.")] = 0.05,
    experiment: Annotated[
        int | None, typer.Option(metavar="N", help="Only Experiment N, 1 to 4.")
    ] = None,
    budget: Annotated[
        Budget, typer.Option(help="The points to begin with; map: the same for every holder.")
    ] = Budget.PAPER,
    settings: Settings = None,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="The random seed.")] = 1,
) -> None:
    """Let simulated participants play a study and write their data.

    They are noisy versions of an observer: with probability LAPSE a choice is made at random, else
    by softmax on what acting and watching would cost. The dataset has the layout of a real study's
    and says that it is simulated.
    """
    from onlooker.experiments.dataset import write_dataset
    from onlooker.experiments.provenance import provenance
    from onlooker.experiments.simulation import Noise
    from onlooker.experiments.stimuli import stimuli
    from onlooker.experiments.studies import simulate_study
    from onlooker.experiments.trialset import load_trials

    parameters = parameters_of(settings)
    player = observer_of(observer)
    try:
        noise = Noise(temperature, lapse)
    except ValueError as error:
        raise InputError(f"--{error}") from None
    trials = load_trials(paths) if paths else stimuli()
    if experiment is not None:
        trials = [trial for trial in trials if trial.experiment == experiment]
    if not trials:
        raise InputError(f"--experiment {experiment}: there are no trials of it")
    with planned(", ".join(paths or ["stimuli"])):
        records = simulate_study(
            trials,
            player,
            participants,
            noise,
            parameters,
            seed,
            lambda items, total: track(items, total, "playing"),
            budget.value,
        )
    if not records.participants:
        raise InputError(NO_EXPERIMENT)
    how = {
        "observer": player.name,
        "participants": participants,
        "temperature": temperature,
        "lapse": lapse,
        "budget": budget.value,
        "settings": list(settings or ()),
    }
    try:
        write_dataset(
            output,
            records.tables(),
            f"Simulated participants: {player.title}",
            f"Simulated: {participants} noisy versions of {player.title} in each experiment.",
            simulated=True,
            extra={"budgetRule": budget.value, "provenance": provenance([], how, seed)},
        )
    except ValueError as error:
        raise InputError(str(error)) from None
    print(
        f"{len(records.participants)} simulated participants, {len(records.trials)} trials,"
        f" {len(records.actions)} actions in {output}"
    )
