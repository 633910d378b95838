"""What players are told about NPCs that teach: a condition between participants.

The same trials are played under three labels. Whoever plays under `expert` takes teachers for
experts, under `teacher` they are called what they are, and under `untold` nobody says what any NPC
is, so that an expert and a teacher look alike.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from onlooker.game.trial import Expertise, Trial


class Label(StrEnum):
    """What players are told about teachers."""

    EXPERT = "expert"  # that they are experts
    TEACHER = "teacher"  # the truth
    UNTOLD = "untold"  # nothing, of any NPC


def under(trial: Trial, label: Label | str) -> Trial:
    """The same trial, with what its players are told about teachers.

    >>> from onlooker.game import load_trial
    >>> under(load_trial("examples/teachers/feint.map"), "expert").npcs[0].label
    <Expertise.EXPERT: 'expert'>
    """
    told = Expertise.EXPERT if Label(label) is Label.EXPERT else None
    return replace(
        trial,
        npcs=tuple(
            replace(npc, told=told) if npc.expertise is Expertise.TEACHER else npc
            for npc in trial.npcs
        ),
    )


def teacher_in(trial: Trial) -> int | None:
    """Which NPC of a trial is the first teacher, if one is."""
    kinds = [npc.expertise for npc in trial.npcs]
    return kinds.index(Expertise.TEACHER) if Expertise.TEACHER in kinds else None
