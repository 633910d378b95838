"""The tutorial's pages. Every picture is a small map played by the real rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from onlooker.experiments.inventory import Experiment
from onlooker.game import Expertise, Trial, parse_trial, replay
from onlooker.game.play import OnEmpty
from onlooker.planning import stage
from onlooker.web.study.content import COSTS, reminder
from onlooker.web.study.game_view import game_view
from onlooker.web.study.tutorial_maps import ALONE, CHESTS, SAME_CHEST, TWO, WATCHED, WIZARDS
from onlooker.web.study.view_types import ExampleView


@dataclass(frozen=True)
class Page:
    """A page of the tutorial: text, with an example to watch or a practice trial to play."""

    title: str
    text: tuple[str, ...]
    example: ExampleView | None = None
    practice: int | None = None  # which practice trial is played on it


def tutorial(
    experiment: Experiment,
    practice: Sequence[Trial],
    rounds: int,
    on_empty: OnEmpty = "continue",
) -> tuple[Page, ...]:
    """The pages of an experiment's tutorial, the practice trials among them."""
    pages = [*_alone(), *_others(experiment), _points(rounds, on_empty)]
    pages += [_practice(index, len(practice)) for index in range(len(practice))]
    summary = ("These are the rules once more.", *reminder(experiment, on_empty))
    after = ("A few questions about them come next.",)
    return (*pages, Page("The rules in short", summary + after))


def example(trial: Trial, log: Sequence[str], caption: str) -> ExampleView:
    """The frames of a played log, the opening first."""
    game = stage(trial)
    game = replace(game, budget=max(game.budget, 50))  # a few maps are too small for theirs
    turns = replay(game, log)
    frames = [game_view(game, turns[:count], tutorial=True) for count in range(len(turns) + 1)]
    for frame in frames:
        frame["choices"] = []  # to look at, not to play
    return {"caption": caption, "frames": frames, "actions": [*log]}


def _map(text: str, experiment: Experiment) -> Trial:
    trial = parse_trial(text)
    return replace(trial, tutorial=True, reveals_outcomes=experiment.reveals_outcomes)


def _alone() -> Iterator[Page]:
    """What is on a map and what the player's agent can do."""
    yield Page(
        "Welcome",
        (
            "In this game you lead an agent to a treasure chest. This tutorial shows you how, and "
            "then you can try it out.",
            "Your agent is the red M. Here M wants chest A. You are told the letter of your chest "
            "before every round.",
            "Dark cells are walls. Nobody can walk through them.",
        ),
        example(parse_trial(ALONE), [], "Your agent M and its chest A."),
    )
    yield Page(
        "Moving",
        (
            "You move M one cell up, down, left or right, with the buttons or the arrow keys.",
            f"Every step costs {COSTS.move} points. A round ends when M reaches its chest.",
        ),
        example(
            parse_trial(ALONE),
            ["left"] * 4,
            f"Four steps to the left: {COSTS.move} points each, {4 * COSTS.move} in all.",
        ),
    )
    yield Page(
        "Barriers, wizards and amulets",
        (
            "A coloured barrier lets M through only if M holds the amulet of the same colour. "
            "Wizards give amulets away. Of all wizards of one colour, exactly one has the amulet. "
            "The others have nothing, and they look the same.",
            f"To ask a wizard, move towards it. M stays where it is, and asking costs "
            f"{COSTS.interact} points every time, whether the wizard has the amulet or not. You "
            "are told what the wizard answered.",
            "Once M has the amulet, it can walk through the barriers of that colour, and past the "
            "wizards of that colour, for as long as the round lasts.",
        ),
        example(
            parse_trial(WIZARDS),
            ["left", "right", "down", "down", "right", "right", "right", "right"],
            "M asks the wizard on its left, which has nothing, then the one on its right, which "
            "gives the blue amulet. Now M can walk through the blue barrier to its chest.",
        ),
    )


def _others(experiment: Experiment) -> Iterator[Page]:
    """The other agents and what the player sees of them."""
    yield _observing(experiment)
    if experiment.chests > 1:
        yield Page(
            "Everybody wants a chest",
            (
                "There are several chests. Each agent wants one of them and goes for no other. You "
                "are told which one is yours, but not which one another agent wants. It may be "
                "yours or a different one.",
                "An agent that wants a different chest may need a different amulet, or none.",
            ),
            example(
                _map(CHESTS, experiment),
                ["observe agent2"] * 3,
                "Agent 2 wanted chest B and needed no amulet for it. When an agent has arrived at "
                "its chest, it cannot be observed any more.",
            ),
        )
    if len(experiment.npcs) > 1:
        second = experiment.npcs[1]
        yield Page(
            "Two other agents",
            (
                "There are two other agents. Each has its own Observe button, and you choose whom "
                "to watch, and for how long. Only the agent you watch moves.",
            ),
            example(
                _map(TWO.format(expertise=second), experiment),
                ["observe agent2", "observe agent3", "observe agent2"],
                "One step of Agent 2, one step of Agent 3, and another one of Agent 2.",
            ),
        )
    if Expertise.NOVICE in experiment.npcs:
        yield from _expertise(experiment)


def _observing(experiment: Experiment) -> Page:
    outcome = (
        "You see where it goes, and which wizard it asks, and you are told what the wizard answers."
        if experiment.reveals_outcomes
        else "You see where it goes and which wizard it asks. You are not told what the wizard "
        "answers: only the agent itself knows whether it was given the amulet."
    )
    known = (
        "The other agents are experts. An expert knows which wizard of each colour has the "
        "amulet, and takes the cheapest way to its chest."
    )
    if Expertise.NOVICE in experiment.npcs:
        known = (
            "Some agents are experts. An expert knows which wizard of each colour has the amulet, "
            "and takes the cheapest way to its chest. We will come to the others soon."
        )
    end = "The wizard gives it the amulet." if experiment.reveals_outcomes else ""
    return Page(
        "Observing others",
        (
            "You are not alone on the map. " + known,
            "Instead of moving you can observe another agent. Then this agent takes its next step, "
            f"and M stays where it is. {outcome} Each step you observe costs "
            f"{COSTS.observe} point.",
            "Nobody is in anybody's way. A wizard that gave its amulet to another agent still has "
            "one for you, and nobody takes your chest.",
        ),
        example(
            _map(WATCHED.format(expertise="expert"), experiment),
            ["observe agent2"] * 3,
            f"Three steps of Agent 2, {COSTS.observe} point each. With the third it asks the "
            f"wizard on its right. {end}".strip(),
        ),
    )


def _expertise(experiment: Experiment) -> Iterator[Page]:
    """An expert's and a novice's way to the same chest."""
    expert = _map(SAME_CHEST.format(expertise="expert"), experiment)
    novice = _map(SAME_CHEST.format(expertise="novice"), experiment)
    yield Page(
        "Experts",
        (
            "Before each round you are told who is an expert and who is a novice.",
            "An expert knows which wizard has the amulet. It walks straight to that wizard, even "
            "if another one is nearer, and then to its chest.",
        ),
        example(
            expert, _whole_way(expert), "The whole way of an expert: it asks the right wizard."
        ),
    )
    yield Page(
        "Novices",
        (
            "A novice knows as little as you do. If its chest lies behind a barrier, it asks the "
            "nearest wizard of that colour, then the next one, until it has the amulet. Then it "
            "takes the cheapest way to its chest.",
        ),
        example(
            novice,
            _whole_way(novice),
            "The whole way of a novice to the same chest: the first wizard did not have the "
            "amulet, so it went on to the other one.",
        ),
    )


def _whole_way(trial: Trial) -> list[str]:
    return ["observe agent2"] * len(stage(trial).scripts[0])


def _points(rounds: int, on_empty: OnEmpty) -> Page:
    empty = (
        "If you spend more than you had, the points go below zero and count against you."
        if on_empty == "continue"
        else "If you spend them all before that, the round is over and nothing is left."
    )
    return Page(
        "Points and your bonus",
        (
            f"A step of M costs {COSTS.move} points. Asking a wizard costs {COSTS.interact} "
            f"points. Observing one step of another agent costs {COSTS.observe} point.",
            "Every round starts with a number of points that is enough for a good way to your "
            "chest and some more. The points you have left when M reaches its chest are yours. "
            + empty,
            f"There are {rounds} rounds. Your bonus grows with the points you have left over in "
            "all of them together.",
        ),
    )


def _practice(index: int, count: int) -> Page:
    return Page(
        f"Practice {index + 1} of {count}",
        (
            "Now it is your turn. This round is for practice and does not count. Lead M to its "
            "chest. You can observe or move at any time, in any order.",
        ),
        practice=index,
    )
