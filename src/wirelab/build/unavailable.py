"""Why something cannot be built or run here."""

from __future__ import annotations

from pathlib import Path


class Unavailable(Exception):  # noqa: N818 - a state that a run goes on with, shown in the report
    """A part cannot be had on this machine.

    ``reason`` says why in a sentence, ``remedy`` is the command (or the act) that would help,
    ``log`` the file with the whole story when there is one.
    """

    def __init__(self, reason: str, remedy: str = "", log: Path | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy
        self.log = log
