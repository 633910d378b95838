"""Whatever a file holds, reading it gives a trial or says what is wrong."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlooker.game import Trial, TrialError, dump_document, dump_map_text, load_trial, parse_trial
from strategies import trials

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def read(text: str) -> None:
    try:
        assert isinstance(parse_trial(text), Trial)
    except TrialError as error:
        assert error.problems
        assert all(problem.reason for problem in error.problems)


@given(st.text())
def test_any_text(text: str) -> None:
    read(text)


@given(st.text())
def test_any_text_as_a_map(text: str) -> None:
    read(f"map:\n{text}")
    read(f"map:\n@A\n\nlegend:\n{text}")
    read(f"map:\n@A\n\nlegend:\n@ = main agent, goal A\n\nactions:\n{text}")


@given(anything)
def test_any_json(value: object) -> None:
    read(json.dumps(value))


@given(trials(), st.data())
def test_a_document_with_any_part_replaced(trial: Trial, data: st.DataObject) -> None:
    document = json.loads(dump_document(trial))
    part, where = document, None
    while isinstance(part, (dict, list)) and part:
        keys = list(part) if isinstance(part, dict) else range(len(part))
        where = part, data.draw(st.sampled_from(keys))
        part = where[0][where[1]]
        if data.draw(st.booleans()):
            break
    assert where is not None
    where[0][where[1]] = data.draw(anything)
    read(json.dumps(document))


def reasons(document: dict[str, Any], path: str) -> list[str]:
    """What is wrong with a part of a document, apart from what else stands there."""
    try:
        parse_trial(json.dumps(document))
    except TrialError as error:
        found = [problem.reason for problem in error.problems if problem.place == path]
        return [reason for reason in found if not reason.startswith("two things")]
    return []


numbers = st.integers(-2, 12) | st.booleans() | st.sampled_from([0.0, 1.0, "1", None, []])


@given(trials(), st.lists(numbers, max_size=3) | anything, st.integers(0, 2**32))
def test_walls_are_checked_together_as_other_cells_are_one_by_one(
    trial: Trial, value: object, seed: int
) -> None:
    document = json.loads(dump_document(trial))
    place = seed % (len(document["walls"]) + 1)
    walls = [*document["walls"][:place], value, *document["walls"][place:]]
    alone = reasons(document | {"main": {"at": value, "goal": "A"}}, "main.at")
    assert reasons(document | {"walls": walls}, f"walls[{place}]") == alone


@given(trials(), st.integers(0, 2**32), st.integers(1, 4))
def test_a_map_text_with_characters_changed(trial: Trial, seed: int, changes: int) -> None:
    rng = random.Random(seed)
    text = dump_map_text(trial)
    for _ in range(changes):
        at = rng.randrange(len(text))
        new = rng.choice(
            ["", "\n", "\n\n", ";", "#", "@", "A", "b", "=", ":", ",", " ", "\x00", "é"]
        )
        text = text[:at] + new + text[at + rng.randint(0, 2) :]
    read(text)


@given(content=st.binary(max_size=200))
def test_any_bytes_in_a_file(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "trial"
    path.write_bytes(content)
    try:
        load_trial(path)
    except TrialError as error:
        assert all(line.startswith(f"{path}: ") for line in error.lines())


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(TrialError, match="Is a directory"):
        load_trial(tmp_path)
    with pytest.raises(TrialError, match="there is no such file"):
        load_trial(tmp_path / "none.map")
    large = tmp_path / "large.json"
    large.write_bytes(b" " * 4_000_001)
    with pytest.raises(TrialError, match="more than 4,000,000 bytes"):
        load_trial(large)
