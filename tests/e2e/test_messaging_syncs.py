"""Journals of a broker that waits for the disk or not: sync calls, counted in runs of no figure."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.building import QUICKLY_BEGUN, build_behind_others
from e2e.conftest import MEASURED
from e2e.whole_runs import WITHIN_S

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs("strace", "java"),
    pytest.mark.left_to_all,
]

ECHOES = 20
"""Messages of a trial with the profile `check`, one after the other."""

TICKS = 200
"""The least number of ticks of a probe of the scenario `stream-100ms`."""

OF_THE_JOURNAL = re.compile(r"fdatasync\(\d+<[^>]*/broker/journal/")


def syncs(folder: Path, contender: str, scenario: str = "transfer") -> int:
    """Calls by which the broker asked the disk for its journal."""
    folder.mkdir()
    calls = folder / "calls"
    traced = ("strace", "--seccomp-bpf", "-f", "-y", "-e", "trace=fsync,fdatasync", "-o", calls)
    run = (sys.executable, "-m", "wirelab", "run", "messaging", "--no-sandbox", "--no-cgroups")
    asked = ("--scenario", scenario, "--contender", contender, "--profile", "check")
    ended = subprocess.run(
        [*traced, *run, *asked],
        cwd=folder,
        env={**os.environ, **QUICKLY_BEGUN},
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    return len(OF_THE_JOURNAL.findall(calls.read_text("utf-8")))


def test_a_persistent_message_waits_for_the_disk_and_an_unsynced_one_does_not(
    tmp_path: Path,
) -> None:
    build_behind_others("messaging", "jms-artemis")
    persistent = syncs(tmp_path / "synced", "jms-artemis-persistent")
    unsynced = syncs(tmp_path / "unsynced", "jms-artemis-persistent-unsynced")
    # Each waits for the one before, so that none shares its sync with another.
    assert persistent >= ECHOES
    assert unsynced < ECHOES / 2


def test_what_is_streamed_to_everybody_is_stored_before_the_sender_goes_on(tmp_path: Path) -> None:
    build_behind_others("messaging", "jms-artemis")
    stored = syncs(tmp_path / "stream", "jms-artemis-persistent", "stream-100ms")
    # The messages of a tick share one; those of the next come after it.
    assert stored >= TICKS
