"""A whole trial as a pure function of the choices made in it: play, replay and score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar, get_args

from onlooker.game.grid import ACTIONS, Action
from onlooker.game.rules import Costs, Event, Interaction, Move, State, Unavailable, step
from onlooker.game.trial import Trial

T = TypeVar("T")
OnEmpty = Literal["continue", "end"]


@dataclass(frozen=True, slots=True)
class Act:
    """The player moves its own agent."""

    action: Action

    def __str__(self) -> str:
        return str(self.action)


@dataclass(frozen=True, slots=True)
class Observe:
    """The player watches one NPC take its next action."""

    npc: str

    def __str__(self) -> str:
        return f"observe {self.npc}"


Choice = Act | Observe


def parse_choice(text: str) -> Choice:
    """A choice as a log writes it.

    >>> parse_choice("observe agent2"), parse_choice("left")
    (Observe(npc='agent2'), Act(action=<Action.LEFT: 'left'>))
    """
    word, _, npc = text.partition(" ")
    if word == "observe" and npc:
        return Observe(npc)
    if text in ACTIONS:
        return Act(Action(text))
    raise ValueError(f"expected up, down, left, right or 'observe ID', not {text!r}")


@dataclass(frozen=True)
class Stage:
    """A trial ready to be played: what each NPC will do and the points to begin with."""

    trial: Trial
    scripts: tuple[tuple[Action, ...], ...]  # one per NPC
    budget: int
    costs: Costs = field(default_factory=Costs)
    on_empty: OnEmpty = "continue"  # or "end": out of points, the trial is over
    told: bool = True  # is the player told of what kind the NPCs are?

    def __post_init__(self) -> None:
        if self.on_empty not in get_args(OnEmpty):
            raise ValueError(f"on_empty must be 'continue' or 'end', not {self.on_empty!r}")


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a trial stands after some choices."""

    main: State
    npcs: tuple[State, ...]
    observed: tuple[int, ...]  # steps watched of each NPC
    spent: int = 0
    moves: int = 0
    interactions: int = 0
    over: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One choice, what it showed and where it led."""

    choice: Choice
    event: Event
    situation: Situation


@dataclass(frozen=True, slots=True)
class Score:
    """What a trial came to."""

    finished: bool
    arrived: bool  # the main agent is at its chest
    budget: int
    spent: int
    unspent: int  # negative when more was spent than there was
    observed: tuple[int, ...]
    moves: int
    interactions: int


class LogError(ValueError):
    """A log holds a choice that was not available."""

    def __init__(self, trial: Trial, index: int, choice: Choice, reason: str) -> None:
        self.index, self.choice, self.reason = index, choice, reason
        super().__init__(f"{trial.label}: choice {index + 1} ({choice}): {reason}")


def check_stage(stage: object) -> Stage:
    """The stage, if it is one; TypeError otherwise."""
    if isinstance(stage, Stage):
        return stage
    kind = type(stage).__name__
    raise TypeError(f"expected a stage, as onlooker.stage(trial) returns it, not a {kind}")


def opening(stage: Stage) -> Situation:
    """The situation before the first choice."""
    trial = check_stage(stage).trial
    npcs = tuple(State(npc.at) for npc in trial.npcs)
    over = stage.on_empty == "end" and stage.budget <= 0
    return Situation(State(trial.main.at), npcs, (0,) * len(npcs), over=over)


def has_arrived(stage: Stage, situation: Situation, npc: int) -> bool:
    """Whether an NPC is at its chest, or at the end of what it does."""
    return situation.npcs[npc].arrived or situation.observed[npc] >= len(stage.scripts[npc])


def choices(stage: Stage, situation: Situation) -> list[Choice]:
    """Everything the player can choose now."""
    return [turn.choice for turn in next_turns(stage, situation)]


def next_turns(stage: Stage, situation: Situation) -> list[Turn]:
    """What each choice that the player has now would lead to."""
    possible: list[Choice] = [Act(action) for action in ACTIONS]
    possible += [Observe(npc.id) for npc in stage.trial.npcs]
    turns = [take(stage, situation, choice) for choice in possible]
    return [turn for turn in turns if isinstance(turn, Turn)]


def take(stage: Stage, situation: Situation, choice: Choice) -> Turn | Unavailable:
    """Make one choice: the new situation and what was seen, or why it cannot be made."""
    if situation.over:
        return Unavailable("the trial is over")
    if isinstance(choice, Observe):
        return _observe(stage, situation, choice)
    return _act(stage, situation, choice)


def _act(stage: Stage, situation: Situation, choice: Act) -> Turn | Unavailable:
    trial = stage.trial
    goal, holders = trial.main.goal, trial.holders
    result = step(trial.map, situation.main, choice.action, goal, holders, stage.costs)
    if isinstance(result, Unavailable):
        return result
    spent = situation.spent + result.event.cost
    after = replace(
        situation,
        main=result.state,
        spent=spent,
        moves=situation.moves + isinstance(result.event, Move),
        interactions=situation.interactions + isinstance(result.event, Interaction),
        over=result.state.arrived or _out_of_points(stage, spent),
    )
    return Turn(choice, result.event, after)


def _observe(stage: Stage, situation: Situation, choice: Observe) -> Turn | Unavailable:
    trial = stage.trial
    try:
        index = trial.npc_index(choice.npc)
    except KeyError as error:
        return Unavailable(str(error.args[0]))
    if has_arrived(stage, situation, index):
        return Unavailable(f"{choice.npc} has arrived and cannot be observed any more")
    action = stage.scripts[index][situation.observed[index]]
    goal = trial.npcs[index].goal
    result = step(trial.map, situation.npcs[index], action, goal, trial.holders, stage.costs)
    if isinstance(result, Unavailable):
        return Unavailable(f"{choice.npc} cannot go {action}: {result.reason}")
    spent = situation.spent + stage.costs.observe
    after = replace(
        situation,
        npcs=_with(situation.npcs, index, result.state),
        observed=_with(situation.observed, index, situation.observed[index] + 1),
        spent=spent,
        over=_out_of_points(stage, spent),
    )
    return Turn(choice, result.event, after)


def _out_of_points(stage: Stage, spent: int) -> bool:
    return stage.on_empty == "end" and spent >= stage.budget


def _with(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])


def replay(stage: Stage, log: Iterable[Choice | str]) -> list[Turn]:
    """Every turn of a log of choices; LogError if one of them was not available."""
    if isinstance(log, str):
        raise TypeError(f"expected a list of choices, such as [{log!r}], not {log!r}")
    situation, turns = opening(stage), []
    for index, entry in enumerate(log):
        choice = parse_choice(entry) if isinstance(entry, str) else entry
        turn = take(stage, situation, choice)
        if isinstance(turn, Unavailable):
            raise LogError(stage.trial, index, choice, turn.reason)
        turns.append(turn)
        situation = turn.situation
    return turns


def score(stage: Stage, turns: Sequence[Turn]) -> Score:
    """What the turns came to."""
    situation = turns[-1].situation if turns else opening(stage)
    return Score(
        finished=situation.over,
        arrived=situation.main.arrived,
        budget=stage.budget,
        spent=situation.spent,
        unspent=stage.budget - situation.spent,
        observed=situation.observed,
        moves=situation.moves,
        interactions=situation.interactions,
    )
