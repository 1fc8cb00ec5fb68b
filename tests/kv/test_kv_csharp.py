"""The harness of the suite kv in C#: a worker whose store is computed, by contract."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_kv_java_node import check_lanes, check_records, check_wrong_records, checked
from test_kv_programs import LIBRARIES, MILLISECOND, ROOT, step

from wirelab.build import Part, PartBuilds
from wirelab.catalog import suite_at
from wirelab.model.builds import Build, RunCommand

pytestmark = [pytest.mark.needs("dotnet"), pytest.mark.e2e]


@pytest.fixture(scope="module", name="csharp")
def _csharp() -> list[str]:
    """Its command, compiled without a warning, in the store of builds."""
    suite = suite_at(ROOT / "suites" / "kv" / "suite.toml")
    part = Part(
        "kv",
        "csharp-memory",
        "tests of the harness in C#",
        source=LIBRARIES / "csharp" / "test",
        build=Build(kind="dotnet", needs=["csharp"]),
        room=suite.folder,
        run=RunCommand(command=["{dotnet}", "{build}/app/app.dll"]),
        libraries=suite.libraries,
    )
    return PartBuilds(ROOT).prepare(part).command("")


@pytest.mark.parametrize("loop", ["closed", "open"])
def test_lanes_in_csharp_keep_the_contract(csharp: list[str], loop: str) -> None:
    check_lanes(csharp, loop)


@pytest.mark.parametrize("barrier", [True, False])
def test_reads_without_an_end_are_given_up_in_csharp(csharp: list[str], *, barrier: bool) -> None:
    parameters: dict[str, Any] = {"universe": 10_000, "ends": 20, "barrier": barrier}
    found = checked(
        csharp,
        "closed",
        steps=(step("few", users=3, set=1, keys=5),),
        parameters=parameters,
        operation_ns=100 * MILLISECOND,
        period_ns=500 * MILLISECOND,
    )
    # Two of the preflight and 18 of the 36 due have ended; the others are recorded all the same.
    assert found["samples"].detail.startswith("36 records, 18 not ok")


def test_records_in_csharp_are_what_was_written(csharp: list[str], tmp_path: Path) -> None:
    check_records(csharp, tmp_path, "abcfde")


@pytest.mark.parametrize(("fault", "workload"), [("dropped", "a"), ("lost-update", "f")])
def test_records_in_csharp_that_are_not_are_told(
    csharp: list[str], tmp_path: Path, fault: str, workload: str
) -> None:
    check_wrong_records(csharp, tmp_path, fault, workload)
