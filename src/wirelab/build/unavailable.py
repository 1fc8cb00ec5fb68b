"""A part that cannot be built or run here, with the reason."""

from __future__ import annotations

from pathlib import Path

from wirelab.words.printable import printable


class Unavailable(Exception):  # noqa: N818 - a state that a run goes on with, shown in the report
    """A part cannot be had on this machine.

    ``reason`` says why in a sentence, ``remedy`` is the command (or the act) that would help,
    ``log`` the file with the whole story when there is one.
    """

    def __init__(self, reason: str, remedy: str = "", log: Path | None = None) -> None:
        # What a tool said may be the words of a package.
        self.reason, self.remedy = printable(reason), printable(remedy)
        super().__init__(self.reason)
        self.log = log
