"""The paper's four observers and Graded Mentalizing, each composed of three parts.

| observer             | appraises                      | chooses                | trusts         |
|----------------------|--------------------------------|------------------------|----------------|
| Rational Mentalizing | what watching costs, imagined  | the best               | likely holders |
| Mentalizing Observer | how much it could learn        | in turn, judged afresh | likely holders |
| Rational Observer    | what a first interaction saves | in turn, as planned    | the ones asked |
| Naive Observer       | whether one is still to come   | in turn, as planned    | the ones asked |
| Graded Mentalizing   | watching as long as it pays    | the best, softly       | likely holders |

The Mentalizing Observer lacks utility, the Rational Observer lacks mentalizing, the Naive Observer
lacks both. `kernels.parts` has the parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeGuard

from onlooker.inference.declaring import POINTS, Unit
from onlooker.observers.choosing import ChoiceRule
from onlooker.observers.engine import Engine
from onlooker.observers.kernels.parts import Appraisal, Rule, Trust
from onlooker.observers.lattice import Lattice
from onlooker.observers.observer import Observer
from onlooker.observers.results import Candidates, Decision, Result, Values, View
from onlooker.observers.running import Parts, check_parts

UNITS = {  # of appraisals that do not weigh points
    Appraisal.BELIEF_DISTANCE: Unit("distances between beliefs", 0.2),
    Appraisal.MEETINGS: Unit("1 or −1", 0.5, two_levels=True),
}


class ComposedObserver(Observer):
    """An observer of three compiled parts.

    >>> from onlooker.game import load_trial
    >>> class Credulous(ComposedObserver):
    ...     name, title = "credulous", "Credulous Mentalizing"
    ...     parts = Parts(Appraisal.IMAGINED_COSTS, Rule.BEST, Trust.SEEN_ASKED)
    >>> Credulous()(load_trial("examples/two-experts.map")).observed
    (0, 2)
    """

    parts: ClassVar[Parts]

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        if "parts" in vars(cls):
            appraisal = check_parts(cls.parts).appraisal
            cls.looks_ahead, cls.uses_truth = appraisal.looks_ahead, appraisal.uses_truth
            if "unit" not in vars(cls):
                cls.unit = UNITS.get(appraisal, POINTS)

    def decide(self, engine: Engine, view: View, choices: Sequence[str] = ()) -> Decision:
        """The choice that its rule makes from its appraisal."""
        return engine.decide(self.parts, view, choices[-1] if choices else None)

    def candidates(self, engine: Engine, view: View) -> Candidates:
        """The wizards that it trusts."""
        return engine.trusted(self.parts.trust, view)

    def values(self, engine: Engine, view: View, choices: Sequence[str] = ()) -> Values:
        """What acting and watching each NPC are worth by its appraisal."""
        return engine.values(self.parts, view)

    def run(self, engine: Engine) -> Result:
        """Watch and act through a whole trial, in one compiled call where there is one."""
        if not is_composed(self):
            return super().run(engine)
        return engine.run(self.parts, self.name)

    def lattice(self, engine: Engine) -> Lattice:
        """Its values and choices at every combination of steps seen."""
        return engine.lattice(self.parts) if has_parts(self) else super().lattice(engine)


def has_parts(observer: Observer) -> TypeGuard[ComposedObserver]:
    """Whether an observer chooses and acts as its parts say."""
    methods = ("decide", "candidates", "act", "values")
    return isinstance(observer, ComposedObserver) and all(
        getattr(type(observer), name) is getattr(ComposedObserver, name) for name in methods
    )


def is_composed(observer: Observer) -> TypeGuard[ComposedObserver]:
    """Whether an observer does just what its parts say, and a compiled function runs these."""
    own_run = type(observer).run is not ComposedObserver.run
    return has_parts(observer) and not (own_run or observer.looks_ahead)


class RationalMentalizing(ComposedObserver):
    """Compares acting now with watching each NPC, and watches only while that is cheaper.

    >>> from onlooker.game import load_trial
    >>> RationalMentalizing()(load_trial("examples/two-experts.map")).observed
    (0, 2)
    """

    name = "rational_mentalizing"
    title = "Rational Mentalizing"
    parts = Parts(Appraisal.IMAGINED_COSTS, Rule.BEST, Trust.BELIEF)


class MentalizingObserver(ComposedObserver):
    """No utility: watches the informative NPCs in turn until its belief is settled.

    >>> from onlooker.game import load_trial
    >>> MentalizingObserver()(load_trial("examples/two-experts.map")).observed
    (1, 2)
    """

    name = "mentalizing_observer"
    title = "Mentalizing Observer"
    parts = Parts(Appraisal.BELIEF_DISTANCE, Rule.IN_TURN, Trust.BELIEF)


class RationalObserver(ComposedObserver):
    """No mentalizing: compares watching an NPC to its first interaction with acting alone.

    >>> from onlooker.game import load_trial
    >>> RationalObserver()(load_trial("examples/two-experts.map")).observed
    (5, 5)
    """

    name = "rational_observer"
    title = "Rational Observer"
    parts = Parts(Appraisal.MEETING_COSTS, Rule.AS_PLANNED, Trust.SEEN_ASKED)


class NaiveObserver(ComposedObserver):
    """Neither mentalizing nor utility: watches every expert to its first relevant interaction.

    >>> from onlooker.game import load_trial
    >>> NaiveObserver()(load_trial("examples/two-experts.map")).observed
    (16, 5)
    """

    name = "naive_observer"
    title = "Naive Observer"
    parts = Parts(Appraisal.MEETINGS, Rule.AS_PLANNED, Trust.SEEN_ASKED)


class GradedMentalizing(ComposedObserver):
    """Watches by degrees: it compares looks with acting, is curious, and skips some trials.

    Its own rule is graded, so its expected counts are not whole numbers.

    >>> from onlooker.game import load_trial
    >>> from onlooker.observers.batch import Batch
    >>> batch = Batch([load_trial("examples/early-turn.map")])
    >>> (found,) = batch.expect(observer="graded_mentalizing")
    >>> [round(count, 1) for count in found.observed]
    [4.2]
    """

    name = "graded_mentalizing"
    title = "Graded Mentalizing"
    rule = ChoiceRule.GRADED
    parts = Parts(Appraisal.LOOKAHEAD_COSTS, Rule.BEST, Trust.BELIEF)
