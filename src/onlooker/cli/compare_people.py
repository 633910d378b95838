"""The part of `onlooker compare` that compares observers on single people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onlooker.cli.errors import InputError, refusing
from onlooker.cli.inputs import folder_to_write
from onlooker.cli.printing import print_table, wide_console
from onlooker.fitting import fit_extra

if TYPE_CHECKING:
    from rich.console import Console

    from onlooker.fitting.comparing import IndividualComparison
    from onlooker.fitting.folders import Fits

SHOWN = {  # the columns of each table that is printed, and how many digits
    "people": {
        "experiment": None,
        "participant": None,
        "best": None,
        "lead": 2,
        "next": None,
        "undecided": None,
    },
    "selection": {
        "experiment": None,
        "observer": None,
        "participants": 0,
        "best_of": 0,
        "sum_log_evidence": 2,
        "r": 2,
        "r_low": 2,
        "r_high": 2,
        "xp": 3,
        "pxp": 3,
        "bor": 3,
    },
    "families": {"experiment": None, "family": None, "member": None, "prior": 2, "r": 2, "xp": 3},
    "cross_validation": {
        "experiment": None,
        "observer": None,
        "unit": None,
        "n": 0,
        "elpd": 2,
        "se": 2,
        "difference": 2,
        "difference_se": 2,
        "k_above_07": 0,
    },
}
TITLES = {
    "people": "which observer describes each participant best; the lead over the next is of {unit}",
    "selection": "random-effects selection by {criterion}, {method}, alpha0 = {alpha0:g}",
    "families": "families of observers",
    "cross_validation": "cross-validation: what is left out is predicted from the rest",
}


def compare_people(
    fits: Sequence[Path],
    criterion: str,
    alpha0: float,
    method: str,
    output: Path | None,
    as_json: bool,
) -> None:
    """Select among fitted observers, print what was found, and write it if wanted."""
    with fit_extra():
        from onlooker.fitting import comparing
        from onlooker.fitting.folders import read_all_fits
        from onlooker.fitting.selection import METHODS, SelectionError
    if not fits:
        raise InputError("--individual: expected --fits, a folder that `onlooker fit` wrote")
    if criterion not in comparing.CRITERIA:
        known = ", ".join(comparing.CRITERIA)
        raise InputError(f"--criterion {criterion}: expected one of {known}")
    if not (isfinite(alpha0) and alpha0 > 0):
        raise InputError(f"--alpha0 {alpha0:g}: expected a number above 0")
    if method not in METHODS:
        raise InputError(f"--method {method}: expected one of {', '.join(METHODS)}")
    if twice := [folder for folder in fits if fits.count(folder) > 1]:
        raise InputError(f"--fits {twice[0]}: given twice")
    every = read_all_fits(fits)
    with refusing(f"{', '.join(map(str, fits))}: ", SelectionError):
        found = comparing.compare_people(every, criterion, alpha0, method)
    if output is not None:
        _write(found, output, every, fits)
    if as_json:
        print(json.dumps(found.to_dict(), ensure_ascii=False))
    else:
        _print(found, wide_console())


def _write(found: IndividualComparison, output: Path, fits: Fits, folders: Sequence[Path]) -> None:
    from onlooker.analysis.figures.fitting import fitting_plates
    from onlooker.analysis.figures.plate import save_plate
    from onlooker.experiments.provenance import provenance
    from onlooker.support.files import json_text, write_file
    from onlooker.support.folders import filling

    folder_to_write(output)
    config = {
        "command": "compare --individual",
        "criterion": found.criterion,
        "alpha0": found.alpha0,
        "method": found.method,
    }
    with filling(output, "selection.csv") as work:
        for name, frame in found.tables.items():
            text = frame.to_csv(index=False, lineterminator="\n")
            write_file(work / f"{name}.csv", text)
        write_file(work / "provenance.json", json_text(provenance(folders, config)))
        for plate in fitting_plates(fits, found):
            save_plate(plate, work / "figures")


def _print(found: IndividualComparison, console: Console) -> None:
    for answer in found.answers.values():
        console.print(f"{found.data}: {answer}", markup=False)
    for name, columns in SHOWN.items():
        if name in found.tables:
            title = TITLES[name].format(**vars(found), unit=found.unit)
            frame = found.tables[name]
            written = {
                column: [_cell(value, digits) for value in frame[column]]
                for column, digits in columns.items()
            }
            words = [column for column, digits in columns.items() if digits is None]
            ends = (frame["experiment"] != frame["experiment"].shift(-1)).tolist()
            print_table(console, f"{found.data}: {title}", written, words, ends)
    for note in found.notes:
        console.print(note)
    for observer, prior in found.priors.items():
        console.print(f"prior of {observer}: {prior}", markup=False)


def _cell(value: Any, digits: int | None) -> str:
    if value is None or value is False or value != value:  # nan
        return ""
    if value is True:
        return "undecided"
    return str(value) if digits is None else f"{value:.{digits}f}"
