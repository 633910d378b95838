"""The game: maps, trials, rules, play and the formats trials are kept in."""

from onlooker.game.budget import (
    BudgetHint,
    BudgetRule,
    budget_for,
    budget_hint,
    budget_of,
    possible_holders,
)
from onlooker.game.document import read_document, validate
from onlooker.game.document_writer import dump_document, to_document
from onlooker.game.files import dump_trial, load_trial, parse_trial, save_trial
from onlooker.game.grid import ACTIONS, Action, Barrier, Cell, Chest, Map, Wizard
from onlooker.game.maptext import read_map_text
from onlooker.game.maptext_writer import dump_map_text
from onlooker.game.needs import can_search_alone, needed, needs
from onlooker.game.play import (
    Act,
    Choice,
    LogError,
    Observe,
    Score,
    Situation,
    Stage,
    Turn,
    choices,
    has_arrived,
    opening,
    parse_choice,
    replay,
    score,
    take,
)
from onlooker.game.player import MOST_CHOICES, Player, PlayerError, play_trial
from onlooker.game.player_view import PlayerView, npc_name, player_view
from onlooker.game.problems import TrialError
from onlooker.game.rules import (
    Costs,
    Effect,
    Event,
    Interaction,
    Move,
    State,
    Step,
    Unavailable,
    effect,
    step,
)
from onlooker.game.trial import (
    ExperimentName,
    Expertise,
    Holders,
    Label,
    MainAgent,
    Npc,
    Trial,
    check_trial,
    teacher_in,
    under,
)
from onlooker.support.problems import Problem
