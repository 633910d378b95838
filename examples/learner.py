"""A table learns when to watch: Q-learning on one map whose holder changes with every episode.

python examples/learner.py examples/early-turn.map -o learner.png
"""

import argparse
from collections import defaultdict
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from matplotlib.figure import Figure

import onlooker.players.gymnasium
from onlooker import Trial, load_trial, run
from onlooker.experiments.regret import worlds_of

RATE = 0.5  # how far a value moves towards what was found
KNOWN = ("grid", "asked", "amulets", "npcs")  # what the learner distinguishes: all but the points


def learn(trial: Trial, episodes: int, seed: int = 1) -> np.ndarray:
    """The points spent and the steps watched in each episode, one row each."""
    env = gymnasium.make(onlooker.players.gymnasium.ID, trials=trial, limit=200)
    values: dict[Any, np.ndarray] = defaultdict(lambda: np.zeros(env.action_space.n))
    rng = np.random.default_rng(seed)
    rows = []
    for episode in range(episodes):
        observation, info = env.reset(seed=seed if episode == 0 else None)
        spent = watched = 0
        over = truncated = False
        while not (over or truncated):
            state = tuple(observation[name].tobytes() for name in KNOWN)
            # Nothing costs less than nothing, so what was never tried looks best and is tried.
            worth = np.where(info["action_mask"], values[state], -np.inf)
            best = np.flatnonzero(worth == worth.max())
            action = int(best[int(rng.random() * len(best))])
            observation, reward, over, truncated, info = env.step(action)
            then = tuple(observation[name].tobytes() for name in KNOWN)
            later = values[then][info["action_mask"] == 1].max() if not over else 0.0
            values[state][action] += RATE * (reward + later - values[state][action])
            spent -= reward
            watched += action >= 4
        rows.append((spent, watched))
    return np.array(rows)


def draw(rows: np.ndarray, marks: dict[str, float], output: Path) -> None:
    """The mean points spent over the last hundred episodes, and what observers spend."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    ax = figure.subplots()
    window = min(100, len(rows))
    means = np.convolve(rows[:, 0], np.ones(window) / window, "valid")
    ax.plot(np.arange(window, len(rows) + 1), means, color="#C2183C", label="the learner")
    for (name, cost), dashes in zip(marks.items(), ("-", "--", ":"), strict=False):
        label = f"{name.replace('_', ' ')}: {cost:g}"
        ax.axhline(cost, color="#3D4148", linestyle=dashes, linewidth=1, label=label)
    ax.set(
        xlabel="episode",
        ylabel=f"points spent, mean of {window}",
        ylim=(0.9 * min(marks.values()), 3 * min(marks.values())),
    )
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    figure.savefig(output, dpi=150)


def main() -> None:
    """Learn, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", help="a trial")
    parser.add_argument("-e", "--episodes", type=int, default=8_000)
    parser.add_argument("-o", "--output", type=Path, default=Path("learner.png"))
    asked = parser.parse_args()
    trial = load_trial(asked.file)
    marks = {
        name: float(np.mean([run(world, name).cost for world in worlds_of(trial)]))
        for name in ("ideal_observer", "rational_mentalizing", "rational_observer")
    }
    rows = learn(trial, asked.episodes)
    for name, cost in marks.items():
        print(f"{name} spends {cost:g} points on average")
    for label, part in (("first", rows[:100]), ("last", rows[-100:])):
        spent, watched = part.mean(axis=0)
        print(f"the learner in its {label} 100 episodes: {spent:.1f}, {watched:.1f} steps watched")
    draw(rows, marks, asked.output)


if __name__ == "__main__":
    main()
