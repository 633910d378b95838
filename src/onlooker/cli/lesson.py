"""`onlooker lesson`: what teachers would do, beside what experts would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from onlooker.cli.errors import InputError, planned, refusing
from onlooker.cli.inputs import parameters_of, pictures_of
from onlooker.cli.options import Png, Settings, Svg, TrialFile
from onlooker.cli.printing import print_table, wide_console

if TYPE_CHECKING:
    from onlooker.game import Trial
    from onlooker.observers import Parameters
    from onlooker.observers.lessons import Offer, Plan, Worth

ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}


def lesson(
    file: TrialFile,
    settings: Settings = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    png: Png = None,
    svg: Svg = None,
) -> None:
    """Show what each teacher of a trial would do, under every goal and holders.

    Beside it stands what an expert would do: both paths, after how many steps a learner who takes
    the NPC for an expert stops watching (|), and what each of the two then pays in points. The
    frontier says what both pay the more the teacher cares. Last comes what teaching is worth:
    what the ideal observer expects to save because these NPCs are not experts. The figure draws
    paths and frontiers; with several teachers there is one for each, named after it.

    Examples:
        onlooker lesson examples/teachers/feint.map
        onlooker lesson examples/teachers/feint.map --png feint.png
        onlooker lesson examples/teachers/feint.map --set care=0.5 --json
    """
    from onlooker.game import Expertise, load_trial
    from onlooker.observers.lessons import frontiers, plans

    pictures = pictures_of(png, svg)
    parameters, trial = parameters_of(settings), load_trial(file)
    teachers = [npc for npc in trial.npcs if npc.expertise is Expertise.TEACHER]
    if not teachers:
        raise InputError(f"{file}: expected a trial with a teacher, and no NPC of this one is one")
    worth, reason = (None, "") if pictures else _worth(trial, parameters)
    found = {}
    for npc in teachers:
        care = parameters.care if npc.care is None else npc.care
        with planned(file):
            taught = plans(trial, npc.id, parameters)
            offers = frontiers(trial, npc.id, parameters)
        found[npc.id] = _entry(care, taught, offers, worth)
        if pictures:
            _draw(trial, npc.id, care, taught, offers, pictures, len(teachers) > 1)
        elif not as_json:
            _print(trial, f"{trial.label}: {npc.id}, care {care:g}", taught, offers)
    if as_json:
        print(json.dumps(found, indent=2, ensure_ascii=False))
    elif worth:
        print(
            f"Teaching is worth {worth.points:.4g} points: the ideal observer expects to pay"
            f" {worth.taught:.4g}, and {worth.untaught:.4g} if teachers were experts."
        )
    elif not pictures:
        print(f"What teaching is worth cannot be said: {reason}")


def _worth(trial: Trial, parameters: Parameters) -> tuple[Worth | None, str]:
    """What teaching is worth; None and the reason if the trial is too large for that."""
    from onlooker.inference import TooLargeError
    from onlooker.observers.lessons import worth_of_teaching

    try:
        return worth_of_teaching(trial, parameters), ""
    except TooLargeError as error:
        return None, str(error)


def _entry(
    care: float, taught: list[Plan], offers: list[list[Offer]], worth: Worth | None
) -> dict[str, Any]:
    """What is known of one teacher, as plain data."""
    return {
        "care": care,
        "plans": [plan.to_dict() for plan in taught],
        "expert": [expert.plan.to_dict() for expert, *_ in offers],
        "frontier": [[offer.to_dict() for offer in each] for each in offers],
        "worth_of_teaching": worth and {**worth._asdict(), "points": worth.points},
    }


def _draw(
    trial: Trial,
    npc: str,
    care: float,
    taught: list[Plan],
    offers: list[list[Offer]],
    pictures: list[Path],
    several: bool,
) -> None:
    """Write the figure of one teacher."""
    from onlooker.drawing.figure import save_figure
    from onlooker.drawing.lesson import lesson_figure

    with refusing():
        figure = lesson_figure(trial, npc, care, taught, offers)
    for picture in pictures:
        named = picture.with_stem(f"{picture.stem}-{npc}") if several else picture
        save_figure(figure, named)
        print(named)


def _print(trial: Trial, title: str, taught: list[Plan], offers: list[list[Offer]]) -> None:
    """Print paths and points of one teacher."""
    columns = {"goal": [plan.goal for plan in taught]}
    for colour in trial.map.colours:
        columns[colour] = [plan.holders[colour] for plan in taught]
    experts = [expert.plan for expert, *_ in offers]
    for name, each in (("teacher", taught), ("expert", experts)):
        columns[name] = [_path(plan) for plan in each]
        columns[f"{name}: own"] = [str(plan.own) for plan in each]
        columns[f"{name}: learner"] = [str(plan.learner) for plan in each]
    columns["frontier, own/learner by care"] = [_frontier(each) for each in offers]
    print_table(wide_console(), title, columns, ["goal", *trial.map.colours])


def _path(plan: Plan) -> str:
    """The actions of a plan as arrows, with a bar where the learner stops watching."""
    arrows = [ARROWS[str(taken.action)] for taken in plan.path]
    return "".join((*arrows[: plan.looks], "|", *arrows[plan.looks :]))


def _frontier(offers: list[Offer]) -> str:
    """What is paid at which care, one after the other."""
    expert, *others = offers
    words = [f"0: {expert.plan.own}/{expert.plan.learner}"]
    for care, plan in others:
        words.append(f"{f'{care:.3g}' if care else 'any'}: {plan.own}/{plan.learner}")
    return "  ".join(words)
