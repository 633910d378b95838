"""Observers as players: they choose from what a participant sees, and know nothing else.

The Rational Observer is the exception. By its definition it counts the steps to an NPC's first
interaction on the path that the NPC really takes, and weighs them with the true holders. It can
only play where it is told the trial.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from onlooker.game import Act, Action, Choice, Observe, PlayerView, Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers import ChoiceRule, Engine, Observer, rule_for
from onlooker.observers.choice_rules import probabilities_at
from onlooker.observers.choosing import draw, skipping
from onlooker.observers.results import View
from onlooker.planning import NoPathError
from onlooker.players.supposing import Notes, suppose


class ObserverPlayer:
    """An observer that plays: it watches while it wants to, then acts.

    With a soft rule it is a simulated participant, whose choices depend on the seed. What it learns
    about NPCs that recur goes with it from trial to trial. `told` is the trial itself, for one that
    knows more than a player may.

    >>> from onlooker.game import load_trial, play_trial
    >>> from onlooker.observers import find_observer
    >>> from onlooker.planning import stage
    >>> player = ObserverPlayer(find_observer("rational_mentalizing"))
    >>> turns = play_trial(stage(load_trial("examples/early-turn.map")), player)
    >>> [str(turn.choice) for turn in turns][:4]
    ['observe agent2', 'observe agent2', 'observe agent2', 'right']
    """

    def __init__(
        self,
        observer: Observer,
        parameters: Parameters | None = None,
        rule: ChoiceRule | str | None = None,
        seed: int | np.random.SeedSequence | np.random.Generator | None = None,
        told: Trial | None = None,
    ) -> None:
        if told is None and knows_all(observer):
            raise ValueError(
                f"{observer.name} cannot play by what a player sees: it counts the steps that NPCs"
                " really take to a wizard, and knows the holders"
            )
        self._told = told
        self.observer, self.parameters = observer, parameters or Parameters()
        self.rule = rule_for(observer, rule)
        self._rng = np.random.default_rng(seed)
        self._notes: Notes | None = None
        self._acting = False

    def choose(self, view: PlayerView) -> Choice:
        """What the observer does next."""
        if view.last is None or self._notes is None:
            self._start(view)
        else:
            self._notes.add(view)
            self._suppose()
        if self._acting or not self._watches():
            self._acting = True
            return Act(self._route()[self._log.acted])
        return Observe(self._watched)

    @property
    def _log(self) -> Notes:
        assert self._notes is not None
        return self._notes

    def _start(self, view: PlayerView) -> None:
        """Begin a trial, with what was learnt in the one before."""
        if self._notes is not None:
            self.observer = self.observer.carry(self._engine, self._view())
        self._notes = Notes(view, view)
        self._trial: Trial | None = None
        self._suppose()
        skip = skipping(self.rule, self._engine.parameters)
        self._acting = skip > 0 and self._rng.random() < skip

    def _suppose(self) -> None:
        """Suppose another trial where what was seen requires it."""
        trial = self._told or next(suppose(self._log, self._trial))
        if trial != self._trial:
            self._think_of(trial)

    def _think_of(self, trial: Trial) -> None:
        costs = self._log.first.costs
        parameters = replace(
            self.parameters, move=costs.move, interact=costs.interact, observe=costs.observe
        )
        self._trial, self._engine = trial, Engine(trial, parameters, warn=False)
        self._way: tuple[Action, ...] | None = None

    def _view(self) -> View:
        """What it has seen of the NPCs."""
        watched = self._log.watched
        return self._engine.view_at([watched.count(npc.id) for npc in self._log.first.npcs])

    def _watches(self) -> bool:
        """Whether it wants to watch somebody, who is then `_watched`."""
        p = probabilities_at(
            self.observer, self._engine, self._view(), self._log.watched, self.rule
        )
        chosen = draw(p, self._rng)
        if chosen:
            self._watched = self._log.first.npcs[chosen - 1].id
        return chosen > 0

    def _route(self) -> tuple[Action, ...]:
        """Its whole way to the chest, as long as the trial is as supposed."""
        if self._way is None:
            self._way = self._found_way() if self._told is None else self._act()
        return self._way

    def _found_way(self) -> tuple[Action, ...]:
        """The way in the first supposed trial that has one: holders may be out of reach."""
        failed: NoPathError | None = None
        for trial in suppose(self._log, self._trial):
            if trial != self._trial:
                self._think_of(trial)
            try:
                return self._act()
            except NoPathError as error:
                failed = error
        assert failed is not None
        raise failed

    def _act(self) -> tuple[Action, ...]:
        route, _ = self.observer.act(self._engine, self._view())
        return route


def knows_all(observer: Observer) -> bool:
    """Whether an observer uses what is hidden from players.

    >>> from onlooker.observers import find_observer
    >>> knows_all(find_observer("rational_observer")), knows_all(find_observer("naive_observer"))
    (True, False)
    """
    return observer.uses_truth
