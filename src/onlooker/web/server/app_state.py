"""What all routes ask of the application: the study and the limits on calls."""

from __future__ import annotations

from fastapi import Request
from pydantic import BaseModel, ConfigDict

from onlooker.web.participant.service import StudyService
from onlooker.web.server.limits import Limiter, Rate


class StrictBody(BaseModel):
    """A body of a call in which unknown keys are refused."""

    model_config = ConfigDict(extra="forbid")


class TooFastError(Exception):
    """Calls come faster than they may."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds


def service_of(request: Request) -> StudyService:
    """The study that the application serves."""
    service = request.app.state.service
    assert isinstance(service, StudyService)
    return service


def check_rate(request: Request, key: str, rate: Rate) -> None:
    """Count a call; TooFastError if there are too many."""
    limiter = request.app.state.limiter
    assert isinstance(limiter, Limiter)
    if seconds := limiter.wait(key, rate):
        raise TooFastError(seconds)
