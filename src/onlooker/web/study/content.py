"""What participants read outside the tutorial: the rules in short, questions and endings."""

from __future__ import annotations

from dataclasses import dataclass

from onlooker.experiments.inventory import Experiment
from onlooker.game import Costs, Expertise
from onlooker.game.play import OnEmpty

COSTS = Costs()


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


def paragraphs(text: str) -> list[str]:
    """A text's paragraphs, which blank lines separate.

    >>> paragraphs("One\\nline.\\n\\nTwo.")
    ['One line.', 'Two.']
    """
    blocks = text.replace("\r\n", "\n").split("\n\n")
    return [" ".join(block.split()) for block in blocks if block.strip()]


# -- the rules in short ----------------------------------------------------------------------------


def reminder(experiment: Experiment, on_empty: OnEmpty = "continue") -> tuple[str, ...]:
    """The rules in a few sentences."""
    lines = [
        "You steer the red agent M. A round ends when M reaches its own chest, whose letter you "
        "are told before the round.",
        "A barrier lets you through only if you hold the amulet of its colour. Of all wizards of "
        "one colour, exactly one has the amulet; the others have nothing to give.",
        f"A step of M costs {COSTS.move} points. Asking a wizard costs {COSTS.interact} points "
        f"each time. Observing another agent costs {COSTS.observe} point for each step you watch.",
        "Observing moves the agent you watch by one step, and nobody else. What other agents do "
        "never takes anything away from you.",
    ]
    if Expertise.NOVICE in experiment.npcs:
        lines.append(
            "An expert knows which wizards have the amulets. A novice does not: it tries the "
            "nearest wizard first, then the next one, until it has what it needs."
        )
    else:
        lines.append("Other agents are experts: they know which wizards have the amulets.")
    if experiment.chests > 1:
        lines.append("Each agent wants one chest. You are not told which one another agent wants.")
    if not experiment.reveals_outcomes:
        lines.append(
            "When you watch another agent ask a wizard, you are not told whether it was given "
            "the amulet. When you ask a wizard yourself, you are always told."
        )
    if on_empty == "end":
        lines.append("A round also ends when you have no points left.")
    lines.append("The points you do not spend count towards your bonus.")
    return tuple(lines)


# -- comprehension check ---------------------------------------------------------------------------


def questions(experiment: Experiment) -> tuple[Question, ...]:
    """The comprehension check of an experiment."""
    asked = [_END, _WIZARDS, _OBSERVE, _COSTS, _BONUS]
    if Expertise.NOVICE in experiment.npcs:
        asked.append(_NOVICE)
    else:
        asked.append(_EXPERT)
    if experiment.chests > 1:
        asked.append(_GOALS)
    if not experiment.reveals_outcomes:
        asked.append(_HIDDEN)
    return tuple(asked)


def _question(name: str, text: str, right: str, *options: str) -> Question:
    """A question whose options are called a, b, c, …; `right` is the text of one of them."""
    made = tuple(Option("abcdef"[place], words) for place, words in enumerate(options))
    answer = next(option.id for option in made if option.text == right)
    return Question(name, text, made, answer)


_END = _question(
    "end",
    "When does a round end?",
    "When my agent M reaches its own chest",
    "When another agent reaches its chest",
    "When my agent M reaches its own chest",
    "When I have observed every agent",
)
_WIZARDS = _question(
    "wizards",
    "There are three blue wizards on a map. How many of them have the blue amulet?",
    "Exactly one",
    "All three",
    "None, or one, or several: it depends",
    "Exactly one",
)
_OBSERVE = _question(
    "observe",
    "What happens when you press Observe for an agent?",
    "Only that agent takes one step, and M stays where it is",
    "Only that agent takes one step, and M stays where it is",
    "All agents take one step",
    "That agent and M both take one step",
)
_COSTS = _question(
    "costs",
    "What does it cost to observe, to take a step with M, and to ask a wizard?",
    f"Observe {COSTS.observe}, step {COSTS.move}, ask {COSTS.interact}",
    f"Observe {COSTS.move}, step {COSTS.observe}, ask {COSTS.interact}",
    "Everything costs the same",
    f"Observe {COSTS.observe}, step {COSTS.move}, ask {COSTS.interact}",
)
_BONUS = _question(
    "bonus",
    "What is your bonus based on?",
    "The points I have left over at the end of the rounds",
    "How fast I click",
    "The points I have left over at the end of the rounds",
    "How many agents I observe",
)
_EXPERT = _question(
    "expert",
    "What do the other agents know?",
    "Which wizards have the amulets",
    "Which wizards have the amulets",
    "Nothing: they try the wizards one after the other",
    "Which chest I want",
)
_NOVICE = _question(
    "novice",
    "How do an expert and a novice find an amulet that they need?",
    "The expert knows which wizard has it; the novice tries the nearest wizards first",
    "Both know which wizard has it",
    "The expert knows which wizard has it; the novice tries the nearest wizards first",
    "Both try the nearest wizards first",
)
_GOALS = _question(
    "goals",
    "Which chest does another agent want?",
    "I am not told; it may be mine or another one",
    "Always the same chest as I do",
    "Never the same chest as I do",
    "I am not told; it may be mine or another one",
)
_HIDDEN = _question(
    "hidden",
    "You watch another agent ask a wizard. What are you told?",
    "That it asked this wizard, but not whether it was given the amulet",
    "Whether it was given the amulet",
    "That it asked this wizard, but not whether it was given the amulet",
    "Nothing at all",
)


# -- endings ---------------------------------------------------------------------------------------


def ending(screen: str, reason: str | None, contact: str, coded: bool) -> list[str]:
    """What people read when the study ends early; `coded`: with a completion link."""
    text = list(_ENDINGS.get(reason or "", _ENDINGS.get(screen, ())))
    if coded:
        text.append("Please use the link below so that this is registered.")
    elif screen == "withdrawn":
        text.append("Please return your submission on the platform that sent you here.")
    text.append(f"If you have questions, please contact {contact}.")
    return text


_ENDINGS: dict[str, tuple[str, ...]] = {
    "declined": ("You chose not to take part, and nothing more is recorded.", "Thank you!"),
    "failed_check": (
        "Thank you for your time. Some answers about the rules were not right this time either, "
        "so you cannot go on to the rounds that count.",
    ),
    "screened_out": ("Thank you for your interest. You cannot take part in this study.",),
    "other_study": (
        "Thank you for your interest. You have already taken part in a study with this game, so "
        "you cannot take part in this one.",
    ),
    "full": (
        "Thank you for your interest. The study is full: enough people are taking part already.",
        "Nothing has been recorded. A place becomes free if somebody stops, so you may try again "
        "later. If you do not want to wait, please use the link below to finish.",
    ),
    "paused": (
        "The study is taking a short break and nobody can start at the moment.",
        "Please try again later by reloading this page. Nothing has been recorded.",
    ),
    "withdrawn": (
        "You have left the study. Thank you for the time you gave.",
        "If you want your data to be deleted, tell us.",
    ),
    "technical": (
        "We are sorry: something went wrong on our side, and you cannot go on. This is not your "
        "fault, and you will be paid.",
    ),
    "too_many_choices": (
        "Thank you for your patience. This round has become so long that we end the study here. "
        "You will be paid for taking part.",
    ),
    "expired": (
        "You were away for so long that your session has ended, and it cannot be taken up again.",
    ),
}
