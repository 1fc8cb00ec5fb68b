"""Variants: which one is checked, what it changes, and which of its faults are played."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from to_check import workers

from wirelab import conform
from wirelab.conform import Check, CheckedWorker
from wirelab.model.mistake import MistakeError
from wirelab.run.checking import WantedChecks

SABOTAGE = Path(__file__).parents[1] / "sabotage"
HONEST = SABOTAGE / "suite/contenders/honest"

BREAKING = """
[scenarios.s1.variants.down]
title = { en = "Server down" }
faults = [{ at = "before-client", action = "kill", role = "server" }]

[scenarios.s1.variants.late]
title = { en = "Connects at tick 0" }
parameters = { connect = "timed" }

[scenarios.s1.variants.frozen]
title = { en = "Server stopped for a while" }
faults = [
  { at = "500ms", action = "stop", role = "server" },
  { at = "900ms", action = "continue", role = "server" },
]
"""
HARMLESS = """
[scenarios.s1.variants.reads]
title = { en = "Reads only" }
parameters = { mood = "calm" }
operations = ["read"]

[scenarios.s1.variants.both]
title = { en = "All operations" }
parameters = { mood = "busy" }
"""
OWN = """
mood = { type = "text", meaning = "what changes nothing" }
connect = { type = "text", choices = ["before", "timed"], meaning = "when a client connects" }
"""
REFUSED, ITEM_ERROR = 4, 5


def suite_with(tmp_path: Path, variants: str) -> Path:
    """The sabotage suite with ``variants`` added to its scenario."""
    manifest = (SABOTAGE / "suite/suite.toml").read_text()
    manifest = manifest.replace("{source}/../workers", str(SABOTAGE / "workers"))
    manifest = manifest.replace("[parameters]\n", f"[parameters]\n{OWN}", 1)
    (tmp_path / "suite.toml").write_text(manifest + variants)
    (tmp_path / "verify.py").write_text((SABOTAGE / "suite/verify.py").read_text())
    return tmp_path


def client(
    tmp_path: Path, wanted: WantedChecks, variants: str = BREAKING + HARMLESS
) -> CheckedWorker:
    """The client of the honest contender."""
    [worker] = workers(HONEST, replace(wanted, scenario="s1"), suite_with(tmp_path, variants))
    return worker


def checked(worker: CheckedWorker) -> dict[str, Check]:
    return {check.name: check for check in conform.check(worker)}


def test_the_first_variant_that_breaks_nothing_is_taken(tmp_path: Path) -> None:
    worker = client(tmp_path, WantedChecks())
    spec = conform.make_spec(worker, "t", tmp_path, 12, {}, {})
    assert spec["variant"] == "reads"
    assert list(spec["operations"]) == ["read"]
    assert spec["parameters"] == {"tags": 16, "write_every": 4, "mood": "calm"}


def test_a_variant_without_operations_has_all_of_them(tmp_path: Path) -> None:
    worker = client(tmp_path, WantedChecks(variant="both", parameters={"mood": "mine"}))
    assert list(worker.operations) == ["read", "write"]
    assert worker.parameters["mood"] == "mine"


def test_a_scenario_without_variants_has_none() -> None:
    [worker] = workers(HONEST, WantedChecks(scenario="s1"))
    assert worker.variant == ""


def test_a_connect_that_the_scenario_times_is_passed_over(tmp_path: Path) -> None:
    timed = '[scenarios.s1.parameters]\nconnect = "timed"\n'
    suite = suite_with(tmp_path, HARMLESS.replace('mood = "busy"', 'connect = "before"'))
    manifest = (suite / "suite.toml").read_text()
    (suite / "suite.toml").write_text(manifest.replace("[scenarios.s1.parameters]\n", timed))
    [worker] = workers(HONEST, WantedChecks(scenario="s1"), suite)
    assert worker.variant == "both"


@pytest.mark.parametrize(
    ("variants", "asked", "said"),
    [
        (BREAKING, "", "choose one with --variant: down, late, frozen"),
        (HARMLESS, "storm", r'no variant "storm"'),
        ("", "storm", r'no variant "storm"'),
    ],
)
def test_a_variant_that_cannot_be_chosen(
    tmp_path: Path, variants: str, asked: str, said: str
) -> None:
    with pytest.raises(MistakeError, match=said):
        client(tmp_path, WantedChecks(variant=asked), variants)


def test_the_honest_worker_passes_under_a_variant(tmp_path: Path) -> None:
    checks = checked(client(tmp_path, WantedChecks()))
    assert [str(check) for check in checks.values() if check.outcome == "fail"] == []
    assert checks["samples"].detail.startswith("12 records")


def test_a_partner_that_is_killed_before_is_dead(tmp_path: Path) -> None:
    ready = checked(client(tmp_path, WantedChecks(variant="down")))["ready"]
    assert ready.outcome == "fail"
    assert "Connection refused" in ready.detail


def test_faults_that_are_not_played_are_named(tmp_path: Path) -> None:
    faults = checked(client(tmp_path, WantedChecks(variant="frozen")))["faults"]
    assert faults.outcome == "n/a"
    assert faults.detail.endswith("stop server at 0.5 s, continue server at 0.9 s")


def always(tmp_path: Path, status: int) -> CheckedWorker:
    """A client that records ``status`` at every tick and never writes an answer."""
    source = tmp_path / "worker.py"
    source.write_text(f"""
import sys
sys.path.insert(0, {str(SABOTAGE / "workers")!r})
from reference import *

class Always(Reference):
    def measure(self):
        self.say_ready()
        command = self.command(None)
        if command["command"] != "start":
            return
        for _, intended_ns in self.ticks(command["monotonic_ns"]):
            now = time.monotonic_ns()
            fields = (intended_ns, now, now, 0, 1, {status}, 0)
            self.samples.write(struct.pack("<QQQIBBH", *fields))
            self.count += 1

Always(read_spec()).run()
""")
    worker = replace(
        client(tmp_path, WantedChecks(variant="down")), command=[sys.executable, str(source)]
    )
    return replace(
        worker, operations={"read": {"code": 1, "every": 1, "items": 16, "preflight": 0}}
    )


def test_a_call_that_failed_owes_no_answer(tmp_path: Path) -> None:
    checks = checked(always(tmp_path, REFUSED))
    assert [str(check) for check in checks.values() if check.outcome == "fail"] == []
    assert checks["samples"].detail == "12 records, 12 not ok"
    assert checks["values"].outcome == "n/a"


def test_a_call_with_a_bad_item_owes_its_answer(tmp_path: Path) -> None:
    worker = replace(always(tmp_path, ITEM_ERROR), period_ns=50_000_000)
    answers = {check.name: check for check in conform.check(worker, parts=())}["answers"]
    assert answers.outcome == "fail"
    # An operation is asked for as long as it is its lane's last: which of 12 is a race.
    asked = re.match(r"(\d+) of (\d+) answers asked for were not given", answers.detail)
    assert asked is not None, answers.detail
    # One that is heard before the first operation, or after the last, is owed nothing: on a busy
    # machine that is several of them.
    assert int(asked[2]) > 5
    assert int(asked[2]) // 2 <= int(asked[1]) <= int(asked[2])
