"""`onlooker import-data`: a dataset from a plain table of choices."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from onlooker.cli.errors import InputError, refusing, replaying
from onlooker.cli.inputs import given, trials_of
from onlooker.cli.options import Archive, Budget, BudgetOption, SkipBad, Stimuli, output_to
from onlooker.support.problems import DataError, first_lines
from onlooker.support.rounding import counted

COLUMNS = ("participant", "level", "choice", "experiment", "time")  # a test compares


def import_data(
    table: Annotated[
        Path,
        typer.Argument(metavar="CSV", help="Choices in their order: participant, level, choice."),
    ],
    output: Annotated[Path, output_to("Where to write the dataset.")],
    stimuli: Stimuli = None,
    archive: Archive = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OURS=YOURS",
            help="What the table calls a column, e.g. participant=subject_id; repeatable. Ours are"
            " participant, level, choice, and if there are any, experiment and time.",
        ),
    ] = None,
    budget: BudgetOption = Budget.PAPER,
    name: Annotated[str | None, typer.Option(metavar="TEXT", help="What to call the data.")] = None,
    simulated: Annotated[
        bool, typer.Option("--simulated", help="Say that a program made the choices, not people.")
    ] = False,
    skip_bad: SkipBad = False,
) -> None:
    """Make a dataset of a plain table of choices, which compare and fit read.

    A row is a choice: up, down, left, right, or "observe" and an NPC's id. Costs, events, points
    and counts are computed by the rules of the game. A trial that does not come to the chest is
    unfinished, and a participant with such a trial has not completed.

    Examples:
        onlooker import-data examples/choices.csv -o lab --stimuli examples
    """
    from onlooker.analysis import analysis_extra

    with analysis_extra():
        from onlooker.experiments.importing import NO_TRIAL, read_choices
    from onlooker.experiments.dataset import write_dataset
    from onlooker.experiments.provenance import provenance

    trials = trials_of(stimuli, archive=archive)
    renamed = _columns(column or ())
    try:
        with replaying(bool(stimuli or archive)):
            records, bad = read_choices(table, trials, renamed, budget.value, skip_bad=skip_bad)
    except DataError as error:
        if any(each.reason.startswith("missing columns") for each in error.problems):
            how = "say what the table calls them, such as --column participant=subject_id"
        elif not stimuli and any(each.reason.startswith(NO_TRIAL) for each in error.problems):
            how = "name the trials that were played by --stimuli"
        else:
            raise
        raise InputError(f"{error}\n{how}") from None
    if not records.participants:
        raise InputError(f"{table}: no trial is left")
    who = "made by a program" if simulated else "of people"
    inputs = [table, *given(stimuli, archive)]
    config = {"command": "import-data", "columns": renamed, "budget": budget.value}
    with refusing():
        write_dataset(
            output,
            records.tables(),
            name or table.stem,
            f"Choices {who}, imported from {table.name}.",
            simulated=simulated,
            extra={"budgetRule": budget.value, "provenance": provenance(inputs, config)},
        )
    for line in first_lines([str(problem) for problem in bad]):
        print(f"left out: {line}", file=sys.stderr)
    unfinished = [row for row in records.trials if not row["finished"]]
    print(
        f"{counted(len(records.participants), 'participant')},"
        f" {counted(len(records.trials), 'trial')} ({len(unfinished)} unfinished),"
        f" {counted(len(records.actions), 'choice')} in {output}"
    )


def _columns(words: list[str] | tuple[str, ...]) -> dict[str, str]:
    """What the table calls our columns."""
    found: dict[str, str] = {}
    for word in words:
        ours, equals, theirs = (part.strip() for part in word.partition("="))
        if not equals or not theirs or ours not in COLUMNS:
            names = ", ".join(COLUMNS)
            raise InputError(
                f"--column {word}: expected OURS=YOURS, such as participant=subject_id; ours are"
                f" {names}"
            )
        if ours in found:
            raise InputError(f"--column {word}: {ours} is named twice; expected it once")
        found[ours] = theirs
    return found
