"""Standard error of failed trials, as far as a reader of a report needs it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wirelab.cells.recorded import RecordedTrial
from wirelab.model.run import Run
from wirelab.model.trial import TrialRecord, TrialStatus
from wirelab.trial.crashes import check_by_hand

_LINES = 12
_TERMINAL_CODES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_UNPRINTABLE = re.compile(r"[^\t\n\x20-\x7e\u00a0-\uffff]")


def standard_errors(recorded: Iterable[RecordedTrial], run: Run) -> dict[str, str]:
    """By failed trial the last lines of each role's standard error, colours taken off.

    They begin with the file that holds all of it, and end with the command of a check by hand.
    """
    return {
        trial.planned.id: said
        for trial in recorded
        if trial.record is not None
        and trial.record.status is TrialStatus.FAILED
        and (said := _last_words(trial.record, run))
    }


def _last_words(record: TrialRecord, run: Run) -> str:
    parts = []
    for name, role in record.roles.items():
        text = _UNPRINTABLE.sub("?", _TERMINAL_CODES.sub("", role.stderr_tail)).strip()
        if text:
            log = f" trials/{record.planned.id}/{role.log}" if role.log else ""
            parts.append(f"{name}:{log}\n" + "\n".join(text.splitlines()[-_LINES:]))
    if parts and (by_hand := check_by_hand(run, record)):
        parts.append(f"$ {by_hand}")
    return "\n".join(parts)
