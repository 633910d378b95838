"""Gymnasium environments: `gymnasium.make("onlooker/Trial-v0")` plays trials.

A step is a choice: an own action, or watching an NPC take its next one. The reward is minus the
points that it costs. Observations hold what a participant would see, never the holders, the NPCs'
goals or what they will do. These are drawn again for each episode, so they cannot be memorised.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any, Literal, SupportsIndex, cast

import numpy as np
import numpy.typing as npt

from onlooker.experiments.stimuli import bundled, stimuli
from onlooker.experiments.trialset import load_trials
from onlooker.game import (
    ACTIONS,
    MOST_CHOICES,
    BudgetRule,
    Choice,
    Costs,
    PlayerView,
    Stage,
    Trial,
    Turn,
    opening,
    player_view,
    take,
)
from onlooker.planning import NoPathError, stage
from onlooker.players.arrays import Arrays, choice_at, layout_of
from onlooker.players.quick import QuickGame, Round
from onlooker.players.registration import ID, register
from onlooker.players.words import characters, for_terminal, in_words, longest
from onlooker.support.extras import needs_extra

with needs_extra("gym", "the Gymnasium environment", "gymnasium"):
    import gymnasium
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded

__all__ = ["ID", "TrialEnv", "trials_of"]

TrialSource = Trial | int | str | os.PathLike[str]  # an int is a bundled experiment
Observation = Arrays | str
Penalty = float | Literal["costliest", "error"]

MAX_GAMES = 2_000  # worlds that are remembered; the one that was met first is forgotten
MAX_DRAWS = 1_000  # of a world in which everybody has a way

register()


class TrialEnv(gymnasium.Env[Observation, int]):
    """Trials of the game, one in each episode.

    - `trials`: a trial, the name of a file or folder, the number of a bundled experiment, or a
      list of these; Experiment 1 if nothing is given
    - `worlds`: "drawn" draws the holders and the NPCs' goals for each episode, with equal chances,
      and the NPCs act on them; "given" plays the trials as they are
    - `order`: "random" draws a trial for each episode by the seed; "sequence" plays them in turn,
      from the first, or from that of the seed's number (the first is 0)
    - `observation`: "arrays" (see `players.arrays.encode`) or "text"
    - `budget`: the rule of the points to begin with; the paper's gives the holders away
    - `limit`: the choices after which an episode is truncated
    - `penalty`: a choice that is not available changes nothing and costs no points; its reward is
      minus this number, or minus the points of the costliest action; "error" raises ValueError

    Actions 0 to 3 are up, down, left and right, action 4 + i watches the NPC of number i.
    `info["action_mask"]` and `action_masks()` say which are available, and `info["unavailable"]`
    whether the last one was not.

    >>> env = TrialEnv("examples/early-turn.map")
    >>> observation, info = env.reset(seed=1)
    >>> info["action_mask"].tolist()  # up and down are walls
    [0, 0, 0, 1, 1]
    >>> observation, reward, terminated, truncated, info = env.step(4)
    >>> reward, int(observation["points"][0]), terminated
    (-1.0, 94, False)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        trials: TrialSource | Sequence[TrialSource] | None = None,
        *,
        worlds: Literal["drawn", "given"] = "drawn",
        order: Literal["random", "sequence"] = "random",
        observation: Literal["arrays", "text"] = "arrays",
        budget: BudgetRule = "map",
        costs: Costs | None = None,
        limit: int = MOST_CHOICES,
        penalty: Penalty = "costliest",
        render_mode: str | None = None,
    ) -> None:
        _one_of("worlds", worlds, ("drawn", "given"))
        _one_of("order", order, ("random", "sequence"))
        _one_of("observation", observation, ("arrays", "text"))
        _one_of("budget", budget, ("paper", "map"))
        _one_of("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        if type(limit) is not int or limit < 1:
            raise ValueError(f"limit: expected a whole number from 1, not {limit!r}")
        if penalty not in ("costliest", "error") and not _is_amount(penalty):
            expected = "a number from 0, 'costliest' or 'error'"
            raise ValueError(f"penalty: expected {expected}, not {penalty!r}")
        self.stages = [_staged(trial, costs, budget) for trial in trials_of(trials)]
        self.layout = layout_of(self.stages, limit)
        if worlds == "drawn" and budget == "paper":  # that of "map" is the largest of all holders
            largest = [_staged(each.trial, costs, "map") for each in self.stages]
            self.layout = layout_of(largest, limit)
        self.worlds, self.budget = worlds, budget
        self.order, self.observation = order, observation
        self.penalty = None if penalty == "error" else penalty
        if penalty == "costliest":
            self.penalty = self.layout.costliest
        self.render_mode = render_mode
        self.action_space = cast(
            "spaces.Space[int]", spaces.Discrete(len(ACTIONS) + self.layout.npcs)
        )
        self.observation_space = cast("spaces.Space[Observation]", self._space())
        self._games: dict[Hashable, QuickGame | None] = {}  # None: somebody has no way there
        self._next = 0
        self._round: Round | None = None
        self._steps = 0
        self._turns: list[Turn] = []
        self._views: list[PlayerView] = []
        self._frames: Any = None

    # -- what Gymnasium calls --------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start the next trial, or the one that `options={"trial": name or number}` asks for."""
        super().reset(seed=seed)
        game = self._game(self._chosen(seed, options or {}))
        self._round, self._steps = Round(game), 0
        self._views = [player_view(game.stage, [])]
        self._turns = []
        return self._observed(self._round), {"action_mask": self._round.mask, "unavailable": False}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a choice."""
        current = self._round
        if current is None or current.over or self._steps >= self.layout.limit:
            raise ResetNeeded("the trial is over, or there was none yet: call reset() first")
        cost = current.choose(self._number(action))
        if cost is None and self.penalty is None:
            raise ValueError(f"action {action}: {self._refusal(int(action))}")
        self._steps += 1
        unavailable = cost is None
        reward = -float(cast(float, self.penalty) if cost is None else cost)
        truncated = not current.over and self._steps >= self.layout.limit
        info = {"action_mask": current.mask, "unavailable": unavailable}
        return self._observed(current), reward, current.over, truncated, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are available now, as MaskablePPO of sb3-contrib asks for it."""
        return self._started().mask.astype(np.bool_)

    def render(self) -> Any:
        """The trial as it looks now: text for a terminal, or a picture as an array."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                'render() shows nothing without render_mode "ansi" or "rgb_array"'
            )
            return None
        self._started()
        if self.render_mode == "ansi":
            return for_terminal(self.views)
        if self._frames is None:
            # Only now: Stable-Baselines3 asks for this mode, whether or not it will show anything.
            from onlooker.drawing.frames import Frames

            self._frames = Frames(self.layout.width, self.layout.height)
        return self._frames.frame(self.view)

    def close(self) -> None:
        """Forget the picture."""
        self._frames = None

    # -- for whoever runs players, not for the players -------------------------------------------

    @property
    def stage(self) -> Stage:
        """The trial that is played, hidden facts included: never hand it to a player."""
        return self._started().game.stage

    @property
    def log(self) -> list[Choice]:
        """The choices made so far."""
        ids = [npc.id for npc in self.stage.trial.npcs]
        found = [choice_at(ids, index) for index in self._started().log]
        return [choice for choice in found if choice is not None]

    @property
    def turns(self) -> list[Turn]:
        """Every turn so far, as `game.score` and `game.player_view` take them."""
        game, turns = self.stage, self._turns
        for choice in self.log[len(turns) :]:
            turn = take(game, turns[-1].situation if turns else opening(game), choice)
            assert isinstance(turn, Turn)
            turns.append(turn)
        return turns

    @property
    def views(self) -> list[PlayerView]:
        """What the player was shown before the first choice and after each."""
        turns = self.turns
        for count in range(len(self._views), len(turns) + 1):
            latest = turns[max(0, count - 2) : count]  # a view depends on no earlier ones
            self._views.append(player_view(self.stage, latest))
        return self._views

    @property
    def view(self) -> PlayerView:
        """What the player is shown now."""
        return player_view(self.stage, self.turns)

    # -- parts -----------------------------------------------------------------------------------

    def _space(self) -> spaces.Space[Any]:
        if self.observation == "text":
            return spaces.Text(longest(self.layout, self.stages), charset=characters(self.stages))
        return spaces.Dict(
            {
                name: spaces.Box(each.low, each.high, each.shape, each.dtype)
                for name, each in self.layout.bounds.items()
            }
        )

    def _chosen(self, seed: int | None, options: dict[str, Any]) -> int:
        """The number of the trial to play."""
        if unknown := sorted(set(options) - {"trial"}):
            raise ValueError(f"options: there is no {', '.join(unknown)}; expected trial")
        if (wanted := options.get("trial")) is not None:
            return self._found(wanted)
        if self.order == "random":
            return int(self.np_random.integers(len(self.stages)))
        if seed is not None:
            self._next = seed
        index = self._next % len(self.stages)
        self._next = index + 1
        return index

    def _game(self, index: int) -> QuickGame:
        """A trial to play, as it is or in a world that is drawn."""
        given = self.stages[index]
        for _ in range(MAX_DRAWS):
            drawn = self.worlds == "drawn"
            trial = drawn_world(given.trial, self.np_random) if drawn else given.trial
            key = index, *trial.holders.values(), *(npc.goal for npc in trial.npcs)
            if key not in self._games:
                if len(self._games) >= MAX_GAMES:
                    del self._games[next(iter(self._games))]
                self._games[key] = self._quick(trial, given.costs)
            if game := self._games[key]:
                return game
        label, words = given.trial.label, "found no world in which everybody has a way"
        raise ValueError(f'{label}: {words}; worlds="given" plays the trial as it is')

    def _quick(self, trial: Trial, costs: Costs) -> QuickGame | None:
        try:
            return QuickGame(stage(trial, costs, budget=self.budget), self.layout)
        except NoPathError:
            return None

    def _found(self, wanted: object) -> int:
        names = [stage.trial.name for stage in self.stages]
        if isinstance(wanted, str) and wanted in names:
            return names.index(wanted)
        if isinstance(wanted, int | np.integer) and 0 <= wanted < len(names):
            return int(wanted)
        expected = f"a trial's name or a number from 0 to {len(names) - 1}"
        raise ValueError(f"options: trial: expected {expected}, not {wanted!r}")

    def _number(self, action: object) -> int:
        """An action as a plain number."""
        most = len(ACTIONS) + self.layout.npcs - 1
        try:
            number = cast(SupportsIndex, action).__index__()
        except (AttributeError, TypeError):
            number = -1
        if not 0 <= number <= most:
            raise ValueError(f"action: expected a whole number from 0 to {most}, not {action!r}")
        return number

    def _refusal(self, number: int) -> str:
        """Why an action is not available."""
        choice = choice_at([npc.id for npc in self.stage.trial.npcs], number)
        offered = ", ".join(str(priced.choice) for priced in self.view.choices)
        what = "there is no such NPC" if choice is None else f"{choice} is not available"
        return f"{what}; expected one of {offered}"

    def _observed(self, current: Round) -> Observation:
        return current.arrays() if self.observation == "arrays" else in_words(self.views)

    def _started(self) -> Round:
        if self._round is None:
            raise ResetNeeded("there is no trial yet: call reset() first")
        return self._round


def trials_of(source: TrialSource | Sequence[TrialSource] | None) -> list[Trial]:
    """The trials that a source names; Experiment 1 if there is none.

    >>> len(trials_of(None)), len(trials_of([3, "examples/early-turn.map"]))
    (20, 41)
    """
    if source is None:
        return stimuli(1)
    if isinstance(source, Trial):
        return [source]
    if isinstance(source, str | os.PathLike):
        return load_trials([source])
    if type(source) is int:
        if source not in bundled():
            known = ", ".join(map(str, bundled()))
            raise ValueError(f"trials: there is no experiment {source}; expected one of {known}")
        return stimuli(source)
    if isinstance(source, Sequence) and source:
        return [trial for each in source for trial in trials_of(each)]
    expected = "a trial, a file, a folder, the number of an experiment or a list of these"
    raise ValueError(f"trials: expected {expected}, not {source!r}")


def drawn_world(trial: Trial, rng: np.random.Generator) -> Trial:
    """The trial with holders and NPCs' goals drawn with equal chances; the NPCs act on them.

    >>> from onlooker.game import load_trial
    >>> trial = load_trial("examples/two-experts.map")
    >>> rng = np.random.default_rng(1)
    >>> [[npc.goal for npc in drawn_world(trial, rng).npcs] for _ in range(3)]
    [['B', 'C'], ['A', 'A'], ['C', 'A']]
    """
    map = trial.map
    holders = {
        colour: map.wizards_of[colour][int(rng.integers(len(map.wizards_of[colour])))].id
        for colour in map.colours
    }
    goals = [map.letters[int(rng.integers(len(map.letters)))] for _ in trial.npcs]
    npcs = tuple(
        replace(npc, goal=goal, actions=None) for npc, goal in zip(trial.npcs, goals, strict=True)
    )
    return replace(trial, holders=holders, npcs=npcs)


def _staged(trial: Trial, costs: Costs | None, budget: BudgetRule) -> Stage:
    try:
        return stage(trial, costs, budget=budget)
    except NoPathError as error:
        raise ValueError(f"{trial.label}: {error}") from None


def _is_amount(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value < float("inf")


def _one_of(name: str, value: object, known: tuple[object, ...]) -> None:
    if value not in known:
        words = ", ".join(map(repr, known))
        raise ValueError(f"{name}: expected one of {words}, not {value!r}")
