"""Players that think of nothing, for comparison."""

from __future__ import annotations

import numpy as np

from onlooker.game import Choice, PlayerView


class RandomPlayer:
    """Takes one of the available choices uniformly at random.

    >>> from onlooker.game import load_trial, play_trial
    >>> from onlooker.planning import stage
    >>> turns = play_trial(stage(load_trial("examples/early-turn.map")), RandomPlayer(1), most=5)
    >>> len(turns)
    5
    """

    def __init__(self, seed: int | np.random.SeedSequence | None = None) -> None:
        self._rng = np.random.default_rng(seed)

    def choose(self, view: PlayerView) -> Choice:
        """Any of the choices."""
        return view.choices[int(self._rng.integers(len(view.choices)))].choice
