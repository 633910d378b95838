"""Asking the platform whether a submission exists before anybody is let in."""

from __future__ import annotations

import threading
from typing import Protocol
from urllib.parse import quote

import httpx

from onlooker.web.settings import Admission

PATIENCE = 5.0  # seconds to wait for the platform
MOST_AT_A_TIME = 4  # questions to the platform; more would keep the server's threads waiting
OPEN = ("ACTIVE", "RESERVED")  # the states of a submission that is under way


class UnavailableError(Exception):
    """The platform did not answer; nothing is known about the submission."""


class Submissions(Protocol):
    """Knows which submissions exist."""

    def exists(self, submission: str, pid: str, study_id: str) -> bool:
        """Whether a submission is under way, by this participant, in this study."""


class ProlificSubmissions:
    """Prolific's own record of submissions, through its API."""

    def __init__(self, url: str, token: str) -> None:
        self._client = httpx.Client(
            base_url=url, headers={"Authorization": f"Token {token}"}, timeout=PATIENCE
        )
        self._turns = threading.BoundedSemaphore(MOST_AT_A_TIME)

    def exists(self, submission: str, pid: str, study_id: str) -> bool:
        """Whether a submission is under way, by this participant, in this study."""
        if not submission:
            return False
        if not self._turns.acquire(blocking=False):
            raise UnavailableError("too many submissions are being checked")
        try:
            answer = self._client.get(f"/api/v1/submissions/{quote(submission, safe='')}/")
            if answer.status_code == 404:
                return False
            if answer.status_code != 200:
                raise UnavailableError(f"the platform answered {answer.status_code}")
            found = answer.json()
        except (httpx.HTTPError, ValueError) as error:  # their texts contain the submission's id
            raise UnavailableError(f"no answer of the platform: {type(error).__name__}") from None
        finally:
            self._turns.release()
        # Samples with quotas are studies of their own, below the one that the link names.
        studies = (found.get("study_id"), found.get("parent_study_id"))
        return found.get("participant") == pid and study_id in studies and found["status"] in OPEN


def platform_submissions(admission: Admission) -> Submissions | None:
    """What the settings say about checking submissions; None if they are not checked."""
    if admission.prolific_token_env is None:
        return None
    return ProlificSubmissions(admission.prolific_url, admission.prolific_token)
