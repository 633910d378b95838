"""What an engine answers, one question after another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from maps import STUCK, STUCK_BUT_MOVING
from onlooker.game import Expertise, load_trial, read_map_text
from onlooker.inference.errors import UnexplainedError
from onlooker.observers import Appraisal, Engine, Parameters, RationalMentalizing, run
from onlooker.planning import NoPathError
from running import ROOT

EARLY = load_trial(ROOT / "examples" / "early-turn.map")
NO_WAY = read_map_text(STUCK + "\nactions:\nagent2: left\n")  # for the main agent
TWO = load_trial(ROOT / "examples" / "two-experts.map")


def test_an_error_is_of_the_question_that_it_was_the_answer_to() -> None:
    engine = Engine(NO_WAY)
    before = engine.belief(engine.opening)
    for _ in range(2):
        with pytest.raises(NoPathError, match="the main agent cannot get"):
            engine.act({"blue": ("w1",)})
        assert engine.belief(engine.opening) == before
        assert engine.view_at([1]).histories[0].steps == 1
    assert RationalMentalizing().decide(engine, engine.opening).choice


def test_a_view_of_steps_that_no_hypothesis_explains_names_the_first_of_them() -> None:
    engine = Engine(read_map_text(STUCK_BUT_MOVING))
    assert engine.view_at([1]) == engine.observe(engine.opening, 0)
    for steps in (2, 3):
        with pytest.raises(UnexplainedError, match="no hypothesis explains step 2 of agent2"):
            engine.view_at([steps])


def test_views_are_equal_if_all_that_is_known_is() -> None:
    opening = Engine(EARLY).opening
    assert Engine(EARLY).opening == opening != Engine(EARLY).observe(opening, 0)
    asked = replace(opening, own_evidence=np.array([0.0, -np.inf]))
    assert opening != asked == replace(asked, own_evidence=asked.own_evidence.copy())
    assert opening != replace(opening, main=replace(opening.main, cell=(0, 0)))
    assert opening != opening.histories


def test_pruning_is_warned_of_where_the_pruned_colour_matters() -> None:
    free, prune = replace(EARLY, map=replace(EARLY.map, barriers=())), Parameters(prune=0.6)
    with pytest.warns(UserWarning, match="early turn: prune=0.6 is above 1/2, so at the start it"):
        assert len(Engine(EARLY, prune).cautions) == 1
    assert Engine(free, prune).cautions == Engine(EARLY, Parameters(prune=0.5)).cautions == ()


def test_what_an_appraisal_shows_is_in_its_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    before = run(TWO).trace[0]
    monkeypatch.setattr(Appraisal.IMAGINED_COSTS, "shows", ("q_obs", "looks"))
    decision, plain = run(TWO).trace[0], run(TWO).to_dict(trace=True)["trace"][0]
    assert (before.more, decision.q_obs, decision.belief) == (None, before.q_obs, None)
    assert before.particles is not None
    looks = tuple(sum(p.p * max(p.steps, 1) for p in of_npc) for of_npc in before.particles)
    assert decision.more == {"looks": pytest.approx(looks)}
    assert plain["looks"] == pytest.approx(list(looks))
    assert f"<td>{looks[0]:.2f}</td>" in run(TWO)._repr_html_()


def test_a_lattice_goes_on_after_acting_that_gets_stuck() -> None:
    class Own(RationalMentalizing):
        def act(self, engine, view):  # type: ignore[no-untyped-def]
            return super().act(engine, view)

    lattice = Own().lattice(Engine(NO_WAY))
    assert lattice.actions.tolist() == [-1, -1]
    compiled = Engine(NO_WAY).lattice(RationalMentalizing.parts)
    assert compiled.chosen.tolist() == lattice.chosen.tolist()


def test_sets_of_more_than_fifty_wizards() -> None:
    rows = [
        "#" * 60,
        "#" + "b" * 55 + "h" + "###",
        "#" + "." * 56 + "###",
        "#@2" + "." * 54 + "=A#",
    ]
    legend = "@ = main agent, goal A\n2 = expert agent2, goal A\nb = blue wizard\n"
    legend += "h = blue wizard, holder\n= = blue barrier\n"
    trial = read_map_text("map:\n" + "\n".join(rows) + "\n\nlegend:\n" + legend)
    engine = Engine(trial, Parameters(prune=0.0))
    every = tuple(wizard.id for wizard in trial.map.wizards)
    assert len(every) == 56
    assert engine.candidates(engine.belief(engine.opening)) == {"blue": every}
    assert engine.trusted(RationalMentalizing.parts.trust, engine.opening) == {"blue": every}


def test_a_future_under_an_expertise_that_one_is_told_is_not() -> None:
    engine = Engine(TWO)
    holders = dict(TWO.holders)
    letters = TWO.map.letters
    ways = {goal: engine.future(engine.opening, 0, goal, holders) for goal in letters}
    for goal in letters:
        assert engine.future(engine.opening, 0, goal, holders, Expertise.EXPERT) == ways[goal]
        with pytest.raises(
            ValueError, match="told that agent2 is expert and does not imagine it as"
        ):
            engine.future(engine.opening, 0, goal, holders, Expertise.NOVICE)
    disguised = replace(TWO.npcs[0], told=Expertise.NOVICE)
    misled = Engine(replace(TWO, npcs=(disguised, TWO.npcs[1])))
    assert misled.future(misled.opening, 0, "A", holders, Expertise.NOVICE)
    with pytest.raises(ValueError, match="told that agent2 is novice and does not imagine it as"):
        misled.future(misled.opening, 0, "A", holders, Expertise.EXPERT)
