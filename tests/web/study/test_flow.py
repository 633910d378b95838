"""The study's flow as pure functions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlooker.game import Move, choices, opening, take
from onlooker.web.settings import Payment
from onlooker.web.study.course import Courses
from onlooker.web.study.flow import (
    Refusal,
    ReplayError,
    advance,
    bonus_amount,
    current_round,
    possible_points,
    replay,
    session_bonus,
    unspent_points,
)
from onlooker.web.study.intents import MalformedIntentError, read_intent
from onlooker.web.study.session_state import ENDS, SessionState, first_state
from web.visitor import cheapest_way, right_answers, wrong_answers


@dataclass
class Entry:
    kind: str
    data: dict[str, Any] = field(default_factory=dict)
    ordering: int | None = None


def go(course, state, kind, **data):
    after = advance(course, state, read_intent(kind, data))
    assert isinstance(after, SessionState), after
    return after


def refused(course, state, kind, **data) -> str:
    after = advance(course, state, read_intent(kind, data))
    assert isinstance(after, Refusal)
    return after.message


def at_tutorial(course):
    return go(course, first_state(course), "consent", agree=True)


def at_check(course):
    return SessionState("check", page=len(course.pages) - 1, practice=((), ()))


def test_declining_ends_the_session(courses: Courses) -> None:
    end = go(courses[1], first_state(courses[1]), "consent", agree=False)
    assert end.screen == "declined"
    assert refused(courses[1], end, "next") == "the session has ended"


@pytest.mark.parametrize("experiment", [1, 2, 3, 4])
def test_the_tutorial_has_examples_and_two_practice_trials(
    courses: Courses, experiment: int
) -> None:
    pages = courses[experiment].pages
    assert [page.practice for page in pages if page.practice is not None] == [0, 1]
    assert sum(page.example is not None for page in pages) >= 4
    for page in pages:
        if page.example:
            assert len(page.example["frames"]) == len(page.example["actions"]) + 1


def test_experiment_4_shows_an_experts_and_a_novices_way_to_the_same_chest(
    courses: Courses,
) -> None:
    expert, novice = (
        next(page.example for page in courses[4].pages if page.title == title)
        for title in ("Experts", "Novices")
    )
    assert expert is not None
    assert novice is not None
    for example in (expert, novice):
        assert example["frames"][-1]["last"]["chest"] == "A"
        assert example["frames"][-1]["last"]["arrived"]
        outcomes = {frame["last"]["outcome"] for frame in example["frames"][1:]}
        assert outcomes == {None, "hidden"}
    asked = [
        sum(f["last"]["kind"] == "interaction" for f in e["frames"][1:]) for e in (expert, novice)
    ]
    assert asked == [1, 2]


def test_pages_go_forth_and_back_and_keep_what_was_practised(courses: Courses) -> None:
    course = courses[1]
    state = at_tutorial(course)
    assert refused(course, state, "back") == "this is the first page"
    assert "nothing to play" in refused(course, state, "choose", choice="up")
    while course.pages[state.page].practice is None:
        state = go(course, state, "next")
    assert "not finished" in refused(course, state, "next")
    state = go(course, state, "choose", choice="observe agent2")
    back = go(course, go(course, state, "back"), "next")
    assert back == state
    assert current_round(course, back)[1][-1].situation.observed == (1,)


def test_the_check_gives_two_chances(courses: Courses) -> None:
    course = courses[2]
    once = go(course, at_check(course), "answer", answers=wrong_answers(course))
    assert (once.screen, once.attempts) == ("check", 1)
    assert once.wrong == tuple(q.id for q in course.questions[:2])
    assert go(course, once, "answer", answers=right_answers(course)).screen == "card"
    assert go(course, once, "answer", answers=wrong_answers(course)).screen == "failed_check"


@pytest.mark.parametrize(
    "change",
    [
        lambda answers: {},
        lambda answers: answers | {"other": "a"},
        lambda answers: answers | {"end": "z"},
    ],
)
def test_the_check_wants_an_answer_to_each_question(courses: Courses, change) -> None:
    course = courses[3]
    refused(course, at_check(course), "answer", answers=change(right_answers(course)))


@pytest.mark.parametrize("experiment", [1, 2, 3, 4])
def test_questions_have_one_right_option(courses: Courses, experiment: int) -> None:
    for question in courses[experiment].questions:
        assert [o.id for o in question.options].count(question.right) == 1
    ids = [question.id for question in courses[experiment].questions]
    assert len(set(ids)) == len(ids)
    assert ("novice" in ids, "hidden" in ids) == (experiment == 4,) * 2


def test_withdrawing_is_possible_on_every_screen(courses: Courses) -> None:
    course = courses[1]
    for screen in ("consent", "tutorial", "check", "card", "trial", "survey"):
        state = SessionState(screen, practice=((), ()), ordering=1, logs=((),))
        assert go(course, state, "withdraw").screen == "withdrawn"
    for screen in ENDS:
        assert refused(course, SessionState(screen), "withdraw") == "the session has ended"


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("fly", {}),
        ("choose", {}),
        ("choose", {"choice": "up", "cost": 0}),
        ("choose", {"choice": 3}),
        ("consent", {"agree": "yes"}),
        ("next", {"points": 100}),
        ("survey", {"answers": {"age": None}}),
        ("survey", {"answers": {"feedback": "x" * 5001}}),
        ("answer", {"answers": {"end": 1}}),
    ],
)
def test_malformed_intents_are_refused(kind: str, data: dict[str, Any]) -> None:
    with pytest.raises(MalformedIntentError):
        read_intent(kind, data)


def test_a_choice_that_is_not_available_is_refused(courses: Courses) -> None:
    course = courses[1]
    state = SessionState("trial", ordering=1, logs=((),))
    for choice in ("jump", "observe", "observe agent9", "observe main"):
        refused(course, state, "choose", choice=choice)
    assert "not finished" in refused(course, state, "next")


def test_without_points_a_round_can_end(courses: Courses) -> None:
    name = courses[1].ordering(1)[0]
    stage = replace(courses[1].stages[name], on_empty="end")
    course = replace(courses[1], stages={**courses[1].stages, name: stage})
    state = SessionState("trial", ordering=1, logs=((),))
    back = {"up": "down", "down": "up", "left": "right", "right": "left"}
    there = next(
        str(c) for c in choices(stage, opening(stage))
        if str(c) in back and isinstance(take(stage, opening(stage), c).event, Move)
    )  # fmt: skip
    for count in range(stage.budget // 3 + 1):
        if unspent_points(course, state):
            break
        choice = there if count % 2 == 0 else back[there]
        state = go(course, state, "choose", choice=choice)
    assert unspent_points(course, state)[0] <= 0
    assert "over" in refused(course, state, "choose", choice=there)
    assert go(course, state, "next").screen == "card"


logs = st.lists(st.tuples(st.sampled_from(["up", "down", "left", "observe agent2"])).map(tuple))


@given(
    st.builds(
        SessionState,
        screen=st.sampled_from(["consent", "trial", "debrief"]),
        page=st.integers(0, 12),
        practice=logs.map(tuple),
        attempts=st.integers(0, 3),
        wrong=st.none() | st.lists(st.text()).map(tuple),
        ordering=st.none() | st.integers(1, 8),
        logs=logs.map(tuple),
        reason=st.none() | st.text(),
    )
)
def test_a_standing_survives_being_written(state: SessionState) -> None:
    again = SessionState.load(state.dump())
    assert again == state
    assert again.hash == state.hash


def test_replaying_a_log_leads_through_the_same_states(courses: Courses) -> None:
    course = courses[1]
    log = [Entry("consent", {"agree": True}), Entry("next"), Entry("back"), Entry("withdraw")]
    screens = [(s.screen, s.page) for s in replay(course, log)]
    assert screens == [("tutorial", 0), ("tutorial", 1), ("tutorial", 0), ("withdrawn", 0)]
    with pytest.raises(ReplayError, match=r"event 0 \(next\)"):
        replay(course, [Entry("next")])


@pytest.mark.parametrize(
    ("unspent", "amount"),
    [(-40, "0.00"), (0, "0.00"), (110, "1.00"), (220, "2.00"), (300, "2.00"), (1, "0.01")],
)
def test_the_bonus_is_a_share_of_what_could_be_left(unspent: int, amount: str) -> None:
    assert bonus_amount(Payment(base=4), unspent, 220) == Decimal(amount)


def test_the_other_bonus_rules() -> None:
    per_point = Payment(base=4, bonus_rule="per_point", bonus_per_point=Decimal("0.015"))
    assert bonus_amount(per_point, 101, 220) == Decimal("1.52")
    assert bonus_amount(per_point, 1000, 220) == Decimal("2.00")
    assert bonus_amount(Payment(base=4, bonus_rule="none"), 100, 220) == 0


def test_only_a_complete_session_has_a_bonus(courses: Courses) -> None:
    course = courses[1]
    state = SessionState("withdrawn", ordering=1, logs=((),))
    assert session_bonus(course, Payment(base=4), state) == 0
    assert unspent_points(course, state) == []
    names = course.ordering(1)
    assert possible_points(course, state) == sum(
        course.stages[name].budget - course.least_costs[name] for name in names
    )
    assert 20 * len(names) <= possible_points(course, state) <= 24 * len(names)


def test_a_round_of_too_many_choices_is_over_and_worth_nothing(courses: Courses) -> None:
    course = replace(courses[1], most_choices=6)
    state = SessionState(screen="trial", ordering=1, logs=((),))
    stage = course.stage(1, 0)
    moves = [choice for choice in choices(stage, opening(stage)) if not str(choice).startswith("o")]
    there = str(moves[0])
    back = {"up": "down", "down": "up", "left": "right", "right": "left"}[there]
    for choice in (there, back, there, back, there):
        state = go(course, state, "choose", choice=choice)
        assert unspent_points(course, state) == []
    state = go(course, state, "choose", choice=back)
    assert isinstance(advance(course, state, read_intent("choose", {"choice": there})), Refusal)
    assert unspent_points(course, state) == [0]
    assert go(course, state, "next").screen == "card"


def test_the_last_choice_allowed_can_still_finish_the_round(courses: Courses) -> None:
    way = [str(taken.action) for taken in cheapest_way(courses[1].stage(1, 0))]
    course = replace(courses[1], most_choices=len(way))
    state = SessionState(screen="trial", ordering=1, logs=((),))
    for choice in way:
        state = go(course, state, "choose", choice=choice)
    assert state.screen == "trial"
    assert go(course, state, "next").screen == "card"
