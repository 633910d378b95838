"""The `onlooker` command."""

from __future__ import annotations

import atexit
import gc
import sys
import warnings
from typing import Annotated, Any

import typer

from onlooker.cli import (
    backup,
    benchmark,
    bots,
    check,
    compare,
    convert,
    erase,
    explain,
    fit,
    import_archive,
    links,
    play,
    players,
    posterior,
    predict,
    preflight,
    recover,
    regret,
    reproduce,
    run,
    schema,
    sensitivity,
    serve,
    settings,
    show,
    simulate,
    stimuli,
    sweep,
)
from onlooker.cli.common import BAD_INPUT, InputError
from onlooker.support.extras import MissingExtraError
from onlooker.support.problems import ProblemsError
from onlooker.version import __version__

app = typer.Typer(
    name="onlooker",
    help="When to watch others and whom: the game, the models and the experiments.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
PANELS = {  # the commands in the order of the help text
    "Trials": (check, show, convert, stimuli, import_archive, schema),
    "Observers": (run, explain, posterior, predict, regret, sweep, sensitivity),
    "A study": (settings, preflight, serve, links, bots, backup, erase),
    "Data": (simulate, compare, fit, recover, reproduce),
    "Players": (play, players, benchmark),
}
for panel, modules in PANELS.items():
    for module in modules:
        module.register(app)
    known: list[Any] = [*app.registered_commands, *app.registered_groups]
    for registered in known:
        if registered.rich_help_panel not in PANELS:
            registered.rich_help_panel = panel


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


def _print_warning(message: Warning | str, *_: object, **__: object) -> None:
    print(f"warning: {message}", file=sys.stderr)


def main() -> None:
    """Run the command line; what the user got wrong is said in plain words, without a traceback."""
    warnings.showwarning = _print_warning  # in plain words, without the line of code
    gc.set_threshold(50_000, 20, 20)  # a short command mostly imports, and leaves no garbage
    atexit.register(gc.freeze)  # else Python looks through all of it for garbage as it ends
    try:
        app()
    except (ProblemsError, InputError, MissingExtraError) as error:
        print(error, file=sys.stderr)
        sys.exit(BAD_INPUT)
    except ValueError as error:
        from onlooker.observers.errors import ObserverError  # not before it is needed: it is large
        from onlooker.planning.compiling import CompilingError

        if not isinstance(error, CompilingError | ObserverError):
            raise
        print(error, file=sys.stderr)
        sys.exit(BAD_INPUT)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        print(f"{name}{error.strerror or error}", file=sys.stderr)
        sys.exit(BAD_INPUT)
