"""What was read from logs, compared with what whoever wrote them says is true of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from onlooker.experiments.archive.people import People, Person, Played


def differences(people: People, truth: Mapping[str, Any]) -> list[str]:
    """Everything in which they differ; only what the truth speaks of is compared."""
    found = []
    persons = {f"exp{each.experiment}/{each.id}": each for each in people.persons}
    files = {str(PurePosixPath(file).with_suffix("")): said for file, said in truth.items()}
    if set(persons) != set(files):
        found.append(f"people: {sorted(set(persons) ^ set(files))}")
    for file, said in files.items():
        if (person := persons.get(file)) is None:
            continue
        levels = {played.level: played for played in person.played}
        if set(levels) != set(said["levels"]):
            found.append(f"{file}: levels {sorted(set(levels) ^ set(said['levels']))}")
            continue
        pairs = [(file, of_person(person), {k: v for k, v in said.items() if k != "levels"})]
        pairs += [
            (f"{file} {level}", of_level(levels[level]), each)
            for level, each in said["levels"].items()
        ]
        found += [
            f"{where}: {name} is {read[name]!r}, not {value!r}"
            for where, read, true in pairs
            for name, value in true.items()
            if name in read and read[name] != value
        ]
    return found


def of_person(person: Person) -> dict[str, Any]:
    """What was read of a person, under the names of the truth."""
    names = ("score", "excluded", "completed", "age", "gender")
    found = {name: getattr(person, name) for name in names}
    return found | {"prolificId": person.prolific_id or None}


def of_level(played: Played) -> dict[str, Any]:
    """What was read of a level, under the names of the truth."""
    replayed = played.replayed.stopped is None
    return {
        "position": played.position,
        "observed": dict(played.looks),
        "finished": played.finished,
        "without_effect": played.without_effect,
        "lost_rows": played.repaired,
        "blocks": played.blocks,
        "unspent": played.points,
        "steps": played.steps,
        "replayed": replayed,
        "choices": [str(choice) for choice in played.replayed.choices] if replayed else [],
    }
