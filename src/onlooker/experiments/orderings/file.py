"""The file of orderings: reading it with checks, and writing it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from onlooker.experiments.layout import NEAR
from onlooker.game import ExperimentName, Trial, TrialError
from onlooker.game.document import load_json
from onlooker.game.problems import MAX_FILE_BYTES
from onlooker.support.files import read_text, write_file
from onlooker.support.problems import Problem, ProblemsError

FIELDS = ("experiment", "seed", "length", "near", "orderings")
REQUIRED = ("length", "orderings")


@dataclass(frozen=True, slots=True)
class OrderingSet:
    """The orderings of an experiment and how they were made."""

    orderings: tuple[tuple[str, ...], ...]  # names of trials
    experiment: ExperimentName | None = None
    seed: int | None = None
    near: float = NEAR  # the distance within which maps count as similar

    @property
    def length(self) -> int:
        """How many trials an ordering has."""
        return len(self.orderings[0])


def dump_orderings(
    orderings: Sequence[Sequence[str]],
    *,
    experiment: ExperimentName | None = None,
    seed: int | None = None,
    near: float = NEAR,
) -> str:
    """Orderings as JSON text, an ordering on a line.

    >>> print(dump_orderings([["a", "b"], ["c", "a"]], experiment=1, seed=7), end="")
    {
      "experiment": 1,
      "seed": 7,
      "length": 2,
      "near": 0.1,
      "orderings": [
        ["a", "b"],
        ["c", "a"]
      ]
    }
    """
    lengths = {len(ordering) for ordering in orderings}
    if len(lengths) != 1:
        raise ValueError(f"the orderings of a file have one length, not {sorted(lengths)}")
    head = {"experiment": experiment, "seed": seed, "length": lengths.pop(), "near": near}
    lines = [f"  {json.dumps(key)}: {_json(value)},\n" for key, value in head.items()]
    rows = ",\n".join(f"    {_json(list(ordering))}" for ordering in orderings)
    return "{\n" + "".join(lines) + f'  "orderings": [\n{rows}\n  ]\n}}\n'


def save_orderings(
    path: str | os.PathLike[str], orderings: Sequence[Sequence[str]], **how: Any
) -> None:
    """Write orderings to a file; `how` is what `dump_orderings` takes."""
    write_file(path, dump_orderings(orderings, **how))


def load_orderings(
    path: str | os.PathLike[str], trials: Iterable[Trial] | None = None
) -> OrderingSet:
    """The orderings in a file; TrialError names the file and everything wrong in it.

    With `trials`, a name that none of them has is refused, and so is a tutorial trial's.
    """
    names = None if trials is None else {t.name: t.tutorial for t in trials if t.name}
    try:
        document = load_json(read_text(path, MAX_FILE_BYTES))
        if problems := list(_problems(document, names)):
            raise TrialError(problems)
    except ProblemsError as error:
        raise TrialError(error.problems, source=path) from None
    return OrderingSet(
        tuple(tuple(ordering) for ordering in document["orderings"]),
        document.get("experiment"),
        document.get("seed"),
        document.get("near", NEAR),
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _problems(document: Any, names: dict[str, bool] | None) -> Iterator[Problem]:
    if not isinstance(document, dict):
        yield Problem("", "expected an object with the field 'orderings'")
        return
    missing = [field for field in REQUIRED if field not in document]
    yield from (Problem("", f"the field {field!r} is missing") for field in missing)
    for field in document:
        if field not in FIELDS:
            yield Problem("", f"unknown field {field!r}; the fields are {', '.join(FIELDS)}")
    yield from _head(document)
    if not missing:
        yield from _rows(document["orderings"], document["length"], names)


def _head(document: dict[str, Any]) -> Iterator[Problem]:
    if not isinstance(document.get("experiment"), int | str | None):
        yield Problem(
            "experiment", f"expected a number or a name, not {_shown(document, 'experiment')}"
        )
    if document.get("seed") is not None and not _whole(document["seed"], 0):
        yield Problem("seed", f"expected a whole number from 0 up, not {_shown(document, 'seed')}")
    if "length" in document and not _whole(document["length"], 1):
        shown = _shown(document, "length")
        yield Problem("length", f"expected a whole number from 1 up, not {shown}")
    near = document.get("near", NEAR)
    if isinstance(near, bool) or not isinstance(near, int | float) or not 0 <= near <= 1:
        yield Problem("near", f"expected a number from 0 to 1, not {_shown(document, 'near')}")


def _rows(rows: Any, length: Any, names: dict[str, bool] | None) -> Iterator[Problem]:
    if not isinstance(rows, list) or not rows:
        yield Problem("orderings", "expected a list of orderings, at least one")
        return
    for number, row in enumerate(rows):
        place = f"orderings[{number}]"
        if not isinstance(row, list):
            yield Problem(place, f"expected a list of trials' names, not {_json(row)[:40]}")
            continue
        if _whole(length, 1) and len(row) != length:
            yield Problem(place, f"{len(row)} trials, but the length is {length}")
        for index, name in enumerate(row):
            if reason := _wrong_name(name, row[:index], names):
                yield Problem(f"{place}[{index}]", reason)


def _wrong_name(name: Any, before: list[Any], names: dict[str, bool] | None) -> str | None:
    if not isinstance(name, str) or not name:
        return f"expected a trial's name, not {_json(name)[:40]}"
    if name in before:
        return f"{name!r} comes twice in this ordering"
    if names is not None and name not in names:
        return f"there is no trial {name!r}"
    if names is not None and names[name]:
        return f"{name!r} is a tutorial trial and cannot be in an ordering"
    return None


def _whole(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _shown(document: dict[str, Any], field: str) -> str:
    return _json(document.get(field))[:40]
