"""`onlooker run`: what the observers do on trials."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from onlooker.cli.common import (
    OBSERVER_NAMES,
    ChoiceRuleName,
    InputError,
    Settings,
    TrialFiles,
    observers_of,
    parameters_of,
    planned,
    rules_of,
)
from onlooker.game import Interaction, load_trial

if TYPE_CHECKING:
    from onlooker.observers import ChoiceRule, Engine, Expectation, Observer, Result

Observers = Annotated[
    list[str] | None,
    typer.Option(
        "--observer",
        metavar="NAME",
        help="Which observer: rational_mentalizing, mentalizing_observer, rational_observer,"
        " naive_observer, all (these four), graded_mentalizing, ideal_observer, or"
        " package.module:Class for one of your own; repeatable.",
        autocompletion=lambda: [*OBSERVER_NAMES, "all"],
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(run)


def run(
    files: TrialFiles,
    observer: Observers = None,
    rule: ChoiceRuleName = None,
    settings: Settings = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="Add the trace: every decision and what is behind it.")
    ] = False,
    lattice: Annotated[
        bool,
        typer.Option("--lattice", help="With --json: add every combination of steps seen."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """Run observers on trials: how long they watch whom, and what they then do.

    Without --observer the paper's four run. By a soft rule, what an observer does is a matter of
    chance: then its expected counts and costs are given, and their distribution in the JSON. They
    are exact, not sampled. Its trace follows what it would do by the hard rule.
    """
    if lattice and not as_json:
        raise InputError("--lattice: expected --json beside it")
    parameters = parameters_of(settings)
    observers = observers_of(observer or ["all"])
    rules = rules_of(observers, rule)
    from onlooker.observers import Engine

    done: list[tuple[str, Engine, dict[str, Done]]] = []
    for file in files:
        engine = Engine(load_trial(file), parameters)
        with planned(file):
            found = {
                each.name: _run(each, engine, by, trace or by == "hard", lattice)
                for each, by in zip(observers, rules, strict=True)
            }
        done.append((file, engine, found))
    if as_json:
        rows = [_plain(file, engine, results, trace, lattice) for file, engine, results in done]
        print(json.dumps(rows, ensure_ascii=False))
    else:
        _print_tables(done, observers, trace)


class Done(NamedTuple):
    """What an observer did, and what it is expected to do by a soft rule."""

    result: Result | None  # None by a soft rule without a trace
    expected: Expectation | None  # None by the hard rule without a lattice


def _run(observer: Observer, engine: Engine, rule: ChoiceRule, whole: bool, lattice: bool) -> Done:
    from onlooker.observers import ChoiceRule, Expectation
    from onlooker.observers.own_lattice import lattice_of
    from onlooker.observers.ruling import run_by_rule

    expected = None
    if lattice or rule is not ChoiceRule.HARD:
        expected = Expectation.of(lattice_of(observer, engine), rule, engine.parameters)
    return Done(run_by_rule(observer, engine, rule) if whole else None, expected)


def _plain(
    file: str, engine: Engine, results: dict[str, Done], trace: bool, lattice: bool
) -> dict[str, Any]:
    return {
        "file": file,
        "budget": engine.budget,
        "paths": [
            [
                [str(taken.action), taken.event.wizard, taken.event.gave]
                if isinstance(taken.event, Interaction)
                else [str(taken.action), None, False]
                for taken in path
            ]
            for path in engine.paths
        ],
        "observers": {name: _as_plain(each, trace, lattice) for name, each in results.items()},
    }


def _as_plain(done: Done, trace: bool, lattice: bool) -> dict[str, Any]:
    result, expected = done
    plain: dict[str, Any] = {}
    if expected is not None and expected.rule != "hard":
        plain |= expected.to_dict()
        if result is not None:
            plain["trace"] = [decision.to_dict() for decision in result.trace]
    elif result is not None:
        plain |= result.to_dict(trace)
    if lattice and expected is not None:
        plain |= expected.plain_lattice()
    return plain


def _print_tables(
    done: list[tuple[str, Engine, dict[str, Done]]], observers: list[Observer], trace: bool
) -> None:
    from rich.console import Console

    from onlooker.drawing.words import results_table, trace_table

    titles = {each.name: each.title for each in observers}
    console = Console(highlight=False)
    for file, engine, results in done:
        shown = {name: each.expected or each.result for name, each in results.items()}
        console.print(results_table(file, engine, shown, titles))
        for name, each in results.items() if trace else ():
            if each.result is not None:
                console.print(trace_table(titles[name], engine, each.result))
