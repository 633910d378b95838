"""Inverse planning: hypotheses about NPCs, how likely they make what is seen, posteriors."""

from onlooker.inference.errors import TooLargeError, UnexplainedError
from onlooker.inference.hypotheses import Hypotheses
from onlooker.inference.parameters import Parameters
