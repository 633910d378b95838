"""A neural network learns when to watch: MaskablePPO of sb3-contrib on a few trials.

pip install 'onlooker[gym,analysis]' sb3-contrib
python examples/maskable_ppo.py examples/early-turn.map examples/near-wizards.map --steps 400000
onlooker benchmark examples/early-turn.map examples/near-wizards.map \
    --player examples.maskable_ppo:Trained -o out/benchmark

Holders and goals are drawn anew for each episode; the benchmark plays the trials as they are. What
was learnt is kept in the folder `maskable_ppo`, where `Trained` finds it.

Random choices hardly ever find the chest, so nothing is learnt from points alone. `Guided` adds to
the reward how much nearer a step leads to the next wizard or the chest. That is a difference of
potentials, which changes no policy's rank (Ng, Harada & Russell, 1999).
"""

import argparse
from collections import deque
from functools import cache
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import onlooker
from onlooker.game import Choice, PlayerView
from onlooker.players.policies import ArrayPlayer

FOLDER = Path("maskable_ppo")
ENVIRONMENT = "onlooker/Trial-v0"
LIMIT = 300  # choices in an episode
SCALE = 100  # points that are a reward of 1
STEP = 3  # points that a step nearer is worth
SEARCHING = 200  # points that an amulet is worth
gymnasium.register_envs(onlooker)


def features(arrays: dict[str, np.ndarray]) -> np.ndarray:
    """What is seen as numbers from 0 to 1: where things are, and what is known of NPCs."""
    seen = arrays["seen"]
    latest = (seen == seen.max(axis=(1, 2), keepdims=True)) & (seen > 1)
    answers = [arrays["asked"] == answer for answer in (1, 2, 3)]
    parts = [arrays["grid"], seen > 0, latest, *answers, arrays["amulets"], arrays["npcs"][:, 1]]
    watched = np.minimum(arrays["npcs"][:, 2] / 30, 1)
    return np.concatenate([*(each.ravel() for each in parts), watched]).astype(np.float32)


class Guided(gymnasium.Wrapper):
    """Features instead of arrays, and rewards that lead to wizards and chests."""

    def __init__(self, env: gymnasium.Env) -> None:
        super().__init__(env)
        self.layout = env.unwrapped.layout
        self._fields: dict[Any, tuple[np.ndarray, np.ndarray]] = {}
        size = features({name: each.zeros() for name, each in self.layout.bounds.items()}).size
        self.observation_space = gymnasium.spaces.Box(0, 1, (size,), np.float32)

    def reset(self, **options: Any) -> tuple[np.ndarray, dict[str, Any]]:
        """Start the next trial."""
        arrays, info = self.env.reset(**options)
        self._potential = self.potential(arrays)
        return features(arrays), info

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Make a choice."""
        arrays, reward, terminated, truncated, info = self.env.step(action)
        before, self._potential = self._potential, 0 if terminated else self.potential(arrays)
        guided = (reward + self._potential - before) / SCALE
        return features(arrays), guided, terminated, truncated, info

    def action_masks(self) -> np.ndarray:
        """Which actions are available."""
        return self.env.unwrapped.action_masks()

    def potential(self, arrays: dict[str, np.ndarray]) -> float:
        """Minus the points to the chest, or to the next wizard while the way is closed."""
        grid, asked = arrays["grid"], arrays["asked"][0]
        key = grid[: self.layout.main].tobytes(), arrays["amulets"].tobytes(), asked.tobytes()
        if key not in self._fields:
            self._fields[key] = self._distances(grid, asked, arrays["amulets"])
        here = tuple(np.argwhere(grid[self.layout.main])[0])
        chest, wizard = (field[here] for field in self._fields[key])
        if np.isfinite(chest):
            return -STEP * chest
        return -SEARCHING - (STEP * wizard if np.isfinite(wizard) else 0)

    def _distances(
        self, grid: np.ndarray, asked: np.ndarray, amulets: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        plane = {name: grid[index] == 1 for index, name in enumerate(self.layout.planes)}
        closed, wanted = ~plane["map"] | plane["wall"], np.zeros_like(plane["map"])
        for colour, held in zip(self.layout.colours, amulets, strict=False):
            closed = closed | plane[f"wizard {colour}"]
            if not held:
                closed = closed | plane[f"barrier {colour}"]
                wanted = wanted | plane[f"wizard {colour}"] & (asked == 0)
        return steps_to(plane["goal"], closed), steps_to(wanted, closed)


def steps_to(targets: np.ndarray, closed: np.ndarray) -> np.ndarray:
    """The steps from each cell to the nearest target, around what is closed."""
    steps = np.where(targets, 0.0, np.inf)
    waiting = deque(map(tuple, np.argwhere(targets)))
    while waiting:
        y, x = waiting.popleft()
        for v, u in ((y, x + 1), (y + 1, x), (y, x - 1), (y - 1, x)):
            inside = 0 <= v < steps.shape[0] and 0 <= u < steps.shape[1]
            if inside and not closed[v, u] and steps[v, u] > steps[y, x] + 1:
                steps[v, u] = steps[y, x] + 1
                waiting.append((v, u))
    return steps


def train(trials: list[str], steps: int, seed: int = 1) -> None:
    """Learn, and keep the policy and what it learnt from."""
    kwargs = {"trials": trials, "limit": LIMIT}
    envs = make_vec_env(ENVIRONMENT, 8, seed=seed, env_kwargs=kwargs, wrapper_class=Guided)
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=256,
        batch_size=512,
        n_epochs=6,
        gamma=1.0,  # a point is a point, whenever it is spent
        learning_rate=5e-4,
        ent_coef=0.01,
        seed=seed,
        policy_kwargs={"net_arch": [128, 128]},
        device="cpu",
        verbose=1,
    )
    model.learn(steps, log_interval=20)
    FOLDER.mkdir(exist_ok=True)
    model.save(FOLDER / "policy")
    (FOLDER / "trials").write_text("\n".join(trials))


@cache
def learnt() -> tuple[MaskablePPO, Any]:
    """What `train` has kept, and the layout of the arrays that it learnt from."""
    if not (FOLDER / "policy.zip").exists():
        raise FileNotFoundError(f"{FOLDER}/policy.zip: train first, with maskable_ppo.py")
    trials = (FOLDER / "trials").read_text().splitlines()
    env = gymnasium.make(ENVIRONMENT, trials=trials, limit=LIMIT)
    return MaskablePPO.load(FOLDER / "policy", device="cpu"), env.unwrapped.layout


class Trained:
    """The policy as a player."""

    name, title = "maskable_ppo", "MaskablePPO"

    def __init__(self) -> None:
        self._player = ArrayPlayer(learnt()[1], self._act)

    def choose(self, view: PlayerView) -> Choice:
        """What the policy thinks best."""
        return self._player.choose(view)

    @staticmethod
    def _act(arrays: dict[str, np.ndarray], mask: np.ndarray) -> int:
        model, _ = learnt()
        masks = mask.astype(bool)
        return int(model.predict(features(arrays), action_masks=masks, deterministic=True)[0])


if __name__ == "__main__":
    torch.set_num_threads(1)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trials", nargs="+", help="files or folders of trials")
    parser.add_argument("--steps", type=int, default=400_000)
    asked = parser.parse_args()
    train(asked.trials, asked.steps)
