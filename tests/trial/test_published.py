"""Files as they grow: what was seen of them, held against what is there in the end."""

from __future__ import annotations

import json
import os
import struct
import time
from pathlib import Path

import numpy as np
import pytest

from wirelab.model.parts import Operation
from wirelab.samples import format as samples
from wirelab.trial.failure import TrialError
from wirelab.trial.published import GrowingFile, PublishedFiles

MS = 1_000_000
OPERATIONS = {"read": Operation(code=1), "write": Operation(code=2)}
HEADER = struct.pack("<8sHHI16x", b"WLSAMPLE", 1, 32, 1)


class Writer:
    """A worker's files in a folder, and who looks at them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        paths = {name: str(folder / f"client.{name}") for name in ("samples", "answers", "batches")}
        self.files = PublishedFiles(paths)
        (folder / "client.samples").write_bytes(HEADER)
        (folder / "client.answers").write_bytes(b"")
        self.begun_ns = time.monotonic_ns()

    def record(self, end_ns: int, *, op: int = 1, lane: int = 0) -> None:
        with (self.folder / "client.samples").open("ab") as file:
            times = b"".join(at.to_bytes(8, "little") for at in (end_ns - MS, end_ns - MS, end_ns))
            file.write(times + bytes(4) + bytes((op, 0)) + lane.to_bytes(2, "little"))

    def answer(
        self, records: int | None, pause_ns: int, *, lane: int = 0, took_ns: int = 0
    ) -> None:
        said = {"asked": 0, "operation": "read", "lane": lane, "records": records}
        if records is None:
            del said["records"]
        pause = [pause_ns, pause_ns + took_ns]
        with (self.folder / "client.answers").open("ab") as file:
            file.write(json.dumps({**said, "pause": pause}).encode() + b"\n")

    def check(self) -> None:
        """As a trial ends."""
        self.files.check_unchanged(self.folder, "client")
        kept = self.folder / "client.parquet"
        samples.ingest(self.folder / "client.samples", kept)
        self.files.check_records(self.folder, "client", kept, OPERATIONS)


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    return Writer(tmp_path)


def refused(writer: Writer) -> str:
    with pytest.raises(TrialError) as refusal:
        writer.check()
    assert refusal.value.reason == "rewritten-records"
    assert refusal.value.role == "client"
    return refusal.value.detail


def test_what_grows_is_as_it_was_seen(writer: Writer) -> None:
    for _ in range(5):
        writer.record(time.monotonic_ns())
        writer.files.look()
    writer.answer(5, time.monotonic_ns())
    time.sleep(0.002)  # a record begins 1 ms before its end
    writer.record(time.monotonic_ns())
    writer.files.complete()
    writer.check()


def test_a_file_that_nobody_looked_at_has_nothing_to_hold_it_to(tmp_path: Path) -> None:
    files = PublishedFiles()
    files.look()
    files.complete()
    files.check_unchanged(tmp_path, "client")


@pytest.mark.parametrize("at", [40, 70])
def test_a_byte_that_changed_is_found(writer: Writer, at: int) -> None:
    for _ in range(3):
        writer.record(time.monotonic_ns())
        writer.files.look()
    path = writer.folder / "client.samples"
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)
    assert refused(writer) == "client.samples is not what was seen of it while it was written"


def test_a_file_that_shrank_is_found(writer: Writer) -> None:
    writer.answer(0, time.monotonic_ns())
    writer.files.look()
    (writer.folder / "client.answers").write_bytes(b"")
    assert "client.answers is not what was seen" in refused(writer)


def test_nothing_comes_after_done(writer: Writer) -> None:
    writer.record(time.monotonic_ns())
    writer.files.complete()
    writer.record(time.monotonic_ns())
    assert "client.samples is not what was seen" in refused(writer)


def test_of_a_file_too_large_to_be_read_later_nothing_is_read_when_it_is_complete(
    writer: Writer,
) -> None:
    file = GrowingFile(writer.folder / "client.samples")
    file.look()
    os.truncate(writer.folder / "client.samples", samples.MOST_BYTES + 1)
    file.complete()
    assert [(seen.size, seen.there) for seen in file.seen] == [
        (len(HEADER), len(HEADER)),
        (len(HEADER), samples.MOST_BYTES + 1),
    ]
    writer.files.complete()
    with pytest.raises(samples.SampleFileError, match="bytes are the most"):
        writer.check()


def test_a_file_that_was_too_large_when_it_was_complete_stays_as_it_was(writer: Writer) -> None:
    os.truncate(writer.folder / "client.samples", samples.MOST_BYTES + 1)
    writer.files.complete()
    os.truncate(writer.folder / "client.samples", len(HEADER))
    assert "not what was seen" in refused(writer)


def test_a_file_that_is_too_large_at_a_look_alone_is_found(writer: Writer) -> None:
    os.truncate(writer.folder / "client.samples", samples.MOST_BYTES + 1)
    writer.files.look()
    os.truncate(writer.folder / "client.samples", len(HEADER))
    writer.record(time.monotonic_ns())
    writer.files.complete()
    assert "not what was seen" in refused(writer)


def test_batches_do_not_change_after_done(writer: Writer) -> None:
    path = writer.folder / "client.batches"
    path.write_bytes(b"{}\n")
    writer.files.complete()
    path.write_bytes(b"[]\n")
    assert "client.batches is not what was seen" in refused(writer)


def test_a_record_that_ends_after_it_was_seen_is_found(writer: Writer) -> None:
    writer.record(time.monotonic_ns() + 3_600_000 * MS)
    writer.files.look()
    assert "after it was seen in the file" in refused(writer)


def test_a_record_that_claims_to_have_ended_before_it_was_published_is_found(
    writer: Writer,
) -> None:
    writer.record(writer.begun_ns)
    writer.answer(1, writer.begun_ns + 50)
    writer.files.look()
    writer.record(writer.begun_ns + 40)
    assert "one of lane 0 that was written later" in refused(writer)


@pytest.mark.parametrize(("op", "lane"), [(2, 0), (1, 1)])
def test_other_operations_and_lanes_are_written_when_they_end(
    writer: Writer, op: int, lane: int
) -> None:
    writer.record(writer.begun_ns)
    writer.answer(1, writer.begun_ns + 50)
    writer.files.look()
    writer.record(writer.begun_ns + 40, op=op, lane=lane)
    writer.check()


def test_records_that_are_said_to_be_there_have_to_be(writer: Writer) -> None:
    writer.answer(1, time.monotonic_ns())
    writer.files.look()
    writer.record(time.monotonic_ns())
    assert "says that there were 1 records; 0 were seen" in refused(writer)


@pytest.mark.parametrize(("silent", "telling"), [(4, 0), (4, 15)])
def test_answers_that_say_nothing_of_records_are_told_of(
    writer: Writer, silent: int, telling: int
) -> None:
    for records in [None] * silent + [0] * telling:
        writer.answer(records, time.monotonic_ns())
    writer.files.complete()
    with pytest.raises(TrialError) as refusal:
        writer.check()
    assert refusal.value.reason == "unpublished-records"
    said = f"{silent} of {silent + telling} answers do not say how many records there were"
    assert refusal.value.detail == said


@pytest.mark.parametrize(("silent", "telling"), [(3, 0), (4, 16)])
def test_a_few_answers_may_say_nothing_of_records(
    writer: Writer, silent: int, telling: int
) -> None:
    for records in [None] * silent + [0] * telling:
        writer.answer(records, time.monotonic_ns())
    writer.files.complete()
    writer.check()


def test_an_answer_that_was_written_long_after_it_says_is_found(writer: Writer) -> None:
    writer.files.look()
    writer.answer(0, writer.begun_ns - 3_000 * MS)
    assert "written long after it says that it was given" in refused(writer)


def test_an_answer_is_given_between_the_operations_of_its_lane(writer: Writer) -> None:
    writer.record(writer.begun_ns)
    writer.answer(1, writer.begun_ns, took_ns=MS)
    writer.answer(1, writer.begun_ns + MS, took_ns=MS)
    writer.record(writer.begun_ns + 3 * MS)  # it starts when the pause ends
    writer.record(writer.begun_ns + 2 * MS, lane=1)
    writer.check()


@pytest.mark.parametrize(("begin_ms", "took_ms"), [(0, 3), (3, 1), (2, 5)])
def test_a_pause_in_which_its_lane_was_at_work_is_found(
    writer: Writer, begin_ms: int, took_ms: int
) -> None:
    writer.record(writer.begun_ns)
    writer.answer(1, writer.begun_ns + begin_ms * MS, took_ns=took_ms * MS)
    writer.record(writer.begun_ns + 3 * MS + 1)
    writer.record(writer.begun_ns + 9 * MS)
    assert "answer 0 was being put into words while lane 0 was at an operation" in refused(writer)


def test_pauses_of_a_lane_follow_each_other(writer: Writer) -> None:
    writer.answer(0, writer.begun_ns, took_ns=2 * MS)
    writer.answer(0, writer.begun_ns + MS, lane=1)
    writer.answer(0, writer.begun_ns + MS, took_ns=2 * MS)
    assert "was put into words while lane 0 was at another answer" in refused(writer)


def test_a_pause_that_goes_on_after_its_answer_was_seen_is_found(writer: Writer) -> None:
    writer.answer(0, time.monotonic_ns(), took_ns=60_000 * MS)
    writer.files.look()
    assert "ms after it was seen in the file" in refused(writer)


@pytest.mark.parametrize(
    "line",
    [
        b'{"records": 3}',
        b'{"records": "x", "asked": 1, "lane": 0, "operation": "read", "pause": [1, 2]}',
        b'["records":',
        b'{"records": 1%s, "asked": 1, "lane": 0, "operation": "read", "pause": [1, 2]}'
        % (b"0" * 30),
        b'{"answer": {"records": 7}, "asked": 1, "lane": 0, "operation": "read", "pause": [1, 2]}',
    ],
)
def test_lines_that_say_nothing_of_records_are_left_to_others(writer: Writer, line: bytes) -> None:
    writer.record(writer.begun_ns)
    with (writer.folder / "client.answers").open("ab") as file:
        file.write(line + b"\n")
    writer.files.look()
    writer.check()


def test_a_lane_that_no_record_can_have_is_left_to_others(writer: Writer) -> None:
    writer.record(writer.begun_ns)
    for lane in (1 << 16, 2**61):  # the first is lane 0 of the next operation
        writer.answer(7, writer.begun_ns, lane=lane)
    writer.files.look()
    writer.check()


def test_answers_of_many_lanes_are_looked_up_in_few_records(writer: Writer) -> None:
    count = 400_000
    records = np.zeros(count, dtype=samples.RECORD)
    records["end_ns"] = np.arange(count)
    records["start_ns"] = records["intended_ns"] = records["end_ns"]
    records["op"] = 1
    with (writer.folder / "client.samples").open("ab") as file:
        file.write(records.tobytes())
    said = '{{"asked": 0, "operation": "read", "lane": {}, "records": 0, "pause": [1, 1]}}\n'
    lanes = "".join(said.format(lane) for lane in range(1, 20_000))
    (writer.folder / "client.answers").write_text(lanes)
    writer.files.complete()
    # Twenty thousand looks at all records would take minutes.
    writer.check()


def test_a_link_is_not_followed(writer: Writer, tmp_path: Path) -> None:
    path = writer.folder / "client.samples"
    kept = path.read_bytes()
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").write_bytes(b"x" * 100)
    writer.files.look()
    path.unlink()
    path.write_bytes(kept)
    writer.files.complete()
    writer.check()
