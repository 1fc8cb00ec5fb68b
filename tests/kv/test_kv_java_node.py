"""The harnesses of the suite kv in Java and Node.js: their own tests, and workers by contract."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from test_kv_programs import LIBRARIES, MILLISECOND, ROOT, step, worker

from kv.record_life import WRONG_ANSWER, RecordLife, finds_what_was_written, write_table
from wirelab import conform

SDK = ROOT / "sdk"
# In a closed loop lanes settle as well: 12 ticks of 3 lanes, 12 of 10.
TURNS = {"closed": 12 * 3 + 12 * 10, "open": 10 * 3 + 12 * 3 + 10 * 7}

needs_java = pytest.mark.needs("javac")
needs_node = pytest.mark.needs("node")


def checked(command: list[str], loop: str, **changes: Any) -> dict[str, conform.Check]:
    """Output of the checker about a worker that keeps the contract."""
    checks = conform.check(worker(command, loop, **changes))
    assert [str(check) for check in checks if check.outcome == "fail"] == []
    return {check.name: check for check in checks}


def check_records(command: list[str], folder: Path, workloads: str, **parameters: Any) -> None:
    """YCSB by a worker whose table is in its memory."""
    table = {"table": str(write_table(folder / "table")), **parameters}
    life = RecordLife(folder, command, *workloads, parameters=table)
    finds_what_was_written(life, len(workloads))


def check_wrong_records(command: list[str], folder: Path, fault: str, workload: str) -> None:
    """A table that is not what was written into it."""
    parameters = {"table": str(write_table(folder / "table")), "fault": fault}
    life = RecordLife(folder, command, workload, parameters=parameters)
    assert life.code == 0, life.stderr
    assert life.statuses[WRONG_ANSWER] > 0, life.statuses


def check_lanes(command: list[str], loop: str) -> None:
    found = checked(command, loop)
    assert found["schedule"].detail.startswith(f"{TURNS[loop]} turns of lanes")
    assert (found["answers"].outcome, found["values"].outcome) == ("pass", "pass")


# ---------------------------------------------------------------------------------------- Java
@pytest.fixture(scope="module", name="java")
def _java(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of a worker whose store is computed, compiled without a warning."""
    classes = tmp_path_factory.mktemp("classes")
    folders = [SDK / "java" / "src" / "main", LIBRARIES / "java" / "src"]
    sources = [file for folder in folders for file in folder.rglob("*.java")]
    options = ["--release", "17", "-Xlint:all", "-Werror", "-encoding", "UTF-8"]
    subprocess.run(["javac", *options, "-d", classes, *sources], check=True, timeout=600)
    runtime = ["java", "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    return [*runtime, "-cp", str(classes), "io.wirelab.kv.Memory"]


@needs_java
@pytest.mark.parametrize("loop", ["closed", "open"])
def test_lanes_in_java_keep_the_contract(java: list[str], loop: str) -> None:
    check_lanes(java, loop)


@needs_java
def test_records_in_java_are_what_was_written(java: list[str], tmp_path: Path) -> None:
    check_records(java, tmp_path, "abcfd")


@needs_java
def test_whole_records_in_java_are_what_was_written(java: list[str], tmp_path: Path) -> None:
    """The table refuses a write of a part of a record."""
    check_records(java, tmp_path, "af", whole=True)


@needs_java
@pytest.mark.parametrize(("fault", "workload"), [("dropped", "a"), ("lost-update", "f")])
def test_records_in_java_that_are_not_are_told(
    java: list[str], tmp_path: Path, fault: str, workload: str
) -> None:
    check_wrong_records(java, tmp_path, fault, workload)


# ------------------------------------------------------------------------------------- Node.js
@pytest.fixture(scope="module", name="packages")
def _packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The harness and the SDK where the builder puts them."""
    packages = tmp_path_factory.mktemp("worker") / "node_modules"
    shutil.copytree(SDK / "node", packages / "wirelab-sdk")
    shutil.copytree(LIBRARIES / "node", packages / "wirelab-kv")
    return packages


@pytest.fixture(scope="module", name="node")
def _node(packages: Path) -> list[str]:
    """The same worker."""
    return ["node", str(packages / "wirelab-kv" / "test" / "memory.js")]


@needs_node
def test_the_harness_in_javascript_is_sound(packages: Path) -> None:
    tests: list[Path] = sorted((packages / "wirelab-kv" / "test").glob("*.test.js"))
    command = ["node", "--test", "--test-reporter=tap", *map(str, tests)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "# pass 11" in ended.stdout


@needs_node
@pytest.mark.parametrize("loop", ["closed", "open"])
def test_lanes_in_javascript_keep_the_contract(node: list[str], loop: str) -> None:
    check_lanes(node, loop)


@needs_node
@pytest.mark.parametrize("barrier", [True, False])
def test_reads_without_an_end_are_given_up_in_javascript(node: list[str], *, barrier: bool) -> None:
    found = checked(
        node,
        "closed",
        steps=(step("few", users=3, set=1, keys=5),),
        parameters={"universe": 10_000, "ends": 20, "barrier": barrier},
        # A third of a second, for a busy machine reads late what came in time.
        operation_ns=300 * MILLISECOND,
        period_ns=500 * MILLISECOND,
    )
    # Two of the preflight and 18 of the 36 due have ended; the others are recorded all the same.
    assert found["samples"].detail.startswith("36 records, 18 not ok")
