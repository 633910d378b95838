"""The paper's four experiments, and tables of what a set of trials has."""

from onlooker.experiments.inventory.experiments import (
    PAPER_EXPERIMENTS,
    Experiment,
    differences,
    experiment_title,
    paper_experiment,
)

__all__ = ["PAPER_EXPERIMENTS", "Experiment", "differences", "experiment_title", "paper_experiment"]
