"""A monitor's record of the host is read, or refused with a sentence, whoever wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzing import fuzzed, read_or_refused, spoiled_bytes
from wirelab.monitor.foreign import HOST_RECORD, disturbed_share, disturbed_windows, foreign_time
from wirelab.monitor.stolen import stolen_time, stolen_windows
from wirelab.samples.stored import UnreadableFileError

pytestmark = [pytest.mark.left_to_all, pytest.mark.long(1)]

LOOKS = 20
AT = [1_000_000_000 + 100_000_000 * look for look in range(LOOKS)]
COLUMNS: dict[str, Any] = {
    "monotonic_ns": pa.array(AT, pa.uint64()),
    "cpu_idle_ns": pa.array([[look, look] for look in range(LOOKS)], pa.list_(pa.uint64())),
    "cpu_steal_ns": pa.array(
        [[0, 9_000_000 * (look // 3)] for look in range(LOOKS)], pa.list_(pa.uint64())
    ),
    "foreign_ran_ns": pa.array([6_000_000 * look for look in range(LOOKS)], pa.uint64()),
    "foreign_ran_unplaced_ns": pa.array([0] * LOOKS, pa.uint64()),
}

ODD = {
    "texts": pa.array(["a"] * LOOKS),
    "parts": pa.array([0.5] * LOOKS),
    "no numbers": pa.array([float("nan")] * LOOKS),
    "large": pa.array([2**64 - 1] * LOOKS, pa.uint64()),
    "backwards": pa.array(AT[::-1], pa.uint64()),
    "gaps": pa.array([None, *AT[1:]], pa.uint64()),
    "lists": COLUMNS["cpu_steal_ns"],
    "uneven lists": pa.array([[1] * (look % 3) for look in range(LOOKS)], pa.list_(pa.uint64())),
    "lists of nothing": pa.array([[] for _ in range(LOOKS)], pa.list_(pa.uint64())),
    "lists with gaps": pa.array([[None, 1]] * LOOKS, pa.list_(pa.uint64())),
}


def written(columns: dict[str, Any], folder: Path) -> Path:
    path = folder / HOST_RECORD
    pq.write_table(pa.table(columns), path)
    return path


def disturbed(folder: Path) -> int | None:
    """Windows that a trial loses; None where its record is refused."""
    ran = read_or_refused(lambda: foreign_time(folder), UnreadableFileError)
    taken = read_or_refused(lambda: stolen_time(folder), UnreadableFileError)
    share = disturbed_share(folder, AT[0], AT[-1])
    assert share is None or 0 <= share <= 1
    lost = [] if ran is None else [disturbed_windows(**ran)]
    lost += [] if taken is None else [stolen_windows(**taken)]
    assert all(np.issubdtype(windows.dtype, np.integer) for windows in lost)
    return sum(map(len, lost)) if lost else None


def test_what_a_monitor_writes_is_read(tmp_path: Path) -> None:
    written(COLUMNS, tmp_path)
    assert disturbed(tmp_path) == 19 + 6


@fuzzed()
@given(data=st.data())
def test_a_damaged_record_is_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    path = written(COLUMNS, tmp_path)
    path.write_bytes(spoiled_bytes(path.read_bytes(), data))
    lost = disturbed(tmp_path)
    assert lost is None or lost >= 0


def test_no_byte_of_a_footer_ends_the_process(tmp_path: Path) -> None:
    # Some that contradict themselves did, in pyarrow: of levels, of which a flat column has none.
    names = ("monotonic_ns", "cpu_steal_ns")
    path = tmp_path / HOST_RECORD
    table = pa.table({name: COLUMNS[name] for name in names})
    pq.write_table(table, path, store_schema=False)
    whole = path.read_bytes()
    footer = range(len(whole) - 8 - int.from_bytes(whole[-8:-4], "little"), len(whole) - 8)
    read = 0
    for at in footer:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        read += read_or_refused(lambda: stolen_time(tmp_path), UnreadableFileError) is not None
    assert 0 < read < len(footer)


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("odd", ODD)
def test_a_column_of_another_kind_is_read_or_refused(tmp_path: Path, column: str, odd: str) -> None:
    written({**COLUMNS, column: ODD[odd]}, tmp_path)
    lost = disturbed(tmp_path)
    assert lost is None or lost >= 0
