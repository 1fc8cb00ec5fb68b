"""Journals of a broker that waits for the disk or not, by sync calls in trials of their own."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.building import build_behind_others
from reports_of_runs import EVERY

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs("strace", "java", "go"),
    pytest.mark.left_to_all,
]

SYNCED = "jms-artemis-persistent"

UNSYNCED = {
    SYNCED: "jms-artemis-persistent-unsynced",
    "go-nats-jetstream": "go-nats-jetstream-unsynced",
}
"""Contenders whose broker waits for the disk, and the same without its syncs."""

TICKS = 200
"""The least number of ticks of a probe of the scenario `stream-100ms`."""

ON_A_NEARLY_FULL_DISK = """
mount -t tmpfs -o size=640m tmpfs results
head -c 580m /dev/zero >results/others
"$@"
code=$?
cp -r results/*/ kept
exit $code
"""
"""Starts a program where a tenth of a disk is free, which is plenty for it; keeps the run."""

STREAMED = {
    SYNCED: re.compile(r"fdatasync\(\d+<[^>]*/broker/journal/"),
    "go-nats-jetstream": re.compile(r"fsync\(\d+<[^>]*/broker/[^>]*/streams/all/msgs/"),
}
"""Calls of each broker for what is sent to everybody."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    build_behind_others("messaging", "jms-artemis", "go-nats-jetstream")
    chosen = whole_runs.only("--contender", [name for pair in UNSYNCED.items() for name in pair])
    options = ("--scenario", "journal", *chosen, "--profile", "check", "--seed", "7")
    here = tmp_path_factory.mktemp("journal")
    return whole_runs.run_suite(here, "messaging", *options, reports=EVERY)


def test_a_persistent_message_waits_for_the_disk_and_an_unsynced_one_does_not(folder: Path) -> None:
    result = whole_runs.result_of(folder)
    whole_runs.keeps_its_schema(result)
    cells: dict[str, dict[str, Any]] = {
        cell["contender"]: cell["metrics"]
        for cell in whole_runs.cells_of(result, "journal", "steady")
    }
    calls = {name: metrics["echo.syncs"]["value"] for name, metrics in cells.items()}
    assert calls.keys() == {*UNSYNCED, *UNSYNCED.values()}
    # Each waits for the one before, so that none shares its sync with another.
    assert {name: calls[name] >= 1 for name in UNSYNCED} == dict.fromkeys(UNSYNCED, True)
    assert {name: calls[name] < 0.5 for name in UNSYNCED.values()} == dict.fromkeys(
        UNSYNCED.values(), True
    )
    # Under strace nothing is timed.
    assert [name for metrics in cells.values() for name in metrics if "latency" in name] == []


def test_the_report_tells_them_beside_what_a_mode_promises(folder: Path) -> None:
    for language, said in (("en", "Sync calls of the broker"), ("ko", "브로커의 동기화 호출")):
        page = (folder / f"report-{language}.html").read_text("utf-8")
        assert said in page


def test_the_report_says_on_what_the_journal_lies(folder: Path) -> None:
    asked = ("df", "--output=fstype", str(folder))
    [_head, kind] = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    kinds = {record["file_system"]["type"] for record in whole_runs.records_of(folder).values()}
    assert kinds == {kind}
    for language, said in (
        ("en", f"lies on the file system of the results: {kind}."),
        ("ko", f"결과 폴더의 파일 시스템({kind})"),
    ):
        assert said in (folder / f"report-{language}.md").read_text("utf-8")


@pytest.mark.parametrize("contender", STREAMED)
def test_what_is_streamed_to_everybody_is_stored_before_the_sender_goes_on(
    tmp_path: Path, contender: str
) -> None:
    """A search has no trial of its own for it: strace is put around the whole run."""
    build_behind_others("messaging", contender)
    calls = tmp_path / "calls"
    traced = ("strace", "--seccomp-bpf", "-f", "-y", "-e", "trace=fsync,fdatasync", "-o", calls)
    asked = ("--scenario", "stream-100ms", "--contender", contender, "--profile", "check")
    plainly = ("--no-sandbox", "--no-cgroups")
    whole_runs.run_below(traced, tmp_path, "messaging", *plainly, *asked)
    # The messages of a tick share one; where others keep the broker, those of several ticks do.
    assert len(STREAMED[contender].findall(calls.read_text("utf-8"))) > TICKS // 20


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone can mount a file system")
def test_a_broker_goes_on_where_a_disk_is_full_of_other_things(tmp_path: Path) -> None:
    """Artemis had its senders wait for ever, without a word to them, where less was free."""
    # It looks at the disk every 5 s, and messages go on for longer, each with leave of it.
    slow = ("--set", "journal_buffer_us=300000", "--set", "producer_window_bytes=1")
    run = on_a_nearly_full_disk(tmp_path, "--scenario", "journal", *slow)
    (cell,) = whole_runs.cells_of(whole_runs.result_of(run), "journal", "steady")
    # On a busy machine the last ones may come after the end; of those that wait, 4 come in all.
    echoes = cell["statuses"]["echo"]
    assert sum(echoes.values()) == 20
    assert set(echoes) <= {"ok", "lost", "timeout"}
    assert echoes["ok"] > 5


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone can mount a file system")
def test_who_syncs_to_memory_is_told_that_it_waits_for_no_disk(tmp_path: Path) -> None:
    run = on_a_nearly_full_disk(tmp_path, "--scenario", "echo-size")
    [record] = whole_runs.records_of(run).values()
    assert record["status"] == "ok", record["detail"]
    assert record["roles"]["server"]["ready"]["facts"]["journal"] == "NIO"
    is_warned_of_memory(run, record)


def on_a_nearly_full_disk(here: Path, *options: str) -> Path:
    """A run of the broker that waits for its disk, with results in memory that is nearly full."""
    build_behind_others("messaging", "jms-artemis")
    (here / "results").mkdir()
    mounts = ("unshare", "--mount", "sh", "-c")
    if subprocess.run([*mounts, "mount -t tmpfs tmpfs /mnt"], check=False).returncode:
        pytest.skip("a file system of its own cannot be mounted here")
    crowded = (*mounts, ON_A_NEARLY_FULL_DISK, "on-a-nearly-full-disk")
    asked = ("--contender", SYNCED, "--profile", "check", *options)
    whole_runs.run_below(crowded, here, "messaging", *asked)
    return here / "kept"


def is_warned_of_memory(run: Path, record: dict[str, Any]) -> None:
    """A disk that is memory has a message at once: its figures would flatter the broker."""
    assert record["file_system"] == {"type": "tmpfs", "syncs_nothing": True}
    cells = whole_runs.cells_of(whole_runs.result_of(run), "echo-size", "size-1000")
    [found] = [one for cell in cells for one in cell["findings"] if one["gate"] == "free-syncs"]
    assert found["verdict"] == "warn"
    for language, found_by_gate, disclosed in (
        (
            "en",
            "a sync waited for no disk",
            "**file system that roles wrote to**: tmpfs (a sync waits for no disk there)",
        ),
        (
            "ko",
            "디스크까지 가지 않은 동기화",
            "**역할이 기록한 파일 시스템**: tmpfs(동기화해도 디스크에 쓰지 않음)",
        ),
    ):
        text = (run / f"report-{language}.md").read_text("utf-8")
        assert found_by_gate in text
        assert disclosed in text
