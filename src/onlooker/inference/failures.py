"""What the errors that compiled functions leave mean."""

from __future__ import annotations

from onlooker.game import Cell, Trial
from onlooker.inference.errors import UnexplainedError
from onlooker.inference.kernels.errors import MAIN_STUCK, UNEXPLAINED
from onlooker.inference.parameters import Parameters
from onlooker.planning import NoPathError, Tables, npc_path
from onlooker.planning.errors import no_way


def failure(
    trial: Trial,
    parameters: Parameters,
    error: int,
    npc: int = 0,
    step: int = 0,
    main: Cell = (0, 0),
    lacking: tuple[str, ...] = (),
) -> UnexplainedError | NoPathError:
    """The exception for an error; the main agent's cell and what it lacks, where it is stuck."""
    if error == UNEXPLAINED:
        return UnexplainedError(trial, trial.npcs[npc].id, step)
    if error == MAIN_STUCK:
        if not lacking:
            return no_way(trial.map, main, trial.main.goal, holders=trial.holders)
        return NoPathError(
            f"{trial.label}: the main agent cannot get from {main} to the"
            f" {' or '.join(lacking)} wizards left"
        )
    try:
        npc_path(Tables(trial.map, parameters.costs), trial, trial.npcs[npc])
    except NoPathError as stuck:
        return stuck
    raise AssertionError(f"{trial.label}: {trial.npcs[npc].id} is stuck and yet has a path")
