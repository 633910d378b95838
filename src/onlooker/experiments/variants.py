"""An observer with other parameters than the rest of a table, as a value."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

from onlooker.inference import Parameters
from onlooker.observers import KNOWN_OBSERVERS

Changes = tuple[tuple[str, str], ...]  # names and values of parameters

_SETTING = rf"(?:{'|'.join(field.name for field in fields(Parameters))})=[^=,()]+"
_LABEL = re.compile(rf"({'|'.join(KNOWN_OBSERVERS)}) \(({_SETTING}(?:, {_SETTING})*)\)")


@dataclass(frozen=True, slots=True)
class Variant:
    """An observer, and the parameters in which it differs from the others of a table.

    >>> any_meeting = Variant("naive_observer", (("meeting", "any"),))
    >>> any_meeting.label, any_meeting.title
    ('naive_observer (meeting=any)', 'Naive Observer, meeting=any')
    """

    observer: str
    parameters: Changes = ()

    @property
    def label(self) -> str:
        """What tables call it; no two variants have the same."""
        return f"{self.observer} ({self.settings})" if self.parameters else self.observer

    @property
    def settings(self) -> str:
        """Its parameters in words; empty for the observer as it is."""
        return ", ".join(f"{name}={value}" for name, value in self.parameters)

    @property
    def title(self) -> str:
        """What figures and pages call it; an observer that is not ours has its name."""
        observer = KNOWN_OBSERVERS.get(self.observer)
        title = observer.title if observer else self.observer
        return f"{title}, {self.settings}" if self.parameters else title

    @classmethod
    def read(cls, label: str) -> Variant:
        """The variant that a table which is read calls by a label.

        >>> Variant.read("naive_observer (meeting=any)").parameters
        (('meeting', 'any'),)
        >>> Variant.read("my model (2)")
        Variant(observer='my model (2)', parameters=())
        """
        found = _LABEL.fullmatch(label)
        if found is None:
            return cls(label)
        pairs = (setting.split("=") for setting in found[2].split(", "))
        return cls(found[1], tuple((name, value) for name, value in pairs))
