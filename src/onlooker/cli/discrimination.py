"""`onlooker stimuli design --against`: trials that tell observers apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onlooker.cli.errors import InputError, planned, refuse_misspelt
from onlooker.cli.fit import models_of, refusing_models
from onlooker.cli.inputs import observer_of
from onlooker.cli.options import OBSERVER_NAMES
from onlooker.cli.printing import bar, print_table, wide_console
from onlooker.fitting import fit_extra
from onlooker.support.files import json_text, write_file
from onlooker.support.rounding import counted

if TYPE_CHECKING:
    from onlooker.fitting.discrimination import Design, RecoveryRate
    from onlooker.fitting.models import Model
    from onlooker.game import Trial

PAPER = OBSERVER_NAMES[:4]
_OPTION = re.compile(r"^--(?:set|observer|rule|fix|free|prior)\b[^:]*: ")
_WORD = re.compile(r"\s*([^()\s]+)\s*(?:\(([^()]*)\))?\s*")


def choose_against(
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


def named_models(words: Sequence[str]) -> dict[str, Model]:
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
    from onlooker.observers.ruling import has_values

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
    if rule is None and not has_values(observer_of(name)):
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
