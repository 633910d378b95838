"""Exact planning: cost-to-go tables, how agents behave, single paths."""

from onlooker.planning.errors import NoPathError
from onlooker.planning.policies import (
    Steps,
    best_step,
    expert_path,
    expert_to_go,
    main_path,
    novice_path,
    novice_to_go,
    npc_path,
    npc_paths,
    path_cost,
    steps,
    taken_path,
    teaches,
)
from onlooker.planning.staging import as_played, budget, hint, least_cost, stage, starting_points
from onlooker.planning.tables import Table, Tables, Target
