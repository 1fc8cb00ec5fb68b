"""Every way a worker can misbehave, through the real core: named, and nothing left behind."""

from __future__ import annotations

import json
from typing import Any

import pytest

from e2e.conftest import SuiteRepository
from wirelab.processes import leftovers

pytestmark = pytest.mark.e2e

FAILED_TRIALS = {
    "never-ready": "never-ready",
    "speaks-version-1": "wrong-contract",
    "garbage": "garbage-output",
    "floods": "flooded-output",
    "long-line": "flooded-output",
    "exits-with-error": "exited",
    "exits-early": "exited",
    "fails-after-done": "exit-code",
    "hangs": "ignored-stop",
    "ignores-stop": "ignored-stop",
    "leaves-child": "left-children",
    "clears-environment": "left-children",
    "leaves-grandchild": "left-children",
    "truncated": "sample-file",
    "foreign-file": "sample-file",
    "foreign-record-size": "sample-file",
    "foreign-clock": "sample-file",
    "no-samples": "sample-file",
    "miscounts": "record-count",
    "wrong-checksum": "answer-checksum",
    "answers-first": "rewritten-records",
    "constant": "wrong-answer",
}
"""Contender: reason code of its trial."""

GATES = {
    "drops-ticks": "rate-missed",
    "starts-late": "late-start",
    "moves-ticks": "clock",
    "swapped": "wrong-answer",
    "loses-writes": "wrong-answer",
    "cached": "wrong-answer",
}
"""Contender whose trial gives samples: the gate that must speak."""


def expected_code(house: SuiteRepository) -> int:
    """Exit code of a run with failed trials: whether a cell is valid is up to the machine."""
    result = json.loads((house.only_run() / "result.json").read_text())
    return 4 if any(cell["verdict"] != "invalid" for cell in result["cells"]) else 5


@pytest.fixture(scope="module")
def run(shared_house: SuiteRepository) -> dict[str, Any]:
    ended = shared_house.here(
        "run", "loopback", "--scenario", "s1", "--profile", "once", "--seed", "1"
    )
    assert ended.returncode == expected_code(shared_house), ended.stdout + ended.stderr
    folder = shared_house.only_run()
    result = json.loads((folder / "result.json").read_text())
    records = [json.loads(path.read_text()) for path in folder.glob("trials/*/trial.json")]
    return {
        "id": folder.name,
        "cells": {cell["contender"]: cell for cell in result["cells"]},
        "records": {record["planned"]["contender"]: record for record in records},
        "output": ended.stdout,
        "report": (folder / "report-en.md").read_text(),
    }


@pytest.mark.parametrize(("contender", "reason"), FAILED_TRIALS.items())
def test_the_trial_fails_with_its_reason(run: dict[str, Any], contender: str, reason: str) -> None:
    record = run["records"][contender]
    assert (record["status"], record["reason"]) == ("failed", reason), record["detail"]
    assert record["detail"]
    assert f"{contender}: {reason}: {record['detail']}" in run["output"]
    cell = run["cells"][contender]
    assert cell["verdict"] == "invalid"
    assert cell["ranks"] == {}


def test_who_speaks_version_1_is_told_what_is_spoken(run: dict[str, Any]) -> None:
    said = "client speaks version 1 of the contract, not 2: docs/reference/worker-contract.md"
    assert run["records"]["speaks-version-1"]["detail"] == said


def test_that_trials_failed_is_a_sentence(run: dict[str, Any]) -> None:
    failed = [r for r in run["records"].values() if r["status"] == "failed"]
    assert len(failed) >= len(FAILED_TRIALS)
    assert f"{len(failed)} of {len(run['records'])} trials failed: " in run["output"]


def test_that_no_cell_is_valid_is_a_sentence(house: SuiteRepository) -> None:
    ended = house.here(
        *("run", "loopback", "--scenario", "s1", "--profile", "once"),
        *("--contender", "exits-with-error"),
    )
    assert ended.returncode == 5, ended.stdout + ended.stderr
    assert "1 of 1 trials failed: exited (1)." in ended.stdout
    assert "No cell is valid (trial-failed)" in ended.stdout


@pytest.mark.parametrize(("contender", "gate"), GATES.items())
def test_the_gate_makes_the_cell_invalid(run: dict[str, Any], contender: str, gate: str) -> None:
    cell = run["cells"][contender]
    found = {finding["gate"]: finding["verdict"] for finding in cell["findings"]}
    assert gate in found, (found, run["records"][contender]["detail"])
    assert found[gate] in ("invalid", "warn")


def test_wrong_answers_have_no_figures(run: dict[str, Any]) -> None:
    for contender in ("cached", "constant", "loses-writes", "swapped"):
        cell = run["cells"][contender]
        assert cell["verdict"] == "invalid", contender
        assert all(metric["value"] is None for metric in cell["metrics"].values()), contender


def test_standard_error_of_a_failed_worker_is_kept(run: dict[str, Any]) -> None:
    record = run["records"]["exits-with-error"]
    tail = record["roles"]["client"]["stderr_tail"]
    assert tail.strip()
    assert tail.strip().splitlines()[-1] in run["report"]


def test_the_honest_contender_is_not_harmed_by_its_neighbours(run: dict[str, Any]) -> None:
    cell = run["cells"]["honest"]
    assert run["records"]["honest"]["status"] == "ok"
    assert run["records"]["honest"]["verified"] > 0
    spoken = {finding["gate"] for finding in cell["findings"] if finding["verdict"] == "invalid"}
    assert not spoken & {"wrong-answer", "rate-missed", "loss-or-error", "clock", "trial-failed"}
    assert cell["metrics"]["read.rate"]["value"] is not None


def test_a_worker_that_clears_its_environment_is_ended_too(run: dict[str, Any]) -> None:
    assert "1 processes" in run["records"]["clears-environment"]["detail"]
    mark = f"{run['id']}/"
    assert leftovers.marked(lambda marked: marked.startswith(mark)) == set()


def test_every_contender_of_the_suite_is_expected_here(run: dict[str, Any]) -> None:
    elsewhere = {"honest", "server-dies", "server-never-ready"}
    assert set(run["cells"]) <= set(FAILED_TRIALS) | set(GATES) | elsewhere
