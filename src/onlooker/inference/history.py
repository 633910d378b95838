"""What has been seen of an NPC, and how well each hypothesis explains it."""

from __future__ import annotations

from dataclasses import dataclass

from onlooker.game import ACTIONS, Action
from onlooker.inference import kernels
from onlooker.inference.kernels.codes import OUTCOMES
from onlooker.inference.workspace import Workspace
from onlooker.support.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class History:
    """The actions seen of one NPC so far.

    Histories form a tree that grows as they are asked for and is shared by all that look at the
    NPC: a future that was imagined is there when it comes true.
    """

    workspace: Workspace
    node: int

    @property
    def steps(self) -> int:
        """How many actions were seen."""
        return int(self.workspace.section("node_steps")[self.node])

    @property
    def arrived(self) -> bool:
        """Whether the NPC was seen to take its chest."""
        return bool(self.workspace.section("node_arrived")[self.node])

    @property
    def action(self) -> Action:
        """The last action that was seen; there has to be one."""
        assert self.steps
        seen = int(self.workspace.section("node_seen")[self.node])
        return ACTIONS[seen // OUTCOMES]

    @property
    def log_w(self) -> FloatArray:
        """The log weight of each hypothesis, as (goals, holders)."""
        hypotheses = self.workspace.hypotheses
        shape = (len(hypotheses.goals), len(hypotheses.holders))
        weights: FloatArray = self.workspace.section("log_w")[self.node].reshape(shape).copy()
        return weights

    def imagined(self, goal: int, holders: int) -> History | None:
        """The history after the NPC's best action under a hypothesis; None if it has none."""
        lane = goal * len(self.workspace.hypotheses.holders) + holders
        node = self.workspace.infer(kernels.IMAGINED, self.node, lane)
        return History(self.workspace, node) if node >= 0 else None

    def future(self, goal: int, holders: int) -> list[History]:
        """This history and those that would follow under a hypothesis, to the NPC's arrival."""
        path = [self]
        while (following := path[-1].imagined(goal, holders)) is not None:
            path.append(following)
        return path
