"""Observers by name, a user's own among them."""

from __future__ import annotations

import importlib
import traceback
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any

from onlooker.inference.declaring import Parameter
from onlooker.inference.parameters import Parameters, extended
from onlooker.observers.compositions import (
    ComposedObserver,
    GradedMentalizing,
    MentalizingObserver,
    NaiveObserver,
    RationalMentalizing,
    RationalObserver,
)
from onlooker.observers.ideal import IdealObserver
from onlooker.observers.observer import Observer
from onlooker.observers.running import Parts
from onlooker.observers.untold import UntoldMentalizing

# The paper's four, which run by default.
OBSERVERS: dict[str, type[Observer]] = {
    observer.name: observer
    for observer in (RationalMentalizing, MentalizingObserver, RationalObserver, NaiveObserver)
}

# All that have names.
KNOWN_OBSERVERS: dict[str, type[Observer]] = OBSERVERS | {
    observer.name: observer for observer in (GradedMentalizing, IdealObserver, UntoldMentalizing)
}


def find_observer(name: str) -> Observer:
    """The observer of that name, or the class at `package.module:Class`.

    >>> find_observer("naive_observer").title
    'Naive Observer'
    """
    if name in KNOWN_OBSERVERS:
        return KNOWN_OBSERVERS[name]()
    if ":" not in name:
        known = ", ".join(KNOWN_OBSERVERS)
        raise ValueError(
            f"there is no observer {name!r}; there are {known}, and package.module:Class for"
            " one of your own"
        )
    found = class_at(name, "observer")
    if not (isinstance(found, type) and issubclass(found, Observer)):
        raise ValueError(f"{name!r} is not a subclass of onlooker.observers.Observer")
    if missing := sorted(found.__abstractmethods__):
        raise ValueError(f"{name!r} lacks {', '.join(missing)}")
    if reason := _lacks(found):
        raise ValueError(f"{name!r} {reason}")
    try:
        return found()
    except Exception as error:
        raise ValueError(f"{name!r} cannot be made without arguments: {describe(error)}") from None


def observer_word(observer: Observer) -> str:
    """The word by which `find_observer` finds an observer again, for example in another process.

    >>> observer_word(find_observer("naive_observer"))
    'naive_observer'
    """
    if type(observer) is KNOWN_OBSERVERS.get(observer.name):
        return observer.name
    return f"{type(observer).__module__}:{type(observer).__qualname__}"


def _lacks(found: type[Observer] | Observer) -> str | None:
    """What an observer or its class lacks, in words; None if it has everything."""
    kind = found if isinstance(found, type) else type(found)
    for field in ("name", "title"):
        if not isinstance(getattr(found, field, None), str):
            return f"has no {field}: expected a word, such as {field} = 'glance'"
    if issubclass(kind, ComposedObserver) and not isinstance(getattr(found, "parts", None), Parts):
        return (
            "has no parts: expected three, such as"
            " parts = Parts(Appraisal.IMAGINED_COSTS, Rule.BEST, Trust.BELIEF)"
        )
    return None


def observer_of(observer: object) -> Observer:
    """The observer itself, or the one of that name; TypeError for anything else."""
    if isinstance(observer, str):
        return find_observer(observer)
    if isinstance(observer, Observer):
        if reason := _lacks(observer):
            raise TypeError(f"observer {type(observer).__name__} {reason}")
        return observer
    if isinstance(observer, type) and issubclass(observer, Observer):
        raise TypeError(f"expected an observer such as {observer.__name__}(), not its class")
    raise TypeError(f"expected an observer or the name of one, not {observer!r}")


def observers_of(observers: Sequence[str | Observer]) -> list[Observer]:
    """The observers of a list of observers and names."""
    if isinstance(observers, str):
        raise TypeError(f"expected a list of observers, such as [{observers!r}], not {observers!r}")
    return [observer_of(observer) for observer in observers]


def parameters_class(observers: Iterable[Observer]) -> type[Parameters]:
    """The parameters of all observers and those that some declare; ValueError if they clash.

    >>> parameters_class([find_observer("naive_observer")]) is Parameters
    True
    """
    own: dict[str, Parameter[Any]] = {}
    for observer in observers:
        for name, each in observer.own_parameters().items():
            if reason := _undeclarable(each):
                raise ValueError(f"observer {observer.name!r}, parameter {name}: {reason}")
            if own.setdefault(name, each) != each:
                raise ValueError(f"two observers declare {name!r} differently: rename one")
    return extended(tuple(own.values()))


def _undeclarable(parameter: Parameter[Any]) -> str | None:
    """Why an observer cannot have such a parameter of its own, or None."""
    low, high = parameter.low, parameter.high
    if parameter.name in Parameters.declared():
        return "all observers have one of this name; expected another name"
    if not parameter.words and not (isfinite(low) and isfinite(high) and low < high):
        return "expected a range, such as low=0, high=1"
    if parameter.scale == "log" and not low > 0:
        return f"expected low above 0 on the scale log, not {low:g}"
    if parameter.scale == "logit" and not (low >= 0 and high <= 1):
        return f"expected a range within 0 and 1 on the scale logit, not {low:g} to {high:g}"
    if parameter.prior and (parameter.words or not parameter.prior.sd > 0):
        return "a prior is of a number and has an SD above 0"
    try:
        parameter.check(parameter.default)
        if parameter.prior:
            parameter.check(type(parameter.default)(parameter.prior.median))
    except ValueError as error:
        return str(error)
    return None


def depends(observer: Observer, name: str) -> bool:
    """Whether what an observer does can depend on a parameter.

    >>> depends(find_observer("naive_observer"), "epsilon")
    False
    """
    if name in observer.own_parameters():
        return True
    declared = Parameters.declared().get(name)
    ours = type(observer) is KNOWN_OBSERVERS.get(observer.name)
    return declared is not None and (not ours or declared.only in ("", observer.name))


def class_at(name: str, what: str) -> object:
    """The object at `package.module:Class`; ValueError if there is none."""
    module_name, _, class_name = name.partition(":")
    try:
        module = importlib.import_module(module_name)
    except Exception as error:  # whatever a user's module does while it is imported
        raise ValueError(f"the {what} {name!r} cannot be imported: {describe(error)}") from None
    found: object = getattr(module, class_name, None)
    if found is None:
        raise ValueError(f"the module {module_name!r} has no class {class_name!r}")
    return found


def describe(error: BaseException) -> str:
    """An error in a user's code as one line: what it is and where it was raised.

    >>> try:
    ...     1 / 0
    ... except ZeroDivisionError as error:
    ...     describe(error).startswith("ZeroDivisionError: division by zero (")
    True
    """
    if isinstance(error, ImportError):
        return str(error)
    words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    if isinstance(error, SyntaxError) or not frames:  # a syntax error names its place
        return words
    return f"{words} ({frames[-1].filename}, line {frames[-1].lineno})"
