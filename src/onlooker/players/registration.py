"""Making the environment known to Gymnasium, without loading it."""

from __future__ import annotations

ID = "onlooker/Trial-v0"


def register() -> None:
    """Register the environment, unless it is registered."""
    from gymnasium.envs import registration

    if ID not in registration.registry:
        registration.register(id=ID, entry_point="onlooker.players.gymnasium:TrialEnv")
