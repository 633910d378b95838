"""`onlooker stimuli design`: new trials, spread out or chosen to tell observers apart."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from onlooker.cli.errors import InputError, planned, refuse_misspelt, refusing
from onlooker.cli.fit import models_of, refusing_models
from onlooker.cli.inputs import observer_of, of_experiments, trials_of
from onlooker.cli.options import (
    OBSERVER_NAMES,
    Experiment,
    Seed,
    experiment_option,
    output_to,
)
from onlooker.cli.printing import bar, print_table, track, wide_console
from onlooker.fitting import fit_extra
from onlooker.support.files import json_text, write_file
from onlooker.support.rounding import counted

if TYPE_CHECKING:
    from onlooker.experiments.inventory import Experiment as Inventory
    from onlooker.fitting.discrimination import Design, RecoveryRate
    from onlooker.fitting.models import Model
    from onlooker.game import ExperimentName, Trial

TEACHERS = 5  # the experiment that is designed otherwise than the paper's
PAPER = OBSERVER_NAMES[:4]
_OPTION = re.compile(r"^--(?:set|observer|rule|fix|free|prior)\b[^:]*: ")
_WORD = re.compile(r"\s*([^()\s]+)\s*(?:\(([^()]*)\))?\s*")


def design(
    seed: Seed,
    experiment: Experiment = None,
    output: Annotated[Path | None, output_to("Write the maps here.")] = None,
    pool: Annotated[
        int, typer.Option(min=1, metavar="N", help="How many candidate maps to draw.")
    ] = 400,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Choose trials that tell --observer and this one apart; 'NAME (beta=0.2,"
            " temperature=2:1)' gives it parameters and priors; all: the paper's; repeatable.",
            autocompletion=lambda: [*OBSERVER_NAMES, "all"],
        ),
    ] = None,
    observer: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Whom to tell apart from --against, by default rational_mentalizing.",
            autocompletion=lambda: [*OBSERVER_NAMES],
        ),
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="How many trials --against chooses, by default 12."),
    ] = None,
    people: Annotated[
        int | None,
        typer.Option(
            min=20,
            metavar="N",
            help="Simulated people of each observer who score what --against chooses, by default"
            " 1000.",
        ),
    ] = None,
    stimuli: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH", help="Trials that --against chooses from, instead of drawing them."
        ),
    ] = None,
    name: Annotated[
        Any,
        experiment_option(
            "Make them trials of an experiment of your own, such as pilot.", option="--name"
        ),
    ] = None,
) -> None:
    """Design a set of trials: draw candidate maps and choose the most informative ones.

    Without --against the chosen set spreads out the full model's observation counts and makes the
    other observers' unlike them; in Experiment 5 it makes a difference what is said about teachers,
    and what is left out is printed with the reason. With --against, single trials are chosen by
    recovery: the probability that the evidence of one simulated person, who plays them all, is
    highest for the observer that made the person. The same seed gives the same maps.

    --experiment says what the maps are like: their NPCs, chests and outcomes. They are trials of
    it, unless --name gives them to an experiment of your own.

    Examples:
        onlooker stimuli design --experiment 1 --seed 7 --against all --pool 40
    """
    if isinstance(name, int):
        raise InputError(f"--name {name}: expected a word, such as pilot")
    if against:
        made = _choose_against(
            _named_models([observer or OBSERVER_NAMES[0], *against]),
            _candidates(experiment, seed, pool, stimuli),
            trials or 12,
            people or 1000,
            seed,
            stimuli or [],
            output,
        )
    else:
        from onlooker.experiments.design import design as make

        only = {"observer": observer, "trials": trials, "people": people, "stimuli": stimuli}
        for option in (option for option, value in only.items() if value):
            raise InputError(f"--{option}: expected --against as well")
        with refusing(f"--pool {pool}: "):
            if experiment == TEACHERS:
                made = _with_teachers(seed, pool)
            else:
                made = make(_drawn_experiment(experiment), seed, pool, progress=_drawing)
    if name is not None:
        made = [replace(trial, experiment=name) for trial in made]
    _write_maps(made, output)


def _candidates(
    experiment: ExperimentName | None, seed: int, pool: int, stimuli: list[str] | None
) -> list[Trial]:
    """The trials to choose from: those of a path, or of maps that are drawn."""
    if stimuli:
        return of_experiments(trials_of(stimuli, experiment))
    from onlooker.experiments.design import draw_trials

    return draw_trials(_drawn_experiment(experiment), seed, pool, progress=_drawing)


def _with_teachers(seed: int, pool: int) -> list[Trial]:
    from onlooker.experiments.lessons import design as make

    found = make(seed, pool, progress=_drawing)
    for why, count in sorted(found.left_out.items()):
        print(f"left out {count}: {why}", file=sys.stderr)
    return list(found.trials)


def _drawn_experiment(name: ExperimentName | None) -> Inventory:
    if name is None:
        raise InputError("--experiment: expected the number of one, to draw maps for")
    return _designed(name)


def _drawing(items: Iterable[int], total: int) -> Iterable[int]:
    return track(items, total, "drawing")


def _write_maps(trials: Sequence[Trial], output: Path | None) -> None:
    from onlooker.experiments.naming import slug
    from onlooker.experiments.stimuli import stimulus_text

    if output is None:
        for trial in trials:
            print(stimulus_text(trial))
        return
    for trial in trials:
        write_file(output / slug(trial.experiment) / f"{trial.name}.map", stimulus_text(trial))
    folders = dict.fromkeys(str(output / slug(trial.experiment)) for trial in trials)
    print(f"{len(trials)} trials in {', '.join(folders)}")


def _designed(name: ExperimentName) -> Inventory:
    from onlooker.experiments.inventory import PAPER_EXPERIMENTS, paper_experiment

    found = paper_experiment(name)
    if found is None:
        known = ", ".join(map(str, (*PAPER_EXPERIMENTS, TEACHERS)))
        raise InputError(f"--experiment {name}: only {known} can be designed")
    return found


# -- trials that tell observers apart --------------------------------------------------------------


def _choose_against(
    models: dict[str, Model],
    trials: Sequence[Trial],
    count: int,
    people: int,
    seed: int,
    sources: Sequence[str],
    output: Path | None,
) -> list[Trial]:
    """Choose trials for telling observers apart, and print how well they do that."""
    with fit_extra():
        from onlooker.fitting.discrimination import choose_trials
    with planned(", ".join(sources)), refusing_models(), bar("candidates") as progress:
        design = choose_trials(models, trials, count, seed, people, progress)
    for label, model in models.items():
        print(f"{label} ({model.rule}): {model.words()}")
    _print(design, people)
    if output is not None:
        from onlooker.experiments.provenance import provenance

        made = provenance(sources, _config(models, design, people), seed)
        write_file(output / f"design-{seed}.provenance.json", json_text(made))
    return list(design.trials)


def _named_models(words: Sequence[str]) -> dict[str, Model]:
    """The models that words such as 'naive_observer (meeting=any, lapse=0.02)' ask for.

    "all" are the paper's four; those that are named before stand for themselves.
    """
    with fit_extra():
        import onlooker.fitting.models  # noqa: F401
    found: dict[str, Model] = {}
    for word in words:
        several = [name for name in PAPER if name not in found] if word == "all" else [word]
        for label, model in map(_model, several):
            if label in found:
                raise InputError(f"{label} is named twice: expected observers that differ")
            found[label] = model
    return found


def _model(word: str) -> tuple[str, Model]:
    """An observer as tables call it, and its model.

    What stands in parentheses are its parameters, and the rule by which it chooses. A parameter of
    that rule is fixed by a value, or has a prior by a median and an SD, such as temperature=2:1.25.
    """
    from onlooker.fitting.parameters import CHOOSING
    from onlooker.observers.observer import has_values

    read = _WORD.fullmatch(word)
    if read is None:
        raise InputError(f"{word}: expected an observer, or 'NAME (PARAMETER=VALUE, …)'")
    name, inside = read[1], [text.strip() for text in (read[2] or "").split(",") if text.strip()]
    refuse_misspelt("--against", "observer", name, (*OBSERVER_NAMES, "all"))
    pairs = {text: tuple(map(str.strip, text.partition("=")[::2])) for text in inside}
    rule = next((value for each, value in pairs.values() if each == "rule"), None)
    rest = {text: pair for text, pair in pairs.items() if pair[0] != "rule"}
    priors = {text: each for text, (each, value) in rest.items() if ":" in value}
    fixed = {
        text: each
        for text, (each, _) in rest.items()
        if text not in priors and each in CHOOSING and each != "observe"
    }
    settings = [text for text in rest if text not in priors and text not in fixed]
    with _without_options(word):
        without_values = not has_values(observer_of(name))
    if rule is None and without_values:
        raise InputError(
            f"{word}: it has no method values(engine, view, choices); expected one, or"
            f" '{name} (rule=choice)', which only asks what it would do"
        )
    with _without_options(word):
        [model] = models_of([name], rule, fix=[*fixed], settings=settings)
    for each in [*priors.values(), *fixed.values()]:
        refuse_misspelt(word, "parameter", each, model.space.rule.parameters)
        if each not in model.space.rule.parameters:
            known = ", ".join(model.space.rule.parameters)
            raise InputError(f"{word}: by the rule {model.rule} it chooses by {known}, not {each}")
    if priors:
        free = ",".join(dict.fromkeys([*model.space.names, *priors.values()]))
        with _without_options(word):
            [model] = models_of([name], rule, free, [*fixed], [*priors], settings)
    return (f"{name} ({', '.join(inside)})" if inside else name), model


@contextmanager
def _without_options(word: str) -> Iterator[None]:
    """Within this block, complaints begin with the word, not with options that nobody gave."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{word}: {_OPTION.sub('', str(error))}") from None


def _print(design: Design, people: int) -> None:
    console = wide_console()
    rows = [*design.chosen.shares, "mean"]
    print_table(
        console,
        f"recovery with {counted(len(design.trials), 'trial')} of {design.candidates}, and its"
        " standard error",
        {
            "people made by": rows,
            "chosen": _cells(design.chosen),
            "random": _cells(design.random),
        },
        ["people made by"],
    )
    console.print(
        f"chosen: {people} new people of each observer; random: the mean of other sets of as many"
        " of these trials"
    )
    print_table(
        console,
        "trials, and what each alone shows about who made a person",
        {
            "trial": [trial.label for trial in design.trials],
            "bits": [f"{bits:.2f}" for bits in design.information],
        },
        ["trial"],
    )


def _cells(found: RecoveryRate) -> list[str]:
    pairs = [*zip(found.shares.values(), found.errors.values(), strict=True)]
    return [f"{share:.3f} ± {error:.3f}" for share, error in [*pairs, (found.mean, found.error)]]


def _config(models: dict[str, Model], design: Design, people: int) -> dict[str, Any]:
    return {
        "command": "stimuli design",
        "observers": {label: f"{m.rule}: {m.words()}" for label, m in models.items()},
        "trials": [trial.label for trial in design.trials],
        "candidates": design.candidates,
        "people": people,
        "recovery": {
            name: {
                "mean": found.mean,
                "error": found.error,
                "shares": found.shares,
                "errors": found.errors,
            }
            for name, found in (("chosen", design.chosen), ("random", design.random))
        },
    }
