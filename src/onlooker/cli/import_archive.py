"""`onlooker import`: the authors' archive as trial documents, a dataset and means."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from onlooker.cli.errors import interruptible
from onlooker.cli.inputs import folder_to_write
from onlooker.cli.options import output_to
from onlooker.support.extras import needs_extra
from onlooker.support.problems import MOST_LISTED

if TYPE_CHECKING:
    from onlooker.experiments.archive import Import


@interruptible("nothing was written; what was downloaded is kept, and the same command continues")
def import_archive(
    archive: Annotated[
        str,
        typer.Argument(
            metavar="ARCHIVE",
            help="The authors' archive: a folder, a zip, osf:e93kh or an https address of a zip.",
        ),
    ],
    output: Annotated[Path, output_to("The folder to write to.", "OUT")],
    experiment: Annotated[
        list[int] | None,
        typer.Option(metavar="N", min=1, max=4, help="Only this experiment; repeatable."),
    ] = None,
) -> None:
    """Import maps, people and predictions of the paper from the authors' archive.

    Writes a trial document for each level, people as a Psych-DS dataset, their means, and
    manifest.json, which has hashes and everything that was left aside, repaired or could not be
    replayed. No id of a person is written. Everything is read before anything is written.
    """
    from onlooker.experiments import archive as archives

    folder_to_write(output)
    place = archive_path(archive)
    with needs_extra("analysis", "importing people", "pandas"):
        done = archives.import_archive(place, experiment)
    done.write(output)
    for warning in done.maps.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    _say_maps(done)
    if done.people.persons:
        _say_people(done)
    _say_notes(done)
    for missing in done.missing:
        print(f"Missing: {missing}")
    print(f"{len(done.maps.entries)} trials, {len(done.people.persons)} people in {output}")


def archive_path(archive: str) -> Path:
    """An archive on this machine; one that is elsewhere is fetched, with a bar."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    from onlooker.experiments.archive.download import fetch, is_address

    if not is_address(archive):
        return Path(archive)
    console = Console(stderr=True)
    columns = (DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(
        TextColumn("fetching"),
        BarColumn(),
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task("fetching", total=None)
        file = fetch(archive, None, lambda so_far, n: bar.update(task, completed=so_far, total=n))
    print(f"{archive}: kept as {file}; delete it to fetch it again", file=sys.stderr)
    return file


def _say_maps(done: Import) -> None:
    for number in sorted({entry.experiment for entry in done.maps.entries}):
        count = sum(entry.experiment == number for entry in done.maps.entries)
        print(f"Experiment {number}: {count} trials")
    if done.maps.other_maps:
        count = len(done.maps.other_maps)
        print(f"Other maps, not of the paper and not written ({count}):")
        for name in done.maps.other_maps:
            print(f"  {name}")


def _say_people(done: Import) -> None:
    """What the people come to, experiment by experiment."""
    for number in sorted(done.cuts):
        found = done.summary(number)
        print(
            "Experiment {experiment}: {people} people, {completed} completed all they began,"
            " {excluded_by_the_paper} excluded by the paper's rule (score below {cut:g}),"
            " {excluded_by_our_rules} by ours\n"
            "  {trials} trials played, {finished} to the chest, {begun_more_than_once} begun more"
            " than once; {replayed} replayed on our game\n"
            "  {looks} looks (the paper counts {looks_that_differ} NPCs of a trial otherwise);"
            " {keys_and_looks_without_effect} keys and looks without effect;"
            " {moves_put_in} moves put in".format_map(found)
        )
    agree, compared = done.people.positions
    if compared:
        share = f"{agree / compared:.1%}"
        print(f"NPC positions: {agree} of {compared} are those of our planner ({share})")
    if not done.agreement.same_people:
        agreed = f"{done.agreement.agree} of {done.agreement.compared} agree"
        print(
            f"The means that the archive gives are of other people ({agreed}), so these people are"
            " not taken for the paper's"
        )
    differ = sum(count for (_, _, more), count in done.points.items() if more)
    total = sum(done.points.values())
    print(f"Points left: in {differ} of {total} finished trials the log and our rules differ")


def _say_notes(done: Import) -> None:
    """What was left aside, repaired or is wrong: a few of each kind, with file and line."""
    for kind, notes in done.by_kind().items():
        print(f"{kind.capitalize()} ({len(notes)}):")
        for note in notes[:MOST_LISTED]:
            line = f": line {note.line}" if note.line is not None else ""
            level = f": {note.level}" if note.level else ""
            print(f"  {note.file}{line}{level}: {note.reason}")
        if len(notes) > MOST_LISTED:
            print(f"  and {len(notes) - MOST_LISTED} more")
