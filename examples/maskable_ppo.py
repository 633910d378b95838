"""A neural network learns when to watch: MaskablePPO of sb3-contrib on a trial or an experiment.

pip install 'onlooker[gym,analysis]' sb3-contrib
python examples/maskable_ppo.py 1 --steps 1000000
onlooker benchmark --experiment 1 --player examples.maskable_ppo:Trained -o out/benchmark

Holders and goals are drawn anew for each episode; the benchmark plays the trials as they are. What
was learnt is kept in the folder `maskable_ppo`, where `Trained` finds it.
"""

import argparse
from functools import cache
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import VecNormalize

import onlooker
from onlooker.game import Choice, PlayerView
from onlooker.players.policies import ArrayPlayer

FOLDER = Path("maskable_ppo")
ENVIRONMENT = "onlooker/Trial-v0"
GAMMA = 0.99  # how much a point counts that is spent a step later
gymnasium.register_envs(onlooker)


def train(trials: str, steps: int, seed: int = 1) -> None:
    """Learn, and keep the policy, the scale of what it sees and what it learnt from."""
    kwargs = {"trials": _named(trials), "limit": 1_000}  # so that random choices find the chest
    envs = make_vec_env(ENVIRONMENT, n_envs=8, seed=seed, env_kwargs=kwargs)
    envs = VecNormalize(envs, gamma=GAMMA)
    model = MaskablePPO(
        "MultiInputPolicy",
        envs,
        n_steps=1024,
        batch_size=512,
        gamma=GAMMA,
        ent_coef=0.02,
        seed=seed,
    )
    model.learn(steps)
    FOLDER.mkdir(exist_ok=True)
    model.save(FOLDER / "policy")
    envs.save(str(FOLDER / "scale.pkl"))
    (FOLDER / "trials").write_text(trials)


def _named(trials: str) -> str | int:
    """A file or folder, or the number of an experiment."""
    return int(trials) if trials.isdigit() else trials


@cache
def learnt() -> tuple[MaskablePPO, VecNormalize, Any]:
    """What `train` has kept, and the layout of the arrays that it learnt from."""
    if not (FOLDER / "policy.zip").exists():
        raise FileNotFoundError(f"{FOLDER}/policy.zip: train first, with maskable_ppo.py")
    trials = _named((FOLDER / "trials").read_text())
    envs = make_vec_env(ENVIRONMENT, env_kwargs={"trials": trials})
    scale = VecNormalize.load(str(FOLDER / "scale.pkl"), envs)
    return MaskablePPO.load(FOLDER / "policy"), scale, envs.get_attr("layout")[0]


class Trained:
    """The policy as a player."""

    name, title = "maskable_ppo", "MaskablePPO"

    def __init__(self) -> None:
        self._player = ArrayPlayer(learnt()[2], self._act)

    def choose(self, view: PlayerView) -> Choice:
        """What the policy thinks best."""
        return self._player.choose(view)

    @staticmethod
    def _act(arrays: dict[str, np.ndarray], mask: np.ndarray) -> int:
        model, scale, _ = learnt()
        seen = scale.normalize_obs(arrays)
        return int(model.predict(seen, action_masks=mask.astype(bool), deterministic=True)[0])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trials", help="a file, a folder, or the number of an experiment")
    parser.add_argument("--steps", type=int, default=1_000_000)
    asked = parser.parse_args()
    train(asked.trials, asked.steps)
