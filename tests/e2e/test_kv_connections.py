"""Pools of a given size, as a user runs them: sixteen callers of every client that has a pool, with
one connection. How many it used is seen on the wire, whatever its library was asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from e2e import whole_runs
from tree import suites_of_the_tree

pytestmark = [pytest.mark.e2e, pytest.mark.long(2), pytest.mark.left_to_all]

SCENARIO = "connections-1"
CLIENTS = {
    *("redis-py", "redis-py-async", "go-redis", "pymemcache", "aiomcache", "memcache-client"),
    *("psycopg", "asyncpg", "csharp-npgsql", "csharp-npgsql-multiplexed"),
}
"""Every one that reads from a database through a pool; Aerospike's are in ``test_kv_rows``."""
REFUSING = {"pymemcache"}
"""Clients whose pools give callers without a connection an error; those of others wait."""
READS = 16 * 5
UNTOLD = {"csharp-npgsql", "aerospike-java"}
"""Clients that read the parameter themselves, where those of other languages have a harness that
does: each in a way of its own.
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chosen = ("--scenario", SCENARIO, *whole_runs.only("--contender", sorted(CLIENTS)))
    here = tmp_path_factory.mktemp("connections")
    return whole_runs.run_suite(here, "kv", *chosen, "--profile", "check", "--seed", "7")


@pytest.fixture(scope="module")
def result(folder: Path) -> dict[str, Any]:
    return whole_runs.result_of(folder)


def there(result: dict[str, Any]) -> set[str]:
    """The clients that could be built; without .NET all but two."""
    found = whole_runs.available(result) & CLIENTS
    assert len(found) >= len(CLIENTS) - 2
    return found


def test_every_client_of_a_database_that_has_a_pool_is_here() -> None:
    contenders = suites_of_the_tree().suite("kv").contenders.values()
    able = {one.manifest.contender for one in contenders if "pool" in one.manifest.capabilities}
    aerospike = {one.manifest.contender for one in contenders if one.manifest.mode == "aerospike"}
    assert able - aerospike == CLIENTS


def seen_of(folder: Path) -> dict[str, tuple[int, int]]:
    """By client: connections on which the witness saw its requests, and how many these were."""
    found = {}
    for trial, record in whole_runs.records_of(folder).items():
        messages = pq.read_table(folder / "trials" / trial / "witness.messages.parquet")
        rows = messages.select(["connection", "way", "kind"]).to_pylist()
        # Requests that name what they ask for: what the service asks itself, it asks without.
        asked = [row["connection"] for row in rows if row["way"] == 0 and row["kind"]]
        found[record["planned"]["contender"]] = (len(set(asked)), len(asked))
    return found


def test_callers_share_the_one_connection(folder: Path, result: dict[str, Any]) -> None:
    found = seen_of(folder)
    assert set(found) == there(result)
    assert {client: count for client, (count, _n) in found.items() if count != 1} == {}
    told_of = {cell["contender"]: cell for cell in whole_runs.cells_of(result, SCENARIO, "c16")}
    for client, (_count, requests) in found.items():
        assert requests >= told_of[client]["statuses"]["read"]["ok"], client


def test_callers_wait_or_are_refused_as_the_library_has_it(
    folder: Path, result: dict[str, Any]
) -> None:
    records = whole_runs.records_of(folder)
    assert [name for name, record in records.items() if record["wrong_answers"]] == []
    cells = whole_runs.cells_of(result, SCENARIO, "c16")
    assert {cell["contender"] for cell in cells} == there(result)
    for cell in cells:
        statuses = cell["statuses"]["read"]
        assert sum(statuses.values()) % READS == 0, cell["id"]
        assert (set(statuses) == {"ok"}) == (cell["contender"] not in REFUSING), cell["id"]


@pytest.mark.parametrize(
    ("language", "title", "refused"),
    [("en", "Connections of a pool", "errors"), ("ko", "풀의 연결 수", "오류")],
)
def test_the_report_tells_sizes_by_database(
    folder: Path, language: str, title: str, refused: str
) -> None:
    page = (folder / f"report-{language}.md").read_text("utf-8")
    section = page.split('<a id="connections"></a>')[1].split("\n## ")[1]
    assert title in section.splitlines()[0]
    for database in ("Redis", "memcached", "PostgreSQL"):
        assert f"**{database}**" in section
    assert any(
        line.split("|")[2].strip() == refused for line in section.splitlines()[2:] if "|" in line
    )


def test_a_pool_of_nothing_is_that_of_the_tuning(tmp_path: Path) -> None:
    """Nothing is given, so that each call may have a connection, as the tuning or the library has
    it.
    """
    chosen = ("--scenario", SCENARIO, *whole_runs.only("--contender", sorted(UNTOLD)))
    options = ("--set", "pool=0", "--profile", "check", "--seed", "7")
    run = whole_runs.run_suite(tmp_path, "kv", *chosen, *options)
    whole_runs.no_trial_failed(run)
    result, found = whole_runs.result_of(run), seen_of(run)
    assert set(found) == whole_runs.available(result) & UNTOLD >= {"aerospike-java"}
    assert [client for client, (connections, _n) in found.items() if connections < 2] == []
    cells = whole_runs.cells_of(result, SCENARIO, "c16")
    assert {cell["contender"]: set(cell["statuses"]["read"]) for cell in cells} == {
        client: {"ok"} for client in found
    }
