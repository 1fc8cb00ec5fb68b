"""Journals of a broker that waits for the disk or not, by sync calls in trials of their own."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.building import build_behind_others

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs("strace", "java"),
    pytest.mark.left_to_all,
]

SYNCED, UNSYNCED = "jms-artemis-persistent", "jms-artemis-persistent-unsynced"

TICKS = 200
"""The least number of ticks of a probe of the scenario `stream-100ms`."""

ON_A_NEARLY_FULL_DISK = """
mount -t tmpfs -o size=640m tmpfs results
head -c 580m /dev/zero >results/others
"$@"
code=$?
cp results/*/result.json .
exit $code
"""
"""Starts a program where a tenth of a disk is free, which is plenty for it; keeps the result."""

OF_THE_JOURNAL = re.compile(r"fdatasync\(\d+<[^>]*/broker/journal/")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    build_behind_others("messaging", "jms-artemis")
    chosen = whole_runs.only("--contender", (SYNCED, UNSYNCED))
    options = ("--scenario", "journal", *chosen, "--profile", "check", "--seed", "7")
    return whole_runs.run_suite(tmp_path_factory.mktemp("journal"), "messaging", *options)


def test_a_persistent_message_waits_for_the_disk_and_an_unsynced_one_does_not(folder: Path) -> None:
    result = whole_runs.result_of(folder)
    whole_runs.keeps_its_schema(result)
    cells: dict[str, dict[str, Any]] = {
        cell["contender"]: cell["metrics"]
        for cell in whole_runs.cells_of(result, "journal", "steady")
    }
    calls = {name: metrics["echo.syncs"]["value"] for name, metrics in cells.items()}
    assert calls.keys() == {SYNCED, UNSYNCED}
    # Each waits for the one before, so that none shares its sync with another.
    assert calls[SYNCED] >= 1
    assert calls[UNSYNCED] < 0.5
    # Under strace nothing is timed.
    assert [name for metrics in cells.values() for name in metrics if "latency" in name] == []


def test_the_report_tells_them_beside_what_a_mode_promises(folder: Path) -> None:
    for language, said in (("en", "Sync calls of the broker"), ("ko", "브로커의 동기화 호출")):
        page = (folder / f"report-{language}.html").read_text("utf-8")
        assert said in page


def test_what_is_streamed_to_everybody_is_stored_before_the_sender_goes_on(tmp_path: Path) -> None:
    """A search has no trial of its own for it: strace is put around the whole run."""
    build_behind_others("messaging", "jms-artemis")
    calls = tmp_path / "calls"
    traced = ("strace", "--seccomp-bpf", "-f", "-y", "-e", "trace=fsync,fdatasync", "-o", calls)
    asked = ("--scenario", "stream-100ms", "--contender", SYNCED, "--profile", "check")
    plainly = ("--no-sandbox", "--no-cgroups")
    whole_runs.run_below(traced, tmp_path, "messaging", *plainly, *asked)
    # The messages of a tick share one; where others keep the broker, those of two ticks may.
    assert len(OF_THE_JOURNAL.findall(calls.read_text("utf-8"))) > TICKS // 2


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone can mount a file system")
def test_a_broker_goes_on_where_a_disk_is_full_of_other_things(tmp_path: Path) -> None:
    """Artemis had its senders wait for ever, without a word to them, where less was free."""
    build_behind_others("messaging", "jms-artemis")
    (tmp_path / "results").mkdir()
    mounts = ("unshare", "--mount", "sh", "-c")
    if subprocess.run([*mounts, "mount -t tmpfs tmpfs /mnt"], check=False).returncode:
        pytest.skip("a file system of its own cannot be mounted here")
    asked = ("--scenario", "journal", "--contender", SYNCED, "--profile", "check")
    # The broker looks at the disk every 5 s, and messages go on for longer, each with leave of it.
    slow = ("--set", "journal_buffer_us=300000", "--set", "producer_window_bytes=1")
    crowded = (*mounts, ON_A_NEARLY_FULL_DISK, "on-a-nearly-full-disk")
    said = whole_runs.run_below(crowded, tmp_path, "messaging", *asked, *slow)
    result = json.loads((tmp_path / "result.json").read_bytes())
    (cell,) = whole_runs.cells_of(result, "journal", "steady")
    assert cell["statuses"]["echo"] == {"ok": 20}, said
