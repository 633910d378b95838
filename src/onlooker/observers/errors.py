"""What can go wrong with an observer of a user's own."""

from __future__ import annotations

from onlooker.game import Trial


class ObserverError(ValueError):
    """An observer did what no observer can do; the text says which, in which trial, and what.

    >>> from onlooker.game import load_trial
    >>> print(ObserverError("glance", load_trial("examples/early-turn.map"), "it never acts"))
    observer 'glance', early turn: it never acts
    """

    def __init__(self, observer: str, trial: Trial, reason: str) -> None:
        super().__init__(f"observer {observer!r}, {trial.label}: {reason}")
