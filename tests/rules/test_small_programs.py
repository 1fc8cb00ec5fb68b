"""Programs of wirelab that start with every trial import what they need, and no more.

They take processor time beside the roles, and in every one of a thousand trials of the tests.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

LARGE = ("pydantic", "numpy", "pyarrow", "scipy", "rich", "typer", "babel")
"""Packages that take a tenth of a second or more to import."""


@pytest.mark.parametrize(
    "module",
    [
        "wirelab.trial.rules_main",
        "wirelab.monitor.process",
        "wirelab.processes.guardian",
        "wirelab.processes.keeper",
    ],
)
def test_a_program_of_every_trial_is_soon_there(module: str) -> None:
    said = f"import sys, {module}; print(*sys.modules)"
    program = [sys.executable, "-P", "-c", said]
    imported = subprocess.run(program, capture_output=True, text=True, check=True).stdout.split()
    assert module in imported
    assert not set(LARGE) & set(imported)
