"""Operations of a lane that were under way at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from wirelab.model.parts import Operation
from wirelab.samples.format import RECORD, write_parquet
from wirelab.trial.overlaps import overlapping

OPERATIONS = {
    "read": Operation(code=1),
    "write": Operation(code=2),
    "receipt": Operation(code=3, due="step"),
}


@pytest.mark.parametrize(
    ("records", "count"),
    [
        ([(0, 5, 1, 0), (5, 9, 1, 0)], 0),
        ([(0, 5, 1, 0), (4, 9, 1, 0), (8, 9, 1, 0)], 2),
        ([(4, 9, 1, 0), (0, 5, 1, 0)], 1),
        ([(0, 5, 1, 0), (4, 9, 2, 0), (4, 9, 1, 1)], 0),
        ([(0, 5, 3, 0), (4, 9, 3, 0)], 0),
    ],
)
def test_only_what_a_lane_waits_for_is_counted(
    tmp_path: Path, records: list[tuple[int, int, int, int]], count: int
) -> None:
    rows = [(start, start, end, 0, op, 0, lane) for start, end, op, lane in records]
    write_parquet(np.array(rows, dtype=RECORD), tmp_path / "kept")
    assert overlapping(tmp_path / "kept", OPERATIONS) == count
