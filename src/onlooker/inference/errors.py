"""What can go wrong in inference, and the exceptions for the error codes of kernels."""

from __future__ import annotations

from onlooker.game import Cell, Trial
from onlooker.inference.kernels.tree import MAIN_STUCK, MOST_HISTORIES, TOO_LONG, UNEXPLAINED
from onlooker.inference.parameters import Parameters
from onlooker.planning import NoPathError, Tables, npc_path
from onlooker.planning.errors import no_way


class TooLargeError(ValueError):
    """A trial is too large for an exact answer; the text has the number that is too large."""


class UnexplainedError(ValueError):
    """An NPC did what no hypothesis left can explain.

    >>> from onlooker.game import load_trial
    >>> print(UnexplainedError(load_trial("examples/early-turn.map"), "agent2", 3))
    early turn: no hypothesis explains step 3 of agent2
    """

    def __init__(self, trial: Trial, npc: str, step: int) -> None:
        self.trial, self.npc, self.step = trial, npc, step  # steps count from 1
        super().__init__(f"{trial.label}: no hypothesis explains step {step} of {npc}")


def failure(
    trial: Trial,
    parameters: Parameters,
    error: int,
    npc: int = 0,
    step: int = 0,
    main: Cell = (0, 0),
    lacking: tuple[str, ...] = (),
) -> UnexplainedError | NoPathError | TooLargeError:
    """The exception for an error; the main agent's cell and what it lacks, where it is stuck."""
    if error == UNEXPLAINED:
        return UnexplainedError(trial, trial.npcs[npc].id, step)
    if error == TOO_LONG:
        return TooLargeError(
            f"{trial.label}: what {trial.npcs[npc].id} would do as a teacher depends on more than"
            f" {MOST_HISTORIES:,} histories of what could be seen"
        )
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
