"""The analysis' figures: each is a Plate, a drawing with its caption and the numbers it shows."""

from onlooker.analysis.figures.agreement import fit_plates, scatter_plate
from onlooker.analysis.figures.everything import draw_plates
from onlooker.analysis.figures.example_trials import choose_trials
from onlooker.analysis.figures.game_figure import game_plate
from onlooker.analysis.figures.parameters_table import parameters_rows
from onlooker.analysis.figures.plate import MissingFigure, Plate, save_plate
from onlooker.analysis.figures.qualitative import qualitative_plates
from onlooker.analysis.figures.regret import regret_plate
from onlooker.analysis.figures.schematic import schematic_plate
from onlooker.analysis.figures.tradeoff import tradeoff_by_experiment_plate, tradeoff_plate

__all__ = [
    "MissingFigure",
    "Plate",
    "choose_trials",
    "draw_plates",
    "fit_plates",
    "game_plate",
    "parameters_rows",
    "qualitative_plates",
    "regret_plate",
    "save_plate",
    "scatter_plate",
    "schematic_plate",
    "tradeoff_by_experiment_plate",
    "tradeoff_plate",
]
