"""The four experiments, and tables of what a set of trials has."""

from onlooker.experiments.inventory.experiments import EXPERIMENTS, Experiment, differences

__all__ = ["EXPERIMENTS", "Experiment", "differences"]
