"""The failure of a trial, with its reason."""

from __future__ import annotations

import errno
import traceback
from pathlib import Path


class TrialError(Exception):
    """A trial that cannot give figures.

    ``reason`` is a stable code of ``docs/reference/trial-failures.md``; ``detail`` says in a
    sentence what happened; ``role`` is the part that misbehaved, or that filled the disk, empty
    for the host.
    """

    def __init__(self, reason: str, detail: str, role: str = "") -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
        self.role = role

    @staticmethod
    def of_host(error: OSError) -> TrialError:
        """Make the error of a trial that the host refused something."""
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            detail = f"no space left while writing {error.filename or 'the trial'}"
            return TrialError("disk-full", detail)
        detail = f"{error.strerror or error}: {error.filename or ''}".rstrip(": ")
        return TrialError("host", detail)

    @staticmethod
    def of_harness(error: Exception, role: str = "") -> TrialError:
        """Make the error of a trial at which wirelab failed: an exception that nobody expected,
        with the line that it came from.
        """
        at = traceback.extract_tb(error.__traceback__)[-1]
        said = f"{type(error).__name__}: {str(error)[:1000]}"
        return TrialError("harness-failed", f"{said} ({Path(at.filename).name}:{at.lineno})", role)
