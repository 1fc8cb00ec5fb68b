"""Cost of the monitor, by a real one beside real threads that do nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.command_lines import said
from wirelab.bench import monitor
from wirelab.bench.figure import BenchError


def test_the_monitor_is_measured_beside_idle_threads(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    ended = said("bench", "monitor", "--profile", "smoke", "--json", str(path), cwd=tmp_path)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    alone, crowd = json.loads(path.read_text())["figures"]
    assert (alone["name"], crowd["name"]) == ("monitor.alone.cpu", "monitor.crowd.cpu")
    # Half a second of looks is shown, and held against nothing.
    assert alone["target"] is crowd["target"] is None
    assert all(len(one["each"]) == 2 and min(one["each"]) > 0 for one in (alone, crowd))
    assert "2,000 idle threads more" in ended.stdout


def test_a_crowd_that_is_not_seen_has_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitor, "THREADS", 10**9)
    nobody = "import sys; print('nobody', flush=True); sys.stdin.read()"
    monkeypatch.setattr(monitor, "CROWD", nobody)
    with pytest.raises(BenchError, match="100,000,000 more are there"):
        monitor.figures("smoke", lambda _: None)
