"""Clients of memcached and PostgreSQL that read or write a part of a record, and have the rest from
before; honest ones beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e.remade import remade
from e2e.whole_runs import only, result_of, run_suite

PROGRAMS = {
    "memcached": ("aiomcache", "databases/values.py"),
    "postgres": ("asyncpg", "databases/rows.py"),
}
"""By database an honest client, and what stands in the place of its worker."""
CHEATS = (
    *("memcached-ycsb-asks-for-the-version", "memcached-ycsb-empties-values"),
    *("memcached-ycsb-stores-in-vain", "postgres-ycsb-empties-columns"),
    "postgres-ycsb-writes-behind",
)
HONEST = tuple(honest for honest, _ in PROGRAMS.values())

pytestmark = [pytest.mark.e2e, pytest.mark.needs("memcached")]


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    here = tmp_path_factory.mktemp("parts")
    names = [*HONEST, *(str(made(here / "contenders" / name)) for name in CHEATS)]
    options = ["--scenario", "ycsb", "--profile", "check", *only("--contender", names)]
    found: list[dict[str, Any]] = result_of(run_suite(here, "kv", *options))["cells"]
    return [cell for cell in found if cell["step"]]


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


@pytest.mark.parametrize("name", CHEATS)
def test_who_reads_or_writes_a_part_of_a_record_is_accused_by_its_database(
    cells: list[dict[str, Any]], name: str
) -> None:
    for found in gates_of(cells, name):
        assert found["not-served"] == "invalid"
        assert "trial-failed" not in found


@pytest.mark.parametrize("name", HONEST)
def test_who_reads_and_writes_whole_records_is_not_accused(
    cells: list[dict[str, Any]], name: str
) -> None:
    accused = {"not-served", "wrong-answer", "less-traffic", "loss-or-error", "trial-failed"}
    assert not accused & set().union(*gates_of(cells, name))
