"""`onlooker lesson`: what teachers would do, beside what experts would."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from onlooker.cli.errors import InputError, planned
from onlooker.cli.inputs import parameters_of
from onlooker.cli.options import Settings, TrialFile
from onlooker.cli.printing import print_table, wide_console

if TYPE_CHECKING:
    from onlooker.observers.lessons import Plan

ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}


def lesson(
    file: TrialFile,
    settings: Settings = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show what each teacher of a trial would do, under every goal and holders.

    Beside it stands what an expert would do: both paths, after how many steps a learner who takes
    the NPC for an expert stops watching (|), and what each of the two then pays in points.

    Examples:
        onlooker lesson examples/teachers/feint.map
        onlooker lesson examples/teachers/feint.map --set care=0.5 --json
    """
    from onlooker.game import Expertise, load_trial
    from onlooker.observers.lessons import plans

    parameters, trial = parameters_of(settings), load_trial(file)
    teachers = [npc for npc in trial.npcs if npc.expertise is Expertise.TEACHER]
    if not teachers:
        raise InputError(f"{file}: expected a trial with a teacher, and no NPC of this one is one")
    found = {}
    for npc in teachers:
        care = parameters.care if npc.care is None else npc.care
        with planned(file):
            taught = plans(trial, npc.id, parameters)
            untaught = plans(trial, npc.id, parameters, care=0.0)
        found[npc.id] = {"care": care, "plans": [plan.to_dict() for plan in taught]}
        if not as_json:
            columns = {"goal": [plan.goal for plan in taught]}
            for colour in trial.map.colours:
                columns[colour] = [plan.holders[colour] for plan in taught]
            for name, each in (("teacher", taught), ("expert", untaught)):
                columns[name] = [_path(plan) for plan in each]
                columns[f"{name}: own"] = [str(plan.own) for plan in each]
                columns[f"{name}: learner"] = [str(plan.learner) for plan in each]
            title = f"{trial.label}: {npc.id}, care {care:g}"
            print_table(wide_console(), title, columns, ["goal", *trial.map.colours])
    if as_json:
        print(json.dumps(found, indent=2, ensure_ascii=False))


def _path(plan: Plan) -> str:
    """The actions of a plan as arrows, with a bar where the learner stops watching."""
    arrows = [ARROWS[str(taken.action)] for taken in plan.path]
    return "".join((*arrows[: plan.looks], "|", *arrows[plan.looks :]))
