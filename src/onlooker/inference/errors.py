"""What can go wrong in inference."""

from __future__ import annotations

from onlooker.game import Trial


class TooLargeError(ValueError):
    """A trial is too large for an exact answer; the text has the number that is too large."""


class UnexplainedError(ValueError):
    """An NPC did what no hypothesis left can explain.

    >>> from onlooker.game import load_trial
    >>> print(UnexplainedError(load_trial("examples/early-turn.map"), "agent2", 3))
    early turn: no hypothesis explains step 3 of agent2
    """

    def __init__(self, trial: Trial, npc: str, step: int) -> None:
        self.trial, self.npc, self.step = trial, npc, step  # steps count from 1
        super().__init__(f"{trial.label}: no hypothesis explains step {step} of {npc}")
