"""Exit codes of a run, but for that of an interruption (``wirelab.processes.interrupts``)."""

from __future__ import annotations

ALL_WELL = 0
MISTAKE = 2
"""Something that was asked for cannot be done; also that of every other command."""

DISK_FULL = 3
TRIALS_FAILED = 4
NO_CELL_VALID = 5
