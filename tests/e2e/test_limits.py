"""Limits of a role: who exceeds them ends one trial, with a plain reason, and nobody else's."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from e2e.attackers import Attacker, write_suite
from e2e.conftest import MEASURED, SABOTAGED, SuiteRepository
from wirelab.cgroups.group import Need
from wirelab.cgroups.hierarchies import hierarchies
from wirelab.cgroups.offer import offered
from wirelab.processes import leftovers

pytestmark = pytest.mark.e2e

Json = dict[str, Any]

LIMITS = ("--role-memory", "200MiB", "--role-processes", "60")

REASONS = {
    "fork-bomb": (
        "too-many-processes",
        "client started more processes and threads than it may have at a time: 60",
    ),
    "memory-hog": (
        "out-of-memory",
        "client needed more memory than it may have: 200 MiB (--role-memory)",
    ),
}

PATIENT = {'ready_limit = "3s"': 'ready_limit = "60s"', 'stop_limit = "3s"': 'stop_limit = "60s"'}


def greedy_house(root: Path) -> SuiteRepository:
    """The suite of sabotaged workers with contenders that take more than they may."""
    attackers = dict.fromkeys((*REASONS, "honest"), Attacker("greedy"))
    write_suite(root / "suites" / "greedy", attackers, PATIENT)
    house = SuiteRepository(root, "loopback")
    (root / "suites" / "loopback").unlink()
    return house


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> SuiteRepository:
    offer = offered(hierarchies())
    if not {Need.MEMORY, Need.PROCESSES} <= offer.places.keys():
        pytest.skip(f"no limits can be held: {offer.reason}")
    house = greedy_house(tmp_path_factory.mktemp("attacked"))
    ended = house.here("run", "greedy", "--profile", "once", "--seed", "1", *LIMITS)
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    return house


@pytest.fixture(scope="module")
def records(attacked: SuiteRepository) -> dict[str, Json]:
    found = [json.loads(p.read_bytes()) for p in attacked.only_run().glob("trials/*/trial.json")]
    return {record["planned"]["contender"]: record for record in found}


@pytest.mark.parametrize("attack", sorted(REASONS))
def test_who_takes_more_than_it_may_ends_its_trial(records: dict[str, Json], attack: str) -> None:
    reason, sentence = REASONS[attack]
    record = records[attack]
    assert (record["status"], record["reason"]) == ("failed", reason), record["detail"]
    assert record["detail"].startswith(sentence)
    assert record["role"] == "client"


def test_others_are_measured_within_the_same_limits(records: dict[str, Json]) -> None:
    assert (records["honest"]["status"], records["honest"]["reason"]) == ("ok", "")


def test_nothing_is_left_of_it(attacked: SuiteRepository) -> None:
    run = attacked.only_run().name
    assert leftovers.marked(lambda mark: mark.startswith(f"{run}/")) == set()


def test_limits_are_told(attacked: SuiteRepository) -> None:
    run = attacked.only_run()
    english, korean = ((run / f"report-{which}.md").read_text() for which in ("en", "ko"))
    assert "**memory of a role at most**: 209.7\N{NO-BREAK SPACE}MB" in english
    assert "**processes and threads of a role at most**: 60" in english
    assert "**역할당 메모리 상한**: 209.7\N{NO-BREAK SPACE}MB" in korean


# ---------------------------------------------------------------- limits that a scenario declares

LIMITED = """
[scenarios.s1.variants.little]
title = { en = "little", ko = "적음" }
limits.client = { memory = "200MiB", processor = 0.5 }

[scenarios.s1.profiles]
"""


ADAPTED = """[
  { memory = "1GiB", words = { "memory-hog" = "memory-hog" } },
  { memory = "200MiB", words = { "memory-hog" = "honest" } },
  { memory = "100MiB", words = { "memory-hog" = "memory-hog" } },
]"""
"""The hog behaves where it is given 200 MiB: neither what is for more nor for less is taken."""


@pytest.fixture(scope="module")
def little(tmp_path_factory: pytest.TempPathFactory) -> SuiteRepository:
    """A house whose scenario gives its client little, to which one contender is adapted."""
    root = tmp_path_factory.mktemp("little")
    attackers = dict.fromkeys(("memory-hog", "adapted", "honest"), Attacker("greedy"))
    changes = {**PATIENT, "\n[scenarios.s1.profiles]\n": LIMITED}
    write_suite(root / "suites" / "greedy", attackers, changes)
    adapted = root / "suites" / "greedy" / "contenders" / "adapted" / "contender.toml"
    text, made = re.subn(
        r', "adapted"\] \}', f', "memory-hog"], within = {ADAPTED} }}', adapted.read_text()
    )
    assert made == 1
    adapted.write_text(text)
    house = SuiteRepository(root, "loopback")
    (root / "suites" / "loopback").unlink()
    return house


def test_a_scenario_that_limits_a_role_finds_who_needs_more(little: SuiteRepository) -> None:
    offer = offered(hierarchies())
    if not {Need.MEMORY, Need.SHARE} <= offer.places.keys():
        pytest.skip(f"no limits can be held: {offer.reason}")
    ended = little.here("run", "greedy", "--profile", "once", "--seed", "1")
    # That one needs more is what was asked, and no failure of the run.
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    run = little.only_run()
    found = [json.loads(path.read_bytes()) for path in run.glob("trials/*/trial.json")]
    ends = {record["planned"]["contender"]: record["reason"] for record in found}
    assert ends == {"memory-hog": "out-of-memory", "adapted": "", "honest": ""}
    assert "client needed more memory than it may have: 200 MiB" in (
        next(record["detail"] for record in found if record["reason"])
    )
    korean = (run / "report-ko.md").read_text()
    assert "허용된 것보다 많은 메모리가 필요함" in korean


def test_without_control_groups_nobody_takes_part_and_the_reason_is_said(
    little: SuiteRepository,
) -> None:
    ended = little.here("run", "greedy", "--profile", "once", "--no-cgroups")
    assert ended.returncode == 2, ended.stdout + ended.stderr
    said = " ".join((ended.stdout + ended.stderr).split())
    assert "no contender of greedy can run on this machine: it limits a share of" in said
    assert "--no-cgroups" in said
