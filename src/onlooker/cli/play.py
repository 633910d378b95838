"""`onlooker play`: a person plays trials at the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from onlooker.cli.errors import INTERRUPTED, InputError, planned, refusing
from onlooker.cli.options import Budget, BudgetOption, output_to
from onlooker.game import (
    BudgetRule,
    Choice,
    ExperimentName,
    Score,
    Stage,
    Trial,
    play_trial,
    player_view,
    replay,
    score,
)
from onlooker.support.rounding import counted

if TYPE_CHECKING:
    from rich.console import Console

    from onlooker.players.terminal import TerminalPlayer


@dataclass(frozen=True, slots=True)
class Played:
    """A trial as far as it was played."""

    stage: Stage
    log: list[Choice]
    times: list[str]

    @property
    def score(self) -> Score:
        """What it came to."""
        return score(self.stage, replay(self.stage, self.log))


def play(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Trial files or folders, played one after the other."),
    ],
    budget: BudgetOption = Budget.PAPER,
    output: Annotated[Path | None, output_to("Write what was played as a dataset.")] = None,
    participant: Annotated[
        str, typer.Option(metavar="NAME", help="What the dataset calls the person.")
    ] = "person1",
) -> None:
    """Play trials at the terminal.

    Keys are those of the browser: the arrows or W, A, S, D move and ask wizards, an NPC's number
    watches it (also O where it is the only one), Q leaves. Where standard input is not a terminal,
    each of its lines is a choice: a key, or up, down, left, right, observe and an NPC's id.
    """
    from rich.console import Console

    from onlooker.experiments.trialset import load_trials
    from onlooker.planning import stage
    from onlooker.players.terminal import LeftError, LineError, outcome

    trials = load_trials(paths)
    experiment = None if output is None else _experiment(trials, output, participant)
    with planned(", ".join(paths)):
        stages = [stage(trial, budget=budget.value) for trial in trials]
    console = Console(highlight=False)
    played: list[Played] = []
    status = 0
    try:
        with _player(console) as player:
            for number, game in enumerate(stages, start=1):
                _play(player, game, number, len(stages), played)
    except LeftError:
        pass
    except LineError as error:
        raise InputError(f"standard input, {error}") from None
    except KeyboardInterrupt:
        status = INTERRUPTED
    for each in played:
        words = f"{each.stage.trial.label}: {outcome(each.score)}"
        console.print(words, soft_wrap=True, markup=False)
    if output is not None and experiment is not None:
        _write(output, experiment, participant, played, len(stages), budget.value)
    raise typer.Exit(status)


def _player(console: Console) -> AbstractContextManager[TerminalPlayer]:
    """A person with keys where there is a terminal for them, else one with lines."""
    from onlooker.players.terminal import KeyPlayer, LinePlayer

    typed = sys.stdin.isatty()
    if typed and sys.stdout.isatty() and not console.is_dumb_terminal:
        return KeyPlayer.at(console)
    return nullcontext(LinePlayer(console, sys.stdin, strict=not typed))


def _play(
    player: TerminalPlayer, game: Stage, number: int, total: int, played: list[Played]
) -> None:
    """Let the person play a trial; what was played is kept, however it ends."""
    from onlooker.players.terminal import outcome

    player.begin(f"{game.trial.label}, {number} of {total}" if total > 1 else game.trial.label)
    try:
        play_trial(game, player)
    finally:
        if player.log:
            played.append(Played(game, player.log, player.times))
    view = player_view(game, replay(game, player.log))
    player.finish(view, outcome(played[-1].score), more=number < total)


def _experiment(trials: Sequence[Trial], output: Path, participant: str) -> ExperimentName:
    """The experiment that all trials are of, for the dataset; refuses what could not be written."""
    from onlooker.experiments.naming import in_order, is_name

    numbers = {trial.experiment for trial in trials}
    [number, *others] = in_order(numbers)
    if others or not is_name(number):
        found = ", ".join(str(each) if each is not None else "none" for each in numbers)
        raise InputError(
            f"-o {output}: a dataset takes trials of one experiment, which each names by a line"
            f" such as 'experiment: 1'; these name {found}"
        )
    if len({trial.name for trial in trials}) < len(trials):
        raise InputError(f"-o {output}: two trials have the same name; expected each once")
    if output.exists() and (not output.is_dir() or os.listdir(output)):
        raise InputError(f"-o {output}: there is something already; it is not replaced")
    if not participant.strip():
        raise InputError("--participant: expected a name")
    return number


def _write(
    output: Path,
    experiment: ExperimentName,
    participant: str,
    played: Sequence[Played],
    total: int,
    budget: BudgetRule,
) -> None:
    """Write what was played as a dataset."""
    from onlooker.experiments.dataset import write_dataset
    from onlooker.experiments.provenance import provenance
    from onlooker.experiments.records import Records, record_participant, record_trial

    if not played:
        print(f"Nothing was played, so {output} is not written.", file=sys.stderr)
        return
    records = Records()
    for position, each in enumerate(played, start=1):
        record_trial(records, participant, experiment, position, each.stage, each.log, each.times)
    real = [row for row in records.trials if not row["tutorial"]]
    completed = len(played) == total and all(row["finished"] for row in records.trials)
    record_participant(records, participant, experiment, 1, completed and bool(real))
    count = counted(len(played), "trial")
    with refusing():
        write_dataset(
            output,
            records.tables(),
            "A person at the terminal",
            f"Played by a person at the terminal, with onlooker play: {count}.",
            extra={"budgetRule": budget, "provenance": provenance([], {"budget": budget})},
        )
    print(f"{count}, {counted(len(records.actions), 'action')} in {output}")
