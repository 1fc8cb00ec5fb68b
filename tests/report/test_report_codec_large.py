"""Large messages in the report of ``codec``: what streams of two lengths take."""

from __future__ import annotations

from pathlib import Path

from codec_sample import sample
from codec_text import part, report, rows
from report_build import metric

from wirelab.model.result import Cell, Result

TAKEN = {
    "python-orjson": {"stream-1": 0.1, "stream-16": 0.2},
    "python-json": {"stream-1": 1.0, "stream-16": 9.0},
    "java-jackson": {"stream-1": 140.0, "stream-16": 140.5},
}


def with_streams(found: Result) -> Result:
    """The result with cells of streams, in which reading takes what is said and writing nothing."""

    def stream(cell: Cell, step: str, megabytes: float) -> Cell:
        metrics = {
            "to_bytes.time": metric(2e6, "ns"),
            "from_bytes.time": metric(3e6, "ns"),
            "encoded.size": metric(2_572_950, "B"),
            "to-bytes.memory": metric(0.0, "MB"),
            "from-bytes.memory": metric(megabytes, "MB"),
        }
        names = {"scenario": "large", "step": step, "ranks": {}, "findings": []}
        changed = {**names, "id": f"codec/large/{step}/{cell.contender}", "metrics": metrics}
        return cell.model_copy(update=changed)

    streams = [
        stream(cell, step, megabytes)
        for cell in found.cells
        if (cell.scenario, cell.step) == ("steady", "T1")
        for step, megabytes in TAKEN.get(cell.contender, {}).items()
    ]
    assert len(streams) == 6
    return found.model_copy(update={"cells": [*found.cells, *streams]})


def test_streams_are_told_by_the_memory_that_they_take(tmp_path: Path) -> None:
    text = part(report(tmp_path, with_streams(sample())), "### 6-2. Large messages")
    assert "- Nothing but buffers: orjson (Python)." in text
    short, long = "50,000 records in a stream, 1 MB", "800,000 records in a stream, 16 MB"
    assert f"- **json (Python)**: 1.0 MB for {short}, 9.0 MB for {long}." in text
    assert "- **Jackson (Java)**: 140 MB for" in text
    assert "2,573" in " ".join(map(str, rows(text, "Python").values()))


def test_who_has_no_large_messages_is_named_with_the_reason(tmp_path: Path) -> None:
    found = with_streams(sample())
    text = part(report(tmp_path, found), "### 6-2. Large messages")
    said = text.split("Not tried, and why")[1]
    assert "its worker does not have large messages" in said
    assert "- **orjson (Python)**" not in said
    rest = {cell.contender for cell in found.cells} - TAKEN.keys()
    assert said.count("- **") >= len(rest) // 2 > 1
