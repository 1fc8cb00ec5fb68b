"""Builds of tests run behind everything else."""

from __future__ import annotations

import os
import subprocess
import sys

from e2e.building import behind_others

NICENESS = "import os; print(os.getpriority(os.PRIO_PROCESS, 0))"


def test_what_is_started_behind_others_has_a_lower_priority_and_nothing_else_has() -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    command = [sys.executable, "-c", NICENESS]
    started = behind_others(lambda: subprocess.run(command, capture_output=True, check=True))
    assert int(started.stdout) == min(own + 10, 19)
    assert os.getpriority(os.PRIO_PROCESS, 0) == own
