"""The sample file: read exactly, refused with a reason."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirelab.samples import format as samples

HEADER = struct.pack("<8sHHI16x", b"WLSAMPLE", 1, 32, 1)
RECORD = struct.Struct("<QQQIBBH")

records = st.lists(
    st.tuples(
        *[st.integers(0, 2**64 - 1)] * 3,
        st.integers(0, 2**32 - 1),
        st.integers(0, 255),
        st.integers(0, 255),
        st.integers(0, 2**16 - 1),
    ),
    max_size=20,
)


@given(records)
def test_what_was_written_is_read_to_the_bit(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, ...]]
) -> None:
    folder = tmp_path_factory.mktemp("samples")
    raw, kept = folder / "client.samples", folder / "client.parquet"
    raw.write_bytes(HEADER + b"".join(RECORD.pack(*row) for row in rows))
    ingested = samples.ingest(raw, kept)
    assert ingested.records == len(rows)
    assert ingested.failed == sum(row[5] != 0 for row in rows)
    table = pq.read_table(kept)
    assert [tuple(row.values()) for row in table.to_pylist()] == rows
    assert not raw.exists()


@given(st.binary(max_size=200))
def test_any_other_file_is_refused_with_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.mktemp("foreign") / "client.samples"
    path.write_bytes(content)
    with pytest.raises(samples.SampleFileError, match=r"client\.samples"):
        samples.read(path)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (HEADER[:20], "not even a header"),
        (HEADER + b"\0" * 31, "truncated"),
        (b"WLSAMPLF" + HEADER[8:], "foreign"),
        (struct.pack("<8sHHI16x", b"WLSAMPLE", 2, 32, 1), "version 2"),
        (struct.pack("<8sHHI16x", b"WLSAMPLE", 1, 40, 1), "records of 40"),
        (struct.pack("<8sHHI16x", b"WLSAMPLE", 1, 32, 0), "clock 0"),
    ],
)
def test_each_defect_is_named(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "client.samples"
    path.write_bytes(content)
    with pytest.raises(samples.SampleFileError, match=says):
        samples.read(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(samples.SampleFileError, match="was not written"):
        samples.read(tmp_path / "client.samples")


def test_a_failed_write_leaves_no_half_file(tmp_path: Path) -> None:
    rows = np.zeros(3, dtype=samples.RECORD)
    samples.write_parquet(rows, tmp_path / "kept.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["kept.parquet"]
