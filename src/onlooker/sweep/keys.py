"""What a result depends on, as hashes: the engine, the setting, the trial and the observer.

Everything that was computed is kept under these, so that the same is never computed twice and a
result of other code is never taken for ours.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from weakref import WeakKeyDictionary

from onlooker.game import Trial
from onlooker.game.document_writer import to_document
from onlooker.inference import Parameters
from onlooker.observers import KNOWN_OBSERVERS, ChoiceRule, Observer
from onlooker.observers.registry import observer_word
from onlooker.planning.digest import RESULTS, digest_of
from onlooker.sweep import SweepError

LENGTH = 32  # hexadecimal digits


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a sweep's settings, trials and observers, each in their order."""

    settings: tuple[str, ...]
    trials: tuple[str, ...]
    observers: tuple[str, ...]

    @classmethod
    def of(
        cls,
        settings: Iterable[Parameters],
        trials: Iterable[Trial],
        observers: Sequence[Observer],
        rules: Sequence[ChoiceRule],
    ) -> Keys:
        """Keys of what is to be run."""
        return cls(
            tuple(setting_key(each) for each in settings),
            tuple(trial_key(each) for each in trials),
            tuple(observer_key(*each) for each in zip(observers, rules, strict=True)),
        )

    @property
    def whole(self) -> str:
        """One key for all of it: two sweeps of the same have the same tables."""
        return _hash(asdict(self))


def setting_key(parameters: Parameters) -> str:
    """The key of a setting: its values, and the engine that they are used in.

    What an observer declares is left out where it has its default, which is in the observer's code.
    """
    ours, declared = Parameters.declared(), parameters.declared()
    values = {
        name: value
        for name, value in plain_setting(parameters).items()
        if name in ours or value != declared[name].default
    }
    return _hash([engine_key(), values])


def plain_setting(parameters: Parameters) -> dict[str, int | float | str]:
    """The values by name; a number that is not a count is always a float.

    >>> plain_setting(Parameters(beta=1)) == plain_setting(Parameters(beta=1.0))
    True
    """
    declared, values = parameters.declared(), asdict(parameters)
    return {
        name: float(value) if isinstance(declared[name].default, float) else value
        for name, value in values.items()
    }


def trial_key(trial: Trial) -> str:
    """The key of a trial: all that its document says."""
    return _hash(to_document(trial))


def observer_key(observer: Observer, rule: ChoiceRule = ChoiceRule.HARD) -> str:
    """The key of an observer that chooses by a rule.

    It is its name, for one that is not ours also its module's code, and if the rule is soft, the
    rule and what is kept of a distribution.

    >>> from onlooker.observers import find_observer
    >>> observer_key(find_observer("naive_observer"), ChoiceRule.SOFTMAX)
    'naive_observer softmax mean sd'
    """
    word = _observer_key(observer)
    return word if rule is ChoiceRule.HARD else f"{word} {rule} mean sd"


def _observer_key(observer: Observer) -> str:
    if not _as_made(observer):
        raise SweepError(
            f"observer {observer.name!r}: expected one as its class makes it, because workers make"
            " their own; give it what it needs in a class of its own"
        )
    if type(observer) is KNOWN_OBSERVERS.get(observer.name):
        return observer.name
    return _hash([observer_word(observer), _code(type(observer))])


def _as_made(observer: Observer) -> bool:
    """Whether an observer is as any other of its class, with no values of its own."""
    try:
        return bool(vars(observer) == vars(type(observer)()))
    except (TypeError, ValueError):  # it needs arguments, or its values cannot be compared
        return False


_codes: WeakKeyDictionary[type, str] = WeakKeyDictionary()


def _code(of: type[Observer]) -> str:
    """The hash of the module that a class is from, as it was when this was first asked."""
    if of not in _codes:
        try:
            content = Path(inspect.getsourcefile(of) or "").read_bytes()
        except (OSError, TypeError):
            raise SweepError(
                f"observer {of.name!r}: expected one in a module of its own, which workers can"
                " import"
            ) from None
        _codes[of] = hashlib.sha256(content).hexdigest()
    return _codes[of]


def engine_key() -> str:
    """The key of the code that decides what observers do."""
    return digest_of(*RESULTS)


def _hash(value: object) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]
