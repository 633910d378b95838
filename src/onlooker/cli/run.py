"""`onlooker run`: what the observers do on trials."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from onlooker.cli.errors import REFUSED, InputError, planned
from onlooker.cli.inputs import observers_of, parameters_of, pictures_of, rules_of
from onlooker.cli.options import ChoiceRuleName, Observers, Png, Settings, Svg

if TYPE_CHECKING:
    from onlooker.observers import ChoiceRule, Engine, Expectation, Observer, Result


def run(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="Trial documents (JSON), map texts, or folders."),
    ] = None,
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
    sequence: Annotated[
        Path | None,
        typer.Option(
            metavar="LIST",
            help="A file that lists trials, a line each: observers carry what they learn from"
            " each to the next.",
        ),
    ] = None,
    png: Png = None,
    svg: Svg = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """Run observers on trials: how long they watch whom, and what they then do.

    Without --observer the paper's four run. By a soft rule, what an observer does is a matter of
    chance: then its expected counts and costs are given, and their distribution in the JSON. They
    are exact, not sampled. Its trace follows what it would do by the hard rule.

    With --sequence LIST the trials are played in the order of the list. untold_mentalizing then
    goes into each with what it has found out about who is an expert. --png and --svg draw it.

    An observer that must refuse a trial, such as one with too many states, gives its reason; the
    others continue, and the exit status is 3.

    Examples:
        onlooker run examples/two-experts.map
        onlooker run examples/two-experts.map --observer rational_mentalizing --trace
        onlooker run examples/two-experts.map --rule softmax --set temperature=3
    """
    pictures = pictures_of(png, svg)
    if files and sequence:
        raise InputError("--sequence: expected no other trial files beside it")
    if not files and not sequence:
        raise InputError("expected trial files, or --sequence with a list of them")
    if pictures and not sequence:
        raise InputError(f"{'--png' if png else '--svg'} requires --sequence")
    if lattice and not as_json:
        raise InputError("--lattice requires --json")
    observers = observers_of(observer)
    parameters = parameters_of(settings, observers)
    rules = rules_of(observers, rule)
    if sequence:
        if pictures and len(observers) > 1:
            raise InputError("--png, --svg: a picture shows one observer; expected one --observer")
        from onlooker.experiments.trialset import sequence_files

        files, first = sequence_files(sequence), observers[0]
    from onlooker.game import load_trial
    from onlooker.inference import TooLargeError
    from onlooker.observers import Engine

    files = [str(file) for path in files or () for file in _files(path)]
    engines = [(file, Engine(load_trial(file), parameters)) for file in files]
    together: list[dict[str, Result]] = [{} for _ in engines]
    if len(engines) > 1 and not (trace or lattice or sequence):
        together = _run_together(engines, observers, rules)
    done: list[Row] = []
    for (file, engine), ready in zip(engines, together, strict=True):
        found = {}
        with planned(file):
            for each, by in zip(observers, rules, strict=True):
                if each.name in ready:
                    found[each.name] = Done(ready[each.name], None)
                    continue
                whole = trace or by == "hard" or sequence is not None
                try:
                    found[each.name] = _run(each, engine, by, whole, lattice)
                except TooLargeError as error:
                    if sequence:
                        raise  # it cannot go on to the next trial
                    found[each.name] = Done(None, None, str(error))
        done.append(Row(file, engine, found, [each.state() for each in observers]))
        if sequence:
            results = ((each, found[each.name].result) for each in observers)
            observers = [
                each.carry(engine, engine.view_at(result.observed))
                for each, result in results
                if result
            ]
    if pictures:
        _draw_sequence(done, first, pictures)
    if as_json:
        rows = [_plain(row, observers, trace, lattice) for row in done]
        print(json.dumps(rows, ensure_ascii=False))
    else:
        _print_tables(done, observers, trace)
    if any(each.refusal for row in done for each in row.done.values()):
        raise typer.Exit(REFUSED)


def _files(path: str) -> Sequence[str | Path]:
    """The trials in a folder, or a file as the user calls it."""
    from onlooker.experiments.trialset import trial_files

    return trial_files([path]) if Path(path).is_dir() else [path]


class Done(NamedTuple):
    """What an observer did, and what it is expected to do by a soft rule."""

    result: Result | None  # None by a soft rule without a trace
    expected: Expectation | None  # None by the hard rule without a lattice
    refusal: str = ""  # why it did nothing


class Row(NamedTuple):
    """What observers did in a trial."""

    file: str
    engine: Engine
    done: dict[str, Done]
    states: list[dict[str, Any]]  # of the observers, before it


def _run_together(
    engines: list[tuple[str, Engine]], observers: list[Observer], rules: list[ChoiceRule]
) -> list[dict[str, Result]]:
    """What compiled observers do in many trials, in one call; nothing if one of them fails.

    They are then run one by one, which finds the trial.
    """
    from onlooker.inference.errors import TooLargeError, UnexplainedError
    from onlooker.observers import Batch
    from onlooker.observers.compositions import is_composed
    from onlooker.planning import NoPathError

    both = zip(observers, rules, strict=True)
    fast = [each for each, by in both if by == "hard" and is_composed(each)]
    try:
        batch = Batch([engine.trial for _, engine in engines])
        results = batch.results(engines[0][1].parameters, fast, trace=True)
    except (NoPathError, UnexplainedError, TooLargeError):
        return [{} for _ in engines]
    return [{each.name: r for each, r in zip(fast, row, strict=True)} for row in results]


def _draw_sequence(rows: list[Row], observer: Observer, pictures: list[Path]) -> None:
    from onlooker.drawing.sequence import Played, sequence_figure

    played = []
    for _, engine, done, _ in rows:
        result, afresh = done[observer.name].result, observer.run(engine)
        assert result is not None
        played.append(Played.of(engine.trial, result, afresh))
    from onlooker.drawing.figure import save_figure

    figure = sequence_figure(observer.title, played)
    for picture in pictures:
        save_figure(figure, picture)


def _run(observer: Observer, engine: Engine, rule: ChoiceRule, whole: bool, lattice: bool) -> Done:
    from onlooker.observers import ChoiceRule, Expectation
    from onlooker.observers.choice_rules import run_by_rule

    expected = None
    if lattice or rule is not ChoiceRule.HARD:
        expected = Expectation.of(observer.lattice(engine), rule, engine.parameters)
    return Done(run_by_rule(observer, engine, rule) if whole else None, expected)


def _plain(row: Row, observers: list[Observer], trace: bool, lattice: bool) -> dict[str, Any]:
    from onlooker.game import Interaction

    file, engine, results, states = row
    observed = {name: _as_plain(each, trace, lattice) for name, each in results.items()}
    for observer, state in zip(observers, states, strict=True):
        if state:
            observed[observer.name]["state"] = state
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
        "observers": observed,
    }


def _as_plain(done: Done, trace: bool, lattice: bool) -> dict[str, Any]:
    result, expected, refusal = done
    plain: dict[str, Any] = {"refused": refusal} if refusal else {}
    if expected is not None and expected.rule != "hard":
        plain |= expected.to_dict()
        if result is not None:
            plain["trace"] = [decision.to_dict() for decision in result.trace]
    elif result is not None:
        plain |= result.to_dict(trace)
    if lattice and expected is not None:
        plain |= expected.plain_lattice()
    return plain


def _print_tables(done: list[Row], observers: list[Observer], trace: bool) -> None:
    from rich.console import Console

    from onlooker.drawing.tables import results_table, trace_table
    from onlooker.planning import Tables, budget

    titles = {each.name: each.title for each in observers}
    console = Console(highlight=False)
    for file, engine, results, _ in done:
        shown = {
            name: each.refusal or each.expected or each.result for name, each in results.items()
        }
        trial = engine.trial  # the plain planner has the budget before an engine would be loaded
        points = budget(Tables(trial.map, engine.parameters.costs), trial, engine.budget_rule)
        title = f"{file}, budget {points}"
        console.print(results_table(title, trial.npcs, shown, titles))
        for name, each in results.items() if trace else ():
            if each.result is not None:
                console.print(trace_table(titles[name], engine, each.result))
