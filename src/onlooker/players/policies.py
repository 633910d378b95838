"""Players that choose by arrays, such as policies that were learnt in the Gymnasium environment."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from onlooker.drawing.style import colours_of
from onlooker.game import ACTIONS, Choice, PlayerView
from onlooker.players.arrays import Arrays, Layout, choice_at, encode, mask_of

Policy = Callable[[Arrays, npt.NDArray[np.int8]], int]  # observation, action mask -> action


class ArrayPlayer:
    """A policy over arrays of a layout as a player of trials.

    >>> from onlooker.game import load_trial, play_trial
    >>> from onlooker.planning import stage
    >>> from onlooker.players.arrays import layout_of
    >>> game = stage(load_trial("examples/early-turn.map"), budget="map")
    >>> last = ArrayPlayer(layout_of([game], 500), lambda arrays, mask: int(mask.nonzero()[0][-1]))
    >>> [str(turn.choice) for turn in play_trial(game, last, most=2)]
    ['observe agent2', 'observe agent2']
    """

    def __init__(self, layout: Layout, policy: Policy) -> None:
        self.layout, self.policy = layout, policy
        self._views: list[PlayerView] = []

    def choose(self, view: PlayerView) -> Choice:
        """What the policy chooses; ValueError if it names no choice, or the trial is too large."""
        if view.last is None:
            self._views = []
            self._check(view)
        self._views.append(view)
        index = self.policy(encode(self.layout, self._views), mask_of(self.layout, view))
        choice = choice_at([npc.id for npc in view.npcs], index) if index >= 0 else None
        if choice is None:
            most = len(ACTIONS) + len(view.npcs) - 1
            raise ValueError(f"the policy chose {index}; expected a number from 0 to {most}")
        return choice

    def _check(self, view: PlayerView) -> None:
        """Refuse a trial that the arrays have no room for."""
        layout, map = self.layout, view.map
        fits = (
            map.width <= layout.width
            and map.height <= layout.height
            and len(view.npcs) <= layout.npcs
            and set(colours_of(map)) <= set(layout.colours)
        )
        if not fits:
            known = f"{layout.width}×{layout.height} cells, {layout.npcs} NPCs"
            colours = ", ".join(layout.colours)
            raise ValueError(
                f"the policy was made for maps of at most {known} and the colours {colours};"
                f" this one has {map.width}×{map.height} cells, {len(view.npcs)} NPCs and"
                f" the colours {', '.join(colours_of(map))}"
            )
