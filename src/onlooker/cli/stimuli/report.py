"""`onlooker stimuli report`: how well trials distinguish the observers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from onlooker.cli.errors import InputError
from onlooker.cli.inputs import NO_EXPERIMENT, trials_of
from onlooker.cli.options import Experiment, TrialPathsOrOurs
from onlooker.cli.printing import print_table, track, wide_console
from onlooker.support.rounding import counted

if TYPE_CHECKING:
    from rich.console import Console

    from onlooker.experiments.diagnostics import Diagnostics
    from onlooker.experiments.inventory import Experiment as Inventory
    from onlooker.game import Trial

SEPARATION = {
    "looks": "looks at\nthe teacher",
    "others": "looks at\nothers",
    "attributed": "P(its own\nchest)",
    "sure": "P(holder)",
    "teaches": "P(teacher)",
    "cost": "cost",
}


def report(paths: TrialPathsOrOurs = None, experiment: Experiment = None) -> None:
    """Print how well the trials distinguish the observers.

    The full model's observation counts (least, most, standard deviation), their correlation with
    each ablation's, and how often it does not observe or watches mainly the expert or the novice.
    Then the slope of observation cost on execution cost, for each observer, and in how many trials
    the paper's budget identifies the holder. Where there are teachers: what observers do and think
    under each label, which is what players are told about teachers.
    """
    from onlooker.experiments.diagnostics import behaviour, diagnose
    from onlooker.experiments.inventory import Experiment as Inventory
    from onlooker.experiments.naming import by_experiment

    groups = by_experiment(trials_of(paths, experiment))
    if not groups:
        raise InputError(NO_EXPERIMENT)
    console = wide_console()
    for name in [name for name, trials in groups.items() if _has_teachers(trials)]:
        _print_separation(console, f"Experiment {name}", groups.pop(name))
    total = sum(len(trials) for trials in groups.values())
    seen = {
        trial.name: behaviour(trial)
        for trial in track([t for trials in groups.values() for t in trials], total, "running")
    }
    for name, trials in groups.items():
        found = diagnose(name, trials, [seen[trial.name] for trial in trials])
        _print_report(console, Inventory.of(name, trials), found)


def _has_teachers(trials: Iterable[Trial]) -> bool:
    from onlooker.game import teacher_in

    return any(teacher_in(trial) is not None for trial in trials)


def _print_separation(console: Console, title: str, trials: list[Trial]) -> None:
    """What observers make of teachers under each label."""
    from onlooker.experiments.separation import predicted, summarized
    from onlooker.observers import OBSERVERS

    rows = predicted(track(trials, len(trials), "running"))
    full = next(iter(OBSERVERS))
    for by, shown, words in (
        ("scenario", [row for row in rows if row.observer == full], OBSERVERS[full].title),
        ("observer", rows, "all observers"),
    ):
        means = summarized(shown, by, "label")
        columns = {by: [key[0] for key in means], "label": [key[1] for key in means]}
        for name, heading in SEPARATION.items():
            values = (found.get(name) for found in means.values())
            columns[heading] = ["" if value is None else f"{value:.2f}" for value in values]
        print_table(console, f"{title}: {words}", columns, [by, "label"])


def _print_report(console: Console, experiment: Inventory, found: Diagnostics) -> None:
    from onlooker.experiments.diagnostics import ABLATIONS, shortfalls
    from onlooker.observers import OBSERVERS

    shares = [f"does not observe in {found.alone:.0%}"]
    if len(set(experiment.npcs)) > 1:
        shares += [f"watches mainly the {e} in {share:.0%}" for e, share in found.mainly.items()]
    slopes = (
        f"{OBSERVERS[name].title} {'constant' if value is None else format(value, '.3f')}"
        for name, value in found.slopes.items()
    )
    costs = f"observation cost on execution cost: {', '.join(slopes)}"
    if found.tradeoff is not None:
        costs += f"; the full model's r {found.tradeoff:.2f}"
    told, depends = found.hints["everything"], found.trials - found.hints["nothing"]
    budgets = (
        f"the paper's budget depends on the holder in {counted(depends, 'trial')} and identifies it"
        f" in {told} ({found.identified:.0%} of all); with it the full model leaves"
        f" {found.left:.0%} of the points that could be left"
    )
    missed = shortfalls(found)
    verdict = "; ".join(missed) if missed else "meets all that the shipped set is held to"
    title = f"Experiment {found.experiment}: {counted(found.trials, 'trial')}; the full model "
    columns = {
        "counts of": [series.name for series in found.series],
        "least": [str(series.least) for series in found.series],
        "most": [str(series.most) for series in found.series],
        "sd": [f"{series.spread:.2f}" for series in found.series],
    }
    for name in ABLATIONS:
        rs = (series.correlations[name] for series in found.series)
        heading = f"r with\n{OBSERVERS[name].title}"
        columns[heading] = ["constant" if r is None else f"{r:.2f}" for r in rs]
    print_table(console, title + ", ".join(shares), columns, ["counts of"])
    for line in (costs, budgets, verdict):
        console.print(line)
