"""What teachers cost: their plans under every goal and holders, with every NPC as a teacher."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from benchmarks.measuring import machine, number, with_bar
from benchmarks.sheets import Sheet
from onlooker.game import Expertise, Trial
from onlooker.inference.errors import TooLargeError
from onlooker.observers import RationalMentalizing
from onlooker.observers.lessons import plans
from onlooker.planning import stage

REPEAT = 3


def taught(trials: Sequence[Trial]) -> list[tuple[Trial, str]]:
    """Every trial with each of its NPCs turned into a teacher, one at a time, and its id."""
    found = []
    for trial in trials:
        for npc in trial.npcs:
            teacher = replace(npc, expertise=Expertise.TEACHER, actions=None)
            npcs = tuple(teacher if each.id == npc.id else each for each in trial.npcs)
            found.append((replace(trial, npcs=npcs), npc.id))
    return found


WORKS = {
    "plans under all goals and holders": plans,
    "its own plan, to be played": lambda trial, npc: stage(trial),
    "a run of the full model, told": lambda trial, npc: RationalMentalizing()(trial),
}


def teachers(sets: dict[str, list[Trial]]) -> Sheet:
    """Milliseconds for each trial and NPC: median and most, and how many were refused."""
    sheet = Sheet(
        "teachers",
        "Every NPC as a teacher, one at a time",
        ("trials and work", "median ms", "most ms", "refused"),
        note=f"CPU time on one core, the least of {REPEAT} for each. {machine()}",
    )
    for name, trials in sets.items():
        cases = taught(trials)
        for words, work in WORKS.items():
            times, refused = [], 0
            for trial, npc in with_bar(cases, words):
                least = float("inf")
                try:
                    for _ in range(REPEAT):
                        begin = time.process_time()
                        work(trial, npc)
                        least = min(least, time.process_time() - begin)
                except TooLargeError:
                    refused += 1
                else:
                    times.append(1e3 * least)
            row = f"{len(cases)} of the {name}: {words}"
            sheet.add(row, number(median(times)), number(max(times)), str(refused))
    return sheet
