"""`onlooker regret`: what observers lose against the ideal observer."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from onlooker.cli.errors import InputError
from onlooker.cli.inputs import (
    observers_of,
    parameters_of,
    pictures_of,
    places_of,
    refuse_same_names,
    table_to_write,
)
from onlooker.cli.options import Observers, Png, Settings, Svg, TrialPaths, output_to
from onlooker.cli.printing import print_table, track, wide_console
from onlooker.support.files import write_file
from onlooker.support.problems import first_names
from onlooker.support.rounding import counted, rounded

if TYPE_CHECKING:
    from onlooker.experiments.regret import Regret
    from onlooker.game import Trial
    from onlooker.observers import Observer


def regret(
    paths: TrialPaths,
    output: Annotated[Path, output_to("The CSV file to write.", "OUT")],
    observer: Observers = None,
    settings: Settings = None,
    png: Png = None,
    svg: Svg = None,
) -> None:
    """Compare what observers pay with what the ideal observer pays, over all worlds of a trial.

    A world is a goal for every NPC and a holder for every colour. Writes a CSV table, a row per
    trial and observer: the regret over all worlds and in the trial as it is, in points, or the
    reason why there is none. Without --observer all four run. Tutorial trials are left out.

    Examples:
        onlooker regret examples/two-experts.map -o regret.csv
    """
    observers = observers_of(observer)
    parameters = parameters_of(settings, observers)
    pictures = pictures_of(png, svg)
    table_to_write(output)
    from onlooker.experiments.provenance import write_provenance
    from onlooker.experiments.regret import dump_regrets, regrets
    from onlooker.experiments.trialset import load_files, trial_files

    files = trial_files(paths)
    trials = _trials(files, load_files(files))
    rows = regrets(track(trials, len(trials), "trials"), observers, parameters)
    config = {
        "command": "regret",
        "observers": places_of(observers),
        "parameters": asdict(parameters),
    }
    write_file(output, dump_regrets(rows))
    beside = write_provenance(output, paths, config, keep=set(files).__contains__)
    _print(rows, observers)
    for path in (output, beside, *_draw(rows, pictures)):
        print(path)


def _trials(files: list[Path], trials: list[Trial]) -> list[Trial]:
    """The trials without tutorials; no two may have the same experiment and name."""
    refuse_same_names(files, trials)
    if tutorials := [trial.label for trial in trials if trial.tutorial]:
        print(f"tutorial trials are left out: {first_names(tutorials)}", file=sys.stderr)
    found = [trial for trial in trials if not trial.tutorial]
    if not found:
        raise InputError("no trial that is not a tutorial: there is nothing to compare")
    return found


def _print(rows: Sequence[Regret], observers: Sequence[Observer]) -> None:
    """Print the mean regret of each observer, and the trials that have none."""
    from onlooker.experiments.regret import summaries

    titles = {each.name: each.title for each in observers}
    found = summaries(rows)
    experiments = list(found[0].by_experiment)
    columns = {"observer": [titles[each.observer] for each in found]}
    for name in experiments if len(experiments) > 1 else ():
        heading = "no exp." if name is None else f"exp. {name}"
        columns[heading] = [points(each.by_experiment[name]) for each in found]
    columns["all"] = [points(each.regret) for each in found]
    columns["at most"] = [points(each.largest) for each in found]
    columns["as it is"] = [points(each.regret_actual) for each in found]
    trials = {(row.experiment, row.level): row.worlds for row in rows}
    console = wide_console()
    title = "Regret: points more than the ideal observer, on average"
    print_table(console, title, columns, ["observer"])
    console.print(
        f"{counted(len(trials), 'trial')}, {counted(sum(trials.values()), 'world')};"
        " as it is: in the world that is true"
    )
    reasons = Counter({(row.level, row.reason) for row in rows if row.reason})
    for _, reason in list(reasons)[:10]:
        console.print(f"refused: {reason}")
    if len(reasons) > 10:
        console.print(f"… and {counted(len(reasons) - 10, 'more trial')}")


def points(value: float | None) -> str:
    """Points with two digits, a dash if there are none."""
    return "–" if value is None else rounded(value, 2)


def _draw(rows: Sequence[Regret], pictures: Sequence[Path]) -> list[Path]:
    """Write the figure wherever it is asked for."""
    if not pictures:
        return []
    from onlooker.analysis import analysis_extra

    with analysis_extra():
        from onlooker.analysis.figures.regret import regret_plate
        from onlooker.drawing.figure import save_figure
    plate = regret_plate(rows)
    for picture in pictures:
        save_figure(plate.figure, picture)
    return list(pictures)
