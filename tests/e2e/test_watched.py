"""Workers that hide what they use, or blind who looks: through the real core."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from e2e.conftest import SABOTAGED, House

pytestmark = pytest.mark.e2e

BURNED_NS = 1_000_000_000
"""Processor time that each worker uses beside its schedule."""

HIDING = ("many-threads", "odd-role", "another-role", "escapes")
BLINDING = ("kills-the-monitor", "stops-the-monitor")


class Ended:
    """A run that has ended."""

    def __init__(self, folder: Path) -> None:
        result = json.loads((folder / "result.json").read_text())
        self.cells = {cell["contender"]: cell for cell in result["cells"]}
        self.report = (folder / "report-en.md").read_text()
        self._trials = {}
        for path in folder.glob("trials/*/trial.json"):
            record = json.loads(path.read_text())
            self._trials[record["planned"]["contender"]] = (path.parent, record)

    def record(self, contender: str) -> dict[str, Any]:
        """The record of the contender's trial."""
        return self._trials[contender][1]

    def rows(self, contender: str, role: str) -> list[dict[str, int]]:
        """What the monitor saw of a role."""
        table = pq.read_table(self._trials[contender][0] / "monitor.parquet")
        return [row for row in table.to_pylist() if row["role"] == role]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    house = House(tmp_path_factory.mktemp("house"), "watched")
    # As many files as the usual limit of a login allows; the hard limit stays.
    limited = ["sh", "-c", 'ulimit -Sn 1024 && exec "$@"', "sh"]
    ended = subprocess.run(
        [*limited, *house.command("run", "watched", "--profile", "once", "--seed", "1")],
        cwd=house.root,
        env=house.environment,
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    return Ended(house.only_run())


@pytest.mark.parametrize("contender", HIDING)
def test_what_a_role_uses_is_its_own_however_it_hides(run: Ended, contender: str) -> None:
    assert run.record(contender)["monitor_failure"] == ""
    client, server = (run.rows(contender, role)[-1] for role in ("client", "server"))
    assert client["cpu_ns"] > 0.95 * BURNED_NS
    assert server["cpu_ns"] < 0.5 * BURNED_NS


def test_more_threads_than_files_may_be_open_are_counted(run: Ended) -> None:
    assert max(row["threads"] for row in run.rows("many-threads", "client")) >= 1100


def test_an_escaped_process_is_found_at_the_end(run: Ended) -> None:
    record = run.record("escapes")
    assert (record["status"], record["reason"]) == ("failed", "left-children")


@pytest.mark.parametrize("contender", BLINDING)
def test_figures_of_a_part_of_the_window_are_void_with_the_reason(
    run: Ended, contender: str
) -> None:
    assert run.record(contender)["status"] == "ok"
    cell = run.cells[contender]
    assert "unwatched" in {finding["gate"] for finding in cell["findings"]}
    for name in ("cpu.mean", "cpu.p95", "rss.max", "server.cpu.mean", "core.cpu.mean"):
        metric = cell["metrics"][name]
        assert metric["value"] is None, name
        assert metric["unsupported"]["code"] == "unwatched"
    assert cell["metrics"]["read.rate"]["value"] is not None
    assert run.record(contender)["environment"] is None


def test_who_ended_the_monitor_is_said(run: Ended) -> None:
    assert run.record("kills-the-monitor")["monitor_failure"] == "the monitor ended with signal 9"
    assert "nothing was seen for" in run.report


def test_every_worker_is_expected_here(run: Ended) -> None:
    assert set(run.cells) == {*HIDING, *BLINDING}
