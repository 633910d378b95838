"""What participants read outside the tutorial: the rules in short, questions and endings."""

from __future__ import annotations

from dataclasses import dataclass

from onlooker.experiments.inventory import Experiment
from onlooker.game import Costs, Expertise
from onlooker.game.play import OnEmpty
from onlooker.web.texts import Texts

COSTS = Costs()
PRICES = {"move": COSTS.move, "interact": COSTS.interact, "observe": COSTS.observe}


@dataclass(frozen=True, slots=True)
class Option:
    """One answer that can be ticked."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the comprehension check."""

    id: str
    text: str
    options: tuple[Option, ...]
    right: str  # id of the right option; never leaves the server


# What is said of other agents: of novices, of teachers, of experts alone; where nothing is told.
_REMINDERS = ("novices", "teachers", "experts", "untold")
_CHECKS = ("novice", "teacher", "expert", "untold")


def _about(experiment: Experiment, told: bool, words: tuple[str, str, str, str]) -> list[str]:
    """Those of four texts about other agents that an experiment needs."""
    novices, teachers, experts, untold = words
    if not told:
        return [untold]
    needed = {novices: Expertise.NOVICE, teachers: Expertise.TEACHER}
    return [word for word, kind in needed.items() if kind in experiment.npcs] or [experts]


def paragraphs(text: str) -> list[str]:
    """A text's paragraphs, which blank lines separate.

    >>> paragraphs("One\\nline.\\n\\nTwo.")
    ['One line.', 'Two.']
    """
    blocks = text.replace("\r\n", "\n").split("\n\n")
    return [" ".join(block.split()) for block in blocks if block.strip()]


def reminder(
    experiment: Experiment, texts: Texts, on_empty: OnEmpty = "continue", told: bool = True
) -> tuple[str, ...]:
    """The rules in a few sentences."""
    keys = ["goal", "wizards", "costs", "observing", *_about(experiment, told, _REMINDERS)]
    if experiment.chests > 1:
        keys.append("chests")
    if not experiment.reveals_outcomes:
        keys.append("hidden")
    if on_empty == "end":
        keys.append("empty")
    keys.append("bonus")
    return tuple(texts.line(f"reminder.{key}", **PRICES) for key in keys)


def questions(experiment: Experiment, texts: Texts, told: bool = True) -> tuple[Question, ...]:
    """The comprehension check of an experiment."""
    names = ["end", "wizards", "observe", "costs", "bonus", *_about(experiment, told, _CHECKS)]
    if experiment.chests > 1:
        names.append("goals")
    if not experiment.reveals_outcomes:
        names.append("hidden")
    return tuple(_question(name, texts) for name in names)


def _question(name: str, texts: Texts) -> Question:
    """A question whose options are called a, b, c, …"""
    options = texts.lines(f"check.{name}.options", **PRICES)
    made = tuple(Option("abcdef"[place], words) for place, words in enumerate(options))
    return Question(name, texts.line(f"check.{name}.text"), made, texts.line(f"check.{name}.right"))


def ending(texts: Texts, screen: str, reason: str | None, contact: str, coded: bool) -> list[str]:
    """What people read when the study ends early; `coded`: with a completion link."""
    key = reason if reason and texts.has(f"ends.{reason}") else screen
    text = texts.lines(f"ends.{key}")
    if screen == "withdrawn" and not coded:
        text.append(texts.line("ends.return_submission"))
    text.append(texts.line("ends.contact", contact=contact))
    return [*text, texts.line("ends.use_link")] if coded else text
