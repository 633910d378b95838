"""The published schema against the reader: it may let more pass, but refuses nothing valid."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from onlooker.game import (
    ACTIONS,
    Expertise,
    Trial,
    TrialError,
    dump_document,
    read_document,
    to_document,
)
from onlooker.game.document import MAX_TEXT, REQUIRED, RESERVED_IDS
from onlooker.game.document_writer import OPTIONAL, trial_schema
from onlooker.game.problems import MAX_COLOURS, MAX_SIDE
from strategies import trials
from vectors import VECTORS, Vector

SCHEMA = trial_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
FULL: dict[str, Any] = {
    "name": "Full",
    "experiment": 3,
    "scenario": "sm211",
    "tutorial": True,
    "width": 4,
    "height": 2,
    "walls": [[0, 1]],
    "barriers": [{"at": [2, 1], "colour": "blue"}],
    "wizards": [
        {"id": "w1", "at": [2, 0], "colour": "blue"},
        {"id": "w2", "at": [3, 0], "colour": "Bläulich.2-b"},
    ],
    "chests": {"A": [3, 1]},
    "holders": {"blue": "w1", "Bläulich.2-b": "w2"},
    "main": {"at": [0, 0], "goal": "A"},
    "npcs": [
        {"id": "n", "at": [1, 0], "goal": "A", "expertise": "expert", "actions": ["down", "up"]}
    ],
    "reveals_outcomes": False,
}


def accepted(document: object) -> bool:
    try:
        read_document(document)
    except TrialError:
        return False
    return True


def test_the_schema_is_valid() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_golden_trials_validate(vector: Vector) -> None:
    VALIDATOR.validate(json.loads(dump_document(vector.trial)))


@given(trials())
def test_what_is_written_validates(trial: Trial) -> None:
    VALIDATOR.validate(to_document(trial))


def test_the_full_document_is_valid() -> None:
    VALIDATOR.validate(FULL)
    assert to_document(read_document(FULL)) == FULL


# -- the same words and figures as the reader ------------------------------------------------------


def test_the_fields_are_the_readers() -> None:
    assert SCHEMA["required"] == list(REQUIRED)
    assert list(SCHEMA["properties"]) == [*OPTIONAL, *REQUIRED]


@pytest.mark.parametrize(
    ("part", "name", "optional"),
    [
        (FULL, None, list(OPTIONAL)),
        (FULL["barriers"][0], "barrier", []),
        (FULL["wizards"][0], "wizard", []),
        (FULL["main"], "main", []),
        (FULL["npcs"][0] | {"care": 1, "told": "expert"}, "npc", ["actions", "care", "told"]),
    ],
    ids=["trial", "barrier", "wizard", "main", "npc"],
)
def test_each_part_has_the_documents_fields(
    part: dict[str, Any], name: str | None, optional: list[str]
) -> None:
    schema = SCHEMA["$defs"][name] if name else SCHEMA
    assert set(schema["properties"]) == set(part)
    assert set(schema["required"]) == set(part) - set(optional)
    assert schema["additionalProperties"] is False


def test_the_figures_are_the_readers() -> None:
    parts = SCHEMA["$defs"]
    assert parts["side"]["maximum"] == MAX_SIDE
    assert parts["cell"]["items"]["maximum"] == MAX_SIDE - 1
    assert parts["text"]["maxLength"] == MAX_TEXT
    assert parts["action"]["enum"] == list(ACTIONS)
    assert parts["npc"]["properties"]["expertise"]["enum"] == list(Expertise)
    assert parts["npc"]["properties"]["id"]["not"]["enum"] == list(RESERVED_IDS)
    assert f"at most {MAX_COLOURS} colours" in SCHEMA["properties"]["wizards"]["description"]


def test_everything_is_described() -> None:
    described = [SCHEMA, *SCHEMA["$defs"].values()]
    for part in described:
        for field in (part, *part.get("properties", {}).values()):
            assert field["title"]
            assert field["description"].endswith(".")


# -- what is refused -------------------------------------------------------------------------------


def changed(path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    document = copy.deepcopy(FULL)
    part: Any = document
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return document


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("width",), 0),
        (("width",), 101),
        (("width",), "4"),
        (("height",), True),
        (("height",), 2.5),
        (("walls",), None),
        (("walls", 0), [0]),
        (("walls", 0), [0, 1, 1]),
        (("walls", 0), [0, -1]),
        (("barriers", 0, "color"), "blue"),
        (("barriers", 0, "colour"), "light blue"),
        (("wizards", 0, "id"), ""),
        (("wizards", 0, "id"), ".w"),
        (("wizards", 0, "id"), "w" * 101),
        (("wizards", 0, "id"), 1),
        (("chests",), {}),
        (("chests", "AA"), [3, 1]),
        (("chests", "a"), [3, 1]),
        (("holders", "no colour"), "w1"),
        (("main", "goal"), "É"),
        (("main", "expertise"), "expert"),
        (("npcs", 0, "id"), "main"),
        (("npcs", 0, "id"), "act"),
        (("npcs", 0, "expertise"), "Expert"),
        (("npcs", 0, "actions"), ["wait"]),
        (("npcs", 0, "actions"), None),
        (("reveals_outcomes",), 1),
        (("name",), ""),
        (("name",), " Full"),
        (("name",), "Full "),
        (("name",), "Fu\nll"),
        (("name",), "F" * 201),
        (("name",), 7),
        (("experiment",), -1),
        (("experiment",), 10**9),
        (("scenario",), None),
        (("comment",), "hello"),
    ],
)
def test_a_document_built_wrongly_is_refused_by_both(
    path: tuple[str | int, ...], value: object
) -> None:
    document = changed(path, value)
    assert not VALIDATOR.is_valid(document)
    assert not accepted(document)


@pytest.mark.parametrize("field", REQUIRED)
def test_a_missing_field_is_refused_by_both(field: str) -> None:
    document = {key: value for key, value in FULL.items() if key != field}
    assert not VALIDATOR.is_valid(document)
    assert not accepted(document)


# -- what is accepted ------------------------------------------------------------------------------

CELLS = st.lists(st.integers(-1, 13), min_size=2, max_size=2)
WORDS = st.from_regex(r"\w[\w.-]{0,99}", fullmatch=True)
VALUES = st.one_of(
    CELLS,
    WORDS,
    st.text(),
    st.text(max_size=1),
    st.integers(),
    st.integers(0, 101),
    st.sampled_from([None, True, False, 3.0, [], {}, "A", "B", "w1", "blue", "main", "expert"]),
    st.lists(st.sampled_from([*ACTIONS, "stay"]), max_size=3),
    st.dictionaries(st.sampled_from(["A", "B", "blue", "é", "at", "goal"]), CELLS | WORDS),
)
DOCUMENTS = [FULL, *(to_document(vector.trial) for vector in VECTORS)]


def places(part: object) -> list[tuple[Any, Any]]:
    """Every field and item of a document, as what it is in and its key or index there."""
    if not isinstance(part, dict | list):
        return []
    keys = list(part) if isinstance(part, dict) else range(len(part))
    return [found for key in keys for found in ((part, key), *places(part[key]))]


@st.composite
def mutated(draw: st.DrawFn) -> Any:
    """A document with one to three changes in it, small ones mostly."""
    document = copy.deepcopy(draw(st.sampled_from(DOCUMENTS)))
    for _ in range(draw(st.integers(1, 3))):
        found = places(document)
        if not found:
            break
        part, key = draw(st.sampled_from(found))
        match draw(st.sampled_from(["put", "swap", "drop", "add"])):
            case "put":
                part[key] = draw(VALUES)
            case "swap":
                other, there = draw(st.sampled_from(found))
                part[key] = copy.deepcopy(other[there])
            case "drop":
                del part[key]
            case "add" if isinstance(part, dict):
                name = draw(WORDS | st.sampled_from([*OPTIONAL, "actions", "C"]))
                part[name] = draw(VALUES)
            case _:
                part.append(draw(VALUES))
    return document


@given(mutated())
def test_what_the_reader_accepts_validates(document: Any) -> None:
    if accepted(document):  # or else refused with TrialError: never anything else
        VALIDATOR.validate(document)


@given(WORDS)
def test_every_word_of_the_readers_is_the_schemas(word: str) -> None:
    document = changed(("wizards", 0), {"id": word, "at": [2, 0], "colour": "blue"})
    document["holders"]["blue"] = word
    if accepted(document):
        VALIDATOR.validate(document)


@given(st.text(max_size=201) | st.integers())
def test_every_label_of_the_readers_is_the_schemas(label: str | int) -> None:
    document = changed(("scenario",), label)
    if accepted(document):
        VALIDATOR.validate(document)
