"""`onlooker compare`: what people did against what the observers predict."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from onlooker.analysis import analysis_extra
from onlooker.cli.compare_people import compare_people
from onlooker.cli.errors import InputError, replaying
from onlooker.cli.inputs import folder_to_write, played_trials
from onlooker.cli.options import Archive, Seed, SkipBad, Stimuli, output_to
from onlooker.cli.printing import print_table, wide_console
from onlooker.support.rounding import rounded

if TYPE_CHECKING:
    from rich.console import Console

    from onlooker.analysis.tables.comparison import Comparison

Values = dict[str, Any]
Format = Callable[[Values], str]

CRITERION, ALPHA0, METHOD = "evidence", 1.0, "exact"  # of comparing single people


def compare(
    predictions: Annotated[
        Path | None, typer.Option(metavar="P.csv", help="A table that `onlooker predict` wrote.")
    ] = None,
    human: Annotated[
        Path | None,
        typer.Option(
            metavar="H", help="What people did: a CSV of means per level, or a Psych-DS folder."
        ),
    ] = None,
    individual: Annotated[
        bool,
        typer.Option("--individual", help="Compare observers on single people, by their --fits."),
    ] = False,
    fits: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="A folder that `onlooker fit` wrote; repeatable, for observers that were fitted"
            " to the same people one after the other.",
        ),
    ] = None,
    criterion: Annotated[
        str, typer.Option(metavar="NAME", help="With --individual: evidence, bic, aic or cv.")
    ] = CRITERION,
    alpha0: Annotated[
        float, typer.Option(metavar="A", help="With --individual: prior count of each observer.")
    ] = ALPHA0,
    method: Annotated[
        str,
        typer.Option(metavar="NAME", help="With --individual: exact, sampling, or vb as SPM has."),
    ] = METHOD,
    stimuli: Stimuli = None,
    archive: Archive = None,
    skip_bad: SkipBad = False,
    output: Annotated[
        Path | None, output_to("Write the tables; with --individual, figures too.")
    ] = None,
    seed: Seed = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Compare what people did with what observers predict.

    Prints how well each observer fits, beside how well people agree with each other and beside
    the values that the paper reports. Simulated data is called so and stands beside no reported
    value. The choices in a Psych-DS folder are replayed on the trials that were played, by default
    ours; --stimuli or --archive names others. With --individual, it selects among observers that
    were fitted to single people.
    """
    if individual:
        if any(each is not None for each in (predictions, human, stimuli, archive)) or skip_bad:
            raise InputError(
                "--individual: expected --fits alone, without data, predictions or stimuli"
            )
        compare_people(fits or [], criterion, alpha0, method, output, as_json)
        return
    if predictions is None or human is None:
        missing = "--predictions" if predictions is None else "--human"
        raise InputError(f"{missing}: missing; expected both --predictions and --human")
    for option, given in {
        "--fits": bool(fits),
        "--criterion": criterion != CRITERION,
        "--alpha0": alpha0 != ALPHA0,
        "--method": method != METHOD,
    }.items():
        if given:
            raise InputError(f"{option} requires --individual")
    with analysis_extra():
        from onlooker.analysis.data.human import read_human
        from onlooker.analysis.data.predictions import read_predictions
        from onlooker.analysis.tables import comparison
    table = comparison.predictions_frame(read_predictions(predictions))
    named = bool(stimuli or archive)
    trials = played_trials(stimuli, archive) if named or human.is_dir() else []
    with replaying(named):
        people = read_human(human, table, trials, skip_bad=skip_bad, complete=named)
    found = comparison.compare(table, people, seed=seed)
    if output is not None:
        _write(found, output, [predictions, human])
    if as_json:
        print(json.dumps(found.to_dict(), ensure_ascii=False, allow_nan=False))
    else:
        _print(found, wide_console())


# -- as tables -------------------------------------------------------------------------------------


def _write(found: Comparison, output: Path, inputs: list[Path]) -> None:
    """Write the tables of a comparison into a folder."""
    from onlooker.analysis.tables.comparison import TABLES
    from onlooker.experiments.provenance import provenance
    from onlooker.experiments.tables import write_frame
    from onlooker.support.files import json_text, write_file
    from onlooker.support.folders import filling

    folder_to_write(output)
    config = {"command": "compare", "resamples": found.resamples, "splits": found.splits}
    with filling(output, "fits.csv") as work:
        for name in TABLES:
            write_frame(work / f"{name}.csv", getattr(found, name))
        write_file(work / "provenance.json", json_text(provenance(inputs, config, found.seed)))


def _print(found: Comparison, console: Console) -> None:
    from onlooker.analysis.data.scopes import MEASURES, POOLED

    plain, shown = found.to_dict(), []
    several = len({row["experiment"] for row in plain["sample"]}) > 1
    for measure in MEASURES:
        rows = [
            row | {"of": measure.title}
            for row in plain["fits"]
            if row["measure"] == measure.name and (several or row["experiment"] != POOLED)
        ]
        _print_part(console, f"{found.data} against model: {measure.title}", FIT, rows)
        shown += rows
    title = f"{found.data} and model: observation cost on execution cost"
    _print_part(console, title, SLOPE, plain["slopes"])
    _print_part(console, f"{found.data}: participants", SAMPLE, plain["sample"])
    for note in (*_reasons(shown), *_reasons(plain["slopes"]), *found.notes):
        console.print(note)
    paper = "" if found.data == "simulated" else " (in parentheses: the paper's)"
    console.print(
        f"data: {found.data}; 95% intervals: {found.resampler.method}, {found.resamples} resamples;"
        f" ceiling: √r_SB, about what can be expected of r; r_SB: split-half reliability,"
        f" {found.splits} splits{paper}; seed {found.seed}"
    )


def _print_part(
    console: Console, title: str, columns: dict[str, Format], rows: list[Values]
) -> None:
    """A table of what there is, and a line on what there is not."""
    filled = [row for row in rows if any(row.get(name) is not None for name in FILLED)]
    if filled:
        written = {name: [write(row) for row in filled] for name, write in columns.items()}
        last = [row["experiment"] for row in filled]
        ends = [here != after for here, after in zip(last, [*last[1:], None], strict=True)]
        print_table(console, title, written, WORDS, ends)
    what = "what is empty needs" if filled else "needs"
    for need in sorted({row["needs"] for row in rows if row["needs"]}):
        console.print(f"{title}: {what} {need}")


def _reasons(rows: list[Values]) -> Iterator[str]:
    """Why values are not given, each reason once: where, and of what or whose if not of all."""
    found: dict[str, list[Values]] = {}
    for row in rows:
        for reason in filter(None, (row.get("reason") or "").split("; ")):
            found.setdefault(reason, []).append(row)
    for reason, several in found.items():
        where = list(dict.fromkeys(row["experiment"] for row in several))
        here = [row for row in rows if row["experiment"] in where]
        parts = [f"Exp. {', '.join(map(str, where))}"]
        for part in (_what, _who):
            named = list(dict.fromkeys(map(part, several)))
            if len(named) < len(set(map(part, here))):
                parts.append(", ".join(named))
        yield f"{'; '.join(parts)}: {reason}"


def _what(row: Values) -> str:
    return str(row.get("of", ""))


def _who(row: Values) -> str:
    return str(row.get("observer") or row["who"])


def _number(value: float | None, digits: int = 2) -> str:
    """A number as papers write it; nothing where there is none."""
    return "" if value is None or math.isnan(value) else rounded(value, digits)


def _signed(name: str) -> Format:
    return lambda row: "" if row.get(name) is None else f"{row[name]:+.2f}"


def _plain(name: str, digits: int | None = None) -> Format:
    def written(row: Values) -> str:
        value = row.get(name)
        if value is None:
            return ""
        return str(value) if digits is None else _number(value, digits)

    return written


def _or_paper(name: str) -> Format:
    """Our value, or the paper's in parentheses where people's own data is absent."""

    def written(row: Values) -> str:
        paper = _number(row.get(f"paper_{name}"))
        return _number(row.get(name)) or (f"({paper})" if paper else "")

    return written


def _ranged(name: str, low: str, high: str, digits: int = 2) -> Format:
    """A value with its interval."""

    def written(row: Values) -> str:
        ends = [_number(row.get(end), digits) for end in (low, high)]
        bound = "≤ " if row.get(f"{name}_at_most") else ""
        return (
            bound + _number(row.get(name), digits) + (f" [{', '.join(ends)}]" if all(ends) else "")
        )

    return written


WORDS = ("exp.", "NPC", "observer", "who")
FILLED = ("rmse", "slope", "began")  # a value that only rows that could be computed have

FIT: dict[str, Format] = {
    "exp.": _plain("experiment"),
    "observer": _plain("observer"),
    "NPC": lambda row: row["npc"] or row["role"] or "all",
    "n": _plain("n"),
    "r": _ranged("r", "r_low", "r_high"),
    "CCC": _ranged("ccc", "ccc_low", "ccc_high"),
    "RMSE": _plain("rmse", 2),
    "MAE": _plain("mae", 2),
    "difference": _signed("mean_difference"),
    "r_SB": _or_paper("reliability"),
    "ceiling": _or_paper("ceiling"),
    "paper's r": _ranged("paper_r", "paper_r_low", "paper_r_high"),
    "r − paper's": _signed("difference_r"),
    "paper's CCC": _ranged("paper_ccc", "paper_ccc_low", "paper_ccc_high"),
    "CCC − paper's": _signed("difference_ccc"),
}
SLOPE: dict[str, Format] = {
    "exp.": _plain("experiment"),
    "who": _plain("who"),
    "n": _plain("n"),
    "slope": _ranged("slope", "low", "high", digits=3),
}
SAMPLE: dict[str, Format] = {
    "exp.": _plain("experiment"),
    **{name: _plain(name, 0) for name in ("began", "completed", "excluded", "kept")},
    "age": _plain("age_mean", 1),
    "SD": _plain("age_sd", 1),
    "gender": _plain("gender"),
    "paper's N": _plain("paper_participants", 0),
    "paper's excluded": _plain("paper_excluded", 0),
}
