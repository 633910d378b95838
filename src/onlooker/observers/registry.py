"""Observers by name, a user's own among them."""

from __future__ import annotations

import importlib

from onlooker.observers.mentalizing_observer import MentalizingObserver
from onlooker.observers.observer import Observer
from onlooker.observers.rational_mentalizing import RationalMentalizing
from onlooker.observers.trusting import NaiveObserver, RationalObserver

OBSERVERS: dict[str, type[Observer]] = {
    observer.name: observer
    for observer in (RationalMentalizing, MentalizingObserver, RationalObserver, NaiveObserver)
}


def find_observer(name: str) -> Observer:
    """The observer of that name, or the class at `package.module:Class`.

    >>> find_observer("naive_observer").title
    'Naive Observer'
    """
    if name in OBSERVERS:
        return OBSERVERS[name]()
    module_name, colon, class_name = name.partition(":")
    if not colon:
        known = ", ".join(OBSERVERS)
        raise ValueError(
            f"there is no observer {name!r}; there are {known}, and package.module:Class for"
            " one of your own"
        )
    try:
        found = getattr(importlib.import_module(module_name), class_name)
    except ImportError as error:
        raise ValueError(f"the observer {name!r} cannot be imported: {error}") from None
    except AttributeError:
        raise ValueError(f"the module {module_name!r} has no class {class_name!r}") from None
    if not (isinstance(found, type) and issubclass(found, Observer)):
        raise ValueError(f"{name!r} is not a subclass of onlooker.observers.Observer")
    return found()
