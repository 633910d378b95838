"""The PDDL export against the game's rules and against Fast Downward's optimal plans."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from onlooker.game import (
    ACTIONS,
    Action,
    Barrier,
    Cell,
    Chest,
    Costs,
    Expertise,
    Holders,
    MainAgent,
    Map,
    Npc,
    State,
    Step,
    Trial,
    Wizard,
    budget_for,
    step,
    validate,
)
from onlooker.game.pddl import domain, export_pddl, plan_actions, problem
from onlooker.planning import Tables
from vectors import VECTORS


@pytest.fixture(scope="module")
def planner() -> None:
    """Skip a test where there is no planner. To import one takes long, so only these tests do."""
    try:
        import up_fast_downward  # noqa: F401
        from unified_planning.shortcuts import get_environment
    except ImportError as error:
        pytest.skip(f"needs unified-planning and up-fast-downward: {error}")
    get_environment().credits_stream = None


needs_planner = pytest.mark.usefixtures("planner")


@cache  # slow to make
def reader() -> Any:
    from unified_planning.io import PDDLReader

    return PDDLReader()


def parsed_problem(domain_text: str, problem_text: str) -> Any:
    return reader().parse_problem_string(domain_text, problem_text)


# -- optimal costs ---------------------------------------------------------------------------------


class Case(NamedTuple):
    """One agent, goal and holders of a vector; the vector's budget where it depends on those."""

    trial: Trial
    costs: Costs
    agent: str
    goal: str
    holders: Holders
    budget: int | None


def cases() -> Iterator[Any]:
    """Every agent of every vector with what is true of it, and some other hypotheses.

    A call of the planner takes half a second, so only one in twelve is not marked as slow.
    """
    for number, (name, case) in enumerate(all_cases()):
        marks = [pytest.mark.slow] if number % 12 != 1 else []
        yield pytest.param(case, id=name, marks=marks)


def all_cases() -> Iterator[tuple[str, Case]]:
    for index, vector in enumerate(VECTORS):
        trial, costs = vector.trial, vector.costs
        goals = {"main": trial.main.goal} | {npc.id: npc.goal for npc in trial.npcs}
        for agent, goal in goals.items():
            budget = vector.expect["budget"] if agent == "main" else None
            case = Case(trial, costs, agent, goal, trial.holders, budget)
            yield f"{vector.name}-{agent}", case
        others = [
            Case(trial, costs, agent, goal, holders, None)
            for agent, goal, holders in hypotheses(trial, list(goals))
            if goal != goals[agent] or holders != trial.holders
        ]
        if others and index % 3 == 2:
            yield f"{vector.name}-other", random.Random(vector.name).choice(others)


def hypotheses(trial: Trial, agents: list[str]) -> Iterator[tuple[str, str, Holders]]:
    for agent, goal in product(agents, trial.map.letters):
        for wizards in product(*trial.map.wizards_of.values()):
            yield agent, goal, {wizard.colour: wizard.id for wizard in wizards}


def start_of(trial: Trial, agent: str) -> Cell:
    return trial.main.at if agent == "main" else trial.npc(agent).at


def least_cost(case: Case) -> int:
    tables, start = Tables(case.trial.map, case.costs), start_of(case.trial, case.agent)
    return int(tables.expert(case.goal, case.holders)[start, frozenset()])


def replayed(case: Case, actions: tuple[Action, ...]) -> tuple[State, int]:
    """Where the actions lead by the game's rules, and what they cost."""
    state, cost = State(start_of(case.trial, case.agent)), 0
    for action in actions:
        taken = step(case.trial.map, state, action, case.goal, case.holders, case.costs)
        assert isinstance(taken, Step), taken
        state, cost = taken.state, cost + taken.event.cost
    return state, cost


def solve(
    domain_text: str, problem_text: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Any:
    """The parsed problem and Fast Downward's answer to it."""
    from unified_planning.shortcuts import OneshotPlanner

    monkeypatch.chdir(folder)  # the planner leaves files where it runs
    parsed = parsed_problem(domain_text, problem_text)
    with OneshotPlanner(name="fast-downward-opt") as planner:
        return parsed, planner.solve(parsed)


def actions_of(result: Any) -> tuple[Action, ...]:
    return plan_actions("\n".join(str(action) for action in result.plan.actions))


@needs_planner
@pytest.mark.server
@pytest.mark.parametrize("case", list(cases()))
def test_fast_downward_finds_the_same_least_cost(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unified_planning.shortcuts import PlanValidator

    text = problem(case.trial, case.agent, case.goal, case.holders)
    parsed, result = solve(domain(case.costs), text, tmp_path, monkeypatch)
    assert result.status.name == "SOLVED_OPTIMALLY"
    with PlanValidator(name="sequential_plan_validator") as validator:
        (planned,) = validator.validate(parsed, result.plan).metric_evaluations.values()

    state, cost = replayed(case, actions_of(result))
    assert state.arrived
    assert cost == planned == least_cost(case)
    if case.budget is not None:
        assert budget_for(cost) == case.budget


# -- small trials ----------------------------------------------------------------------------------


def small_trial(**changes: Any) -> Trial:
    """
    @.b.   main agent, blue wizard w1 (the holder)
    #b=A   wall, blue wizard w2 (a decoy), blue barrier, chest A
    .N.B   NPC n, chest B
    """
    parts: dict[str, Any] = {
        "width": 4,
        "height": 3,
        "walls": frozenset({(0, 1)}),
        "barriers": (Barrier((2, 1), "blue"),),
        "wizards": (Wizard("w1", (2, 0), "blue"), Wizard("w2", (1, 1), "blue")),
        "chests": (Chest("A", (3, 1)), Chest("B", (3, 2))),
        "holders": {"blue": "w1"},
        "main": MainAgent((0, 0), "A"),
        "npcs": (Npc("n", (1, 2), "B", Expertise.EXPERT),),
    }
    parts |= changes
    in_map = ("width", "height", "walls", "barriers", "wizards", "chests")
    map = Map(**{key: parts.pop(key) for key in in_map})
    return Trial(map, **parts)


def odd_trial() -> Trial:
    """A trial with names that are the same, or nothing at all, to PDDL and some file systems.

    @BBbb   two Blue wizards, two blue wizards
    ...BI   chest B, Blue barrier
    N.7iA   NPC, the _7 wizard, blue barrier, chest A
    """
    return small_trial(
        width=5,
        walls=frozenset(),
        barriers=(Barrier((4, 1), "Blue"), Barrier((3, 2), "blue")),
        wizards=(
            Wizard("é.1", (1, 0), "Blue"),
            Wizard("è.1", (2, 0), "Blue"),
            Wizard("w", (3, 0), "blue"),
            Wizard("W", (4, 0), "blue"),
            Wizard("巫", (2, 2), "_7"),
        ),
        chests=(Chest("A", (4, 2)), Chest("B", (3, 1))),
        holders={"Blue": "é.1", "blue": "W", "_7": "巫"},
        npcs=(Npc("Main", (0, 2), "B", Expertise.EXPERT),),
    )


def files_of(trial: Trial) -> dict[str, str]:
    files = list(export_pddl(trial))
    assert len({name.casefold() for name, _ in files}) == len(files)
    return dict(files)


def test_small_trials_are_valid() -> None:
    validate(small_trial())
    validate(odd_trial())


@needs_planner
@pytest.mark.parametrize(("goal", "holder"), [("A", "w1"), ("B", "w2")])
def test_pddl_and_the_rules_agree_in_every_state(goal: str, holder: str) -> None:
    from unified_planning.shortcuts import SequentialSimulator

    trial, holders = small_trial(), {"blue": holder}
    parsed = parsed_problem(domain(), problem(trial, "main", goal, holders))
    at, has = parsed.fluent("agent-at"), parsed.fluent("has-amulet")
    columns = [parsed.object(f"x{x}") for x in range(trial.map.width)]
    rows = [parsed.object(f"y{y}") for y in range(trial.map.height)]
    blue = parsed.object("colour-blue")

    def seen(state: Any) -> tuple[Cell, frozenset[str]]:
        (cell,) = (
            cell
            for cell in trial.map.cells()
            if state.get_value(at(columns[cell[0]], rows[cell[1]])).is_true()
        )
        return cell, frozenset({"blue"} if state.get_value(has(blue)).is_true() else ())

    with SequentialSimulator(parsed) as simulator:
        frontier = [(simulator.get_initial_state(), State(trial.main.at))]
        done = set()
        while frontier:
            theirs, ours = frontier.pop()
            assert seen(theirs) == (ours.cell, ours.amulets)
            if seen(theirs) in done:
                continue
            done.add(seen(theirs))
            assert simulator.is_goal(theirs) == ours.arrived
            taken = {
                action: step(trial.map, ours, action, goal, holders, Costs()) for action in ACTIONS
            }
            applicable = list(simulator.get_applicable_actions(theirs))
            names = [Action(str(parameters[0])) for _, parameters in applicable]
            assert sorted(names) == sorted(a for a in ACTIONS if isinstance(taken[a], Step))
            for name, (action, parameters) in zip(names, applicable, strict=True):
                result = taken[name]
                assert isinstance(result, Step)
                cost = parsed.quality_metrics[0].get_action_cost(action)
                assert cost.constant_value() == result.event.cost
                frontier.append((simulator.apply(theirs, action, parameters), result.state))
    assert any(amulets for _, amulets in done)


@needs_planner
@pytest.mark.parametrize("trial", [small_trial(), odd_trial()], ids=["small", "odd"])
def test_files_parse_and_name_each_thing_once(trial: Trial) -> None:
    """Those of each agent that are true; in all files of a trial the same things are named."""
    files = files_of(trial)
    rules = files.pop("domain.pddl")
    true = [text for name, text in files.items() if name.endswith("-true.pddl")]
    assert len(true) == 1 + len(trial.npcs)
    for text in true:
        parsed = parsed_problem(rules, text)
        assert len(parsed.all_objects) == len({str(o).lower() for o in parsed.all_objects})
    named = {text[text.index("(:objects") : text.index("(:init")] for text in files.values()}
    assert len(named) == 1
    assert all(map(str.isascii, files))


@needs_planner
def test_a_trial_without_wizards_is_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trial = small_trial(wizards=(), barriers=(), holders={})
    _, result = solve(domain(), problem(trial), tmp_path, monkeypatch)
    assert result.status.name == "SOLVED_OPTIMALLY"
    assert len(result.plan.actions) == 4


@needs_planner
@pytest.mark.parametrize(
    "trial",
    [
        small_trial(walls=frozenset({(0, 1), (1, 0)})),  # walled in
        small_trial(barriers=tuple(Barrier(at, "red") for at in ((3, 0), (2, 1), (2, 2)))),
    ],
    ids=["walls", "barriers"],
)
def test_a_chest_out_of_reach_makes_the_problem_unsolvable(
    trial: Trial, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, result = solve(domain(), problem(trial, goal="B"), tmp_path, monkeypatch)
    assert result.status.name == "UNSOLVABLE_PROVEN"


@needs_planner
@pytest.mark.parametrize("wizard", ["w", "W"])
def test_names_with_the_same_letters_stay_apart(
    wizard: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = odd_trial()
    holders = {**trial.holders, "blue": wizard}
    _, result = solve(domain(), problem(trial, "Main", "A", holders), tmp_path, monkeypatch)
    case = Case(trial, Costs(), "Main", "A", holders, None)
    state, cost = replayed(case, actions_of(result))
    assert state.arrived
    assert cost == least_cost(case)


def test_file_names() -> None:
    assert list(files_of(small_trial())) == [
        "domain.pddl",
        "main-goal_A-blue_w1-true.pddl",
        "main-goal_A-blue_w2.pddl",
        "main-goal_B-blue_w1.pddl",
        "main-goal_B-blue_w2.pddl",
        "n-goal_A-blue_w1.pddl",
        "n-goal_A-blue_w2.pddl",
        "n-goal_B-blue_w1-true.pddl",
        "n-goal_B-blue_w2.pddl",
    ]


def test_each_agent_has_one_true_problem() -> None:
    other = Npc("main_2", (1, 2), "A", Expertise.EXPERT)
    trial = replace(odd_trial(), npcs=(*odd_trial().npcs, other))
    files = files_of(trial)
    assert len(files) == 1 + 3 * 2 * 4
    true = [text for name, text in files.items() if name.endswith("-true.pddl")]
    assert true == [problem(trial, agent) for agent in ("main", "Main", "main_2")]


def test_file_names_stay_short_enough() -> None:
    colours = [letter * 100 for letter in "abcdefgh"]
    wizards = [Wizard(f"{'w' * 90}{i}", (i, 3), colours[i % 8]) for i in range(16)]
    trial = small_trial(
        width=16,
        height=4,
        barriers=(),
        wizards=wizards,
        holders={wizard.colour: wizard.id for wizard in wizards[:8]},
        chests=(Chest("A", (3, 1)),),
        npcs=(),
    )
    names = list(files_of(trial))
    assert len(names) == 1 + 2**8
    assert max(map(len, names)) <= 255
    assert names[-1] == "main-goal_A-holders_256.pddl"


def test_too_many_files_are_refused_with_their_number() -> None:
    with pytest.raises(ValueError, match=r"unnamed trial would need 9 PDDL files.* limit of 8"):
        export_pddl(small_trial(), limit=8)


def test_comments_hold_whatever_is_in_a_name() -> None:
    wicked = 'w1\n(:goal (agent-at x0 y0))\u2028"'
    trial = small_trial(
        wizards=(Wizard(wicked, (2, 0), "blue"),), holders={"blue": wicked}, name=wicked
    )
    plain = small_trial(
        wizards=(Wizard("w1", (2, 0), "blue"),), holders={"blue": "w1"}, name="plain"
    )
    text = problem(trial)
    assert text.isascii()
    bare = [line.partition(" ;")[0] for line in text.splitlines()[1:]]
    name = next(line.split()[0] for line in bare if line.endswith("- wizard"))
    expected = [line.partition(" ;")[0] for line in problem(plain).splitlines()[1:]]
    assert [line.replace(name, "wizard-w1") for line in bare] == expected


def test_walls_and_barriers_that_nothing_opens_are_left_out() -> None:
    text = problem(small_trial(barriers=(Barrier((2, 1), "blue"), Barrier((0, 2), "red"))))
    assert "(free x0 y0)" in text
    assert "(opened-by x2 y1 colour-blue)" in text
    assert "(opened-by x2 y0 colour-blue)" in text  # the wizard's cell
    for cell in ("x0 y1", "x0 y2"):
        assert f"(free {cell})" not in text
        assert f"(opened-by {cell}" not in text


def test_costs_stand_in_the_domain() -> None:
    text = domain(Costs(move=2, interact=7))
    assert text.count("(increase (total-cost) 2)") == 2
    assert text.count("(increase (total-cost) 7)") == 2


def test_a_hypothesis_must_fit_the_map() -> None:
    with pytest.raises(ValueError, match="there is no chest 'C'; the chests are A, B"):
        problem(small_trial(), goal="C")
    with pytest.raises(ValueError, match="the blue wizards are w1, w2: 'w9' cannot be the holder"):
        problem(small_trial(), holders={"blue": "w9"})
    with pytest.raises(KeyError, match="no NPC 'nobody'"):
        problem(small_trial(), "nobody")


@pytest.mark.parametrize(
    "plan",
    [
        "(move up x0 y1 x0 y0)\n(ask-decoy right x0 y0 x1 y0 wizard-w1 colour-blue)\n; cost = 8\n",
        "move(up, x0, y1, x0, y0)\nask-decoy(right, x0, y0, x1, y0, wizard-w1, colour-blue)",
        "0.000: (MOVE UP X0 Y1 X0 Y0) [1]\n1.000: (ASK-DECOY RIGHT X0 Y0 X1 Y0 W K) [1]\n\n",
    ],
    ids=["fast downward", "unified planning", "timed"],
)
def test_plans_are_read_back(plan: str) -> None:
    assert plan_actions(plan) == (Action.UP, Action.RIGHT)


def test_another_domains_plan_is_refused() -> None:
    with pytest.raises(ValueError, match="not a step of a plan in the domain onlooker"):
        plan_actions("(drive truck1 a b)")
