"""The Gymnasium environment: steps and pictures a second, on one core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from benchmarks.measuring import best, machine, number
from benchmarks.sheets import Sheet
from onlooker.game import Turn, opening, player_view, take
from onlooker.players.arrays import encode
from onlooker.players.gymnasium import ID, TrialEnv

STEPS, PLAIN_STEPS, FRAMES = 20_000, 1_000, 100


def random_steps(env: Any, count: int, each: Callable[[], object] = lambda: None) -> float:
    """Choose at random among what is available; the points spent."""
    rng, spent = np.random.default_rng(1), 0.0
    _, info = env.reset(seed=1)
    for draw in rng.random(count).tolist():
        possible = info["action_mask"].nonzero()[0]
        action = possible[int(draw * len(possible))]
        _, reward, terminated, truncated, info = env.step(action)
        spent -= reward
        each()
        if terminated or truncated:
            _, info = env.reset()
    return spent


def plain_steps(env: TrialEnv, count: int) -> float:
    """The same through the plain game: every view, and the arrays made from all of them."""
    rng, spent = np.random.default_rng(1), 0.0
    env.reset(seed=1)
    game, turns = env.stage, list[Turn]()
    views = [player_view(game, [])]
    for draw in rng.random(count).tolist():
        offered = views[-1].choices
        before = turns[-1].situation if turns else opening(game)
        turn = take(game, before, offered[int(draw * len(offered))].choice)
        assert isinstance(turn, Turn)
        turns.append(turn)
        spent += turn.situation.spent - before.spent
        views.append(player_view(game, turns))
        encode(env.layout, views)
        if views[-1].finished or len(turns) >= env.layout.limit:
            env.reset()
            game, turns = env.stage, []
            views = [player_view(game, [])]
    return spent


def environment() -> Sheet:
    """Random play of the bundled experiments."""
    sheet = Sheet(
        "environment",
        "Random play in the Gymnasium environment",
        ("trials and work", "steps/s", "µs a step", "times the plain game"),
        note=(
            "One core. Choices are drawn among the available ones, which is part of the time."
            f" {machine()}"
        ),
    )
    for experiment in (1, 3):
        made = {
            observation: gymnasium.make(ID, trials=experiment, observation=observation)
            for observation in ("arrays", "text")
        }
        pictures = gymnasium.make(ID, trials=experiment, render_mode="rgb_array")
        bare = TrialEnv(experiment)
        if random_steps(bare, PLAIN_STEPS) != plain_steps(bare, PLAIN_STEPS):
            raise AssertionError("the plain game was played otherwise")
        works: dict[str, tuple[int, Callable[[], object]]] = {
            "plain game": (PLAIN_STEPS, lambda bare=bare: plain_steps(bare, PLAIN_STEPS)),
            "arrays, by `gymnasium.make`": (
                STEPS,
                lambda made=made: random_steps(made["arrays"], STEPS),
            ),
            "arrays, without its wrappers": (STEPS, lambda bare=bare: random_steps(bare, STEPS)),
            "text": (PLAIN_STEPS, lambda made=made: random_steps(made["text"], PLAIN_STEPS)),
            "arrays and a picture of each step": (
                FRAMES,
                lambda env=pictures: random_steps(env, FRAMES, env.render),
            ),
        }
        times = best({name: work for name, (_, work) in works.items()}, 3, "environment")
        each = {name: times[name] / count for name, (count, _) in works.items()}
        for name, took in each.items():
            row = f"Experiment {experiment}: {name}"
            ratio = number(each["plain game"] / took)
            sheet.add(row, number(1 / took), number(1e6 * took), ratio)
    return sheet
