"""A trial as somebody has to suppose it who only knows what a player sees.

Engines need whole trials. Here one is made up that agrees with everything seen so far: its holders
and the NPCs' goals are among those that are still possible, and its NPCs do what they were seen to
do, and one more step if they can still be watched. What an engine says about views up to now does
not depend on the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from onlooker.game import (
    ACTIONS,
    Act,
    Action,
    Choice,
    Expertise,
    Holders,
    LogError,
    MainAgent,
    Npc,
    Observe,
    PlayerView,
    Stage,
    State,
    Trial,
    Unavailable,
    possible_holders,
    replay,
    step,
)
from onlooker.game.player_view import VisibleTurn, last_turn


@dataclass
class Notes:
    """Everything that a player has seen of a trial."""

    first: PlayerView
    now: PlayerView
    seen: list[VisibleTurn] = field(default_factory=list)

    def add(self, view: PlayerView) -> None:
        """Note what the last choice showed."""
        assert view.last is not None
        self.now = view
        self.seen.append(view.last)

    @property
    def log(self) -> list[Choice]:
        """The player's choices."""
        return [Act(turn.action) if turn.who == "main" else Observe(turn.who) for turn in self.seen]

    @property
    def watched(self) -> tuple[str, ...]:
        """The NPCs that were watched, in order."""
        return tuple(turn.who for turn in self.seen if turn.who != "main")

    @property
    def acted(self) -> int:
        """How many own actions there were."""
        return len(self.seen) - len(self.watched)


def suppose(notes: Notes, before: Trial | None = None) -> Iterator[Trial]:
    """The trials that agree with the notes, that with the holders of `before` first."""
    for holders in _holders(notes, before):
        trial = _with_holders(notes, holders)
        if _agrees(trial, notes):
            yield _continued(trial, notes)


def _holders(notes: Notes, before: Trial | None) -> Iterator[Holders]:
    if before is not None:
        yield before.holders
    yield from possible_holders(notes.first.map)


def _with_holders(notes: Notes, holders: Holders) -> Trial:
    """The trial in which NPCs do what was seen of them and no more."""
    view = notes.first
    npcs = tuple(
        Npc(
            npc.id,
            npc.at,
            _goal(notes, npc.id),
            npc.expertise or Expertise.EXPERT,  # who is not told, asks what it may be
            tuple(turn.action for turn in notes.seen if turn.who == npc.id),
        )
        for npc in view.npcs
    )
    main = MainAgent(view.main.at, view.main.goal)
    return Trial(view.map, holders, main, npcs, view.reveals_outcomes, name="supposed trial")


def _goal(notes: Notes, npc: str) -> str:
    """The chest at which an NPC arrived, or one that it did not pass."""
    met = [turn for turn in notes.seen if turn.who == npc and turn.chest is not None]
    if met and met[-1].arrived:
        return str(met[-1].chest)
    passed = {turn.chest for turn in met}
    return next(c.letter for c in notes.first.map.chests if c.letter not in passed)


def _stage(trial: Trial, notes: Notes) -> Stage:
    scripts = tuple(npc.actions or () for npc in trial.npcs)
    return Stage(trial, scripts, notes.first.budget, notes.first.costs)


def _agrees(trial: Trial, notes: Notes) -> bool:
    """Whether the player's choices show in a trial what they showed."""
    stage = _stage(trial, notes)
    try:
        turns = replay(stage, notes.log)
    except LogError:
        return False
    return all(
        last_turn(stage, turns[: number + 1]) == seen for number, seen in enumerate(notes.seen)
    )


def _continued(trial: Trial, notes: Notes) -> Trial:
    """The same trial with one more step of each NPC that can still be watched."""
    stage = _stage(trial, notes)
    turns = replay(stage, notes.log)
    there = turns[-1].situation.npcs if turns else tuple(State(npc.at) for npc in trial.npcs)
    npcs = []
    for npc, state, visible in zip(trial.npcs, there, notes.now.npcs, strict=True):
        more = () if visible.arrived else (_any_step(trial, npc, state, stage),)
        npcs.append(Npc(npc.id, npc.at, npc.goal, npc.expertise, (*(npc.actions or ()), *more)))
    return Trial(
        trial.map, trial.holders, trial.main, tuple(npcs), trial.reveals_outcomes, trial.name
    )


def _any_step(trial: Trial, npc: Npc, state: State, stage: Stage) -> Action:
    """Some action that an NPC could take next."""
    for action in ACTIONS:
        taken = step(trial.map, state, action, npc.goal, trial.holders, stage.costs)
        if not isinstance(taken, Unavailable):
            return action
    raise AssertionError(f"{npc.id} can still be watched but has no step")
