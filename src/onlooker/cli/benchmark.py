"""`onlooker benchmark`: players beside observers, people and the ideal observer."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from onlooker.analysis import analysis_extra
from onlooker.cli.benchmark_table import Entered, print_scores
from onlooker.cli.errors import REFUSED, InputError, planned, refuse_misspelt, refusing, replaying
from onlooker.cli.inputs import (
    folder_to_write,
    given,
    import_from_here,
    of_experiments,
    parameters_of,
    trials_of,
)
from onlooker.cli.options import (
    OBSERVER_NAMES,
    Archive,
    Budget,
    BudgetOption,
    Experiment,
    Seed,
    Settings,
    SkipBad,
    TrialPathsOrOurs,
    output_to,
)
from onlooker.cli.printing import track
from onlooker.support.files import json_text, write_file

if TYPE_CHECKING:
    import pandas as pd

    from onlooker.analysis.tables.benchmark.scoring import Score
    from onlooker.game import Stage, Trial
    from onlooker.inference import Parameters
    from onlooker.players.registry import Entrant

REFERENCE = (  # who always plays, for comparison
    "ideal_observer", "rational_mentalizing", "mentalizing_observer", "rational_observer",
    "naive_observer", "random",
)  # fmt: skip
RESULTS, FIGURE, DATA = "benchmark.json", "benchmark", "data"


def benchmark(
    output: Annotated[Path, output_to("Where results, figure and data go.")],
    paths: TrialPathsOrOurs = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Another observer, or package.module:Class; repeatable. The paper's observers, the"
            " ideal observer and random choices are always there.",
        ),
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]DIR",
            help="What somebody has played already, as a dataset: of `onlooker players run`, of a"
            " study; repeatable.",
        ),
    ] = None,
    human: Annotated[
        Path | None,
        typer.Option(metavar="H", help="What people did, as for compare: players are compared."),
    ] = None,
    archive: Archive = None,
    skip_bad: SkipBad = False,
    experiment: Experiment = None,
    leaderboard: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A CSV that the players' scores are added to."),
    ] = None,
    repeats: Annotated[
        int,
        typer.Option(
            min=1, max=10_000, metavar="N", help="Plays of players that choose by chance."
        ),
    ] = 10,
    budget: BudgetOption = Budget.MAP,
    settings: Settings = None,
    seed: Seed = 1,
) -> None:
    """Let players play an experiment's trials and compare them with the ideal observer.

    Prints a table and writes the results as JSON, a figure and each player's data. Regret is on
    the actual trial: points more than the ideal observer pays there, which luck can make negative.

    Examples:
        onlooker benchmark examples/two-experts.map --repeats 2 -o benchmark
    """
    parameters = parameters_of(settings)
    with analysis_extra():
        from onlooker.analysis.figures.benchmark import Entry, benchmark_plate
        from onlooker.analysis.figures.plate import save_plate
        from onlooker.analysis.tables.benchmark.leaderboard import (
            leaderboard_row,
            read_leaderboard,
            set_of,
            write_leaderboard,
        )
        from onlooker.analysis.tables.benchmark.scoring import marks_of, score
        from onlooker.experiments.provenance import write_provenance
        from onlooker.planning import as_played
    folder_to_write(output)
    trials = [
        trial for trial in of_experiments(trials_of(paths, experiment, archive)) if trial.npcs
    ]
    with planned("trials"):
        trials = [as_played(trial, parameters.costs) for trial in trials]
    entrants = _entrants(dict.fromkeys((*(player or ()), *REFERENCE)), parameters)
    known = read_leaderboard(leaderboard) if leaderboard else None
    with replaying(bool(paths)):
        people = _people(human, trials, parameters, skip_bad)
        entered = [_read(word, trials, skip_bad) for word in data or ()]
    _refuse_doubles([*(each.name for each in entrants), *(each.name for each in entered)])
    marks = marks_of(trials, parameters, track(trials, len(trials), "ideal observer"))
    stages = _stages(trials, parameters, budget)
    entered += [_play(entrant, stages, parameters, repeats, seed) for entrant in entrants]
    scores = [score(each.name, each.means, marks, people, seed) for each in entered]
    entries = [
        Entry(each.title + " *" * each.sees_hidden, found, each.artificial)
        for each, found in zip(entered, scores, strict=True)
    ]
    _write_data(output, entered, parameters, budget, seed)
    write_file(output / RESULTS, json_text(_results(entered, scores, trials)))
    config = {
        "command": "benchmark",
        "parameters": asdict(parameters),
        "budget": budget.value,
        "repeats": repeats,
    }
    inputs = [
        *given(paths, archive),
        *(word.partition("=")[2] or word for word in data or ()),
    ]
    write_provenance(output / RESULTS, [*inputs, *([human] if human else [])], config, seed)
    save_plate(benchmark_plate(entries), output)
    if leaderboard and known is not None:
        name = set_of(trials, {"parameters": asdict(parameters), "budget": budget.value})
        rows = [
            leaderboard_row(name, each.title, each.sees_hidden, found)
            for each, found in zip(entered, scores, strict=True)
        ]
        write_leaderboard(leaderboard, known, rows)
    print_scores(entered, scores, marks)
    print(f"results, figure and data in {output}")
    if (marks["reason"] != "").any():  # the ideal observer refused a trial
        raise typer.Exit(REFUSED)


# -- what plays --------------------------------------------------------------------------------


def _entrants(names: Iterable[str], parameters: Parameters) -> list[Entrant]:
    from onlooker.players.registry import find_entrant

    import_from_here()
    for name in names:
        refuse_misspelt("--player", "player", name, (*OBSERVER_NAMES, "random"))
    with refusing("--player: "):
        return [find_entrant(name, parameters) for name in names]


def _stages(trials: Sequence[Trial], parameters: Parameters, budget: Budget) -> list[Stage]:
    from onlooker.observers import Engine

    with planned("trials"):
        return [
            Engine(trial, parameters, warn=False, budget_rule=budget.value).stage
            for trial in trials
        ]


def _play(
    entrant: Entrant,
    stages: list[Stage],
    parameters: Parameters,
    repeats: int,
    seed: int,
) -> Entered:
    """Let an entrant play; what counts are its plays, or expectations if its chances are known."""
    from onlooker.analysis.tables.benchmark.scoring import expected_means, means_of
    from onlooker.experiments.psych_ds import Description, dataset_of
    from onlooker.observers import Batch
    from onlooker.players.playing import let_play

    with refusing("--player: "):
        playing = let_play(
            entrant,
            stages,
            repeats,
            seed,
            progress=lambda items, total: track(items, total, entrant.title),
        )
    about = Description(entrant.title, "Artificial players.", simulated=True)
    tables = dict(dataset_of(playing.records.tables(), about).tables)
    means = means_of(tables)
    if entrant.observer is not None and entrant.stochastic:
        trials = [stage.trial for stage in stages]
        with planned("trials"):
            found = Batch(trials).expect(parameters, entrant.observer)
        means = expected_means(trials, found)
    return Entered(entrant.name, entrant.title, means, True, entrant.sees_hidden, playing)


def _write_data(
    output: Path, entered: Sequence[Entered], parameters: Parameters, budget: Budget, seed: int
) -> None:
    """Write what each player did as a dataset of its own."""
    from onlooker.players.datasets import PlayerNote, write_players

    how = {"parameters": asdict(parameters), "seed": seed}
    rules = {"costs": asdict(parameters.costs)}
    for each in entered:
        if each.playing is None:
            continue
        names = [row["participant"] for row in each.playing.records.participants]
        note = PlayerNote(each.title, "program", names, how)
        folder = output / DATA / each.name
        with refusing():
            write_players(folder, each.playing.records, [note], budget.value, rules, replace=True)


def _read(word: str, trials: Sequence[Trial], skip_bad: bool) -> Entered:
    """What somebody has played already."""
    from onlooker.analysis.tables.benchmark.scoring import check_played, means_of
    from onlooker.experiments.psych_ds import read_dataset

    name, equals, folder = word.partition("=")
    if not equals:
        name, folder = Path(word).name, word
    dataset = read_dataset(folder, trials, skip_bad=skip_bad, complete=False)
    for note in dataset.notes:
        print(f"{folder}: {note}", file=sys.stderr)
    there = {trial.experiment for trial in trials}
    tables = {
        name: frame[frame["experiment"].isin(there)] for name, frame in dataset.tables.items()
    }
    tables["trials"] = tables["trials"][~tables["trials"]["tutorial"]]
    check_played(folder, tables, [(trial.experiment, trial.label) for trial in trials])
    return Entered(name, name, means_of(tables), dataset.description.simulated)


def _refuse_doubles(names: Sequence[str]) -> None:
    double = sorted({name for name in names if names.count(name) > 1})
    if double:
        raise InputError(f"two players are called {double[0]!r}; for --data say NAME=DIR")


def _people(
    path: Path | None, trials: Sequence[Trial], parameters: Parameters, skip_bad: bool
) -> pd.DataFrame | None:
    """People's mean counts; None if no file of them is given."""
    if path is None:
        return None
    from onlooker.analysis.data.human import read_human
    from onlooker.analysis.tables.comparison import predictions_frame
    from onlooker.experiments.predictions import predict
    from onlooker.observers import find_observer

    levels = predictions_frame(predict(trials, [find_observer("rational_mentalizing")], parameters))
    people = read_human(path, levels, trials, skip_bad=skip_bad)
    for note in people.notes:
        print(f"{path}: {note}", file=sys.stderr)
    return people.means


# -- results -----------------------------------------------------------------------------------


def _results(
    entered: Sequence[Entered], scores: Sequence[Score], trials: Sequence[Trial]
) -> dict[str, Any]:
    """Everything as plain data, for a leaderboard."""
    from onlooker.experiments.naming import in_order

    return {
        "trials": len(trials),
        "experiments": in_order(trial.experiment for trial in trials),
        "players": [
            {
                "title": each.title,
                "artificial": each.artificial,
                "knows_hidden_facts": each.sees_hidden,
                **found.to_dict(),
                "failures": [asdict(failure) for failure in each.failures],
            }
            for each, found in zip(entered, scores, strict=True)
        ],
    }
