"""The batch file: lines with their counts, or a sentence that says what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wirelab.samples.batches import MAX_LINE, Batch, FailedLoop, read
from wirelab.samples.format import SampleFileError

LINE: dict[str, Any] = {
    "step": "T1",
    "operation": "encode",
    "phase": "measure",
    "start_ns": 1_000,
    "end_ns": 5_000,
    "rounds": 40,
    "checksum": 2**32 - 1,
}
FAILED = {"step": "T1", "operation": "encode", "phase": "failed", "class": "E", "message": "no"}


def written(tmp_path: Path, *lines: Any) -> Path:
    path = tmp_path / "codec.batches.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_lines_are_read_in_order(tmp_path: Path) -> None:
    batch, failed = read(written(tmp_path, LINE, FAILED))
    assert isinstance(batch, Batch)
    assert batch.iteration_ns == 100
    assert batch.allocated_bytes is None
    assert isinstance(failed, FailedLoop)
    assert failed.error_class == "E"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"rounds": 0}, "rounds"),
        ({"checksum": 2**32}, "checksum"),
        ({"checksum": -1}, "checksum"),
        ({"phase": "later"}, "phase"),
        ({"start_ns": 1.5}, "start_ns"),
        ({"speed": 1}, "speed"),
        ({"step": ""}, "step"),
    ],
)
def test_a_wrong_line_is_named_with_its_number(
    tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    with pytest.raises(SampleFileError, match=rf"codec\.batches\.jsonl:2: .*{told}"):
        list(read(written(tmp_path, LINE, {**LINE, **change})))


def test_a_line_without_an_end_is_not_read_into_memory(tmp_path: Path) -> None:
    path = tmp_path / "codec.batches.jsonl"
    path.write_bytes(b" " * (MAX_LINE + 10))
    with pytest.raises(SampleFileError, match="longer than"):
        list(read(path))


def test_a_file_that_was_not_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(SampleFileError, match=r"codec\.batches\.jsonl was not written"):
        list(read(tmp_path / "codec.batches.jsonl"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_no_bytes_break_the_reader(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "codec.batches.jsonl"
    path.write_bytes(content)
    if content:
        with pytest.raises(SampleFileError):
            list(read(path))
    else:
        assert list(read(path)) == []
