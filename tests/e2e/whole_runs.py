"""Runs of the repository's own suites, started as a user starts them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[2]
WITHIN_S = 2300


def run_suite(here: Path, suite: str, *options: str) -> Path:
    """``wl run`` of a suite with results below ``here``; the folder of the only run there."""
    ended = subprocess.run(
        [sys.executable, "-m", "wirelab", "run", suite, *options],
        cwd=here,
        env=os.environ,
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (run,) = (here / "results").iterdir()
    assert str(run / "report-en.html") in ended.stdout
    return run


def result_of(run: Path) -> dict[str, Any]:
    """``result.json`` of a run."""
    loaded: dict[str, Any] = json.loads((run / "result.json").read_text("utf-8"))
    return loaded
