"""What failed trials said on standard error, as far as a reader of a report needs it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wirelab.cells.recorded import RecordedTrial
from wirelab.model.run import TrialRecord, TrialStatus

_LINES = 12
_TERMINAL_CODES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_UNPRINTABLE = re.compile(r"[^\t\n\x20-\x7e\u00a0-\uffff]")


def standard_errors(recorded: Iterable[RecordedTrial]) -> dict[str, str]:
    """By failed trial the last lines of each role's standard error, colours taken off."""
    return {
        trial.planned.id: said
        for trial in recorded
        if trial.record is not None
        and trial.record.status is TrialStatus.FAILED
        and (said := _last_words(trial.record))
    }


def _last_words(record: TrialRecord) -> str:
    parts = []
    for name, role in record.roles.items():
        text = _UNPRINTABLE.sub("?", _TERMINAL_CODES.sub("", role.stderr_tail)).strip()
        if text:
            parts.append(f"{name}:\n" + "\n".join(text.splitlines()[-_LINES:]))
    return "\n".join(parts)
