"""`onlooker examples`, `check`, `show`, `convert` and `schema`: trials and their formats."""

from __future__ import annotations

import json
import warnings
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from onlooker.cli.errors import InputError, refusing
from onlooker.cli.inputs import folder_to_write, pictures_of, read_planned
from onlooker.cli.options import Png, Svg, TrialFile, TrialPaths, output_to
from onlooker.support.files import write_file
from onlooker.support.problems import Problem

if TYPE_CHECKING:
    from onlooker.planning import Steps


class Format(StrEnum):
    """The formats a trial can be written in."""

    JSON = "json"
    MAP = "map"
    PDDL = "pddl"


EXAMPLES = Path(__file__).parents[1] / "examples"  # in an installed package
if not EXAMPLES.is_dir():  # in a checkout they are at its root
    EXAMPLES = Path(__file__).parents[3] / "examples"


def examples(
    output: Annotated[Path, output_to("Where to write them.")] = Path("examples"),
) -> None:
    """Write the example files of the documentation: maps, choices, an observer, settings.

    Commands in the documentation and in these help texts read them from the folder examples. A
    file that you have changed is not overwritten.

    Examples:
        onlooker examples -o my-examples
    """
    folder_to_write(output)
    found = {
        file.relative_to(EXAMPLES): file.read_bytes()
        for file in sorted(EXAMPLES.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    }
    for name, content in found.items():
        place = output / name
        if place.exists() and (not place.is_file() or place.read_bytes() != content):
            raise InputError(f"{place}: differs from the example; expected another --output")
    for name, content in found.items():
        write_file(output / name, content)
    print(f"{len(found)} files in {output}")


def check(paths: TrialPaths) -> None:
    """Check trials and report what is wrong with them.

    Each problem is a line that names the file, the place and the reason; after the first ten only
    their number is printed. The exit status is 2 if any file has a problem.

    Examples:
        onlooker check examples
    """
    from onlooker.experiments.trialset import trial_files
    from onlooker.game import TrialError, can_search_alone
    from onlooker.game.needs import ENDLESS_SEARCH

    problems: list[Problem] = []
    for file in map(str, trial_files(paths)):
        try:
            trial, _ = read_planned(file)
        except TrialError as error:
            problems += [Problem(file, str(problem)) for problem in error.problems]
        else:
            print(f"{file}: ok")
            if not can_search_alone(trial.map, trial.main.at, trial.main.goal):
                warnings.warn(f"{file}: {ENDLESS_SEARCH}", stacklevel=1)
    if problems:
        raise TrialError(problems)


def show(
    file: TrialFile,
    path: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Draw this agent's path: an NPC's id, main, or all."),
    ] = None,
    holders: Annotated[
        bool, typer.Option("--holders", help="Mark the wizards that hold the amulets.")
    ] = False,
    png: Png = None,
    svg: Svg = None,
) -> None:
    """Draw a trial in the terminal, or as a picture.

    An expert's path is the least-cost one, a novice's the one on which it tries the nearest
    wizards; main's is what would cost it least if it knew the holders.

    Examples:
        onlooker show examples/two-experts.map --holders
        onlooker show examples/two-experts.map --path all --svg two-experts.svg
    """
    pictures = pictures_of(png, svg)
    trial, reference = read_planned(file)
    paths = _chosen(path or [], reference)
    if not pictures:
        from rich.console import Console

        from onlooker.drawing.terminal import map_text

        text = map_text(trial, holders=holders, paths=paths)
        Console(highlight=False, soft_wrap=True).print(text)
        return
    from onlooker.drawing.figure import map_figure, save_figure

    for picture in pictures:
        save_figure(map_figure(trial, holders=holders, paths=paths), picture)
        print(picture)


def _chosen(wanted: list[str], reference: dict[str, Steps]) -> dict[str, Steps]:
    if "all" in wanted:
        return reference
    for agent in wanted:
        if agent not in reference:
            known = ", ".join(reference)
            raise InputError(f"--path {agent}: there is no such agent; this trial has {known}, all")
    return {agent: reference[agent] for agent in wanted}


def convert(
    file: TrialFile,
    output: Annotated[Path | None, output_to("Where to write; for PDDL a folder.", "OUT")] = None,
    to: Annotated[
        Format | None,
        typer.Option(help="The format; by default what OUT's name says: .json, .map or .pddl."),
    ] = None,
) -> None:
    """Convert a trial to a trial document, a map text, or PDDL for planners.

    Without OUT the trial is printed, in the format of --to. PDDL goes into a folder: a domain,
    and a problem for each agent and each hypothesis about its goal and the holders.

    Examples:
        onlooker convert examples/two-experts.map -o two-experts.json
        onlooker convert examples/two-experts.map --to pddl -o planning
    """
    from onlooker.game import dump_trial, load_trial
    from onlooker.game.pddl import export_pddl

    trial = load_trial(file)
    format = to or _format_of(output)
    if format is Format.PDDL:
        if output is None:
            raise InputError("PDDL is several files; expected --output with the name of a folder")
        folder_to_write(output)
        with refusing(f"{file}: "):  # too many hypotheses for a file each
            files = dict(export_pddl(trial))
        for name, text in files.items():
            write_file(output / name, text)
        print(f"{len(files)} files in {output}")
    elif output is None:
        print(dump_trial(trial, format), end="")
    else:
        write_file(output, dump_trial(trial, format))


def _format_of(output: Path | None) -> Format:
    suffix = output.suffix.lower().removeprefix(".") if output else ""
    if suffix not in list(Format):
        where = f"{output}: " if output else ""
        reason = "no format is given" if output is None else "the name does not say the format"
        raise InputError(f"{where}{reason}; use --to json, --to map or --to pddl")
    return Format(suffix)


def schema() -> None:
    """Print the JSON Schema of the trial document.

    Examples:
        onlooker schema
    """
    from onlooker.game.document_writer import trial_schema

    print(json.dumps(trial_schema(), indent=2, ensure_ascii=False))
