"""Workers that hide what they use, or blind who looks: through the real core."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from e2e.conftest import SABOTAGED, SuiteRepository

pytestmark = pytest.mark.e2e

BURNED_NS = 1_000_000_000
"""Processor time that each worker uses beside its schedule."""

TICK_NS = 10_000_000
"""Clock ticks of the kernel a second, at the slowest."""

HIDING = ("many-threads", "odd-role", "another-role", "escapes", "like-the-host")
BLINDING = ("kills-the-monitor", "stops-the-monitor")


class Ended:
    """A run that has ended."""

    def __init__(self, folder: Path) -> None:
        result = json.loads((folder / "result.json").read_text())
        self.cells = {cell["contender"]: cell for cell in result["cells"]}
        self.report = (folder / "report-en.md").read_text()
        self.accounts = result["disclosure"]["accounts"]
        self._trials = {}
        for path in folder.glob("trials/*/trial.json"):
            record = json.loads(path.read_text())
            self._trials[record["planned"]["contender"]] = (path.parent, record)

    def record(self, contender: str) -> dict[str, Any]:
        """The record of the contender's trial."""
        return self._trials[contender][1]

    def log(self, contender: str) -> str:
        """Standard error of the client."""
        return (self._trials[contender][0] / "client.stderr").read_text()

    def rows(self, contender: str, role: str) -> list[dict[str, int]]:
        """The monitor's readings of a role."""
        table = pq.read_table(self._trials[contender][0] / "monitor.parquet")
        return [row for row in table.to_pylist() if row["role"] == role]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    house = SuiteRepository(tmp_path_factory.mktemp("house"), "watched")
    # As many files as the usual limit of a login allows; the hard limit stays.
    # In a sandbox no contender reaches the monitor: this is what holds without one.
    limited = ["sh", "-c", 'ulimit -Sn 1024 && exec "$@"', "sh"]
    ended = subprocess.run(
        [
            *limited,
            *house.command("run", "watched", "--no-sandbox", "--profile", "once", "--seed", "1"),
        ],
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


SEEN = {"like-the-host": 0.9, "short-lived": 0.1}
"""Least share of what they burn that is seen while it runs: what is too short for that, is not."""


@pytest.mark.parametrize("contender", SEEN)
def test_who_works_as_other_programs_would_is_seen_as_the_role(run: Ended, contender: str) -> None:
    # What is one owner's is no other's: so it leaves no time out as foreign. The host's own record
    # tells nothing here, where whatever else runs is beside the trial.
    assert run.rows(contender, "client")[-1]["seen_cpu_ns"] > SEEN[contender] * BURNED_NS


def test_more_threads_than_files_may_be_open_are_counted(run: Ended) -> None:
    assert max(row["threads"] for row in run.rows("many-threads", "client")) >= 1100


def accounted(run: Ended) -> bool:
    return bool(run.accounts["processor"])


def test_processes_too_short_to_be_seen_are_counted(run: Ended) -> None:
    if not accounted(run):
        pytest.skip(f"no control groups: {run.accounts['reason']}")
    last = run.rows("short-lived", "client")[-1]
    used_ns = int(run.log("short-lived"))
    assert last["cpu_ns"] > used_ns > 0
    assert last["seen_cpu_ns"] < 0.6 * last["cpu_ns"]


def test_both_accounts_agree_where_nothing_hides(run: Ended) -> None:
    if not accounted(run):
        pytest.skip(f"no control groups: {run.accounts['reason']}")
    honest = [row for row in run.rows("short-lived", "server") if row["processes"] == 1]
    first, last = honest[0], honest[-1]
    assert len(honest) > 10
    used = {name: last[name] - first[name] for name in ("cpu_ns", "seen_cpu_ns")}
    assert used["seen_cpu_ns"] > 0
    # The account lags behind by a tick of the kernel at most, on each processor and at each end.
    ticks = 2 * (os.cpu_count() or 1) * TICK_NS
    assert abs(used["cpu_ns"] - used["seen_cpu_ns"]) < ticks + 0.05 * used["seen_cpu_ns"]


def test_without_control_groups_figures_are_of_those_who_were_seen(tmp_path: Path) -> None:
    house = SuiteRepository(tmp_path, "watched")
    options = ("--profile", "once", "--contender", "short-lived", "--no-cgroups")
    ended = house.here("run", "watched", *options)
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    run = Ended(house.only_run())
    last = run.rows("short-lived", "client")[-1]
    assert last["cpu_ns"] == last["seen_cpu_ns"]
    assert run.accounts["processor"] == ""
    said = "**account of processor time**: /proc: processes that lived for less than 100 ms"
    assert said in run.report


def test_where_figures_come_from_is_told(run: Ended) -> None:
    if not accounted(run):
        pytest.skip(f"no control groups: {run.accounts['reason']}")
    assert f"**account of processor time**: {run.accounts['processor']}" in run.report


@pytest.mark.parametrize("contender", ["escapes", "like-the-host"])
def test_an_escaped_process_is_found_at_the_end(run: Ended, contender: str) -> None:
    record = run.record(contender)
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
    assert set(run.cells) == {*HIDING, *BLINDING, "short-lived"}
