"""The plain version of the four observers, and of advice in the middle of a trial."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from onlooker.game import (
    Choice,
    Expertise,
    Interaction,
    Move,
    Observe,
    Stage,
    State,
    Trial,
    has_arrived,
    needed,
    opening,
    replay,
)
from onlooker.inference.parameters import MARGIN, Parameters
from onlooker.inference.reference import Mind
from onlooker.observers.reference.tour import candidates_of, everyone, is_settled
from onlooker.observers.reference.watching import Watcher
from onlooker.observers.results import ACT, Candidates, Decision, Particle, Result
from onlooker.planning import NoPathError, Steps, Tables, npc_paths


@dataclass(frozen=True)
class Watch:
    """What an observer does before it acts."""

    choices: tuple[int, ...]  # the NPCs it watched, one for each step
    candidates: Candidates
    trace: tuple[Decision, ...] = ()


def run_reference(
    trial: Trial, observer: str, parameters: Parameters, tables: Tables | None = None
) -> Result:
    """Run one of the four observers on a trial."""
    if observer not in REFERENCE_OBSERVERS:
        known = ", ".join(REFERENCE_OBSERVERS)
        raise ValueError(f"observer must be one of {known}, not {observer!r}")
    if needed(trial.map, trial.main.at, trial.main.goal) is None:
        raise NoPathError(f"{trial.label}: the main agent cannot reach chest {trial.main.goal}")
    tables = tables or Tables(trial.map, parameters.costs)
    watcher = Watcher.at(trial, parameters, tables, State(trial.main.at))
    paths = npc_paths(tables, trial)
    watch = REFERENCE_OBSERVERS[observer](watcher, paths)
    route = watcher.walker.act(watcher.main, watch.candidates)
    return Result(
        observer=observer,
        observed=tuple(watch.choices.count(npc) for npc in range(len(trial.npcs))),
        choices=tuple(trial.npcs[npc].id for npc in watch.choices),
        candidates=watch.candidates,
        route=tuple(taken.action for taken in route),
        moves=sum(isinstance(taken.event, Move) for taken in route),
        interactions=sum(isinstance(taken.event, Interaction) for taken in route),
        cost=parameters.observe * len(watch.choices) + sum(taken.event.cost for taken in route),
        trace=watch.trace,
    )


def advise_reference(
    trial: Trial,
    log: Iterable[Choice | str],
    parameters: Parameters,
    tables: Tables | None = None,
) -> Decision:
    """What Rational Mentalizing would do after a player's log of choices."""
    tables = tables or Tables(trial.map, parameters.costs)
    paths = npc_paths(tables, trial)
    scripts = tuple(tuple(taken.action for taken in path) for path in paths)
    game = Stage(trial, scripts, budget=0, costs=parameters.costs)
    turns = replay(game, log)
    situation = turns[-1].situation if turns else opening(game)
    watcher = Watcher.at(trial, parameters, tables, situation.main)
    own_outcomes = {
        turn.event.wizard: turn.event.gave
        for turn in turns
        if isinstance(turn.event, Interaction) and not isinstance(turn.choice, Observe)
    }
    # The player's own interactions come first: the order of the evidence does not matter.
    mind = Mind.fresh(trial, watcher.models, own_outcomes)
    for turn in turns:
        if isinstance(turn.choice, Observe):
            npc = trial.npc_index(turn.choice.npc)
            mind = mind.after(npc, paths[npc][turn.situation.observed[npc] - 1])
    arrived = [has_arrived(game, situation, npc) for npc in range(len(trial.npcs))]
    return _decide(watcher, mind, arrived)


def _below(one: float, other: float) -> bool:
    return one < other - MARGIN


# -- Rational Mentalizing --------------------------------------------------------------------------


def _decide(watcher: Watcher, mind: Mind, arrived: Sequence[bool]) -> Decision:
    """Compare acting alone with watching each NPC that can be watched."""
    belief = watcher.belief(mind)
    c_self = watcher.c_self(belief)
    worth: list[tuple[float | None, tuple[Particle, ...]]] = [
        (None, ()) if is_over or not watcher.open_colours else watcher.worth(mind, npc)
        for npc, is_over in enumerate(arrived)
    ]
    q_obs = tuple(q for q, _ in worth)
    least = min((q for q in q_obs if q is not None), default=c_self)
    choice = ACT
    if _below(least, c_self):
        npcs = zip(watcher.trial.npcs, q_obs, strict=True)
        choice = next(npc.id for npc, q in npcs if q is not None and q <= least + MARGIN)
    goals = tuple(mind.goals(npc) for npc in range(len(q_obs)))
    return Decision(choice, belief, goals, c_self, q_obs, tuple(behind for _, behind in worth))


def _rational_mentalizing(watcher: Watcher, paths: tuple[Steps, ...]) -> Watch:
    return mentalize(watcher, paths, Mind.fresh(watcher.trial, watcher.models))


def mentalize(watcher: Watcher, paths: tuple[Steps, ...], mind: Mind) -> Watch:
    """Watch while that is cheaper than acting, beginning with a mind."""
    choices, trace = list[int](), list[Decision]()
    while True:
        arrived = [choices.count(npc) == len(path) for npc, path in enumerate(paths)]
        trace.append(_decide(watcher, mind, arrived))
        if trace[-1].choice == ACT:
            break
        npc = watcher.trial.npc_index(trace[-1].choice)
        mind = mind.after(npc, paths[npc][choices.count(npc)])
        choices.append(npc)
    candidates = candidates_of(watcher.belief(mind), watcher.parameters)
    return Watch(tuple(choices), candidates, tuple(trace))


# -- its three ablations ---------------------------------------------------------------------------


def _mentalizing(watcher: Watcher, paths: tuple[Steps, ...]) -> Watch:
    mind = Mind.fresh(watcher.trial, watcher.models)
    choices: list[int] = []
    while not is_settled(watcher.belief(mind), watcher.parameters.converge):
        first = choices[-1] + 1 if choices else 0
        in_turn = [(first + i) % len(paths) for i in range(len(paths))]
        informative = (
            npc
            for npc in in_turn
            if choices.count(npc) < len(paths[npc]) and watcher.is_informative(mind, npc)
        )
        npc = next(informative, None)
        if npc is None:
            break
        mind = mind.after(npc, paths[npc][choices.count(npc)])
        choices.append(npc)
    return Watch(tuple(choices), candidates_of(watcher.belief(mind), watcher.parameters))


def _rational(watcher: Watcher, paths: tuple[Steps, ...]) -> Watch:
    trial, walker = watcher.trial, watcher.walker
    all_wizards = everyone(trial.map, walker.needed)
    alone = walker.c_self(watcher.main, all_wizards)
    holders = {colour: (trial.holders[colour],) for colour in walker.needed}
    informed = walker.c_self(watcher.main, holders)
    for expertise in (Expertise.EXPERT, Expertise.NOVICE):
        meetings = {
            npc: _first_meeting(path, trial.map.colours)
            for npc, path in enumerate(paths)
            if trial.npcs[npc].expertise is expertise
        }
        worth_it = {
            npc: steps
            for npc, steps in meetings.items()
            if steps is not None and _below(watcher.parameters.observe * steps + informed, alone)
        }
        if worth_it and watcher.open_colours:
            return _watch_and_trust(watcher, paths, worth_it)
    return Watch((), all_wizards)


def _naive(watcher: Watcher, paths: tuple[Steps, ...]) -> Watch:
    any_wizard = watcher.parameters.meeting == "any"
    colours = watcher.trial.map.colours if any_wizard else watcher.open_colours
    steps = {
        npc: _first_meeting(path, colours) or len(path)
        for npc, path in enumerate(paths)
        if any_wizard or watcher.trial.npcs[npc].expertise is Expertise.EXPERT
        if watcher.open_colours
    }
    return _watch_and_trust(watcher, paths, steps)


def _first_meeting(path: Steps, colours: Sequence[str]) -> int | None:
    """The steps of a path up to its first interaction with a wizard of those colours."""
    for count, taken in enumerate(path, start=1):
        if isinstance(taken.event, Interaction) and taken.event.colour in colours:
            return count
    return None


def _watch_and_trust(watcher: Watcher, paths: tuple[Steps, ...], steps: dict[int, int]) -> Watch:
    """Watch some NPCs for some steps each, in turn, and trust the wizards that they asked last."""
    choices = [
        npc
        for round in range(max(steps.values(), default=0))
        for npc in steps
        if round < steps[npc]
    ]
    candidates = everyone(watcher.trial.map, watcher.walker.needed)
    met = [paths[npc][count - 1].event for npc, count in steps.items() if count]
    trusted = {event.wizard for event in met if isinstance(event, Interaction)}
    for colour, wizards in candidates.items():
        candidates[colour] = tuple(w for w in wizards if w in trusted) or wizards
    return Watch(tuple(choices), candidates)


REFERENCE_OBSERVERS: dict[str, Callable[[Watcher, tuple[Steps, ...]], Watch]] = {
    "rational_mentalizing": _rational_mentalizing,
    "mentalizing_observer": _mentalizing,
    "rational_observer": _rational,
    "naive_observer": _naive,
}
