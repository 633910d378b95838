"""One trial in the compiled engine's memory, and what Python asks of it."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onlooker.game import State, Trial
from onlooker.inference import kernels
from onlooker.inference.errors import UnexplainedError
from onlooker.inference.hypotheses import Hypotheses
from onlooker.inference.kernels import codes
from onlooker.inference.parameters import Parameters, set_parameters
from onlooker.planning import NoPathError, Tables, npc_path
from onlooker.planning.compiling import Entry
from onlooker.planning.memory import grown, lay_out, pack, section

NODES, STEPS = 256, 64  # room at first; it doubles when it is used up


class Workspace:
    """The memory of one trial under some parameters.

    Nodes (see `kernels`) stay valid as long as it lives.
    """

    def __init__(self, trial: Trial, parameters: Parameters) -> None:
        self.trial, self.parameters = trial, parameters
        self.hypotheses = Hypotheses(trial.map)
        records, self.packed = pack([trial])
        set_parameters(records, parameters)
        self.memory = lay_out(records, NODES, STEPS)
        self._sections: dict[str, NDArray[Any]] = {}
        self.infer(kernels.PREPARE)

    def infer(self, what: int, node: int = 0, number: int = 0) -> int:
        """Ask the compiled inference for something."""
        return int(self.call(kernels.infer, what, node, number))

    def call(self, entry: Entry, *arguments: int) -> Any:
        """Call a compiled function on the memory, with more of it if it is used up."""
        records, i, f, c = self.memory
        records["error"] = 0
        result = entry(records, self.packed, i, f, c, *arguments)
        error = records["error"][0]
        if error in (codes.FULL, codes.TOO_LONG):
            self.memory = grown(self.memory)
            self._sections.clear()
            return self.call(entry, *arguments)
        if error:
            raise failure(self.trial, self.parameters, records[0])
        return result

    def number(self, name: str) -> int:
        """A number of the record."""
        return int(self.memory.records[name][0])

    def section(self, name: str) -> NDArray[Any]:
        """A section of the memory with its axes; it is valid until the memory grows."""
        if name not in self._sections:
            self._sections[name] = section(self.memory, name)
        return self._sections[name]

    def stand(self, nodes: list[int], main: State, own: NDArray[np.float64]) -> None:
        """Let everything be asked about a point of the trial: what was seen, where one stands."""
        record = self.memory.records
        cell, amulets = self.padded(main.cell), self.mask(main.amulets)
        here = (self.number("cell"), self.number("amulets"))
        if here != (cell, amulets) or not np.array_equal(self.section("own"), own):
            record["cell"], record["amulets"], record["tour_count"] = cell, amulets, 0
            self.section("own")[:] = own
            self.section("version")[:] = 0  # what was assessed there holds no more
        self.section("history")[: len(nodes)] = nodes

    def padded(self, cell: tuple[int, int]) -> int:
        """The number of a cell in the memory, where the grid has a border."""
        return (cell[1] + 1) * (self.trial.map.width + 2) + cell[0] + 1

    def mask(self, amulets: frozenset[str] | tuple[str, ...]) -> int:
        """A set of amulets as bits."""
        return sum(1 << self.trial.map.colours.index(colour) for colour in amulets)

    @cached_property
    def paths(self) -> list[list[int]]:
        """The nodes that each NPC really comes through."""
        self.infer(kernels.FOLLOW)
        lengths = self.section("path_length").tolist()
        path = self.section("path")
        return [path[npc, : length + 1].tolist() for npc, length in enumerate(lengths)]


def failure(trial: Trial, parameters: Parameters, record: Any) -> UnexplainedError | NoPathError:
    """What the error that a compiled function left in a trial's record means."""
    if record["error"] == codes.UNEXPLAINED:
        npc = trial.npcs[record["error_npc"]]
        return UnexplainedError(trial, npc.id, int(record["error_step"]))
    if record["error"] == codes.MAIN_STUCK:
        y, x = divmod(int(record["cell"]), int(record["stride"]))
        lacking = int(record["needed"]) & ~int(record["amulets"])
        colours = [name for bit, name in enumerate(trial.map.colours) if lacking >> bit & 1]
        if not colours:
            return NoPathError(f"there is no way from {(x - 1, y - 1)} to chest {trial.main.goal}")
        return NoPathError(
            f"{trial.label}: the main agent cannot get from {(x - 1, y - 1)} to the"
            f" {' or '.join(colours)} wizards left"
        )
    npc = trial.npcs[record["error_npc"]]
    try:
        npc_path(Tables(trial.map, parameters.costs), trial, npc)
    except NoPathError as stuck:
        return stuck
    raise AssertionError(f"{trial.label}: {npc.id} is stuck and yet has a path")
