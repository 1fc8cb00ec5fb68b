"""The SDK for C# against the vectors of the worker contract."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from scripted_worker import PATIENCE_S, compile_worker
from vectors import VECTORS, read


@pytest.mark.needs("dotnet")
def test_the_vectors_hold(tmp_path: Path) -> None:
    command = [*compile_worker("csharp", tmp_path), "vectors", VECTORS, tmp_path / "samples"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout) == {
        "timed": [30, 126],
        "joins": 41,
        "closed": 6,
        "samples": len(read("samples.json")["records"]),
        "published": 80_000,
        "events": {"ready": 2, "progress": 2, "step": 2, "error": 2, "done": 2},
        "commands": len(read("events.json")["commands"]),
        "loops": len(read("batches.json")["loops"]),
        "prewarmings": len(read("batches.json")["prewarmings"]),
        "asked": 10,
        "intervals": len(read("intervals.json")["intervals"]),
        "seconds": 4,
    }
