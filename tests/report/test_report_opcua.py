"""What the suite ``opcua`` adds: recommendations for the source's situations, and its limits."""

from __future__ import annotations

from pathlib import Path

from report_sample import SUITE, sample

from synthetic.judged import SPOILED, judged
from wirelab.model.result import Cell, Result, Series, Verdict
from wirelab.report import write


def report(folder: Path, found: Result, series: Series | None = None) -> str:
    (folder / "result.json").write_text(judged(found).model_dump_json(), "utf-8")
    if series is not None:
        (folder / "series.json").write_text(series.model_dump_json(), "utf-8")
    return write(folder, "en", ["md"], SUITE)[0].read_text("utf-8")


def changed(**update: object) -> Result:
    """The sample with every s7 cell changed."""
    found, _series = sample()
    cells = [c.model_copy(update=update) if c.scenario == "s7" else c for c in found.cells]
    return found.model_copy(update={"cells": cells})


def advice(text: str, situation: str) -> str:
    """What is recommended here for a situation: its row of the table."""
    part = text.split("**Recommendations**")[1]
    return next(line for line in part.splitlines() if line.startswith(f"| {situation}"))


def test_choices_follow_the_ranks_and_leave_invalid_cells_out(tmp_path: Path) -> None:
    text = report(tmp_path, sample()[0])
    assert "| **open62541 (C)** | **asyncua (Python)** |" in advice(text, "Low-spec edge")
    assert "| **Eclipse Milo (Java)** | **asyncua (Python)** |" in advice(text, "Limited CPU")
    assert "Not considered: open62541 (C) (invalid)" in advice(text, "Limited CPU")
    assert "| undecided | undecided |" in advice(text, "Security required")


def test_nothing_is_recommended_from_invalid_cells(tmp_path: Path) -> None:
    text = report(tmp_path, changed(verdict=Verdict.INVALID, findings=[SPOILED], ranks={}))
    for situation in ("Low-spec edge", "High-throughput", "Limited CPU", "Security required"):
        assert "| undecided | undecided |" in advice(text, situation)


def test_the_lines_of_a_worker_choose_nobody(tmp_path: Path) -> None:
    text = report(tmp_path, sample()[0])
    assert "| undecided | undecided | not judged: " in advice(text, "Developer productivity")
    source = text.split("| Developer productivity")[1].splitlines()[1]
    assert "Common LOC 89 lines" in source
    assert "Developer productivity" not in text.split("**First choices.**")[1].splitlines()[0]


def test_security_is_decided_where_it_was_measured(tmp_path: Path) -> None:
    text = report(tmp_path, changed(parameters={"security": "Basic256Sha256"}))
    assert "**Eclipse Milo (Java)**" in advice(text, "Security required")
    assert "measured with the policy of the parameter security" in text


def test_every_published_table_stands_beside_ours(tmp_path: Path) -> None:
    text = report(tmp_path, *sample())
    for figure in ("20,034.54", "22.45", "13.82", "1.70", "0.0000", "1.014", "25.43", "62.11"):
        assert figure in text
    for words in ("264 MB", "164 lines", "Bad\\_ConnectionRejected", "41 % of C#", "cProfile"):
        assert words in text
    assert text.count("C# (OPCFoundation)") > 8


def test_cells_of_two_modes_are_not_compared(tmp_path: Path) -> None:
    found, _series = sample()
    cells: list[Cell] = [
        c.model_copy(update={"mode": "async"}) if c.contender == "milo" else c for c in found.cells
    ]
    text = report(tmp_path, found.model_copy(update={"cells": cells}))
    assert "S7: concurrent read and write · async" in text
