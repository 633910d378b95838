"""Observers, which decide when to watch, which NPC to watch, and when to act."""

from onlooker.inference.declaring import Parameter, Prior, Unit
from onlooker.inference.parameters import Parameters
from onlooker.observers.api import advise, run, run_sequence
from onlooker.observers.batch import Batch, Outcomes
from onlooker.observers.choice_rules import rule_for, soft_parameters
from onlooker.observers.choosing import ChoiceRule, choice_probabilities
from onlooker.observers.compositions import (
    ComposedObserver,
    GradedMentalizing,
    MentalizingObserver,
    NaiveObserver,
    RationalMentalizing,
    RationalObserver,
)
from onlooker.observers.engine import Engine
from onlooker.observers.errors import ObserverError, SearchError
from onlooker.observers.expectations import Expectation
from onlooker.observers.foresight import Foresight, Outlook
from onlooker.observers.ideal import IdealObserver
from onlooker.observers.kernels.parts import Appraisal, Rule, Trust
from onlooker.observers.lattice import Lattice, LatticeError
from onlooker.observers.observer import Observer
from onlooker.observers.registry import (
    KNOWN_OBSERVERS,
    OBSERVERS,
    depends,
    find_observer,
    parameters_class,
)
from onlooker.observers.results import (
    ACT,
    Belief,
    Candidates,
    Decision,
    Goals,
    Particle,
    Reason,
    Result,
    Sight,
    Values,
    View,
)
from onlooker.observers.running import Parts
from onlooker.observers.tables import GoalRow, HoldersRow, Posterior, posterior
from onlooker.observers.untold import UntoldMentalizing
