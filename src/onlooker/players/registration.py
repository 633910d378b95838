"""Making the environment known to Gymnasium, without loading either of them.

Gymnasium has no entry points for packages (it dropped them with 1.0), so a package that is imported
registers its environments. They are also found if Gymnasium is imported only afterwards.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

ID = "onlooker/Trial-v0"
REGISTRY = "gymnasium.envs.registration"


def register() -> None:
    """Register the environment, unless it is registered."""
    from gymnasium.envs import registration

    if ID not in registration.registry:
        registration.register(id=ID, entry_point="onlooker.players.gymnasium:TrialEnv")


def register_when_imported() -> None:
    """Register the environment now if Gymnasium is imported, else as soon as it is."""
    if REGISTRY in sys.modules:
        register()
    else:
        sys.meta_path.insert(0, _Waiting())


class _Waiting:
    """Is asked for every module that is imported, and waits for Gymnasium's registry."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where the registry is found, with a loader that registers the environment after it."""
        if name != REGISTRY:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                execute(module)
                register()

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec
