"""Servers to check: the honest ones, and what becomes of them when something is changed."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from to_check import workers

from wirelab import conform
from wirelab.conform import Check, CheckedWorker, CheckLimits
from wirelab.run.checking import WantedChecks

SABOTAGE = Path(__file__).parents[1] / "sabotage"
LINES = SABOTAGE / "suite/contenders/honest"
WHITEBOARD = SABOTAGE / "websocket/contenders/honest"

LINE_SERVER = """
import socketserver, subprocess, threading
import reference
from reference import *

SLEEPER = [sys.executable, "-c", "import time; time.sleep(300)"]

{change}

class Changed(Reference):
    def {step}:
        {body}

Changed(read_spec()).run()
"""

FRAME_SERVER = """
import os, sys
sys.path.insert(0, {source!r})
import whiteboard, worker
from whiteboard import *

{change}

worker.main(worker.serve)
"""


STOP_S = 4
"""Time for these servers to end: half a second alone, more on a busy machine."""


def server(contender: Path) -> CheckedWorker:
    """The server of a contender."""
    scenario = "own-server" if contender == LINES else ""
    found = workers(contender, WantedChecks(scenario=scenario, role="server"))
    return replace(found[0], stop_ns=STOP_S * 1_000_000_000)


def line_server(
    tmp_path: Path, step: str = "unused(self)", body: str = "pass", change: str = ""
) -> CheckedWorker:
    """The honest server of lines with one step, or something around it, changed."""
    source = tmp_path / "worker.py"
    place = str(SABOTAGE / "workers")
    text = LINE_SERVER.format(change=change, step=step, body=body)
    source.write_text(f"import sys\nsys.path.insert(0, {place!r})\n{text}")
    return replace(server(LINES), command=[sys.executable, str(source)])


def frame_server(tmp_path: Path, change: str) -> CheckedWorker:
    """The honest whiteboard with something changed."""
    source = tmp_path / "changed.py"
    place = str(SABOTAGE / "websocket/server")
    source.write_text(FRAME_SERVER.format(source=place, change=change))
    return replace(server(WHITEBOARD), command=[sys.executable, str(source)])


def checked(worker: CheckedWorker) -> dict[str, Check]:
    return {check.name: check for check in conform.check(worker)}


def lived(worker: CheckedWorker) -> dict[str, Check]:
    """One life of a server, until it is told to stop."""
    found = conform.check(worker, parts=(), limits=CheckLimits(serving_s=0.1))
    return {check.name: check for check in found}


def served(worker: CheckedWorker) -> dict[str, Check]:
    """The lives of a server: no `runtime` event is waited for, and no bad spec is tried."""
    parts = [conform.check_being_a_server]
    found = conform.check(worker, parts=parts, limits=CheckLimits(serving_s=0.1))
    return {check.name: check for check in found}


def failures(found: dict[str, Check]) -> dict[str, str]:
    return {name: check.detail for name, check in found.items() if check.outcome == "fail"}
