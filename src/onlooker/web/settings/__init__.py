"""A study's settings file and the passwords in it."""

from onlooker.web.settings.file import (
    EXAMPLE,
    MOST_CHOICES,
    Admission,
    Completion,
    Consent,
    Debrief,
    Payment,
    Researcher,
    Settings,
    SettingsError,
    Stimuli,
    Study,
    Survey,
    Timeouts,
    default_settings,
    load_settings,
)

__all__ = [
    "EXAMPLE",
    "MOST_CHOICES",
    "Admission",
    "Completion",
    "Consent",
    "Debrief",
    "Payment",
    "Researcher",
    "Settings",
    "SettingsError",
    "Stimuli",
    "Study",
    "Survey",
    "Timeouts",
    "default_settings",
    "load_settings",
]
