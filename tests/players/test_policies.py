"""Policies over arrays as players."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import numpy.typing as npt
import pytest

from onlooker.game import play_trial
from onlooker.players.arrays import Arrays
from onlooker.players.gymnasium import TrialEnv
from onlooker.players.policies import ArrayPlayer

TWO = "examples/two-experts.map"


def policy(arrays: Arrays, mask: npt.NDArray[np.int8]) -> int:
    """Depends on all that is in the arrays, and on nothing else."""
    seen = crc32(b"".join(arrays[name].tobytes() for name in sorted(arrays)))
    possible = mask.nonzero()[0]
    return int(possible[seen % len(possible)])


def test_a_policy_plays_as_it_does_in_the_environment() -> None:
    env = TrialEnv([3, TWO], limit=60)
    observation, info = env.reset(options={"trial": "two experts"})
    over = False
    while not over:
        assert isinstance(observation, dict)
        action = policy(observation, info["action_mask"])
        observation, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated
    turns = play_trial(env.stage, ArrayPlayer(env.layout, policy), most=60)
    assert turns == env.turns
    assert len({turn.choice for turn in turns}) > 4


@pytest.mark.parametrize("index", [-1, 6, 7])
def test_what_is_no_choice_is_refused(index: int) -> None:
    env = TrialEnv(TWO)
    env.reset()
    player = ArrayPlayer(env.layout, lambda arrays, mask: index)
    with pytest.raises(
        ValueError, match=f"the policy chose {index}; expected a number from 0 to 5"
    ):
        play_trial(env.stage, player)


@pytest.mark.parametrize("small", ["examples/early-turn.map", "examples/near-wizards.map"])
def test_a_trial_that_is_too_large_is_refused(small: str) -> None:
    env = TrialEnv(TWO)
    env.reset()
    with pytest.raises(ValueError, match=r"the policy was made for maps of at most .* 2 NPCs and"):
        play_trial(env.stage, ArrayPlayer(TrialEnv(small).layout, policy))
