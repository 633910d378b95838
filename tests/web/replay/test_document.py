"""The replay document says what the engine says, and a participant's is what was logged."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from maps import ENDLESS, STUCK_BUT_MOVING
from onlooker.experiments.stimuli import stimuli
from onlooker.game import Trial, opening, parse_trial, replay
from onlooker.inference.errors import UnexplainedError
from onlooker.observers import (
    ACT,
    KNOWN_OBSERVERS,
    ChoiceRule,
    Decision,
    Engine,
    GradedMentalizing,
    Observer,
    Parameters,
    advise,
    choice_probabilities,
    find_observer,
)
from onlooker.observers.batch import Batch
from onlooker.planning import NoPathError, stage
from onlooker.web.replay.document import (
    PlayedLog,
    observer_document,
    participant_document,
)
from onlooker.web.replay.document_types import Document
from onlooker.web.replay.gallery import story_trial
from onlooker.web.study.game_view import game_view

TRIALS = [stimuli(1)[3], stimuli(2)[4], stimuli(3)[5], stimuli(4)[2]]
LOG = (
    *("observe agent3", "right", "observe agent2", "left", "up", "up", "up"),
    *("right", "right", "right", "right", "left", "observe agent3"),  # the fourth asks a wizard
)


def finite(value: float | None) -> float | None:
    return None if value == float("inf") else value


def choices_of(made: Document) -> list[str]:
    return [frame["did"]["choice"] for frame in made["frames"] if frame["did"]]


def document(trial: Trial, observer: str = "rational_mentalizing", **parameters: Any) -> Document:
    made = observer_document(trial, find_observer(observer), Parameters(**parameters))
    json.dumps(made, allow_nan=False)
    return made


def participant(trial: Trial, log: tuple[str, ...], **parameters: Any) -> Document:
    player = {"id": "session-1", "title": "Participant p1", "kind": "participant", "note": ""}
    played = PlayedLog(player, stage(trial), log)  # type: ignore[arg-type]
    return participant_document(played, Parameters(**parameters))


@pytest.mark.parametrize("observer", KNOWN_OBSERVERS)
@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.label)
def test_an_observer_does_what_it_does(trial: Trial, observer: str) -> None:
    made, result = document(trial, observer), find_observer(observer)(trial)
    logged = [f"observe {npc}" for npc in result.choices] + [str(a) for a in result.route]
    assert choices_of(made) == logged
    assert made["frames"][-1]["game"]["main"]["arrived"]
    assert made["frames"][-1]["mind"] is None
    spent = (
        made["frames"][0]["game"]["points"]["left"] - made["frames"][-1]["game"]["points"]["left"]
    )
    assert spent == result.cost
    current = [line for line in made["lines"] if line["current"]]
    assert [line["id"] for line in current] == [observer]
    assert len(current[0]["cells"]) == len(logged)


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.label)
def test_the_mind_is_the_trace(trial: Trial) -> None:
    made, result = document(trial), find_observer("rational_mentalizing")(trial)
    for frame, decision in zip(made["frames"], result.trace, strict=False):
        mind = frame["mind"]
        assert mind is not None
        assert mind["choice"] == decision.choice
        assert mind["c_self"] == finite(decision.c_self)
        assert {
            entry["colour"]: {chance["name"]: chance["p"] for chance in entry["wizards"]}
            for entry in mind["belief"]
        } == decision.belief
        for npc, watching in enumerate(mind["npcs"]):
            assert {c["name"]: c["p"] for c in watching["goals"]} == decision.goals[npc]  # type: ignore[index]
            assert watching["q"] == finite(decision.q_obs[npc])  # type: ignore[index]
            if watching["q"] is not None:
                assert watching["watch"] + watching["act"] == pytest.approx(watching["q"])  # type: ignore[operator]
            told = len(watching["particles"]) + (watching["rest"] or {"count": 0})["count"]
            assert told == len(decision.particles[npc])  # type: ignore[index]
            for particle in watching["particles"]:
                cells = made["paths"][particle["watched"]]["cells"]
                asks = made["paths"][particle["watched"]]["asks"]
                assert len(cells) - 1 + len(asks) == particle["steps"]
                assert cells[0] == frame["game"]["npcs"][npc]["at"]


def test_the_timelines_tell_where_observers_part() -> None:
    made = document(story_trial("early-turn"))
    assert {line["id"]: line["diverges_at"] for line in made["lines"]} == {
        "rational_mentalizing": None,
        "mentalizing_observer": None,
        "rational_observer": 3,
        "naive_observer": 3,
        "graded_mentalizing": None,
        "ideal_observer": None,
        "untold_mentalizing": 3,
    }
    assert made["turns"] == [0, 3, 16, 27]


def test_other_observers_tell_what_they_go_by() -> None:
    trial = story_trial("two-experts")
    said = document(trial, "mentalizing_observer")["frames"][0]["reasons"]
    assert "Watching Agent 2 could move the belief by 0.71, more than ε = 0.1." in said
    said = document(trial, "rational_observer")["frames"][0]["reasons"]
    assert said[0] == "Going to all wizards would cost 85."
    assert document(trial, "naive_observer")["frames"][0]["agrees"] is False


def test_who_is_not_told_has_an_opinion_on_everybodys_expertise() -> None:
    trial = story_trial("expert-and-novice")
    made, result = document(trial, "untold_mentalizing"), find_observer("untold_mentalizing")(trial)
    either = {"expert": 0.5, "novice": 0.5}
    assert made["frames"][0]["kinds"] == {"agent2": either, "agent3": either}
    for frame, decision in zip(made["frames"], result.trace, strict=False):
        for npc, kinds in (decision.kinds or {}).items():
            assert (frame["kinds"] or {})[npc] == pytest.approx(dict(kinds))
    last = made["frames"][len(result.trace) - 1]["kinds"]
    assert last != made["frames"][0]["kinds"]
    told = document(trial, "rational_mentalizing")["frames"]
    assert {frame["kinds"] is None for frame in told} == {True}


def test_the_ideal_observers_costs_stand_beside_the_models() -> None:
    trial = story_trial("two-experts")
    made, result = document(trial, "ideal_observer"), find_observer("ideal_observer")(trial)
    assert made["ideal"] == {"expected_cost": result.expected_cost, "reason": ""}
    watching = len(result.choices) + 1
    for frame, decision in zip(made["frames"], result.trace, strict=False):
        assert frame["ideal"] == {
            "act": decision.act,
            "watch": list(decision.watch or ()),
            "choice": decision.choice,
        }
    assert made["frames"][0]["reasons"][0] == "Acting now should cost 70.5 on average."
    assert all(frame["ideal"] is None for frame in made["frames"][watching:])
    beside = document(trial)["frames"][0]["ideal"]
    assert beside == made["frames"][0]["ideal"]


@pytest.mark.parametrize("observer", ["graded_mentalizing", "rational_mentalizing"])
@pytest.mark.parametrize("rule", ChoiceRule)
def test_the_chances_of_the_next_choice(observer: str, rule: ChoiceRule) -> None:
    trial, parameters = story_trial("two-experts"), Parameters(temperature=2.0)
    found: Any = find_observer(observer)
    made = observer_document(trial, found, parameters, rule=rule)
    engine = Engine(trial, parameters)
    result = found.run(engine)
    if rule is ChoiceRule.HARD:
        assert made["choosing"] is None
        assert all(frame["chances"] is None for frame in made["frames"])
        return
    view = engine.opening
    for step, frame in enumerate(made["frames"][: len(result.trace)]):
        values = found.values(engine, view).array
        p = choice_probabilities(rule, parameters, values)
        assert [each["p"] for each in frame["chances"] or ()] == p.tolist()
        assert [each["choice"] for each in frame["chances"] or ()] == [ACT, "agent2", "agent3"]
        if step < len(result.choices):
            view = engine.observe(view, trial.npc_index(result.choices[step]))
    assert made["frames"][len(result.trace)]["chances"] is None  # it acts
    choosing = made["choosing"]
    assert choosing is not None
    assert choosing["skip"] == (0.3 if rule is ChoiceRule.GRADED else 0.0)
    (expected,) = Batch([trial]).expect(parameters, found, rule)
    assert choosing["expected"] == list(expected.observed)


def test_only_controls_that_change_something_are_used() -> None:
    trial = story_trial("early-turn")
    used = {
        (name, rule): set(observer_document(trial, find_observer(name), rule=rule)["uses"])
        for name in ("rational_mentalizing", "graded_mentalizing")
        for rule in (None, "softmax")
    }
    paper = used["rational_mentalizing", None]
    assert {"rule", "beta", "meeting"} <= paper
    assert used["rational_mentalizing", "softmax"] - paper == {"temperature", "lapse"}
    graded = {"temperature", "curiosity", "skip", "caution"}
    assert used["graded_mentalizing", None] - paper == graded
    assert used["graded_mentalizing", "softmax"] - paper == {"temperature", "lapse", "caution"}


def test_what_needs_an_exact_search_can_be_left_out() -> None:
    made = observer_document(
        story_trial("two-experts"), find_observer("naive_observer"), exact=False
    )
    assert made["ideal"]["expected_cost"] is None
    assert "too large" in made["ideal"]["reason"]
    assert len(made["lines"]) == 4


def test_a_participants_next_choice_is_graded_mentalizings() -> None:
    trial = story_trial("expert-and-novice")
    made, engine = participant(trial, LOG), Engine(trial)
    assert made["choosing"] is not None
    assert made["choosing"]["title"] == "Graded Mentalizing"
    for step, frame in enumerate(made["frames"]):
        values = GradedMentalizing().values(engine, engine.view_after(LOG[:step]))
        p = choice_probabilities(ChoiceRule.GRADED, engine.parameters, values.array)
        assert [each["p"] for each in frame["chances"] or ()] == pytest.approx(p.tolist())
    assert [frame["ideal"] is None for frame in made["frames"]][:3] == [False, False, True]


def test_parameters_and_warnings_are_told() -> None:
    made = document(story_trial("two-experts"), prune=0.6, observe=7)
    assert made["parameters"]["observe"] == 7
    assert "prune=0.6 is above 1/2" in made["cautions"][0]
    assert document(story_trial("two-experts"))["cautions"] == []


@pytest.mark.parametrize("length", range(len(LOG) + 1))
def test_a_participants_replay_is_its_log_as_far_as_it_goes(length: int) -> None:
    trial = story_trial("expert-and-novice")
    made = participant(trial, LOG[:length])
    assert choices_of(made) == list(LOG[:length])
    game = stage(trial)
    turns = replay(game, LOG[:length])
    for step, frame in enumerate(made["frames"]):
        seen = game_view(game, turns[:step], tutorial=False)
        shown = made["map"] | frame["game"]
        assert shown == {**seen, "choices": []}
    last = turns[-1].situation if turns else opening(game)
    assert made["lines"][0]["cost"] == last.spent
    assert made["lines"][0]["current"]


def test_a_participant_is_advised_at_each_step() -> None:
    trial = story_trial("expert-and-novice")
    made = participant(trial, LOG)
    for step, frame in enumerate(made["frames"]):
        advice, mind = advise(trial, LOG[:step]), frame["mind"]
        assert mind is not None
        assert (mind["choice"], mind["c_self"]) == (advice.choice, advice.c_self)
        assert [watching["q"] for watching in mind["npcs"]] == list(advice.q_obs or ())
    advised = made["lines"][1]
    assert advised["id"] == "advice"
    assert [cell["choice"] for cell in advised["cells"]] == [
        frame["mind"]["choice"] for frame in made["frames"] if frame["mind"]
    ]
    assert [frame["agrees"] for frame in made["frames"]][:2] == [True, False]
    assert made["frames"][-1]["mind"]["belief"] == []  # it holds the amulet


def test_other_costs_do_not_change_what_a_participant_saw() -> None:
    trial = stimuli(3)[0]
    npc = trial.npcs[0].id
    log = (f"observe {npc}",) * 6
    usual, dear = participant(trial, log), participant(trial, log, interact=40, move=1)
    assert [frame["game"] for frame in usual["frames"]] == [
        frame["game"] for frame in dear["frames"]
    ]
    assert usual["frames"][0]["mind"] != dear["frames"][0]["mind"]


def test_a_round_without_points_left_is_over() -> None:
    trial = story_trial("near-wizards")
    game = stage(trial, on_empty="end")
    log = ("down", "up") * 9 + ("down",)
    assert replay(game, log)[-1].situation.over
    player: Any = {"id": "session-1", "title": "P", "kind": "participant", "note": ""}
    made = participant_document(PlayedLog(player, game, log))
    assert made["frames"][-1]["mind"] is None
    assert not made["frames"][-1]["game"]["main"]["arrived"]


class Glance(Observer):
    """Looks once."""

    name, title = "glance", "One glance"

    def decide(self, engine: Engine, view: Any, choices: Any) -> Decision:
        return Decision(ACT if choices else engine.trial.npcs[0].id)


def test_an_observer_of_ones_own_can_play() -> None:
    made = observer_document(story_trial("early-turn"), Glance())
    assert made["lines"][-1]["title"] == "One glance"
    assert made["lines"][-1]["observed"] == [1]
    assert made["lines"][-1]["current"]


@pytest.mark.parametrize(
    ("text", "setting", "words"),
    [
        (
            "map:\n@..A\n\nlegend:\n@ = main agent, goal A\n",
            "The main agent can walk to chest A: it needs no amulet.",
            "Act: there is nothing to find out. Going to chest A costs 9.",
        ),
        (
            "map:\n$.@.=A\n\nlegend:\n@ = main agent, goal A\n$ = blue wizard, holder\n"
            "= = blue barrier\n",
            "The main agent wants chest A and needs the blue amulet. Who holds what is certain, so"
            " there is nothing to learn.",
            "Act: there is nothing to find out. Going to w1 and then chest A costs 20.",
        ),
    ],
)
def test_trials_with_nothing_to_learn(text: str, setting: str, words: str) -> None:
    made = document(parse_trial(text))
    assert made["trial"]["setting"] == setting
    assert made["frames"][0]["mind"]["words"] == words  # type: ignore[index]


def test_a_cost_that_is_expected_is_told_as_such() -> None:
    trial = story_trial("near-wizards")
    worst, expected = (
        document(trial, exploration=how)["frames"][0]["mind"]["words"]  # type: ignore[index]
        for how in ("worst", "expected")
    )
    assert "and then chest A costs " in worst
    assert "and then chest A should cost " in expected


def test_a_tour_without_an_end_is_told() -> None:
    made = document(parse_trial(ENDLESS))
    mind = made["frames"][0]["mind"]
    assert mind is not None
    assert (mind["c_self"], mind["tour"]) == (None, None)
    assert "cannot be reached" in mind["words"]


def test_what_nothing_explains_is_an_error_that_names_it() -> None:
    with pytest.raises((NoPathError, UnexplainedError), match="stuck"):
        document(parse_trial(STUCK_BUT_MOVING))


def test_a_teachers_mind_stands_beside_the_learners() -> None:
    made = document(story_trial("teacher-feint"))
    lessons = [frame["lessons"]["agent2"] for frame in made["frames"]]
    assert [lesson["left"] for lesson in lessons[:5]] == [False, False, False, True, True]
    shares = [lesson["belief"][0]["wizards"][1]["p"] for lesson in lessons[:4]]
    assert shares == pytest.approx([0.5, 0.5, 0.5, 0.952], abs=5e-4)
    assert lessons[0]["words"] == "It would watch on."
    assert "then go for blue w2: 74 points" in lessons[-1]["words"]
    for trial in (story_trial("teacher-feint"), story_trial("early-turn")):
        careless = document(trial, care=0)
        assert all(frame["lessons"] == {} for frame in careless["frames"])


def test_who_is_not_told_takes_a_feint_for_teaching() -> None:
    made = document(story_trial("teacher-feint"), "untold_mentalizing", kinds="expert,teacher")
    teacher = [(frame["kinds"] or {})["agent2"]["teacher"] for frame in made["frames"]]
    assert teacher[:4] == sorted(teacher[:4])
    assert teacher[0] == pytest.approx(0.5)
    assert teacher[3] > 0.75


def test_a_participant_saw_the_teacher_that_was_staged_whatever_the_parameters() -> None:
    trial = story_trial("teacher-feint")
    log = ("observe agent2", "observe agent2", "observe agent2", "up")
    for care in (1, 0.1):
        made = participant(trial, log, care=care)
        said = [frame["said"] for frame in made["frames"]]
        assert said[3] == "Agent 2 moved right."


def test_a_participants_replay_says_of_npcs_what_was_told() -> None:
    played = replace(stage(story_trial("teacher-feint")), told=False)
    player = {"id": "session-1", "title": "Participant p1", "kind": "participant", "note": ""}
    made = participant_document(PlayedLog(player, played, ("observe agent2",)))  # type: ignore[arg-type]
    shown = [frame["game"]["npcs"] for frame in made["frames"]]
    for npcs in (made["trial"]["npcs"], *shown):
        assert [npc["expertise"] for npc in npcs] == ["untold"]
    assert [text for text in made["cautions"] if "was not told what the NPCs are" in text]
    told = participant_document(PlayedLog(player, replace(played, told=True), ("observe agent2",)))  # type: ignore[arg-type]
    assert not [text for text in told["cautions"] if "was not told" in text]
