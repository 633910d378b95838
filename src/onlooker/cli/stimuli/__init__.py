"""`onlooker stimuli`: the trials that come with onlooker, and making new sets."""

from __future__ import annotations

import typer

from onlooker.cli.stimuli.design import design
from onlooker.cli.stimuli.report import report
from onlooker.cli.stimuli.sets import export, inventory, list_stimuli, orderings, sheet

app = typer.Typer(
    name="stimuli",
    help="The trials that come with onlooker, and making your own sets.",
    no_args_is_help=True,
    add_completion=False,
)
app.command("list")(list_stimuli)
for command in (export, report, design, orderings, sheet, inventory):
    app.command()(command)
