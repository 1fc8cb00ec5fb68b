"""Why a trial failed."""

from __future__ import annotations


class TrialError(Exception):
    """A trial that cannot give figures.

    ``reason`` is a stable code of ``docs/trial-failures.md``; ``detail`` says in a sentence
    what happened; ``role`` is the part that misbehaved, empty for the host.
    """

    def __init__(self, reason: str, detail: str, role: str = "") -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
        self.role = role
