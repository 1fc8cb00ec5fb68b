"""Clients of databases that do not ask when they say they do, and honest ones beside them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from e2e.guarded import confined
from e2e.remade import remade
from e2e.whole_runs import REPOSITORY, only, result_of, run_suite

CHEATS = {
    "redis": {
        "never-asks-again": ("not-on-the-wire", "absent"),
        "answers-from-a-cache": ("not-on-the-wire", "absent"),
        "drowns-it-in-datagrams": ("not-on-the-wire", "absent"),
        "coalesces": ("not-on-the-wire", "absent"),
        "asks-for-fewer": ("not-on-the-wire", "absent"),
        "does-not-wait": ("not-on-the-wire", "unanswered"),
        "prefetches": ("sent-before-start", "early"),
        "asks-for-one-often": ("not-on-the-wire", "absent"),
        "asks-for-the-rest-later": ("not-on-the-wire", "absent"),
        "asks-for-two-at-once": ("not-on-the-wire", "absent"),
        "stamps-late": ("sent-before-start", "early"),
    },
    "postgres": {
        "asks-for-others": ("not-on-the-wire", "absent"),
        "coalesces": ("not-on-the-wire", "absent"),
        "prefetches": ("sent-before-start", "early"),
    },
    "bench": {"asks-for-others": ("not-on-the-wire", "absent")},
}
"""By database the gate that accuses each, and the number in its evidence."""

ACCUSED = [
    (f"{database}-{way}", accused_of)
    for database, ways in CHEATS.items()
    for way, accused_of in ways.items()
]

MODES = {"redis": "redis", "postgres": "postgresql", "bench": "aerospike"}

ALWAYS = {"redis-never-asks-again"}
"""Cheats that never ask; the others do so as long as they have no other way."""

LEAST = 5
"""Reads of those that are found out, of 150."""

COUNTED = "official-async"
HONEST = ("redis-py-async", "asyncpg", COUNTED)
UNSERVED = ("bench-coalesces", "bench-asks-for-fewer", "bench-asks-for-one-often")
"""Clients of the bench server, which counts what it serves: it finds them without a witness."""
FORETELLS, READS_FILES = "redis-foretells", "redis-reads-files"
ANOTHER_VERSION = "redis-says-another-version"
BLINDS, DROWNS = "redis-blinds-the-witness", "redis-drowns-the-witness"
OTHERS = (FORETELLS, READS_FILES, ANOTHER_VERSION, BLINDS, DROWNS)
REMEMBERS, ASKS = "redis-app-remembers", "redis-py-async"
"""Applications: one that has all rows before anybody asks, and the honest one it is made of."""
APPLICATIONS = (REMEMBERS,)
CACHES = "redis-ycsb-caches"
"""Keeps single records that it has read or written."""
WRITES_LESS = (
    "redis-ycsb-inserts-nothing",
    "redis-ycsb-writes-behind",
    "redis-ycsb-inserts-a-field",
    "redis-ycsb-empties-fields",
)
"""Ask for every record that they read, and do not write all that they say they have written."""
READS_LESS = ("redis-ycsb-asks-for-a-field", "redis-ycsb-shares-reads")
"""Write every record, and do not ask for all that they say they have read."""
GIVES_OLD = "redis-ycsb-gives-the-first"
"""Asks for everything, and gives what was there before others wrote."""
CONNECTS_MORE = "redis-connects-more"
"""Has sixteen connections where it is told to have one."""
RECORDS_MORE = "redis-records-one-more"
"""Has more records than turns in a closed loop, and asks for one key of each batch."""
CONTENDERS = [*HONEST, *(name for name, _ in ACCUSED), *UNSERVED, *OTHERS]
TRIALS_FAILED = (4, 5)
"""Exit code of the run: one cheat is found out before its trial begins."""

pytestmark = [pytest.mark.e2e, pytest.mark.long(3), pytest.mark.needs("cargo")]


def made(folder: Path) -> Path:
    """The contender that cheats a database in a way: both are in the folder's name."""
    database, way = folder.name.split("-", 1)
    shutil.copytree(REPOSITORY / "tests" / "sabotage" / "databases", folder)
    manifest = folder / "contender.toml"
    said = manifest.read_text("utf-8")
    filled = {"NAME": folder.name, "WAY": way, "SERVICE": database, "MODE": MODES[database]}
    for capitals, name in filled.items():
        said = said.replace(f'"{capitals}"', f'"{name}"').replace(f":{capitals}", f":{name}")
    manifest.write_text(said, "utf-8")
    return folder


def made_of_honest(folder: Path, file: str, way: str = "") -> Path:
    """The honest client of Redis, with this worker instead of its own, which is told its way."""
    programs = {f"databases/{name}": None for name in (file, "caching.py")}
    return remade(folder, "kv", ASKS, programs, way=way)


@pytest.fixture(scope="module")
def single_records(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    here = tmp_path_factory.mktemp("records")
    names = [ASKS, str(made_of_honest(here / "contenders" / CACHES, "caching.py"))]
    for file, cheats in (("writing.py", WRITES_LESS), ("reading.py", (*READS_LESS, GIVES_OLD))):
        for name in cheats:
            way = name.removeprefix("redis-ycsb-")
            names.append(str(made_of_honest(here / "contenders" / name, file, way)))
    options = ["--scenario", "ycsb", "--profile", "check", *only("--contender", names)]
    found: list[dict[str, Any]] = result_of(run_suite(here, "kv", *options))["cells"]
    return [cell for cell in found if cell["step"]]


@pytest.fixture(scope="module")
def applications(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    here = tmp_path_factory.mktemp("applications")
    names = [ASKS, str(made_of_honest(here / "contenders" / REMEMBERS, "remembering.py"))]
    options = ["--scenario", "asgi", "--profile", "check", *only("--contender", names)]
    result = result_of(run_suite(here, "kv", *options))
    return {cell["contender"]: cell for cell in result["cells"] if cell["step"]}


@pytest.fixture(scope="module")
def pools(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    here = tmp_path_factory.mktemp("pools")
    names = [ASKS, str(made_of_honest(here / "contenders" / CONNECTS_MORE, "pooling.py"))]
    options = ["--scenario", "connections-1", "--profile", "check", *only("--contender", names)]
    result = result_of(run_suite(here, "kv", *options))
    return {cell["contender"]: cell for cell in result["cells"] if cell["step"]}


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("rounds")
    names = [ASKS, str(made(here / "contenders" / RECORDS_MORE))]
    options = ["--scenario", "client", "--profile", "check", *only("--contender", names)]
    return run_suite(here, "kv", *options, ends_with=TRIALS_FAILED)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("cheats")
    cheats = [str(made(here / "contenders" / name)) for name in CONTENDERS[len(HONEST) :]]
    options = ["--scenario", "client-paced", "--profile", "check", "--seed", "1"]
    options += only("--contender", [*HONEST, *cheats])
    return run_suite(here, "kv", *options, ends_with=TRIALS_FAILED)


@pytest.fixture(scope="module")
def cells(run: Path) -> dict[str, dict[str, Any]]:
    found = {cell["contender"]: cell for cell in result_of(run)["cells"] if cell["step"]}
    assert set(found) == set(CONTENDERS)
    return found


def findings(cell: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["gate"]: one for one in cell["findings"]}


@pytest.mark.parametrize(("name", "accused_of"), ACCUSED)
def test_it_is_accused_of_what_it_does(
    cells: dict[str, dict[str, Any]], name: str, accused_of: tuple[str, str]
) -> None:
    gate, what = accused_of
    found = findings(cells[name])[gate]
    assert found["verdict"] == "invalid"
    ((operation,),) = found["evidence"]["trials"].values()
    assert operation["operation"] == "read"
    assert operation["examples"]
    assert operation["of"] > 100
    assert operation[what] >= (operation["of"] if name in ALWAYS else LEAST)


def test_its_answers_are_right_all_the_same(cells: dict[str, dict[str, Any]]) -> None:
    accused = {name: set(findings(cells[name])) for name, _ in ACCUSED}
    assert len(accused) == 15
    assert all(
        not gates & {"wrong-answer", "fast-not-found", "trial-failed", "loss-or-error"}
        for gates in accused.values()
    ), accused


def test_who_computes_the_values_without_asking_does_not_know_them(
    cells: dict[str, dict[str, Any]],
) -> None:
    found = findings(cells[FORETELLS])["wrong-answer"]
    assert found["verdict"] == "invalid"
    assert "other values: checksum" in str(found["evidence"])


def test_a_version_that_is_not_the_one_that_was_built_is_told_of(
    cells: dict[str, dict[str, Any]],
) -> None:
    found = findings(cells[ANOTHER_VERSION])["another-version"]
    assert found["verdict"] == "warn"
    assert found["evidence"] == {"built": {"redis": "8.1.0"}, "said": "9.0.0"}
    told = [name for name, cell in cells.items() if "another-version" in findings(cell)]
    assert told == [ANOTHER_VERSION]


def test_who_speaks_so_that_nobody_can_follow_has_no_figures(
    cells: dict[str, dict[str, Any]],
) -> None:
    found = findings(cells[BLINDS])["unwitnessed"]
    assert found["verdict"] == "invalid"
    (trial,) = found["evidence"]["trials"].values()
    assert trial["unfollowed"] == trial["unseen"] > 100
    assert trial["dropped"] == 0
    assert cells[BLINDS]["ranks"] == {}


def test_who_leaves_the_witness_no_room_has_no_figures(cells: dict[str, dict[str, Any]]) -> None:
    found = findings(cells[DROWNS])["unwitnessed"]
    assert found["verdict"] == "invalid"
    (trial,) = found["evidence"]["trials"].values()
    assert trial["drowned"] > 50
    assert trial["unfollowed"] == 0
    assert cells[DROWNS]["ranks"] == {}


@confined
def test_the_files_of_the_database_are_not_there_for_its_client(run: Path) -> None:
    (folder,) = run.glob(f"trials/*-{READS_FILES}*")
    record = json.loads((folder / "trial.json").read_bytes())
    assert record["status"] == "ok", record["detail"]
    # There was something to find: the snapshot, where the database keeps it.
    assert (folder / "server" / "dump.rdb").stat().st_size > 100_000


def test_the_secret_is_told_once_the_trial_has_ended_and_is_another_in_each(run: Path) -> None:
    records = [json.loads(path.read_bytes()) for path in run.glob("trials/*/trial.json")]
    assert len(records) == len(CONTENDERS)
    secrets = {record["secret"] for record in records}
    assert len(secrets) == len(records)
    assert {len(secret) for secret in secrets} == {64}
    specs = [path.read_text() for path in run.glob("trials/*/*.spec.json")]
    assert len(specs) == 2 * len(records)
    assert not [secret for secret in secrets if any(secret in spec for spec in specs)]


def test_who_asks_the_bench_server_for_less_than_it_says_is_accused_by_its_ledger(
    run: Path, cells: dict[str, dict[str, Any]]
) -> None:
    entries = {}
    for path in run.glob("trials/*/trial.json"):
        record = json.loads(path.read_bytes())
        entries[record["planned"]["contender"]] = record["ledger_steps"].get("k200", {})
        assert bool(record["ledger"]) == bool(record["ledger_steps"])
    # 150 batches of 200 keys, most of which are different, and a preflight.
    assert entries[COUNTED]["read"]["claimed"] > 150 * 180
    assert entries[COUNTED]["read"]["served"] >= entries[COUNTED]["read"]["claimed"]
    assert "not-served" not in findings(cells[COUNTED])
    for name in UNSERVED:
        found = findings(cells[name])["not-served"]
        assert found["verdict"] == "invalid"
        assert list(found["evidence"]["trials"].values()) == [entries[name]]
        assert entries[name]["read"]["served"] < entries[name]["read"]["claimed"]
        assert "not-on-the-wire" in findings(cells[name])
    # Redis counts the keys that it looks for; PostgreSQL does not say in time.
    counted = {name for name, entry in entries.items() if entry}
    telling = {name for name in CONTENDERS if name.startswith(("redis-", "bench-"))}
    assert counted == {COUNTED, *telling} - {FORETELLS}  # whose trial never began
    of_redis = entries[HONEST[0]]["read"]
    assert of_redis["served"] >= of_redis["claimed"] > 150 * 180
    assert "not-served" not in findings(cells[HONEST[0]])
    # What never asks again has asked for everything before: within a second of the first operation
    # nobody knows what that was for.
    for name in ("redis-answers-from-a-cache", "redis-coalesces"):
        assert findings(cells[name])["not-served"]["verdict"] == "invalid"


def test_an_application_that_has_its_rows_before_it_is_asked_is_accused_by_its_database(
    applications: dict[str, dict[str, Any]],
) -> None:
    found = findings(applications[REMEMBERS])
    assert found["not-served"]["verdict"] == "invalid"
    (operations,) = found["not-served"]["evidence"]["trials"].values()
    # 20 requests for 1,800 records each, some of which are drawn twice.
    assert operations["request"]["claimed"] > 15 * 1_700
    assert operations["request"]["served"] < 1_000
    assert "wrong-answer" not in found
    assert "not-served" not in findings(applications[ASKS])


def test_who_keeps_single_records_is_accused_by_its_database(
    single_records: list[dict[str, Any]],
) -> None:
    gates = {(cell["contender"], cell["step"]): findings(cell) for cell in single_records}
    steps = {step for _, step in gates}
    assert len(steps) == 5
    for step in steps:
        # What others write while it reads, its cache may miss by chance.
        assert gates[CACHES, step]["not-served"]["verdict"] == "invalid"
        assert "not-served" not in gates[ASKS, step]


def test_who_gives_what_others_have_replaced_has_wrong_answers(
    single_records: list[dict[str, Any]],
) -> None:
    gates = [findings(cell) for cell in single_records if cell["contender"] == GIVES_OLD]
    assert len(gates) == 5
    assert [found for found in gates if "loss-or-error" in found]
    assert not [found for found in gates if "not-served" in found]


@pytest.mark.parametrize("name", [*READS_LESS, *WRITES_LESS])
def test_who_does_not_read_or_write_every_record_is_accused_by_its_database(
    single_records: list[dict[str, Any]], name: str
) -> None:
    gates = [findings(cell) for cell in single_records if cell["contender"] == name]
    assert len(gates) == 5
    for found in gates:
        assert found["not-served"]["verdict"] == "invalid"
        # Who shares reads may also give an old record: it depends on who is scheduled when.
        assert "trial-failed" not in found


def test_who_has_more_connections_than_it_is_told_is_accused(
    pools: dict[str, dict[str, Any]],
) -> None:
    found = findings(pools[CONNECTS_MORE])["more-connections"]
    assert found["verdict"] == "invalid"
    ((told,),) = (one.values() for one in found["evidence"]["trials"].values())
    assert told["used"] > told["at_most"] == 1
    assert "more-connections" not in findings(pools[ASKS])


def test_who_records_more_than_its_turns_has_no_figures(rounds: Path) -> None:
    paths = rounds.glob("trials/*/trial.json")
    records = [json.loads(path.read_bytes()) for path in paths]
    trials = {record["planned"]["contender"]: record for record in records}
    assert trials[RECORDS_MORE]["status"] == "failed"
    # Where an answer was given between the two records, the second was written too late.
    assert trials[RECORDS_MORE]["reason"] in {"more-than-turns", "rewritten-records"}
    assert trials[ASKS]["status"] == "ok", trials[ASKS]["detail"]
    for cell in result_of(rounds)["cells"]:
        accused = {"trial-failed", "not-on-the-wire", "sent-before-start", "not-served"}
        assert bool(accused & set(findings(cell))) == (cell["contender"] == RECORDS_MORE)


@pytest.mark.parametrize("name", HONEST)
def test_the_honest_one_is_not_accused_and_divided_at_the_wire(
    cells: dict[str, dict[str, Any]], name: str
) -> None:
    honest = cells[name]
    assert not {"not-on-the-wire", "sent-before-start", "unwitnessed"} & set(findings(honest))
    metrics = honest["metrics"]
    assert metrics["read.wire.matched"]["value"] == 100
    # Names of more than 180 keys, and 13 bins of 8 bytes of more than 160 records.
    assert metrics["read.wire.bytes"]["value"] > 180 * 4 + 160 * 104
    # Medians need more samples than a busy host may leave in a second; means add up.
    parts = [metrics[f"read.wire.{part}.mean"]["value"] for part in ("before", "server", "after")]
    assert sum(parts) == pytest.approx(metrics["read.latency.mean"]["value"])
