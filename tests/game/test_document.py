from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from onlooker.game import (
    Action,
    TrialError,
    dump_document,
    parse_trial,
    read_document,
    to_document,
)
from strategies import trials

Document = dict[str, Any]

DOCUMENT: Document = {
    "name": "small",
    "width": 5,
    "height": 3,
    "walls": [[3, 0], [3, 2]],
    "barriers": [{"at": [3, 1], "colour": "blue"}],
    "wizards": [
        {"id": "w1", "at": [0, 0], "colour": "blue"},
        {"id": "w2", "at": [2, 2], "colour": "blue"},
    ],
    "chests": {"A": [4, 1], "B": [0, 2]},
    "holders": {"blue": "w2"},
    "main": {"at": [0, 1], "goal": "A"},
    "npcs": [{"id": "agent2", "at": [2, 0], "goal": "B", "expertise": "expert"}],
    "reveals_outcomes": True,
}


def problems(document: object) -> list[str]:
    with pytest.raises(TrialError) as refused:
        read_document(document)
    return [str(problem) for problem in refused.value.problems]


def changed(change: Callable[[Document], object]) -> Document:
    document = copy.deepcopy(DOCUMENT)
    change(document)
    return document


def put(*path: str | int, value: object) -> Callable[[Document], object]:
    def change(document: Document) -> None:
        part: Any = document
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = value

    return change


def test_the_document_is_valid() -> None:
    trial = read_document(DOCUMENT)
    assert to_document(trial) == DOCUMENT
    assert trial.map.wizard("w2").at == (2, 2)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda d: d.pop("main"), "the field 'main' is missing"),
        (put("colour", value=1), "unknown field \"colour\"; the fields are width"),
        (put("width", value=0), "width: expected a whole number from 1 up, not 0"),
        (put("width", value=3.0), "width: expected a whole number from 1 up, not 3.0"),
        (put("height", value=101), "height: 101 cells; a side has at most 100"),
        (put("walls", value=[[9, 0]]), "walls[0]: [9, 0] lies off the grid of 5 columns by 3"),
        (put("walls", 1, value=[1]), "walls[1]: expected a cell [x, y], not [1]"),
        (put("walls", value=None), "walls: expected a list, not null"),
        (put("barriers", 0, "colour", value=""), "barriers[0].colour: expected a colour of"),
        (put("wizards", 1, "id", value="w1"), "wizards[1]: the id 'w1' is used twice"),
        (put("wizards", 1, "at", value=[0, 0]), "two things in cell (0, 0): wizard w1 and wizard"),
        (put("main", "at", value=[3, 0]), "main: two things in cell (3, 0): a wall and the main"),
        (put("npcs", 0, "at", value=[3, 2]), "npcs[0]: two things in cell (3, 2): a wall and agent2"),
        (put("npcs", 0, "at", value=[0, 1]), "two things in cell (0, 1): the main agent and agent2"),
        (put("chests", "A", value=[3, 1]), "chests.A: two things in cell (3, 1): a blue barrier"),
        (put("chests", value={}), "chests: expected an object of letters and cells"),
        (put("chests", "aa", value=[1, 1]), 'chests: a chest is named by a letter A to Z, not "aa"'),
        (put("holders", value={}), "no holder of the blue amulet; one of w1, w2 must be"),
        (put("holders", "blue", value="w9"), "holders.blue: 'w9' is not a blue wizard; those are"),
        (put("holders", "red", value="w1"), 'holders: there is no "red" wizard to hold its amulet'),
        (put("main", "goal", value="C"), "main.goal: there is no chest C; the chests are A, B"),
        (put("npcs", 0, "goal", value="Z"), "npcs[0].goal: there is no chest Z"),
        (put("npcs", 0, "expertise", value="guru"), "npcs[0].expertise: expected expert, novice or teacher"),
        (put("npcs", 0, "id", value="main"), "npcs[0].id: 'main' is reserved"),
        (put("npcs", 0, "id", value="act"), "npcs[0].id: 'act' is reserved"),
        (put("npcs", 0, "actions", value=["jump"]), "npcs[0].actions[0]: expected up, down, left"),
        (
            put("npcs", 0, "actions", value=["left", "up"]),
            "npcs[0].actions[1]: agent2 cannot take action 2 (up): up leads off the grid",
        ),
        (put("reveals_outcomes", value=1), "reveals_outcomes: expected true or false, not 1"),
        (put("name", value="two\nlines"), "name: expected one line of 1 to 200 printable"),
        (put("experiment", value=-1), "experiment: expected one line"),
        (
            put("walls", value=[[3, 0], [3, 2], [1, 1], [1, 2], [1, 0]]),
            "chests.A: the main agent cannot reach chest A at (4, 1) if w2 holds the blue amulet",
        ),
        (
            put("walls", value=[[3, 0], [3, 2], [0, 1]]),
            "main: two things in cell (0, 1): a wall and the main agent",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_place(
    change: Callable[[Document], object], expected: str
) -> None:
    assert any(expected in problem for problem in problems(changed(change)))


def test_all_problems_are_told_at_once() -> None:
    document = changed(put("width", value=4))
    document["holders"] = 3
    document["npcs"][0]["expertise"] = "guru"
    document["walls"].append("here")
    assert len(problems(document)) == 4


def test_a_wizard_that_is_needed_and_walled_in() -> None:
    document = changed(put("walls", value=[[3, 0], [3, 2]]))
    document["width"], document["wizards"] = (
        7,
        [
            *document["wizards"],
            {"id": "w3", "at": [6, 2], "colour": "blue"},
        ],
    )
    document["walls"] += [[5, 2], [6, 1]]
    found = problems(document)
    assert (
        "main: the main agent cannot reach wizard w3 at (6, 2) even with all amulets, and may need"
        " it for chest A" in found
    )


def test_a_walled_in_wizard_that_nobody_needs_is_fine() -> None:
    document = changed(put("width", value=7))
    document["walls"] += [[5, 2], [6, 1]]
    document["wizards"].append({"id": "w3", "at": [6, 2], "colour": "red"})
    document["holders"]["red"] = "w3"
    assert read_document(document).map.wizard("w3").colour == "red"


def test_too_many_hypotheses_are_refused_with_the_figure() -> None:
    document = changed(put("width", value=50))
    document["height"] = 50
    document["wizards"] = [
        {"id": f"w{10 * i + j}", "at": [10 + i, 10 + j], "colour": f"colour{i}"}
        for i in range(4)
        for j in range(10)
    ]
    document["holders"] = {f"colour{i}": f"w{10 * i}" for i in range(4)}
    [problem] = problems(document)
    assert "hypotheses × states is 800,000,000, at most 10,000,000 is allowed" in problem


def test_too_many_colours_are_refused() -> None:
    document = changed(put("height", value=20))
    for i in range(9):
        document["wizards"].append({"id": f"x{i}", "at": [0, 5 + i], "colour": f"colour{i}"})
        document["holders"][f"colour{i}"] = f"x{i}"
    assert problems(document) == ["wizards: wizards of 10 colours; at most 8 are allowed"]


def test_wizards_in_any_order_are_put_in_reading_order() -> None:
    document = changed(lambda d: d["wizards"].reverse())
    assert read_document(document) == read_document(DOCUMENT)


@pytest.mark.parametrize("value", [None, 3, "x", [], [DOCUMENT], True])
def test_a_document_is_an_object(value: object) -> None:
    assert problems(value)[0].startswith("expected an object, not")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "line 1, column 2: not JSON"),
        ('{"width": 3,\n "width": 4}', "the field 'width' is given twice in one object"),
        ('{"width": 3,\n "width" : 4}', "the field 'width' is given twice in one object"),
        ('{"name": "\\":", "width": 3, "width": 4}', "the field 'width' is given twice"),
        ('{"a": {"b": {"c": 1, "c": 2}}}', "the field 'c' is given twice in one object"),
        ('{"holders": {"blue": "w1", "blue": "w2"}}', "the field 'blue' is given twice"),
        ("[" * 100_000, "nested too deeply"),
        ('{"width": ' + "9" * 5000 + "}", "not JSON: Exceeds the limit"),
        ("[1, 2]", "expected an object, not [1, 2]"),
    ],
)
def test_json_that_is_no_document(text: str, expected: str) -> None:
    with pytest.raises(TrialError) as refused:
        parse_trial(text)
    assert expected in str(refused.value)


def test_fixed_actions_survive() -> None:
    document = changed(put("npcs", 0, "actions", value=["left", "down"]))
    trial = read_document(document)
    assert trial.npcs[0].actions == (Action.LEFT, Action.DOWN)
    assert to_document(trial) == document


def test_a_step_after_arrival_is_not_available() -> None:
    document = changed(put("npcs", 0, "actions", value=["down", "left", "left", "down", "up"]))
    document["npcs"][0]["at"] = [2, 0]
    [problem] = problems(document)
    assert problem.endswith("agent2 cannot take action 5 (up): it has arrived at chest B")


@given(trials())
def test_documents_round_trip(trial: Any) -> None:
    text = dump_document(trial)
    assert parse_trial(text) == trial
    assert to_document(parse_trial(text)) == json.loads(text)
