"""The gallery: short trials that show when to watch others, whom, and when not to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from onlooker.game import Trial, parse_trial
from onlooker.observers import (
    KNOWN_OBSERVERS,
    OBSERVERS,
    ChoiceRule,
    Engine,
    Expectation,
    Observer,
)
from onlooker.web.replay.timelines import FULL
from onlooker.web.study.game_view import game_view


@dataclass(frozen=True, slots=True)
class Story:
    """A trial, what it shows and at which step."""

    name: str  # of its map
    title: str
    text: tuple[str, ...]
    step: int
    player: str = FULL
    more: tuple[str, ...] = ()  # observers beyond the paper's whose steps stand on the card


STORIES = (
    Story(
        "near-wizards",
        "Cheap to find out",
        (
            "Both wizards are next door and the expert is a long way off. Trying them one after the"
            " other costs less than waiting for the expert to show the way.",
            "The full model watches nobody. An observer that does not count the cost watches for"
            " eleven steps to learn the same thing.",
        ),
        0,
    ),
    Story(
        "early-turn",
        "The first turn gives it away",
        (
            "The expert knows which wizard holds the amulet. As soon as it turns left at the"
            " junction it has given the answer away.",
            "The full model stops watching right there, after three steps. Observers that do not"
            " ask why an agent moves wait until the wizard has been asked.",
        ),
        3,
    ),
    Story(
        "late-turn",
        "A long shared path",
        (
            "Both wizards lie at the end of one corridor, so nine of the expert’s steps fit either"
            " of them and the belief does not move.",
            "Watching still pays: the model foresees that the tenth step will decide, and"
            " each look costs a single point.",
        ),
        9,
    ),
    Story(
        "two-experts",
        "Whom to watch",
        (
            "There are two experts, and their goals are unknown. Agent 3 stands between the two"
            " blue wizards, so its next moves bear on the amulet that is needed; Agent 2 is more"
            " likely to be busy with red.",
            "The full model watches Agent 3 alone. The others spread their looks over both.",
        ),
        0,
    ),
    Story(
        "expert-and-novice",
        "Novice rather than expert",
        (
            "The expert is far from both wizards. The novice knows nothing, but it is about to ask"
            " one of two wizards, and what it does next shows the answer.",
            "Two looks at the novice settle the matter; the expert would have needed twelve for the"
            " same result.",
        ),
        1,
    ),
    Story(
        "many-wizards",
        "Expert rather than novice",
        (
            "The reverse: with five wizards, what the novice learns from the one beside it rules"
            " out only that one. Now the expert is worth the wait: it knows where to go.",
            "The full model turns to the expert and leaves the novice alone.",
        ),
        0,
    ),
    Story(
        "silent-wizard",
        "When the answer is hidden",
        (
            "The novice asks a wizard, and its answer is hidden. But a novice that got the"
            " amulet would leave for its chest; this one goes on to the other wizard.",
            "So the model takes one more look and knows. The Rational Observer trusts the wizard"
            " that was asked, which is the wrong one.",
        ),
        1,
    ),
    Story(
        "other-errand",
        "Nothing to learn",
        (
            "The expert might be after a blue wizard. Its first step leads straight to a chest that"
            " needs no amulet, and with that, watching it further has nothing to teach.",
            "The full model gives up after one step and tries both wizards on its own. The Naive"
            " Observer follows the expert all the way to its chest.",
        ),
        1,
    ),
    Story(
        "hedging",
        "People hedge",
        (
            "Both wizards are next door: trying them costs at most 25 points, watching the expert"
            " first costs 27. The full model watches nobody, in every trial like this.",
            "People do watch a little. So does Graded Mentalizing: it looks at least once in half"
            " of such trials, for 2.5 steps on average. Some give up after a look or two, others"
            " wait until the expert turns.",
        ),
        0,
        "graded_mentalizing",
        ("graded_mentalizing", "ideal_observer"),
    ),
    Story(
        "worst-case",
        "Where the model is not optimal",
        (
            "Trying both wizards costs 31 points in the worst case, watching costs 30, so the full"
            " model watches for seven steps. But often the first wizard holds the amulet.",
            "On average trying costs 25.5 points. The Ideal Observer counts that way and acts at"
            " the start: 4.5 points less than the model on average, and 7 less in this trial.",
        ),
        0,
        FULL,
        ("graded_mentalizing", "ideal_observer"),
    ),
    Story(
        "teacher-early-turn",
        "A teacher turns early",
        (
            "Agent 2 knows that it is watched, and cares. All ways to its wizard that do not turn"
            " back are equally long. An expert would turn on its sixth step; the teacher turns on"
            " its first.",
            "One look is enough, and it costs the teacher nothing. On average teaching saves the"
            " Ideal Observer 5 points in this trial.",
        ),
        1,
        FULL,
        ("ideal_observer",),
    ),
    Story(
        "teacher-feint",
        "A feint",
        (
            "The teacher’s own chest needs no amulet, so an expert would go straight there, and a"
            " learner would try the near wizard first. It is the far one. So the teacher goes up,"
            " points, and turns back.",
            "That costs it 18 points and saves the learner 27. A teacher does so if it gives more"
            " than two thirds of a point for one of the learner’s.",
        ),
        3,
        FULL,
        ("ideal_observer",),
    ),
    Story(
        "teacher-silence",
        "Silence that speaks",
        (
            "The same map, but the near wizard holds the amulet, which a learner would try first."
            " There is nothing to correct, so the teacher walks off to its chest.",
            "One who takes it for an expert learns nothing from that: 50 %. One who is told that it"
            " teaches knows that it would have pointed to the far wizard: 99 % for the near one.",
        ),
        1,
        FULL,
        ("ideal_observer",),
    ),
)


@cache
def story_trial(name: str) -> Trial:
    """The trial of a story."""
    return parse_trial(
        files("onlooker.web.replay").joinpath("maps", f"{name}.map").read_text(encoding="utf-8")
    )


@cache
def card(story: Story) -> dict[str, Any]:
    """A story as the gallery shows it: its map, its text and how long each observer watches."""
    engine = Engine(story_trial(story.name))
    return {
        "title": story.title,
        "text": list(story.text),
        "game": game_view(engine.stage, [], tutorial=False),
        "watched": [
            {"title": kind.title, "steps": _steps(kind(), engine)}
            for kind in (*OBSERVERS.values(), *(KNOWN_OBSERVERS[name] for name in story.more))
        ],
        "link": f"/replay?trial=gallery/{story.name}&player={story.player}&step={story.step}",
    }


def _steps(observer: Observer, engine: Engine) -> list[float]:
    """Steps watched of each NPC; by a soft rule the expected numbers, to a tenth."""
    if observer.rule is ChoiceRule.HARD:
        return list(observer.run(engine).observed)
    lattice = observer.lattice(engine)
    expected = Expectation.of(lattice, observer.rule, engine.parameters)
    return [round(count, 1) for count in expected.observed]


def draw_cards() -> None:
    """Make every card and compile the engine before the first visitor needs them."""
    for story in STORIES:
        card(story)
