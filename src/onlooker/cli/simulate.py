"""`onlooker simulate`: a study with simulated participants."""

from __future__ import annotations

from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from onlooker.cli.errors import InputError, interruptible, planned, refusing
from onlooker.cli.inputs import (
    NO_EXPERIMENT,
    in_words,
    observer_of,
    parameters_of,
    trials_of,
    warn_left_out,
)
from onlooker.cli.options import (
    Budget,
    BudgetOption,
    ChoiceRuleName,
    Experiment,
    LabelName,
    NoisyObserver,
    Seed,
    Settings,
    TrialPathsOrOurs,
    output_to,
)
from onlooker.cli.printing import track
from onlooker.fitting import fit_extra

if TYPE_CHECKING:
    from onlooker.experiments.records import Records
    from onlooker.game import BudgetRule, Trial
    from onlooker.inference import Parameters
    from onlooker.observers import Observer

PARTICIPANTS = 80  # in each experiment, unless the user says otherwise


@interruptible("nothing was written; the same command begins again")
def simulate(
    output: Annotated[Path, output_to("Where to write the dataset.")],
    paths: TrialPathsOrOurs = None,
    observer: NoisyObserver = "rational_mentalizing",
    participants: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=100_000,
            metavar="N",
            help=f"Participants in each experiment; by default {PARTICIPANTS}.",
        ),
    ] = None,
    rule: ChoiceRuleName = None,
    temperature: Annotated[
        float | None, typer.Option(metavar="T", help="Short for --set temperature=…: points.")
    ] = None,
    lapse: Annotated[
        float | None, typer.Option(metavar="P", help="Short for --set lapse=…: from 0 to 1.")
    ] = None,
    experiment: Experiment = None,
    label: Annotated[
        list[LabelName] | None,
        typer.Option(
            "--label",
            metavar="LABEL",
            help="What they are told of NPCs that teach: expert, teacher or untold; repeated,"
            " participants get them in turn.",
        ),
    ] = None,
    budget: BudgetOption = Budget.PAPER,
    fits: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Play the same trials as these fitted people, each with its own parameters.",
        ),
    ] = None,
    settings: Settings = None,
    seed: Seed = 1,
) -> None:
    """Let simulated participants play a study and write their data.

    They are noisy versions of an observer. By default a choice is made at random with probability
    lapse, else by softmax on what acting and watching are worth; --rule graded is the rule of
    graded_mentalizing, and --rule hard has no noise. The dataset has the layout of a real study's
    and says that it is simulated.

    Examples:
        onlooker simulate examples/two-experts.map --participants 5 -o simulated
    """
    from onlooker.experiments.dataset import write_dataset
    from onlooker.experiments.labels import observer_under
    from onlooker.experiments.naming import by_experiment
    from onlooker.experiments.provenance import provenance
    from onlooker.experiments.simulation import playing_rule
    from onlooker.experiments.studies import simulate_study
    from onlooker.game import Label
    from onlooker.observers import ChoiceRule

    player = observer_of(observer)
    parameters = _parameters(settings, player, {"temperature": temperature, "lapse": lapse})
    try:
        by = playing_rule(player, rule)
    except ValueError as error:
        hint = "; --rule hard needs none" if rule is None else ""
        raise InputError(f"--rule {rule or 'softmax'}: {error}{hint}") from None
    if by is ChoiceRule.HARD:
        for option, value in (("--temperature", temperature), ("--lapse", lapse)):
            if value is not None:
                raise InputError(f"{option}: the rule hard has no noise; leave it out")
    trials = trials_of(paths, experiment)
    if label and fits is not None:
        raise InputError("--label: with --fits people play as they were fitted; leave it out")
    try:
        for each in label or ():
            observer_under(each.value, player)
    except ValueError as error:
        raise InputError(f"--label {each}: {error}") from None
    if fits is not None and participants is not None:
        raise InputError("--participants: with --fits the fitted people play; leave it out")
    participants = PARTICIPANTS if participants is None else participants
    with planned(in_words(paths)):
        if fits is not None:
            records = _as_fitted(fits, player, trials, parameters, seed, budget.value)
            participants = len(records.participants)
        else:
            records = simulate_study(
                trials,
                player,
                participants,
                parameters,
                by,
                seed,
                lambda items, total: track(items, total, "playing"),
                budget.value,
                [Label(each.value) for each in label] if label else None,
            )
    if not records.participants:
        raise InputError(NO_EXPERIMENT)
    warn_left_out(trials, chain.from_iterable(by_experiment(trials).values()))
    how = {
        "observer": player.name,
        "participants": participants,
        "rule": str(by),
        "parameters": asdict(parameters),
        "budget": budget.value,
        **({"labels": [each.value for each in label]} if label else {}),
    }
    origin = provenance([fits] if fits else [], how, seed)
    with refusing():
        write_dataset(
            output,
            records.tables(),
            f"Simulated participants: {player.title}",
            f"Simulated: {participants} noisy versions of {player.title} in each experiment.",
            simulated=True,
            extra={
                "budgetRule": budget.value,
                "costs": asdict(parameters.costs),
                "provenance": origin,
            },
        )
    print(
        f"{len(records.participants)} simulated participants, {len(records.trials)} trials,"
        f" {len(records.actions)} actions in {output}"
    )


def _as_fitted(
    fits: Path,
    player: Observer,
    trials: list[Trial],
    parameters: Parameters,
    seed: int,
    budget: BudgetRule,
) -> Records:
    """The tables of people who play as an observer that was fitted to them."""
    with fit_extra():
        from onlooker.fitting.folders import read_fits
        from onlooker.fitting.parameters import ModelError
        from onlooker.fitting.playing import play_fits
    with refusing(f"--fits {fits}: ", ModelError):
        return play_fits(read_fits(fits), player, trials, parameters, seed, budget)


def _parameters(
    settings: list[str] | None, player: Observer, short: dict[str, float | None]
) -> Parameters:
    """The parameters, some of which have options of their own."""
    given = {name: value for name, value in short.items() if value is not None}
    for setting in settings or ():
        if (name := setting.partition("=")[0].strip()) in given:
            raise InputError(f"--{name}: {name} is set twice; expected it once")
    parameters = parameters_of(settings, [player])
    with refusing("--"):
        return replace(parameters, **given)  # type: ignore[arg-type]
