"""The people of the archive in the tables of a study: by our rules, and as the paper counts."""

from __future__ import annotations

from collections import Counter

from onlooker.experiments.archive.people import People, Person, Played
from onlooker.experiments.archive.replaying import Replayed
from onlooker.experiments.archive.session import Kind
from onlooker.experiments.records import Records, Row, record_trial


def exclude_as_the_paper(people: People) -> dict[int, float]:
    """Mark who is below Q1 − 1.5 IQR of the scores of an experiment; the cut of each."""
    from onlooker.experiments.exclusion import outlier_cut

    cuts = {}
    for experiment in sorted({person.experiment for person in people.persons}):
        group = [each for each in people.persons if each.experiment == experiment and each.played]
        if group:
            cuts[experiment] = outlier_cut([each.score for each in group]).score
        for person in people.persons:
            if person.experiment == experiment:
                person.excluded = not person.played or person.score < cuts[experiment]
    return cuts


def records_of(people: People) -> Records:
    """The tables of a study: by our rules, with the paper's own counts beside them."""
    records = Records()
    orderings: dict[int, dict[tuple[str, ...], int]] = {}
    for person in people.persons:
        known = orderings.setdefault(person.experiment, {})
        levels = tuple(each.level for each in person.played)
        records.participants.append(
            {
                "participant": person.name,
                "experiment": person.experiment,
                "ordering": known.setdefault(levels, len(known) + 1),
                "completed": person.completed,
                "age": person.age,
                "gender": person.gender,
                "logged_score": person.score if person.played else None,
                "logged_excluded": person.excluded,
            }
        )
        for played in person.played:
            _record(records, person, played)
    return records


def _record(records: Records, person: Person, played: Played) -> None:
    """Add a level that a person played."""
    watched, acted = len(records.observations), len(records.actions)
    replayed = played.replayed if played.replayed.stopped is None else Replayed()
    log = replayed.choices
    record_trial(records, person.name, person.experiment, played.position, played.stage, log)
    trial, npcs = records.trials[-1], records.observations[watched:]
    if played.replayed.stopped is not None:
        _as_logged(trial, npcs, played)
    trial |= {
        "finished": played.finished,
        "replayed": played.replayed.stopped is None,
        "logged_blocks": played.blocks,
        "logged_steps": played.steps,
        "logged_unspent": played.points,
        "without_effect": played.without_effect,
        "repaired": played.repaired,
    }
    for row in npcs:
        row["logged_looks"] = played.looks[row["agent"]]
    begin = played.block.begin
    for row, time in zip(records.actions[acted:], replayed.times, strict=True):
        del row["time"]
        row["seconds"] = None if time is None or begin is None else round(time - begin, 3)


def _as_logged(trial: Row, npcs: list[Row], played: Played) -> None:
    """Put in what the log itself says of a trial that cannot be replayed."""
    costs, rows = played.stage.costs, played.block.rows
    looks = Counter(row.agent for row in rows if row.kind is Kind.LOOK)
    for row in npcs:
        row["observed"] = looks[row["agent"]]
        row["cost_observation"] = costs.observe * row["observed"]
    watching = sum(row["cost_observation"] for row in npcs)
    asked = sum(row.interaction == "wizard_interaction" for row in rows)
    moves = max(0, sum(row.kind is Kind.KEY for row in rows) - asked)
    execution = costs.move * moves + costs.interact * asked
    if played.points is not None:
        execution = max(0, played.stage.budget - played.points - watching)
    trial |= {
        "observed": sum(row["observed"] for row in npcs),
        "moves": moves,
        "interactions": asked,
        "cost_observation": watching,
        "cost_execution": execution,
        "cost_total": watching + execution,
        "unspent": played.stage.budget - watching - execution,
    }
