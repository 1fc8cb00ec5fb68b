"""A part that cannot be built or run here, with the reason."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
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


@contextlib.contextmanager
def understood(what: str, log: Path | None = None) -> Iterator[None]:
    """Tell of content that is none its reader knows, in place of the reader's own error."""
    try:
        yield
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        remedy = f"cat {log}" if log else ""
        raise Unavailable(f"{what} cannot be understood: {error!r}", remedy, log) from None
