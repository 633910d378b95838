"""How an observer acts once it has stopped watching."""

from __future__ import annotations

from dataclasses import dataclass

from onlooker.game import Action, Chest, Interaction, Move, State, Step, Wizard, step
from onlooker.observers.engine import Engine
from onlooker.observers.exploration import Leg
from onlooker.observers.results import Candidates
from onlooker.planning import NoPathError


@dataclass(frozen=True, slots=True)
class Run:
    """What the main agent did."""

    route: tuple[Action, ...]
    moves: int
    interactions: int


def act(engine: Engine, candidates: Candidates) -> Run:
    """Go for the candidates in the tour's order, then for other wizards if need be, to the chest.

    A colour is skipped once its amulet is held, and a wizard that cannot be reached when its turn
    comes is left for later.
    """
    walker = _Walker(engine)
    asked: set[Wizard] = set()
    wanted = engine.wizards(candidates)
    while walker.lacking():
        order = list(engine.exploration.tour(walker.mask, walker.cell, wanted))
        before = len(asked)
        while (wizard := walker.first_in_reach(order)) is not None:
            order.remove(wizard)
            asked.add(wizard)
            walker.go(walker.leg(wizard))
        if len(asked) == before and set(wanted) >= set(walker.untried(asked)):
            raise NoPathError(
                f"{engine.trial.label}: the main agent cannot get from {walker.state.cell} to the"
                f" {' or '.join(walker.lacking())} wizards left"
            )
        wanted = walker.untried(asked)
    walker.go(walker.leg(engine.exploration.chest))
    return Run(tuple(walker.route), walker.moves, walker.interactions)


class _Walker:
    """The main agent on its way."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.state = State(engine.trial.main.at)
        self.route: list[Action] = []
        self.moves = self.interactions = 0

    @property
    def mask(self) -> int:
        return self.engine.tables.states.mask(self.state.amulets)

    @property
    def cell(self) -> int:
        return self.engine.tables.states.cell(self.state.cell)

    def lacking(self) -> list[str]:
        return [colour for colour in self.engine.needed if colour not in self.state.amulets]

    def untried(self, asked: set[Wizard]) -> tuple[Wizard, ...]:
        lacking = self.lacking()
        wizards = self.engine.trial.map.wizards
        return tuple(w for w in wizards if w.colour in lacking and w not in asked)

    def leg(self, target: Chest | Wizard) -> Leg:
        return self.engine.exploration.leg(self.mask, self.cell, target)

    def first_in_reach(self, order: list[Wizard]) -> Wizard | None:
        lacking = self.lacking()
        for wizard in order:
            if wizard.colour in lacking and self.leg(wizard).cost < float("inf"):
                return wizard
        return None

    def go(self, leg: Leg) -> None:
        trial, costs = self.engine.trial, self.engine.parameters.costs
        for action in leg.actions:
            result = step(trial.map, self.state, action, trial.main.goal, trial.holders, costs)
            assert isinstance(result, Step), result
            self.state = result.state
            self.route.append(action)
            self.moves += isinstance(result.event, Move)
            self.interactions += isinstance(result.event, Interaction)
