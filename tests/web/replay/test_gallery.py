"""Every story of the gallery is what the model does."""

from __future__ import annotations

import pytest

from onlooker.experiments.regret import regrets
from onlooker.experiments.stimuli import stimuli, tutorials
from onlooker.observers import OBSERVERS, Batch, Engine, find_observer
from onlooker.observers.lessons import LiteralLearner, frontiers, plans, worth_of_teaching
from onlooker.web.replay.catalogue import map_key
from onlooker.web.replay.document import observer_document
from onlooker.web.replay.gallery import STORIES, Story, card, story_trial

Counts = tuple[int, ...]

# Steps watched by the four observers in their order, per NPC.
FACTS: dict[str, tuple[Counts, Counts, Counts, Counts]] = {
    "near-wizards": ((0,), (11,), (0,), (12,)),
    "early-turn": ((3,), (3,), (7,), (7,)),
    "late-turn": ((10,), (10,), (15,), (15,)),
    "two-experts": ((0, 2), (1, 2), (5, 5), (16, 5)),
    "expert-and-novice": ((0, 2), (2, 1), (12, 0), (12, 0)),
    "many-wizards": ((8, 0), (8, 7), (11, 0), (11, 0)),
    "silent-wizard": ((2,), (2,), (1,), (0,)),
    "other-errand": ((1,), (1,), (0,), (5,)),
    "hedging": ((0,), (7,), (0,), (7,)),
    "worst-case": ((7,), (7,), (7,), (7,)),
    "teacher-early-turn": ((1,), (1,), (11,), (11,)),
    "teacher-feint": ((3,), (3,), (0,), (12,)),
    "teacher-silence": ((1,), (1,), (0,), (6,)),
}
# Expected steps of Graded Mentalizing, to a tenth, and steps of the ideal observer.
BEYOND = {
    "hedging": [[2.5], [0]],
    "worst-case": [[3.3], [0]],
    "teacher-early-turn": [[1]],
    "teacher-feint": [[3]],
    "teacher-silence": [[1]],
}


def test_there_are_thirteen() -> None:
    assert [story.name for story in STORIES] == list(FACTS)
    assert len(FACTS) == 13


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_the_observers_watch_as_the_story_says(story: Story) -> None:
    engine = Engine(story_trial(story.name))
    found = tuple(observer().run(engine).observed for observer in OBSERVERS.values())
    assert found == FACTS[story.name]
    made = card(story)
    assert [tuple(entry["steps"]) for entry in made["watched"][:4]] == list(found)
    assert [entry["steps"] for entry in made["watched"][4:]] == BEYOND.get(story.name, [])
    replay = observer_document(engine.trial, find_observer(story.player))
    assert 0 <= story.step < len(replay["frames"])
    assert all(len(text) < 260 for text in story.text)


def test_what_the_stories_say_besides() -> None:
    late = Engine(story_trial("late-turn"))
    view = late.opening
    for _ in range(9):
        view = late.observe(view, 0)
        assert late.belief(view)["blue"]["w1"] == pytest.approx(0.5)
    silent = story_trial("silent-wizard")
    trusted = find_observer("rational_observer")(silent).candidates["blue"]
    assert trusted != (silent.holders["blue"],)
    errand = Engine(story_trial("other-errand"))
    assert find_observer("rational_mentalizing").run(errand).candidates["blue"] == ("w1", "w2")
    assert len(errand.paths[0]) == 5
    novice, crowd = story_trial("expert-and-novice"), story_trial("many-wizards")
    assert (len(novice.map.wizards), len(crowd.map.wizards)) == (2, 5)


def test_people_hedge_where_the_full_model_commits() -> None:
    trial = story_trial("hedging")
    decision = find_observer("rational_mentalizing")(trial).trace[0]
    assert (decision.choice, decision.c_self, decision.q_obs) == ("act", 25, (27,))
    (graded,) = Batch([trial]).expect(observer="graded_mentalizing")
    chances = graded.distribution[0]
    assert 1 - chances[0] == pytest.approx(0.5, abs=0.02)
    assert sum(chances[1:3]) > 0.2
    assert sum(chances[7:]) > 0.1
    assert len(Engine(trial).paths[0]) > 7


def test_the_model_is_not_optimal_in_the_worst_case() -> None:
    trial = story_trial("worst-case")
    model, ideal = find_observer("rational_mentalizing"), find_observer("ideal_observer")(trial)
    decision = model(trial).trace[0]
    assert (decision.c_self, decision.q_obs) == (31, (30,))
    assert ideal.expected_cost == 25.5
    [row] = regrets([trial], [model])
    assert (row.regret, row.regret_actual) == (pytest.approx(4.5), 7)


def test_what_teachers_do_and_what_it_is_worth() -> None:
    early, feint, silence = (
        story_trial(f"teacher-{name}") for name in ("early-turn", "feint", "silence")
    )
    *_, taught = plans(early, "agent2")
    *_, expert = plans(early, "agent2", care=0)
    assert taught.own == expert.own
    turns = [[str(taken.action) for taken in each.path].index("right") for each in (taught, expert)]
    assert turns == [0, 5]
    assert worth_of_teaching(early).points == pytest.approx(5)
    *_, (without, pointing) = frontiers(feint, "agent2")
    assert pointing.plan.own - without.plan.own == 18
    assert without.plan.learner - pointing.plan.learner == 27
    assert pointing.care == pytest.approx(2 / 3)
    told = find_observer("rational_mentalizing")(silence).trace[-1].belief
    literal = LiteralLearner(Engine(silence), "agent2").beliefs[-1]
    assert (told or {})["blue"]["w1"] == pytest.approx(0.99, abs=0.005)
    assert literal["blue"]["w1"] == pytest.approx(0.5)


def test_no_map_is_one_of_the_stimuli() -> None:
    """So the gallery stays open while a study with the bundled stimuli is live."""
    used = {
        map_key(trial.map)
        for trial in [*stimuli(), *(t for n in (1, 2, 3, 4) for t in tutorials(n))]
    }
    assert used.isdisjoint(map_key(story_trial(story.name).map) for story in STORIES)
