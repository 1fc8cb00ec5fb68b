"""A neighbour of our own: bursts by their seed, and nothing left of it."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.command_lines import ROOT, WL, environment, piped, said
from wirelab.processes.neighbour import Bursts, BusyNeighbour


def eventually(so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not so():
        assert time.monotonic() < deadline, "it never came to be so"
        time.sleep(0.02)


def lines(log: Path) -> list[dict[str, Any]]:
    text = log.read_text("utf-8") if log.exists() else ""
    return [json.loads(line) for line in text.splitlines()]


def is_gone(pid: int) -> bool:
    try:
        # A process that nobody waits for stays as a zombie, and does nothing.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def children_of(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_bursts_are_those_of_the_seed_with_the_duty_asked_for() -> None:
    plan = Bursts(duty=0.3, seed=1, seconds=20_000)
    bursts = list(plan.of(0))
    assert bursts == list(plan.of(0))
    assert bursts != list(plan.of(1))
    busy = sum(end - begin for begin, end in bursts)
    assert busy / len(bursts) == pytest.approx(0.5, rel=0.05)
    assert busy / plan.seconds == pytest.approx(0.3, rel=0.05)
    assert all(0 <= begin < end <= plan.seconds for begin, end in bursts), (
        "bursts lie within their time"
    )
    whole = list(Bursts(duty=1.0, seed=1, seconds=100).of(0))
    assert sum(end - begin for begin, end in whole) == pytest.approx(100)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"duty": 0.0}, "a duty is above 0 and at most 1, and not 0.0"),
        ({"seconds": 0.0}, "a neighbour stays for at most 21600 s"),
        ({"mean_s": 0.0}, "bursts take more than 0 s on average, and not 0 s"),
    ],
)
def test_bursts_that_cannot_be_are_refused_by_what_is_wrong_with_them(
    asked: dict[str, float], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        Bursts(**{"duty": 0.3, "seed": 1, "seconds": 10.0, **asked})  # type: ignore[arg-type]


def test_it_logs_each_burst_and_ends_by_itself(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "busy.jsonl"
    options = ("--duty", "100%", "--for", "2s", "--processes", "2", "--seed", "7")
    ended = piped("neighbour", str(log), *options, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "2 processes" in ended.stdout
    assert "seed 7" in ended.stdout
    bursts = lines(log)
    assert {burst["process"] for burst in bursts} == {0, 1}
    # As many as were planned, each with the processor time that it got.
    planned = [len(list(Bursts(1.0, 7, 2.0).of(process))) for process in (0, 1)]
    assert [sum(b["process"] == n for b in bursts) for n in (0, 1)] == planned
    assert all(b["begin_ns"] <= b["end_ns"] and b["cpu_ns"] >= 0 for b in bursts)
    assert all(is_gone(burst["pid"]) for burst in bursts)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_of_it_outlives_who_started_it(tmp_path: Path, how: signal.Signals) -> None:
    log = tmp_path / "busy.jsonl"
    process = subprocess.Popen(
        [
            "env",
            "--default-signal=INT",
            *WL,
            "neighbour",
            str(log),
            "--duty",
            "100%",
            "--for",
            "1h",
        ],
        cwd=tmp_path,
        env=environment(ROOT),
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        eventually(lambda: bool(lines(log)))
        pids = children_of(process.pid)
        assert {burst["pid"] for burst in lines(log)} <= set(pids)
        process.send_signal(how)
        process.wait(timeout=60)
    finally:
        process.kill()
    eventually(lambda: all(map(is_gone, pids)))


def test_a_test_has_it_as_a_fixture(neighbour: BusyNeighbour) -> None:
    assert neighbour.pids
    assert not any(map(is_gone, neighbour.pids))


def test_it_is_gone_when_its_context_is(tmp_path: Path) -> None:
    with BusyNeighbour(Bursts(duty=0.5, seed=1, seconds=60), tmp_path / "log", 2) as started:
        assert len(started.pids) == 2
    assert all(map(is_gone, started.pids))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--duty", "0%"], "expected a percentage"),
        (["--duty", "120%"], "expected a percentage"),
        (["--for", "ever"], "expected a time"),
        (["--for", "7h"], "at most 21600 s"),
    ],
)
def test_what_no_neighbour_can_do_is_refused(tmp_path: Path, options: list[str], says: str) -> None:
    ended = said("neighbour", "busy.jsonl", *options, cwd=tmp_path)
    assert ended.returncode == 2
    assert says in " ".join(ended.stderr.split())
    assert list(tmp_path.iterdir()) == []
