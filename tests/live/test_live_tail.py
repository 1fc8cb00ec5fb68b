"""Files that somebody is still writing."""

from __future__ import annotations

from pathlib import Path

import pytest

from live.live_examples import HEADER, record
from wirelab.live import tail
from wirelab.live.tail import LineTail, RecordTail


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def test_a_line_counts_once_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    lines = LineTail(path)
    assert lines.gained() == []
    append(path, b"one\ntw")
    assert lines.gained() == [b"one"]
    assert lines.gained() == []
    append(path, b"o")
    assert lines.gained() == []
    append(path, b"\nthree\n")
    assert lines.gained() == [b"two", b"three"]
    lines.close()


def test_a_line_without_end_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tail, "MOST_AT_ONCE", 8)
    path = tmp_path / "lines"
    path.write_bytes(b"x" * 20 + b"\ngood\n")
    lines = LineTail(path)
    gained: list[bytes] = []
    for _ in range(10):
        gained += lines.gained()
    lines.close()
    assert gained[-1] == b"good"


def test_a_record_counts_once_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "samples"
    records = RecordTail(path)
    assert len(records.gained()) == 0
    append(path, HEADER[:10])
    assert len(records.gained()) == 0
    append(path, HEADER[10:] + record(1, 2, 3, 1) + record(4, 5, 6, 2)[:31])
    assert records.gained()["end_ns"].tolist() == [3]
    append(path, record(4, 5, 6, 2)[31:])
    assert records.gained()["op"].tolist() == [2]
    assert len(records.gained()) == 0
    records.close()


def test_what_lies_behind_a_gap_waits_until_the_gap_is_filled(tmp_path: Path) -> None:
    path = tmp_path / "samples"
    path.write_bytes(HEADER + record(1, 1, 1, 1) + bytes(32) + record(3, 3, 3, 1))
    records = RecordTail(path)
    assert records.gained()["end_ns"].tolist() == [1]
    assert len(records.gained()) == 0
    with path.open("r+b") as file:
        file.seek(64)
        file.write(record(2, 2, 2, 1))
    assert records.gained()["end_ns"].tolist() == [2, 3]
    records.close()


def test_a_removed_file_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "samples"
    path.write_bytes(HEADER)
    records = RecordTail(path)
    assert records.open()
    append(path, record(1, 2, 3, 1))
    path.unlink()
    assert records.gained()["end_ns"].tolist() == [3]
    records.close()


@pytest.mark.parametrize("spoiled", [b"NOSAMPLE", b"WLSAMPLE\x02"])
def test_a_foreign_file_gives_nothing(tmp_path: Path, spoiled: bytes) -> None:
    path = tmp_path / "samples"
    path.write_bytes((spoiled + HEADER[len(spoiled) :]) + record(1, 2, 3, 1))
    records = RecordTail(path)
    assert len(records.gained()) == 0
    assert len(records.gained()) == 0
    records.close()


def test_much_at_once_is_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tail, "MOST_AT_ONCE", 100)
    path = tmp_path / "samples"
    path.write_bytes(HEADER + b"".join(record(n, n, n, 1) for n in range(1, 11)))
    records = RecordTail(path)
    found: list[int] = []
    while len(gained := records.gained()):
        found += gained["end_ns"].tolist()
    records.close()
    assert found == list(range(1, 11))
