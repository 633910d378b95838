"""`onlooker explain`: why an observer does what it does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from onlooker.cli.errors import InputError, planned, refusing
from onlooker.cli.inputs import (
    check_ending,
    observer_of,
    parameters_of,
    pictures_of,
    recordings_of,
    rules_of,
)
from onlooker.cli.options import (
    OBSERVER_NAMES,
    ChoiceRuleName,
    Data,
    Png,
    RuleName,
    Settings,
    Stimuli,
    Svg,
)
from onlooker.support.files import write_file

if TYPE_CHECKING:
    from onlooker.game import Trial
    from onlooker.observers import Observer, Parameters


def explain(
    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="A trial document (JSON) or a map text."),
    ] = None,
    observer: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Whose decision: an observer's name, as for run.",
            autocompletion=lambda: [*OBSERVER_NAMES],
        ),
    ] = "rational_mentalizing",
    rule: ChoiceRuleName = None,
    settings: Settings = None,
    png: Png = None,
    svg: Svg = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="Write the replay as one HTML page that opens from disk."),
    ] = None,
    data: Data = None,
    participant: Annotated[
        str | None, typer.Option(metavar="P", help="Of --data: whose replay to write.")
    ] = None,
    level: Annotated[
        str | None, typer.Option(metavar="L", help="Of --data: the name of the trial.")
    ] = None,
    stimuli: Stimuli = None,
) -> None:
    """Explain an observer's decision step by step, in words and numbers, or as a figure.

    What it believes, what watching each NPC would cost and bring, what it chooses and why. By a
    soft rule the words also give the probability of each choice. The HTML page replays the whole
    trial with the mind of the model open; the other observers are in it too.

    With --data, --participant and --level the page shows what a person did in a trial of a dataset
    or of an imported archive, with the mind of the model at each step.

    Examples:
        onlooker explain examples/two-experts.map
        onlooker explain examples/two-experts.map --html replay.html
    """
    pictures = pictures_of(png, svg)
    check_ending(html, "html")
    if data is not None:
        if file is not None or pictures or html is None or participant is None or level is None:
            words = "expected --participant P, --level L and --html OUT, and no file or picture"
            raise InputError(f"--data {data}: {words}")
        _write_person(data, participant, level, stimuli or [], parameters_of(settings), html)
        return
    if participant is not None or level is not None or stimuli:
        raise InputError("--participant, --level and --stimuli: expected --data DIR beside them")
    if file is None:
        raise InputError("expected a trial FILE, or --data DIR")
    chosen = observer_of(observer)
    parameters = parameters_of(settings, [chosen])
    [by] = rules_of([chosen], rule)
    from onlooker.game import load_trial
    from onlooker.observers import Engine, Expectation
    from onlooker.observers.choice_rules import run_by_rule

    trial = load_trial(file)
    if html is not None:
        _write_page(trial, chosen, rule, parameters, file, html)
        if not pictures:
            return
    engine = Engine(trial, parameters)
    expected = None
    with planned(file):
        result = run_by_rule(chosen, engine, by)
        if by != "hard":
            expected = Expectation.of(chosen.lattice(engine), by, parameters)
    if pictures:
        from onlooker.drawing.explain import explain_figure
        from onlooker.drawing.figure import save_figure

        for picture in pictures:
            save_figure(explain_figure(engine, result), picture)
            print(picture)
        return
    from rich.console import Console

    from onlooker.drawing.words import explanation

    console = Console(highlight=False)
    for paragraph in explanation(engine, result, chosen, expected):
        console.print(paragraph)


def _write_page(
    trial: Trial,
    observer: Observer,
    rule: RuleName | None,
    parameters: Parameters,
    file: str,
    out: Path,
) -> None:
    """Write the replay as a page."""
    from onlooker.web.replay.page import replay_page

    with planned(file):
        page = replay_page(trial, observer, parameters, trial.name or Path(file).stem, rule)
    _write(page, out)


def _write_person(
    data: Path,
    participant: str,
    level: str,
    stimuli: list[str],
    parameters: Parameters,
    out: Path,
) -> None:
    """Write what a person did in a trial as a page."""
    from onlooker.web.replay.document import recorded_log
    from onlooker.web.replay.page import participant_page

    recordings = recordings_of(data, stimuli)
    with refusing(f"--data {data}: "):
        recording = recordings.find(participant, level)
    with planned(f"{data}, level {level}"):
        page = participant_page(recorded_log(recording), parameters, level)
    _write(page, out)


def _write(page: str, out: Path) -> None:
    """Write a page, whole or not at all."""
    try:
        write_file(out, page)
    except OSError as error:
        raise InputError(f"--html {out}: cannot be written: {error.strerror}") from None
    print(out)
