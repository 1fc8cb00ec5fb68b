"""Clients of single records that read or write a part of them, and have the rest from before, that
do not wait for what they write or have it forgotten, or that make up what they scan; honest ones
beside them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from e2e.remade import remade
from e2e.whole_runs import only, result_of, run_suite

PROGRAMS = {
    "redis": ("redis-py-async", "databases/writing.py"),
    "memcached": ("aiomcache", "databases/values.py"),
    "postgres": ("asyncpg", "databases/rows.py"),
}
"""By database an honest client, and what stands in the place of its worker."""
PARTS = (
    *("memcached-ycsb-asks-for-the-version", "memcached-ycsb-empties-values"),
    *("memcached-ycsb-stores-in-vain", "postgres-ycsb-empties-columns"),
    *("postgres-ycsb-writes-behind", "postgres-ycsb-rolls-back"),
)
DO_NOT_WAIT = ("redis-ycsb-does-not-wait", "postgres-ycsb-does-not-wait")
MAKES_UP = "postgres-ycsb-makes-up-scans"
CHEATS = (*PARTS, *DO_NOT_WAIT, MAKES_UP)
HONEST = tuple(honest for honest, _ in PROGRAMS.values())
SCANS = "asyncpg"
"""The honest client whose database keeps keys in an order."""

pytestmark = [pytest.mark.e2e, pytest.mark.long(2), pytest.mark.needs("memcached")]


def cells_of(
    here: Path, scenario: str, cheats: Iterable[str], honest: Iterable[str] = HONEST
) -> list[dict[str, Any]]:
    names = [*honest, *(str(made(here / "contenders" / name)) for name in cheats)]
    options = ["--scenario", scenario, "--profile", "check", *only("--contender", names)]
    found: list[dict[str, Any]] = result_of(run_suite(here, "kv", *options))["cells"]
    return found


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    found = cells_of(tmp_path_factory.mktemp("parts"), "ycsb", PARTS)
    return [cell for cell in found if cell["step"]]


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    found = cells_of(tmp_path_factory.mktemp("stopped"), "ycsb-faults", DO_NOT_WAIT)
    return {cell["contender"]: cell for cell in found}


@pytest.fixture(scope="module")
def scans(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    here = tmp_path_factory.mktemp("scans")
    cells = cells_of(here, "ycsb-scan", [MAKES_UP], [SCANS])
    found = {cell["contender"]: cell["findings"] for cell in cells if cell["step"]}
    return {name: {one["gate"] for one in findings} for name, findings in found.items()}


def made(folder: Path) -> Path:
    """The contender that cheats a database in a way: both are in the folder's name."""
    database, way = folder.name.split("-ycsb-")
    honest, file = PROGRAMS[database]
    return remade(folder, "kv", honest, [file], way=way)


def gates_of(cells: list[dict[str, Any]], name: str) -> list[dict[str, str]]:
    """Verdicts by gate, of every step."""
    own = [cell["findings"] for cell in cells if cell["contender"] == name]
    assert len(own) == 5
    return [{one["gate"]: one["verdict"] for one in findings} for findings in own]


@pytest.mark.parametrize("name", PARTS)
def test_who_reads_or_writes_a_part_of_a_record_is_accused_by_its_database(
    steps: list[dict[str, Any]], name: str
) -> None:
    for found in gates_of(steps, name):
        assert found["not-served"] == "invalid"
        assert "trial-failed" not in found


@pytest.mark.parametrize("name", HONEST)
def test_who_reads_and_writes_whole_records_is_not_accused(
    steps: list[dict[str, Any]], name: str
) -> None:
    accused = {"not-served", "wrong-answer", "less-traffic", "loss-or-error", "trial-failed"}
    assert not accused & set().union(*gates_of(steps, name))


@pytest.mark.parametrize("name", DO_NOT_WAIT)
def test_who_does_not_wait_for_its_writes_has_written_while_nobody_was_there(
    stopped: dict[str, dict[str, Any]], name: str
) -> None:
    findings = {one["gate"]: one for one in stopped[name]["findings"]}
    assert "answered-while-down" in findings, findings
    found = findings["answered-while-down"]
    assert found["verdict"] == "invalid"
    assert all(one["ycsb"] > 0 for one in found["evidence"]["trials"].values())


@pytest.mark.parametrize("name", HONEST)
def test_who_waits_for_its_writes_goes_on_when_its_database_does(
    stopped: dict[str, dict[str, Any]], name: str
) -> None:
    gates = {one["gate"] for one in stopped[name]["findings"]}
    assert not gates & {"answered-while-down", "trial-failed"}
    assert [view["outcome"] for view in stopped[name]["caller"]] == ["recovered"]


def test_who_makes_up_what_it_scans_has_wrong_answers(scans: dict[str, set[str]]) -> None:
    assert scans.keys() == {SCANS, MAKES_UP}
    assert "wrong-answer" in scans[MAKES_UP]
    assert not {"less-traffic", "loss-or-error", "trial-failed"} & scans[MAKES_UP]
    assert not {"wrong-answer", "loss-or-error", "trial-failed"} & scans[SCANS]
