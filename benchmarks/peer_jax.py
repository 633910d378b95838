"""The posterior by JAX: one compiled value iteration over the grids of all hypotheses."""

from __future__ import annotations

from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)  # for the posterior; the tables are in 32 bits

DELTAS = ((0, -1), (0, 1), (-1, 0), (1, 0))

Problem = dict[str, Any]


class System:
    """One compiled value iteration over the grids of all hypotheses at once."""

    def __init__(self) -> None:
        self.solve = jax.jit(posterior)

    def prepare(self, problem: Problem) -> Any:
        """The map and what was seen as arrays; axes are (hypotheses, amulet, rows, columns)."""
        shape = problem["height"], problem["width"]
        pairs = list(product(problem["chests"], problem["wizards"]))
        walls, barriers, wizards = (
            grid_of(shape, problem[name]) for name in ("walls", "barriers", "wizards")
        )
        walk = np.stack([~(walls | barriers | wizards), ~walls])
        steps = problem["steps"]
        asked = np.array([step["asked"] or (-1, -1) for step in steps])
        holders = np.array([holder for _, holder in pairs])
        here = (asked[None] == holders[:, None]).all(-1)  # (hypotheses, steps)
        facts = {
            "chest": np.stack([grid_of(shape, [chest]) for chest, _ in pairs]),
            "holder": np.stack([grid_of(shape, [holder]) for _, holder in pairs]),
            "walk": walk,
            "wizard": wizards,
            "held": np.cumsum(here, axis=1) - here > 0,
            "is_holder": here,
            "cell": np.array([step["cell"] for step in steps]),
            "action": np.array([step["action"] for step in steps]),
            "asks": np.array([bool(step["asked"]) for step in steps]),
            "gave": np.array([step["gave"] for step in steps]),
            "arrived": np.array([step["arrived"] for step in steps]),
            "costs": np.array([problem["move"], problem["interact"]], np.float32),
            "beta": np.float64(problem["beta"]),
        }
        return {name: jnp.asarray(value) for name, value in facts.items()}

    def posterior(self, prepared: Any) -> list[float]:
        """Plan, and weigh every hypothesis by what was seen."""
        values: list[float] = self.solve(prepared).tolist()
        return values


def grid_of(shape: tuple[int, int], cells: Any) -> Any:
    """True where some cells are."""
    grid = np.zeros(shape, dtype=bool)
    for x, y in cells:
        grid[y, x] = True
    return grid


def ahead(grid: Any, fill: Any) -> Any:
    """What lies up, down, left and right of every cell, as a new first axis."""
    border = [(0, 0)] * (grid.ndim - 2) + [(1, 1), (1, 1)]
    padded = jnp.pad(grid, border, constant_values=fill)
    rows, columns = grid.shape[-2:]
    return jnp.stack(
        [padded[..., 1 + y : 1 + y + rows, 1 + x : 1 + x + columns] for x, y in DELTAS]
    )


def posterior(facts: dict[str, Any]) -> Any:
    """Value iteration to its end, then P(hypothesis | what was seen)."""
    chest, holder = facts["chest"], facts["holder"]
    move, interact = facts["costs"]
    walk = ahead(facts["walk"], False)[:, None]  # (actions, 1, amulet, rows, columns)
    asks = ahead(facts["wizard"], False)[:, None]
    gives = ahead(holder, False)

    def q_values(v: Any) -> Any:
        moving = jnp.where(walk, move + ahead(v, jnp.inf), jnp.inf)
        after = jnp.where(gives, v[None, :, 1], v[None, :, 0])
        asking = jnp.where(asks, interact + after, jnp.inf)
        without = jnp.where(walk[:, :, 0], moving[:, :, 0], asking)
        return jnp.stack([without, moving[:, :, 1]], axis=2)

    def sweep(carry: Any) -> Any:
        v, _ = carry
        new = jnp.where(chest[:, None], 0, q_values(v).min(axis=0))
        return new, v

    start = jnp.where(chest[:, None], 0, jnp.full((*chest.shape[:1], 2, *chest.shape[1:]), jnp.inf))
    start = start.astype(jnp.float32)
    v, _ = jax.lax.while_loop(lambda c: jnp.any(c[0] != c[1]), sweep, sweep((start, start)))
    return weights(facts, q_values(v).astype(jnp.float64), chest)


def weights(facts: dict[str, Any], q: Any, chest: Any) -> Any:
    """Weigh every hypothesis by the probability of every action seen."""
    x, y = facts["cell"].T
    held, action = facts["held"], facts["action"]
    hypotheses = jnp.arange(len(held))[:, None]
    seen = q[:, hypotheses, held.astype(int), y, x]  # (actions, hypotheses, steps)
    log_p = jax.nn.log_softmax(-facts["beta"] * seen, axis=0)
    log_p = jnp.take_along_axis(log_p, action[None, None], axis=0)[0]
    delta = jnp.asarray(DELTAS)[action]
    there_x, there_y = x + delta[:, 0], y + delta[:, 1]
    walks = facts["walk"][held.astype(int), there_y, there_x]
    takes = chest[hypotheses, there_y, there_x] == facts["arrived"]
    told = facts["is_holder"] == facts["gave"]
    possible = jnp.where(facts["asks"], ~walks & told, walks & takes)
    logs = jnp.where(possible, log_p, -jnp.inf).sum(axis=1)
    return jax.nn.softmax(logs)
