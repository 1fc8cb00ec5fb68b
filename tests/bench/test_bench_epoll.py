"""The bare epoll client against servers of every kind: what it counts must be true."""

from __future__ import annotations

import asyncio
import json
import struct
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from board_server import Server, framed

from wirelab.model.load import Cycle
from wirelab.model.planned import ScheduledStep
from wirelab.schedule import Schedule

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "bench" / "contenders" / "epoll"
pytestmark = pytest.mark.needs("cc")

OK, TIMEOUT, DISCONNECTED, REFUSED = 0, 2, 3, 4
RTT, CONNECT = 1, 3
STEP = ScheduledStep(
    name="users", first=0, count=13, settle=4, users=4, lanes=4, join_ns=200_000_000
)
PERIOD = 100_000_000


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("epoll") / "epoll-client"
    sources = [str(file) for file in sorted(CLIENT.glob("*.c"))]
    checks = ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]
    warnings = ["-Wall", "-Wextra", "-Werror", "-std=c11", "-O1"]
    command = ["cc", *warnings, *checks, f"-I{ROOT / 'sdk' / 'c'}", *sources, "-o", str(built)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return built


@dataclass
class Trial:
    """Files of the client."""

    exit_code: int
    samples: list[tuple[int, ...]]
    start_ns: int
    counts: Counter[str] = field(default_factory=Counter)
    errors: list[dict[str, Any]] = field(default_factory=list)
    done: dict[str, Any] = field(default_factory=dict)

    def statuses(self, op: int) -> Counter[int]:
        return Counter(sample[5] for sample in self.samples if sample[4] == op)


def spec_of(folder: Path, endpoint: str) -> dict[str, Any]:
    paths = {"samples": "samples", "answers": "answers", "intervals": "intervals", "scratch": "."}
    return {
        "contract": 2,
        "role": "client",
        "parameters": {"board_size": 2, "message_bytes": 300},
        "endpoints": {"server": endpoint},
        "facts": {"server": {"protocol": "json"}},
        "operations": {"rtt": {"code": RTT}, "delivery": {"code": 2}, "connect": {"code": CONNECT}},
        "schedule": {
            "first_ns": 0,
            "period_ns": PERIOD,
            "count": STEP.count,
            "warmup": STEP.settle,
            "cycle": {"length": 3, "active": 2},
            "steps": [STEP.model_dump()],
        },
        "verify": {},
        "paths": {name: str(folder / file) for name, file in paths.items()},
        "limits": {"operation_ns": 1_500_000_000, "stop_ns": 5_000_000_000},
    }


async def _play(program: Path, folder: Path, endpoint: str, stop: bool) -> Trial:
    (folder / "spec.json").write_text(json.dumps(spec_of(folder, endpoint)))
    client = await asyncio.create_subprocess_exec(
        str(program),
        env={"WIRELAB_SPEC": str(folder / "spec.json")},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert client.stdin is not None
    assert client.stdout is not None
    trial = Trial(-1, [], 0)
    async for line in client.stdout:
        event = json.loads(line)
        if event["event"] == "ready":
            trial.start_ns = time.monotonic_ns() + 50_000_000
            start = {"command": "start", "monotonic_ns": trial.start_ns}
            client.stdin.write(json.dumps(start).encode() + b"\n")
            if stop:
                client.stdin.write(b'{"command": "stop"}\n')
        elif event["event"] == "error":
            trial.errors.append(event)
        elif event["event"] == "done":
            trial.done = event
    trial.exit_code = await client.wait()
    content = (folder / "samples").read_bytes()[32:]
    trial.samples = list(struct.iter_unpack("<QQQIBBH", content))
    for line in (folder / "intervals").read_text().splitlines():
        trial.counts.update(json.loads(line)["counts"])
    return trial


def play(program: Path, folder: Path, server: Server, *, stop: bool = False) -> Trial:
    async def whole() -> Trial:
        async with server.listening() as endpoint:
            return await asyncio.wait_for(_play(program, folder, endpoint, stop), 60)

    return asyncio.run(whole())


SCHEDULE = Schedule(PERIOD, STEP.count, [STEP], Cycle(length=3, active=2))
DUE = SCHEDULE.expected(STEP.settle, STEP.count, 1)


def test_everything_is_sent_when_it_is_due_and_counted(program: Path, tmp_path: Path):
    trial = play(program, tmp_path, Server())
    assert trial.exit_code == 0
    assert trial.statuses(RTT) == {OK: DUE}
    assert trial.statuses(CONNECT) == {OK: STEP.users}
    assert trial.done["records"] == len(trial.samples) == DUE + STEP.users
    # One other on each board.
    assert trial.counts["expected"] == trial.counts["received"] == DUE
    assert trial.counts["bytes"] == DUE * 300
    assert trial.counts["wrong"] == trial.counts["dropped"] == 0
    own = [sample for sample in trial.samples if sample[4] == RTT]
    since = np.array([sample[0] - trial.start_ns for sample in own])
    lanes = np.array([sample[6] for sample in own])
    assert SCHEDULE.on_schedule(since, lanes, 1).all()
    assert len({(sample[0], sample[6]) for sample in own}) == DUE
    assert all(intended <= start <= end for intended, start, end, *_ in own)


def test_what_others_do_not_get_is_expected_and_not_received(program: Path, tmp_path: Path):
    lost = []

    def lossy(user: int, to: int, seq: int, text: bytes) -> bytes:
        if user != to and seq % 3 == 0:
            lost.append(seq)
            return b""
        return framed(text)

    trial = play(program, tmp_path, Server(lossy))
    assert lost
    assert trial.counts["expected"] == DUE
    assert trial.counts["received"] == DUE - len(lost)
    assert trial.statuses(RTT) == {OK: DUE}


def test_an_own_copy_that_does_not_come_is_a_timeout(program: Path, tmp_path: Path):
    def keeps_some(user: int, to: int, seq: int, text: bytes) -> bytes:
        return b"" if user == to and seq == 0 else framed(text)

    trial = play(program, tmp_path, Server(keeps_some))
    assert trial.statuses(RTT) == {OK: DUE - STEP.users, TIMEOUT: STEP.users}
    assert trial.exit_code == 0


def test_a_message_of_nobody_is_wrong(program: Path, tmp_path: Path):
    def adds(user: int, to: int, seq: int, text: bytes) -> bytes:
        stranger = b'{"type":"draw","board":"b0000","user":77,"seq":0}'
        return framed(text) + (framed(stranger) if user == to and seq == 1 else b"")

    trial = play(program, tmp_path, Server(adds))
    assert trial.counts["wrong"] == STEP.users
    assert trial.counts["received"] == DUE


@pytest.mark.parametrize("last", [None, b"\x01\x02ab", b"\x88\x00"])
def test_a_connection_that_ends_is_dropped(program: Path, tmp_path: Path, last: bytes | None):
    def ends_one(user: int, to: int, seq: int, text: bytes) -> bytes | None:
        return last if user == to == 1 and seq == 0 else framed(text)

    trial = play(program, tmp_path, Server(ends_one))
    assert trial.counts["dropped"] == 1
    assert [error["class"] for error in trial.errors] == ["Dropped"]
    gone = [sample for sample in trial.samples if sample[4] == RTT and sample[6] == 1]
    assert {sample[5] for sample in gone} == {DISCONNECTED}
    assert trial.statuses(RTT)[DISCONNECTED] == len(gone)
    # Nothing is expected of who is not there.
    assert trial.counts["expected"] < DUE
    assert trial.exit_code == 0


def test_who_is_refused_says_so(program: Path, tmp_path: Path):
    async def nobody_listens() -> Trial:
        async with Server().listening() as endpoint:
            pass
        return await asyncio.wait_for(_play(program, tmp_path, endpoint, stop=False), 60)

    trial = asyncio.run(nobody_listens())
    assert trial.statuses(CONNECT) == {REFUSED: STEP.users}
    assert trial.statuses(RTT) == {DISCONNECTED: DUE}
    assert trial.exit_code == 0


def test_a_server_of_another_kind_is_no_connection(program: Path, tmp_path: Path):
    trial = play(program, tmp_path, Server(answer="404 Not Found"))
    assert trial.statuses(CONNECT) == {DISCONNECTED: STEP.users}
    assert "WebSocket" in trial.errors[0]["message"]


def test_it_stops_when_it_is_told(program: Path, tmp_path: Path):
    trial = play(program, tmp_path, Server(), stop=True)
    assert trial.exit_code == 0
    assert trial.statuses(RTT) == {}
    assert trial.done["records"] == 0
