"""Exact planning: cost-to-go tables, how agents behave, single paths."""

from onlooker.planning.astar import expert_plan, walk_path
from onlooker.planning.policies import (
    CostTables,
    NoPathError,
    Path,
    best_step,
    budget,
    expert_path,
    expert_to_go,
    main_path,
    novice_path,
    novice_to_go,
    npc_path,
    npc_paths,
    path_cost,
    stage,
    steps,
    taken_path,
)
from onlooker.planning.reference import ReferenceTables
from onlooker.planning.states import States
from onlooker.planning.tables import Tables, Target

__all__ = [
    "CostTables",
    "NoPathError",
    "Path",
    "ReferenceTables",
    "States",
    "Tables",
    "Target",
    "best_step",
    "budget",
    "expert_path",
    "expert_plan",
    "expert_to_go",
    "main_path",
    "novice_path",
    "novice_to_go",
    "npc_path",
    "npc_paths",
    "path_cost",
    "stage",
    "steps",
    "taken_path",
    "walk_path",
]
