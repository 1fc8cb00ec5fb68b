"""The engine's HTTP generator keeps the contract, in an open and in a closed loop."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from to_check import workers

from e2e.building import build_engine_behind_others
from wirelab import conform
from wirelab.build import Built, Part, PartBuilds, engine_part
from wirelab.manifest import load_contender, load_suite
from wirelab.run.checking import WantedChecks

ROOT = Path(__file__).parents[2]

SUITE = """
suite = "requests"
title = { en = "Requests", ko = "요청" }

[summary]
en = "Requests to the null server."
ko = "널 서버에 보내는 요청."

[parameters]
http_path = { type = "text", meaning = "path of a request" }
mode = { type = "text", choices = ["single", "gather"], meaning = "how the answer is made" }
"""

SCENARIO = """
[scenarios.LOOP]
title = { en = "LOOP", ko = "LOOP" }
load = { type = "LOOP", KEY = "20ms" }
operation_limit = "2s"

[scenarios.LOOP.roles]
server = { provider = "contender" }
generator = { provider = "engine:http", measured = true }

[scenarios.LOOP.operations]
request = { code = 1, preflight = 2, verify_ratio = 0.1 }
connect = { code = 2, due = "join", preflight = 0, verify_ratio = 0 }
server-time = { code = 3, record = "intervals", preflight = 0, verify_ratio = 0 }
http = { code = 4, record = "intervals", preflight = 0, verify_ratio = 0 }

[scenarios.LOOP.parameters]
http_path = "/predict?mode={mode}&request={request}"

[scenarios.LOOP.steps.few]
title = { en = "few", ko = "적음" }
users = 3
parameters = { mode = "single" }
[scenarios.LOOP.steps.many]
title = { en = "many", ko = "많음" }
users = 10
lanes = 8
parameters = { mode = "gather" }

[scenarios.LOOP.profiles]
smoke = { trials = 1, count = 200, settle = 50 }
"""

CONTENDER = """
contender = "null-http"
title = "null server"
language = "Rust"
roles = ["server"]

[library]
name = "wirelab engine"
version = "0.1.0"
licence = "Apache-2.0"

[notes]
en = "It answers."
ko = "응답합니다."

[build]
kind = "engine"

[run]
command = ["{build}/bin/wirelab-engine", "null-http"]
"""


def suite_in(folder: Path) -> Path:
    """A suite of one contender, the null server; its folder."""
    scenarios = "".join(
        SCENARIO.replace("LOOP", loop).replace("KEY", key)
        for loop, key in (("open", "period"), ("closed", "at_most"))
    )
    (folder / "suite.toml").write_text(SUITE + scenarios, "utf-8")
    contender = folder / "contenders" / "null-http"
    contender.mkdir(parents=True)
    (contender / "contender.toml").write_text(CONTENDER, "utf-8")
    return contender


def test_the_suite_of_these_tests_fits(tmp_path: Path) -> None:
    contender = suite_in(tmp_path)
    suite = load_suite(tmp_path / "suite.toml")
    assert load_contender(contender / "contender.toml", suite).contender == "null-http"


@pytest.mark.e2e
@pytest.mark.needs("cargo")
@pytest.mark.parametrize("loop", ["open", "closed"])
def test_the_generator_keeps_the_contract(tmp_path: Path, loop: str) -> None:
    build_engine_behind_others()
    built = PartBuilds(ROOT).prepare(engine_part(ROOT, "http"))

    def prepare(part: Part) -> Built:
        return replace(built, part=replace(built.part, run=part.run))

    wanted = WantedChecks(scenario=loop, role="generator", command=built.command("generator"))
    [generator] = workers(suite_in(tmp_path), wanted, prepare=prepare)
    checks = {check.name: check for check in conform.check(generator)}
    assert [str(check) for check in checks.values() if check.outcome == "fail"] == []
    assert checks["samples"].detail.endswith(" records, 0 not ok")
    assert checks["intervals"].outcome == "pass"
    assert ("steps" in checks) == (loop == "closed")
