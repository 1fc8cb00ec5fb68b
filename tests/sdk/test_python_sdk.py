"""The parts of the Python SDK: recorder, answers, spec, ticker, runtime probe."""

from __future__ import annotations

import asyncio
import gc
import importlib
import json
import os
import socket
import struct
import threading
import time
import zlib
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from wirelab import conform

SDK = Path(__file__).parents[2] / "sdk" / "python"
MILLISECOND = 1_000_000


@pytest.fixture(autouse=True)
def _sdk_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SDK))


def part(name: str) -> Any:
    return importlib.import_module(f"wirelab_sdk.{name}")


def run(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(scene(), 20))


def records_of(path: Path) -> list[tuple[int, ...]]:
    data = path.read_bytes()
    assert struct.unpack_from("<8sHHI16x", data) == (b"WLSAMPLE", 1, 32, 1)
    return list(struct.iter_unpack("<QQQIBBH", data[32:]))


# ------------------------------------------------------------------------------ recorder
def test_the_sample_file_exists_with_its_header_from_the_beginning(tmp_path: Path) -> None:
    recorder = part("recorder").Recorder(tmp_path / "s")
    assert (tmp_path / "s").read_bytes() == b"WLSAMPLE\x01\x00\x20\x00\x01\x00\x00\x00" + bytes(16)
    recorder.close()


@pytest.mark.parametrize("count", [0, 1, 4095, 4096, 4097, 10_000])
def test_records_survive_every_size_of_buffer(tmp_path: Path, count: int) -> None:
    recorder = part("recorder").Recorder(tmp_path / "s")
    for i in range(count):
        recorder.record(i, i + 1, i + 2**40, 7, status=i % 8, size=i, lane=i % 65536)
    assert recorder.count == count
    recorder.close()
    recorder.close()
    assert recorder.count == count
    expected = [(i, i + 1, i + 2**40, i, 7, i % 8, i % 65536) for i in range(count)]
    assert records_of(tmp_path / "s") == expected


def test_what_is_published_is_in_the_file(tmp_path: Path) -> None:
    recorder = part("recorder").Recorder(tmp_path / "s")
    assert recorder.publish() == 0
    for i in range(3):
        recorder.record(i, i + 1, i + 2, 7)
        assert recorder.publish() == i + 1 == len(records_of(tmp_path / "s"))
    recorder.record(3, 4, 5, 7)
    recorder.close()
    assert [record[0] for record in records_of(tmp_path / "s")] == [0, 1, 2, 3]


def test_lanes_record_while_one_of_them_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder, lane_work = part("recorder").Recorder(tmp_path / "s"), part("lane_work")
    worker = SimpleNamespace(recorder=recorder, answers=SimpleNamespace(published=None))
    join = SimpleNamespace(code=7, name="connect")
    turn, count = SimpleNamespace(due_ns=None, lane=3), 3 * 4096 + 1
    is_writing, goes_on, write = threading.Event(), threading.Event(), os.write

    def slow(fd: int, data: memoryview) -> int:
        is_writing.set()
        assert goes_on.wait(20)
        return write(fd, data)

    def record(records: Any, times: range) -> None:
        for ns in times:
            records.keep_join(lane_work.Ended(turn, ns, ns), join)

    async def scene() -> None:
        records = lane_work.LaneRecords(worker, None, None, threads=True)
        record(records, range(5))
        monkeypatch.setattr("wirelab_sdk.recorder.os.write", slow)
        published = asyncio.get_running_loop().run_in_executor(None, worker.answers.published)
        assert is_writing.wait(20)
        record(records, range(5, count))
        assert recorder.count == count
        goes_on.set()
        assert await published == 5
        assert worker.answers.published() == count

    run(scene)
    recorder.close()
    assert [(ns, lane) for ns, *_, lane in records_of(tmp_path / "s")] == [
        (ns, 3) for ns in range(count)
    ]


def test_a_full_disk_is_an_error_and_no_silence() -> None:
    with pytest.raises(OSError, match="No space left"):
        part("recorder").Recorder(Path("/dev/full"))


# ------------------------------------------------------------------------------- answers
def test_answers_have_the_checksum_of_their_bytes_and_exact_numbers(tmp_path: Path) -> None:
    answers = part("answers").Answers(tmp_path / "a")
    assert answers.checksum == "00000000"
    values = [0.1, 1e300, 5.0, -7, 2**31 - 1, "날씨\n", None]
    for tick in range(3):
        answers.write(
            phase="measure",
            operation="read",
            tick=tick,
            start_ns=1,
            end_ns=2,
            answer={"values": values},
        )
    answers.close()
    data = (tmp_path / "a").read_bytes()
    assert answers.checksum == f"{zlib.crc32(data):08x}"
    assert answers.count == len(data.splitlines()) == 3
    read = json.loads(data.splitlines()[2])
    assert read["tick"] == 2
    assert [(type(v), v) for v in read["answer"]["values"]] == [(type(v), v) for v in values]


def test_an_answer_that_json_cannot_say_is_refused(tmp_path: Path) -> None:
    answers = part("answers").Answers(tmp_path / "a")
    with pytest.raises(ValueError, match="not JSON compliant"):
        answers.write(
            phase="measure", operation="r", tick=0, start_ns=1, end_ns=2, answer={"v": float("nan")}
        )


# ---------------------------------------------------------------------------------- spec
def spec_file(folder: Path, **changes: Any) -> Path:
    worker = conform.CheckedWorker(["x"], "client", operations={"read": {"code": 1, "every": 2}})
    spec = {**conform.make_spec(worker, "t", folder, 12, {}, {}), **changes}
    path = folder / "spec.json"
    path.write_text(json.dumps(spec))
    return path


def test_a_spec_is_read_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = spec_file(tmp_path, parameters={"n": 3, "ratio": 2, "name": "x", "on": True})
    monkeypatch.setenv("WIRELAB_SPEC", str(path))
    spec = part("spec").Spec.from_environment()
    assert (spec.role, spec.schedule.count, spec.operations["read"].code) == ("client", 12, 1)
    assert [spec.operations["read"].due(tick) for tick in range(4)] == [True, False, True, False]
    assert spec.schedule.intended(1000, 3) == 1000 + 3 * 100 * MILLISECOND
    assert spec.verify.preflight == {"read": 1}
    assert spec.parameter("n", 0) == 3
    assert (spec.parameter("ratio", 0.5), spec.parameter("absent", 0.5)) == (2.0, 0.5)
    for name, default in (("n", ""), ("on", 0), ("name", 1), ("n", False)):
        with pytest.raises(part("spec").SpecError, match=f"parameter {name} must be"):
            spec.parameter(name, default)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"contract": 1}, "worker contract 2"),
        ({"schedule": {"period_ns": 1}}, "first_ns"),
        ({"operations": []}, "breaks the contract"),
        ({"limits": {"ready_ns": "soon", "operation_ns": 1, "stop_ns": 1}}, "breaks the contract"),
    ],
)
def test_a_spec_that_breaks_the_contract_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], words: str
) -> None:
    monkeypatch.setenv("WIRELAB_SPEC", str(spec_file(tmp_path, **changes)))
    with pytest.raises(part("spec").SpecError, match=words):
        part("spec").Spec.from_environment()


# -------------------------------------------------------------------------------- ticker
def test_the_ticker_is_never_early_and_keeps_absolute_times() -> None:
    async def scene() -> None:
        ticker = part("ticker").Ticker()
        first = time.monotonic_ns() + 5 * MILLISECOND
        for tick in range(50):
            assert await ticker.until(first + tick * 2 * MILLISECOND)
            assert time.monotonic_ns() >= first + tick * 2 * MILLISECOND
        ticker.close()

    run(scene)


def test_tasks_that_wait_together_are_all_woken() -> None:
    async def scene() -> None:
        ticker = part("ticker").Ticker()
        at = time.monotonic_ns() + 5 * MILLISECOND
        assert await asyncio.gather(*(ticker.until(at) for _ in range(5))) == [True] * 5

    run(scene)


def test_tasks_that_wait_for_different_times_are_woken_in_their_order() -> None:
    async def scene() -> None:
        ticker = part("ticker").Ticker()
        start = time.monotonic_ns()
        woken: list[int] = []

        async def wait(after_ms: int) -> None:
            assert await ticker.until(start + after_ms * MILLISECOND)
            assert time.monotonic_ns() >= start + after_ms * MILLISECOND
            woken.append(after_ms)

        await asyncio.gather(*(wait(after_ms) for after_ms in (40, 10, 30, 20)))
        assert woken == [10, 20, 30, 40]
        ticker.close()

    run(scene)


def test_a_time_that_has_passed_lets_the_loop_turn_once() -> None:
    async def scene() -> None:
        ticker = part("ticker").Ticker()
        turned: list[bool] = []
        asyncio.get_running_loop().call_soon(turned.append, True)
        assert await ticker.until(1)
        assert turned

    run(scene)


def test_release_ends_waits_at_once() -> None:
    async def scene() -> None:
        ticker = part("ticker").Ticker()
        far = time.monotonic_ns() + 10**12
        waiting = asyncio.create_task(ticker.until(far))
        await asyncio.sleep(0.01)
        ticker.release()
        assert await waiting is False
        assert await ticker.until(far) is False
        assert await ticker.until(1) is False

    run(scene)


def test_a_wait_that_follows_a_shorter_one_is_not_woken_by_it() -> None:
    """The first expiry may be seen by the loop after the timer was armed anew."""

    async def scene() -> None:
        ticker = part("ticker").Ticker()
        near = asyncio.create_task(ticker.until(time.monotonic_ns() + MILLISECOND))
        await asyncio.sleep(0)
        time.sleep(0.005)
        await asyncio.sleep(0)  # the loop sees the first expiry, and runs this task before it
        late = time.monotonic_ns() + 50 * MILLISECOND
        assert await ticker.until(late)
        assert time.monotonic_ns() >= late
        assert await near

    run(scene)


def test_neither_waiting_nor_a_served_tick_spins() -> None:
    async def scene() -> None:
        ticker = part("ticker").Ticker()
        loop: Any = asyncio.get_running_loop()
        polls = 0
        select = loop._selector.select

        def counted(timeout: float | None) -> Any:
            nonlocal polls
            polls += 1
            return select(timeout)

        loop._selector.select = counted
        for _ in range(5):
            await ticker.until(time.monotonic_ns() + 10 * MILLISECOND)
            await asyncio.sleep(0.01)
        assert polls < 40

    run(scene)


# ------------------------------------------------------------------------------- runtime
def test_collections_and_their_pauses_are_counted() -> None:
    probe = part("runtime").RuntimeProbe()
    before = probe.reading()
    for _ in range(3):
        gc.collect()
    after = probe.reading()
    probe.close()
    assert after["gc_count"] - before["gc_count"] == 3
    assert after["gc_pause_ns"] > before["gc_pause_ns"]
    assert after["heap_bytes"] > 1_000_000
    gc.collect()
    assert probe.reading()["gc_count"] == after["gc_count"]


def test_the_heap_is_what_is_in_use_of_small_blocks_and_large_ones() -> None:
    heap = part("heap")
    before = heap.bytes_in_use()
    small, large = [bytes(100) for _ in range(50_000)], bytes(20_000_000)
    held = heap.bytes_in_use()
    assert (len(small), len(large)) == (50_000, 20_000_000)
    assert held - before == pytest.approx(50_000 * 144 + 8 * 50_000 + 20_000_000, rel=0.15)
    del small, large
    assert heap.bytes_in_use() - before < 0.2 * (held - before)


def test_a_probe_tells_once_when_each_collection_was() -> None:
    probe = part("runtime").RuntimeProbe(placed=True)
    # Enough to look through for longer than what is too short to be told.
    held = [[number] for number in range(200_000)]
    probe.reading()
    before = time.monotonic_ns()
    gc.collect()
    told, again = probe.reading(), probe.reading()
    probe.close()
    assert len(held) == 200_000
    (span,) = [one for one in told["collections"] if one[0] >= before]
    begin, end, took = span
    assert before <= begin < end <= told["monotonic_ns"]
    assert took == end - begin
    assert told["untold"] == 0
    assert begin not in [one[0] for one in again["collections"]]


def test_a_probe_that_only_counts_says_nothing_of_when() -> None:
    probe = part("runtime").RuntimeProbe()
    said = probe.reading()
    probe.close()
    assert said.keys().isdisjoint({"collections", "untold"})


def test_the_lag_of_a_loop_that_was_held_up_is_in_the_next_reading() -> None:
    async def scene() -> None:
        probe = part("runtime").RuntimeProbe()
        due = time.monotonic_ns() + 5 * MILLISECOND
        readings = probe.every_second(due)
        coming = asyncio.create_task(anext(readings))
        await asyncio.sleep(0)
        time.sleep(0.06)
        reading = await coming
        assert reading["monotonic_ns"] >= due + reading["loop_lag_ns"]
        assert reading["loop_lag_ns"] >= 50 * MILLISECOND
        await readings.aclose()
        probe.close()

    run(scene)


# ----------------------------------------------------------------------------- listening
def test_the_system_gives_a_port_that_nobody_else_gets() -> None:
    listening = part("listening")
    with listening.bound_socket("127.0.0.1:0") as first:
        host, _, port = listening.address_of(first).rpartition(":")
        assert (host, int(port)) == first.getsockname()
        first.listen()
        with pytest.raises(OSError, match="in use"):
            listening.bound_socket(listening.address_of(first))


def test_a_restarted_server_gets_its_port_while_old_connections_linger() -> None:
    listening = part("listening")
    with listening.bound_socket("127.0.0.1:0") as first:
        first.listen()
        address = listening.address_of(first)
        client = socket.create_connection(first.getsockname())
        server, _ = first.accept()
    server.close()  # closes first: its end of the connection stays behind in TIME_WAIT
    client.close()
    with listening.bound_socket(address) as again:
        assert listening.address_of(again) == address


@pytest.mark.parametrize("listen", ["", "127.0.0.1", ":80", "127.0.0.1:", "127.0.0.1:http"])
def test_what_is_no_address_is_a_mistake_in_the_spec(listen: str) -> None:
    with pytest.raises(part("spec").SpecError, match="HOST:PORT"):
        part("listening").bound_socket(listen)
