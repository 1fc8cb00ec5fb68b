"""Variants whose calls are to fail: a worker that does not do what makes them fail is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.conftest import SuiteRepository

pytestmark = pytest.mark.e2e

CONTENDERS = "suites/refusals/contenders"
FAULTS = ("--scenario", "faults")


@pytest.fixture
def refusing(tmp_path: Path) -> SuiteRepository:
    return SuiteRepository(tmp_path, "refusals")


def verdicts(refusing: SuiteRepository, name: str, *words: str) -> tuple[int, dict[str, list[str]]]:
    """The exit code, and what each variant failed by."""
    ended = refusing.here("conform", f"{CONTENDERS}/{name}", *FAULTS, *words)
    found: dict[str, list[str]] = {}
    for line in ended.stdout.splitlines():
        if ", variant " in line:
            found[line.rpartition(", variant ")[2]] = failed = []
        elif line.startswith("  fail "):
            failed.append(line.removeprefix("  fail  "))
    return ended.returncode, found


def test_who_does_as_it_is_asked_passes_under_every_variant(refusing: SuiteRepository) -> None:
    ended = refusing.here("conform", f"{CONTENDERS}/honest", *FAULTS)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    variants = [line.split()[-1] for line in ended.stdout.splitlines() if ", variant " in line]
    assert variants == ["unknown-tag", "server-down", "secret-tag"]
    assert ended.stdout.count("pass  expected: none of 12 calls is recorded as ok") == 3
    assert ended.stdout.count("answers are right") == 2
    # Whole lives of the others, and nothing that is the same under all variants.
    assert ended.stdout.count("spec garbage") == 1
    left = "not checked, each with an option of its own: --scenario faults --variant server-restart"
    assert ended.stdout.splitlines()[-1] == left


def test_who_ignores_its_probe_is_told_what_to_do(refusing: SuiteRepository) -> None:
    code, found = verdicts(refusing, "ignores-its-probe", "--variant", "unknown-tag")
    assert code == 1
    assert list(found) == ["unknown-tag"]
    values, expected = found["unknown-tag"]
    assert values.startswith("values: measure read")
    assert expected == (
        "expected: 12 of 12 records of read are ok, though with probe = 'unknown-tag' an item of "
        "each call fails; do what this asks for, and record item-error (5) where an item is not "
        "good"
    )


def test_who_heeds_the_first_probe_alone_is_caught_by_the_next(refusing: SuiteRepository) -> None:
    code, found = verdicts(refusing, "heeds-one-probe")
    assert code == 1
    assert (found["unknown-tag"], found["server-down"]) == ([], [])
    assert [line.partition(":")[0] for line in found["secret-tag"]] == ["values", "expected"]


def test_who_hides_what_was_refused_is_caught(refusing: SuiteRepository) -> None:
    # Its answers are right: nothing but the records tells.
    code, found = verdicts(refusing, "hides-bad-items")
    assert code == 1
    assert [line.partition(":")[0] for line in found["unknown-tag"]] == ["expected"]
    assert found["server-down"] == [
        "expected: 12 of 12 records of read are ok, though server was killed before: record how a "
        "call ended that nobody answered"
    ]
