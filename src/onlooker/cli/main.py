"""The `onlooker` command."""

from __future__ import annotations

import atexit
import gc
import sys
import warnings
from collections.abc import Callable
from typing import Annotated, ClassVar

import typer

from onlooker.cli.errors import BAD_INPUT, InputError, raised_in_own_code
from onlooker.cli.lazy import Entry, LazyGroup
from onlooker.support.extras import MissingExtraError
from onlooker.support.problems import ProblemsError
from onlooker.version import __version__


class Commands(LazyGroup):
    """The commands in the order of the help text."""

    panels: ClassVar = {
        "Trials": (
            Entry("examples", "Write the example files of the documentation.", "trials:examples"),
            Entry("check", "Check trials and report what is wrong with them.", "trials:check"),
            Entry("show", "Draw a trial in the terminal, or as a picture.", "trials:show"),
            Entry("convert", "Convert a trial: document, map text or PDDL.", "trials:convert"),
            Entry("stimuli", "The trials that come with onlooker; make your own.", "stimuli"),
            Entry("import", "Import the authors' archive.", "import_archive:import_archive"),
            Entry("schema", "Print the JSON Schema of the trial document.", "trials:schema"),
        ),
        "Observers": (
            Entry("run", "Run observers on trials: whom they watch, how long."),
            Entry("explain", "Explain an observer's decisions step by step."),
            Entry("lesson", "Show what teachers would do, beside experts."),
            Entry("posterior", "Write what watching each NPC reveals, as tables."),
            Entry("predict", "Predict how long observers watch, as a table."),
            Entry("regret", "Compare observers with the ideal observer."),
            Entry("sweep", "Run observers under many parameter settings."),
            Entry("sensitivity", "Show how predictions depend on the parameters."),
        ),
        "A study": (
            Entry("settings", "Print an example of a study's settings.", "study:settings"),
            Entry("preflight", "Check that a study is ready for people.", "study:preflight"),
            Entry("serve", "Run the experiment in the browser."),
            Entry("links", "Print a signed link for each participant.", "study:links"),
            Entry("bots", "Let bots take part and check every reply.", "study:bots"),
            Entry("backup", "Copy a study's database to a file."),
            Entry("restore", "Restore a study's database from a copy.", "backup:restore"),
            Entry("export", "Write a study's data as a dataset.", "backup:export"),
            Entry("erase", "Erase everything about a participant.", "backup:erase"),
        ),
        "Data": (
            Entry("simulate", "Let simulated participants play a study."),
            Entry(
                "import-data", "Make a dataset of a table of choices.", "import_data:import_data"
            ),
            Entry("compare", "Compare what people did with predictions."),
            Entry("fit", "Fit observers to single people's decisions."),
            Entry("recover", "Test whether fits find what made the data."),
            Entry("power", "Compute how many participants are needed."),
            Entry("reproduce", "Run everything, to figures and a report."),
        ),
        "Players": (
            Entry("play", "Play trials at the terminal."),
            Entry("players", "Let language models play.", "players"),
            Entry("benchmark", "Compare players with the ideal observer."),
        ),
    }


app = typer.Typer(
    name="onlooker",
    cls=Commands,
    help="When to watch others and whom: the game, the models and the experiments.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"onlooker {__version__}")
        raise typer.Exit


@app.callback()
def onlooker(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """When to watch others and whom: the game, the models and the experiments."""


def _warn_once() -> Callable[..., None]:
    """What prints each warning in plain words, without the line of code, and no words twice."""
    printed: set[str] = set()

    def print_warning(message: Warning | str, *_: object, **__: object) -> None:
        if str(message) not in printed:
            printed.add(str(message))
            print(f"warning: {message}", file=sys.stderr)

    return print_warning


def main() -> None:
    """Run the command line; what the user got wrong is said in plain words, without a traceback."""
    warnings.showwarning = _warn_once()
    gc.set_threshold(50_000, 20, 20)  # a short command mostly imports, and leaves no garbage
    atexit.register(gc.freeze)  # else Python looks through all of it for garbage as it ends
    try:
        app()
    except (ProblemsError, InputError, MissingExtraError) as error:
        print(error, file=sys.stderr)
        sys.exit(BAD_INPUT)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        print(f"{name}{error.strerror or error}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    except Exception as error:
        from onlooker.observers.errors import ObserverError  # not before it is needed: it is large
        from onlooker.planning.compiling import CompilingError

        ours = isinstance(error, CompilingError | ObserverError)
        words = str(error) if ours else raised_in_own_code(error)
        if words is None:
            raise
        print(words, file=sys.stderr)
        sys.exit(BAD_INPUT)
