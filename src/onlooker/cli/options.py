"""The options and arguments that several commands share.

Nothing of the other layers is imported here, so that the help text of a command costs little.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from onlooker.game import ExperimentName

# Written out, so that completing a word in the shell does not load the engine; a test compares.
OBSERVER_NAMES = (
    "rational_mentalizing",
    "mentalizing_observer",
    "rational_observer",
    "naive_observer",
    "graded_mentalizing",
    "ideal_observer",
    "untold_mentalizing",
)
RuleName = Literal["hard", "softmax", "graded"]


class LabelName(StrEnum):
    """What participants are told of NPCs that teach; a test compares."""

    EXPERT = "expert"
    TEACHER = "teacher"
    UNTOLD = "untold"


class Budget(StrEnum):
    """The rules of budgets."""

    PAPER = "paper"
    MAP = "map"


def _assignments() -> list[str]:
    from onlooker.inference.parameters import Parameters

    return [f"{name}=" for name in Parameters.declared()]


def output_to(help: str, metavar: str = "DIR") -> Any:
    """The option -o of a command, which says itself what is written there."""
    return typer.Option("--output", "-o", metavar=metavar, help=help)


# -- trials ----------------------------------------------------------------------------------------

TrialFile = Annotated[
    str, typer.Argument(metavar="FILE", help="A trial document (JSON) or a map text.")
]
TrialPaths = Annotated[
    list[str], typer.Argument(metavar="PATH", help="Trials, or folders of trials.")
]
TrialPathsOrOurs = Annotated[
    list[str] | None,
    typer.Argument(metavar="PATH", help="Trial files or folders; by default our stimuli."),
]
Stimuli = Annotated[
    list[str] | None,
    typer.Option(
        "--stimuli", metavar="PATH", help="Trials, or folders of trials; repeatable. Default: ours."
    ),
]
Archive = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Use the authors' archive as stimuli.")
]


def experiment_option(help: str, option: str = "--experiment") -> Any:
    """An option that takes the number or name of an experiment."""

    def read(text: str) -> ExperimentName:
        from onlooker.cli.errors import refusing
        from onlooker.experiments.naming import read_name

        with refusing(f"{option}: "):
            return read_name(text)

    return typer.Option(option, metavar="NAME", parser=read, help=help)


Experiment = Annotated[Any, experiment_option("Only this experiment: 1, 2, … or its name.")]
BudgetOption = Annotated[
    Budget, typer.Option(help="The points to begin with; map: the same for every holder.")
]

# -- observers and how they choose -----------------------------------------------------------------

Observers = Annotated[
    list[str] | None,
    typer.Option(
        "--observer",
        metavar="NAME",
        help="Which observer: rational_mentalizing, mentalizing_observer, rational_observer,"
        " naive_observer, all (these four), graded_mentalizing, ideal_observer,"
        " untold_mentalizing, or package.module:Class for your own; repeatable.",
        autocompletion=lambda: [*OBSERVER_NAMES, "all"],
    ),
]
NoisyObserver = Annotated[
    str,
    typer.Option(
        "--observer",
        metavar="NAME",
        help="Whose noisy versions play, as for run.",
        autocompletion=lambda: [*OBSERVER_NAMES],
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Set a parameter, e.g. beta=0.2; repeatable.",
        autocompletion=lambda: _assignments(),
    ),
]
ChoiceRuleName = Annotated[
    RuleName | None,
    typer.Option(
        "--rule",
        metavar="RULE",
        help="How they choose: hard, softmax or graded; by default each as it does itself.",
    ),
]
Seed = Annotated[int, typer.Option(min=0, metavar="S", help="The random seed.")]

# -- data and results ------------------------------------------------------------------------------

Human = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="What people did: a CSV of means per level or a Psych-DS folder; repeatable.",
    ),
]
Data = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Replay what people did: a Psych-DS folder, or what `onlooker import` wrote.",
    ),
]
SkipBad = Annotated[
    bool,
    typer.Option(
        "--skip-bad", help="Leave out trials that contradict the rules of the game, and say whose."
    ),
]
Png = Annotated[Path | None, typer.Option(metavar="OUT", help="Write the figure as PNG.")]
Svg = Annotated[Path | None, typer.Option(metavar="OUT", help="Write the figure as SVG.")]

# -- where to compute ------------------------------------------------------------------------------

Jobs = Annotated[
    int, typer.Option(min=0, metavar="N", help="Processes on this machine; 0: one for each core.")
]
DaskAddress = Annotated[
    str | None,
    typer.Option(
        "--dask", metavar="ADDRESS", help="Run on this Dask cluster, e.g. tcp://10.0.0.1:8786."
    ),
]

# -- fits ------------------------------------------------------------------------------------------

FitRule = Annotated[
    str | None,
    typer.Option(
        "--rule",
        metavar="RULE",
        help="How values become choices: softmax, graded, or choice, which only knows what the"
        " observer would do. Default: softmax, for Graded Mentalizing graded.",
    ),
]
Free = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="The free parameters: temperature, lapse, bias, perseveration, observe (softmax);"
        " temperature, curiosity, skip (graded); and those with a prior that an observer declares."
        " Default: temperature,lapse or those of graded, and the observer's own.",
    ),
]
Fix = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Fix a parameter, e.g. lapse=0.02; repeatable."),
]
Prior = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=MEDIAN:SD",
        help="A prior, e.g. temperature=2:1.25, or of one observer, OBSERVER.temperature=0.2:1; the"
        " SD is of the logarithm or the log odds where the parameter has such a scale; repeatable.",
    ),
]
Late = Annotated[
    bool,
    typer.Option(
        "--late", help="Choices after the first action of a trial count, too, in people's data."
    ),
]
Nodes = Annotated[
    int, typer.Option(min=5, max=201, metavar="N", help="Nodes of the grid for each parameter.")
]

# -- a study ---------------------------------------------------------------------------------------

SettingsFile = Annotated[
    Path | None, typer.Option("--settings", metavar="FILE", help="The study's settings (TOML).")
]
StudyExperiment = Annotated[
    Any, experiment_option("Which experiment: 1, 2, … or a name; by default 1.")
]
StimuliFolder = Annotated[
    Path | None,
    typer.Option("--stimuli", metavar="DIR", help="Your own maps instead of the bundled ones."),
]
Database = Annotated[
    str, typer.Argument(metavar="DB", help="The study's SQLite file or PostgreSQL URL.")
]
Replace = Annotated[bool, typer.Option("--replace", help="Overwrite an existing file or database.")]
