"""Starting a process of a trial: its folder, its name and its spec."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .contract import Json
from .process import Process
from .spec import ANY_PORT, make_spec
from .worker import CheckedWorker


def begin(  # noqa: PLR0917  # the parts of a spec
    worker: CheckedWorker,
    folder: Path,
    count: int,
    endpoints: Mapping[str, str],
    facts: Mapping[str, Any],
    listen: str = ANY_PORT,
) -> tuple[Process, Json]:
    """``worker`` started for ``count`` ticks in a new folder below ``folder``, and its spec."""
    scratch, name = scratch_of(worker, folder)
    spec = make_spec(worker, name, scratch, count, endpoints, facts, listen)
    path = scratch / "spec.json"
    path.write_text(json.dumps(spec), encoding="utf-8")
    return Process(worker, path, scratch, name), spec


def scratch_of(worker: CheckedWorker, folder: Path) -> tuple[Path, str]:
    """A new folder to run ``worker`` in, and the name of the trial that does."""
    scratch = Path(tempfile.mkdtemp(prefix=f"{worker.role}-", dir=folder))
    # As in a run: a server that does not run as root has to get into its own folder.
    scratch.chmod(0o755)
    return scratch, f"conform-{os.getpid()}-{scratch.name}"
