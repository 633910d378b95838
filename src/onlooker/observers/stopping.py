"""Why an observer stops watching and acts, out of what its last decision compared.

The reasons in the order in which they are asked for; the first that holds is the reason:

- *certain*: no colour that the main agent lacks has more than one wizard;
- *planned*: it decided before the first step whom to watch how long, and has done so. If it never
  began, it is *nobody* if there is none whom it would wait for, *uninformative* if none of them
  asks a wizard, and else *as_cheap*;
- *nobody*: there is no NPC;
- *settled*: each colour that it lacks has a wizard that is at least `converge` likely its holder,
  for the ideal observer a certain one;
- *finished*: all NPCs have arrived;
- *uninformative*: by its particles acting would not get cheaper on average by watching anybody, or
  its belief would not move by more than `epsilon`;
- *as_cheap*: watching on and then acting costs as much as acting now, or more. Whether it could
  still tell something is not known of observers without particles.

An observer that says none of these numbers has no reason, unless its decision names one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from onlooker.game import Trial
from onlooker.inference.parameters import MARGIN, TOLERANCE, Parameters
from onlooker.observers.results import ACT, Belief, Decision, Reason


def with_reason(
    decision: Decision, trial: Trial, parameters: Parameters, began: bool, plans: bool = False
) -> Decision:
    """The decision with its reason, if it is to act and names none.

    `began` says whether anything was watched before, `plans` whether the observer decided before
    the first step how long to watch.
    """
    if decision.choice != ACT or decision.reason is not None:
        return decision
    return decision._replace(reason=_reason(decision, trial, parameters, began, plans))


def _reason(
    decision: Decision, trial: Trial, parameters: Parameters, began: bool, plans: bool
) -> Reason | None:
    belief, costs = decision.belief, decision.q_obs if decision.watch is None else decision.watch
    if not (trial.open_colours if belief is None else any(len(ps) > 1 for ps in belief.values())):
        return Reason.CERTAIN
    if not trial.npcs:
        return Reason.NOBODY
    if plans:
        if began:
            return Reason.PLANNED
        if costs is None:
            return Reason.NOBODY
        return Reason.UNINFORMATIVE if _known(costs) == [] else Reason.AS_CHEAP
    if belief is not None and _settled(belief, decision, parameters):
        return Reason.SETTLED
    if decision.distances is not None:
        return Reason.UNINFORMATIVE if _known(decision.distances) else Reason.FINISHED
    if costs is None:
        return None
    if not _known(costs):
        return Reason.FINISHED
    return Reason.AS_CHEAP if _saves(decision) else Reason.UNINFORMATIVE


def _settled(belief: Belief, decision: Decision, parameters: Parameters) -> bool:
    enough = parameters.converge if decision.act is None else 1.0
    return all(max(ps.values()) >= enough - TOLERANCE for ps in belief.values())


def _saves(decision: Decision) -> bool:
    """Whether watching somebody could make acting cheaper, as far as its particles say."""
    if decision.particles is None or decision.c_self is None:
        return True
    later = (
        sum(particle.p * particle.residual for particle in particles)
        for particles in decision.particles
        if particles  # the NPC has not arrived
    )
    return min(later, default=inf) < decision.c_self - MARGIN


def _known(values: Sequence[float | None]) -> list[float]:
    return [value for value in values if value is not None]
