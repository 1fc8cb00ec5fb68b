"""Remains of a worker that failed: its log, its spec, and a script that starts it again."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path

from .worker import CheckedWorker

_LOG, _SPEC, _SCRIPT = "standard-error.log", "spec.json", "run.sh"


def keep_crash(worker: CheckedWorker, scratch: Path, log: bytes) -> str:
    """Keep them in a folder of their own, which nobody removes; where they are, for a finding.

    The paths of the spec lead to that folder, so that a run by hand writes there.
    """
    try:
        kept = Path(tempfile.mkdtemp(prefix="wirelab-crash-"))
        (kept / _LOG).write_bytes(log)
        spec = scratch / _SPEC
        if spec.is_file():
            text = spec.read_text(encoding="utf-8", errors="replace")
            (kept / _SPEC).write_text(text.replace(str(scratch), str(kept)), encoding="utf-8")
        (kept / _SCRIPT).write_text(_script(worker, kept), encoding="utf-8")
    except OSError as error:
        return f"its log could not be kept: {error}"
    return f"log: {kept / _LOG}; by hand: sh {kept / _SCRIPT}"


def _script(worker: CheckedWorker, kept: Path) -> str:
    environment = {**worker.environment, "WIRELAB_SPEC": str(kept / _SPEC)}
    lines = [
        "# Starts the worker as it was started when it failed. It waits for commands on standard",
        "# input. The roles that it talks to have ended: the endpoints of its spec lead nowhere.",
        f"cd {shlex.quote(str(kept))} || exit",
        *(f"export {name}={shlex.quote(value)}" for name, value in environment.items()),
        f"exec {shlex.join(worker.command)}",
    ]
    return "\n".join(lines) + "\n"
