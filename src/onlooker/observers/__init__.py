"""Observers: who decides when to watch, whom, and when to act."""

from onlooker.inference.parameters import Parameters
from onlooker.observers.api import advise, run
from onlooker.observers.batch import Batch, Outcomes
from onlooker.observers.engine import Engine, View
from onlooker.observers.errors import ObserverError
from onlooker.observers.mentalizing_observer import MentalizingObserver
from onlooker.observers.observer import Observer
from onlooker.observers.rational_mentalizing import RationalMentalizing
from onlooker.observers.registry import OBSERVERS, find_observer
from onlooker.observers.results import ACT, Belief, Candidates, Decision, Goals, Particle, Result
from onlooker.observers.trusting import NaiveObserver, RationalObserver

__all__ = [
    "ACT",
    "OBSERVERS",
    "Batch",
    "Belief",
    "Candidates",
    "Decision",
    "Engine",
    "Goals",
    "MentalizingObserver",
    "NaiveObserver",
    "Observer",
    "ObserverError",
    "Outcomes",
    "Parameters",
    "Particle",
    "RationalMentalizing",
    "RationalObserver",
    "Result",
    "View",
    "advise",
    "find_observer",
    "run",
]
