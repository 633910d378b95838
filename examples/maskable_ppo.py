"""A neural network learns when to watch: MaskablePPO of sb3-contrib on an experiment's trials.

pip install 'onlooker[gym,analysis]' sb3-contrib
python examples/maskable_ppo.py --experiment 1 --steps 200000
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
gymnasium.register_envs(onlooker)


def train(experiment: int, steps: int, seed: int = 1) -> None:
    """Learn, and keep the policy, the scale of what it sees and the experiment."""
    kwargs = {"trials": experiment, "limit": 200}
    envs = VecNormalize(make_vec_env(ENVIRONMENT, n_envs=8, seed=seed, env_kwargs=kwargs))
    model = MaskablePPO(
        "MultiInputPolicy", envs, n_steps=256, batch_size=256, ent_coef=0.01, seed=seed
    )
    model.learn(steps)
    FOLDER.mkdir(exist_ok=True)
    model.save(FOLDER / "policy")
    envs.save(str(FOLDER / "scale.pkl"))
    (FOLDER / "experiment").write_text(str(experiment))


@cache
def learnt() -> tuple[MaskablePPO, VecNormalize, Any]:
    """What `train` has kept, and the layout of the arrays that it learnt from."""
    if not (FOLDER / "policy.zip").exists():
        raise FileNotFoundError(f"{FOLDER}/policy.zip: train first, with maskable_ppo.py")
    kwargs = {"trials": int((FOLDER / "experiment").read_text())}
    envs = make_vec_env(ENVIRONMENT, env_kwargs=kwargs)
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
    parser.add_argument("--experiment", type=int, default=1)
    parser.add_argument("--steps", type=int, default=200_000)
    asked = parser.parse_args()
    train(asked.experiment, asked.steps)
