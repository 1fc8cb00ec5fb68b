"""Statements of the study against the figures of a run: the interval decides, and nothing is said
that no figure carries."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from report_build import metric
from websocket_sample import REDIS, SUITE, about, sample, with_metric, without
from websocket_text import grounds, part, published, report, stand

from tree import suites_of_the_tree
from wirelab.manifest import load_suite
from wirelab.model.result import Series, Verdict
from wirelab.report.cell_table import stepped
from wirelab.report.context import Context
from wirelab.report.sources import composer
from wirelab.words.translation import words

INTERPRETED = {"JavaScript", "Python", "TypeScript"}


def languages() -> set[str]:
    """The languages of contenders of the suite that can run."""
    suite = suites_of_the_tree().suite("websocket")
    manifests = [entry.manifest for entry in suite.contenders.values()]
    return {manifest.language for manifest in manifests if not manifest.unavailable.en}


def test_every_rule_of_the_suite_s_own_has_a_statement_and_each_is_shown(tmp_path: Path) -> None:
    compose = composer("websocket", SUITE)
    context = Context(sample(), Series(cells={}), words("en"), published())
    parts = stepped(context, "ramp")
    rules = compose.__globals__["all_rules"](context, parts)
    own = {claim.key for claim in published().claims if not claim.rules and claim.open is None}
    assert set(rules) == own
    text = report(tmp_path, sample()).split("## A.")[0].replace("\\_", "_")
    for claim in published().claims:
        assert claim.text.of("en") in text, claim.key


def test_defects_name_statements_and_metrics_that_exist() -> None:
    found = published()
    known = {f"claim.{claim.key}" for claim in found.claims} | {"versions"}
    known |= {f"conditions.{item.key}" for item in found.conditions}
    known |= {name for of in (*found.figures.values(), *found.said.values()) for name in of}
    assert len(found.defects) == 33
    for defect in found.defects:
        assert defect.metrics, defect.id
        for pattern in defect.metrics:
            assert any(fnmatchcase(name, pattern) for name in known), (defect.id, pattern)
        assert defect.title.ko
        assert defect.text.ko


@pytest.mark.parametrize(
    ("cpu", "expected"),
    [
        (about(38.0, "%"), "contradicted"),
        (about(85.0, "%"), "undecided"),
        (about(97.0, "%"), "supported"),
    ],
)
def test_a_full_loop_and_an_idle_one(tmp_path: Path, cpu: object, expected: str) -> None:
    found = with_metric(sample(), "node-ws", "cpu.mean", cpu)  # type: ignore[arg-type]
    assert stand(report(tmp_path, found), "Under load the event queue of Node.js") == expected


@pytest.mark.parametrize("language", sorted(languages()))
def test_every_language_is_compiled_or_interpreted(tmp_path: Path, language: str) -> None:
    found = sample()
    here = {name: p.manifest.language for name, p in found.participants.items()}
    alone = [name for name in here if name not in {"axum", "fastapi", "node-ws"}]
    axum = found.participants["axum"]
    manifest = axum.manifest.model_copy(update={"language": language})
    taken = {**found.participants, "axum": axum.model_copy(update={"manifest": manifest})}
    found = without(found.model_copy(update={"participants": taken}), contender=alone)
    statement = "Compiled languages perform better"
    counted = "servers of only one kind" not in grounds(report(tmp_path, found), statement)
    assert counted is (language not in INTERPRETED)


def test_intervals_decide_not_values(tmp_path: Path) -> None:
    statement = "STOMP reaches a lower RTT thanks to its broker"
    told = {}
    for value, spread in ((4.0, 0.2), (2.0, 0.04), (7.0, 0.04)):
        p95 = about(value, spread=spread)
        found = with_metric(sample(), "spring-stomp", "rtt.response.p95", p95)
        told[value] = stand(report(tmp_path, found), statement)
    assert told == {4.0: "undecided", 2.0: "supported", 7.0: "contradicted"}


def test_a_figure_without_interval_decides_nothing(tmp_path: Path) -> None:
    found = with_metric(sample(), "spring-stomp", "rtt.response.p95", metric(0.1))
    text = report(tmp_path, found)
    statement = "STOMP reaches a lower RTT thanks to its broker"
    assert stand(text, statement) == "undecided"
    assert "no interval bounds their ratio" in grounds(text, statement)


def test_who_did_not_take_part_leaves_statements_open(tmp_path: Path) -> None:
    gone = ["spring-websocket", "spring-websocket-naive", "spring-stomp", "fastapi"]
    text = report(tmp_path, without(sample(), contender=gone))
    for statement in (
        "The Spring servers were the steadiest",
        "The initial loss of 1–3 %",
        "Above 500 users FastAPI",
        "STOMP's broker broadcasts",
        "ConcurrentWebSocketSessionDecorator around each session",
    ):
        assert stand(text, statement) == "undecided"
        assert "not measured in this run" in grounds(text, statement)


def test_loss_is_told_although_it_makes_the_cell_invalid(tmp_path: Path) -> None:
    text = report(tmp_path, sample())
    assert "Spring WebSocket (naive) (Java) 2.0 % (75,460 / 3,773,000), 700 users" in text
    assert stand(text, "The initial loss of 1–3 %") == "contradicted"
    assert stand(text, "ConcurrentWebSocketSessionDecorator around each session") == "supported"


def test_without_loss_there_is_nothing_to_explain(tmp_path: Path) -> None:
    found = sample()
    cells = [
        cell.model_copy(
            update={
                "findings": [],
                "verdict": Verdict.VALID,
                "metrics": {
                    **cell.metrics,
                    "delivery.loss.ratio": metric(0.0, "%", per_trial=[0.0, 0.0]),
                    "delivery.loss.count": metric(0, "count"),
                },
            }
        )
        if cell.contender == "spring-websocket-naive"
        else cell
        for cell in found.cells
    ]
    text = report(tmp_path, found.model_copy(update={"cells": cells}))
    assert stand(text, "The initial loss of 1–3 %") == "undecided"
    assert "No server with valid figures lost a delivery in any step." in text


def test_redis_is_judged_by_its_own_cpu(tmp_path: Path) -> None:
    statement = "Redis has one thread, so its Pub/Sub throughput saturates"
    assert stand(report(tmp_path, sample()), statement) == "contradicted"
    full = with_metric(sample(), "node-ws-cluster-redis-global", "redis.cpu.mean", about(96.0, "%"))
    assert stand(report(tmp_path, full), statement) == "supported"


def test_redis_variants_stand_beside_the_plain_servers(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample()), "### 4-2. Comparison and analysis")
    table = text.split("**Ratio to the plain server")[1]
    row = next(line for line in table.splitlines() if line.startswith("| rtt response time p95"))
    assert row.split(" | ")[1] == "1.80 [1.65–1.97]"
    together = text.split("**Servers and Redis apart and together")[1]
    assert "| Node.js cluster + Redis (JavaScript) | 55.0" in together


def test_the_tally_counts_what_the_tables_say(tmp_path: Path) -> None:
    text = report(tmp_path, sample()).replace("\\_", "_")
    said = re.search(r"Of the study's (\d+) statements: (.+)\.", text)
    assert said is not None
    told = [stand(text, claim.text.of("en")) for claim in published().claims]
    stands = ("supported", "contradicted", "direction only", "no difference shown", "undecided")
    counted = "; ".join(f"{told.count(one)} {one}" for one in stands if one in told)
    assert said.groups() == (str(len(told)), counted)


def test_a_statement_that_waits_for_a_server_names_the_scenario_with_its_command(
    tmp_path: Path,
) -> None:
    text = report(tmp_path, without(sample(), contender=["fastapi", "spring-stomp", *REDIS]))
    for statement, scenario in (
        ("Above 500 users FastAPI", "ramp"),
        ("STOMP's broker broadcasts", "ramp"),
        ("Spring STOMP balances steadiness", "ramp"),
        ("Redis has one thread", "ramp"),
        ("Memory grows (500", "ramp"),
        ("FastAPI: small prototypes", "ramp"),
        ("Node.js: workers with Redis instead of one process", "ramp"),
        ("services that spread messages over many topics", "crowd"),
        ("its CPU grows in proportion to the workers", "tuning"),
        ("FastAPI: Nginx as WebSocket proxy", "faults"),
    ):
        assert stand(text, statement) == "undecided"
        said = grounds(text, statement)
        assert said.count(f"./wl run websocket --scenario {scenario}") == 1, said


def test_who_cannot_be_measured_here_is_asked_for_by_no_command(tmp_path: Path) -> None:
    found = without(sample(), contender=["fastapi"])
    gone = found.participants["fastapi"].model_copy(update={"unavailable": "no Python here"})
    found = found.model_copy(update={"participants": {**found.participants, "fastapi": gone}})
    said = grounds(report(tmp_path, found), "Above 500 users FastAPI")
    assert "not measured in this run" in said
    assert "./wl" not in said


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_no_run_decides_names_scenarios_that_there_are(language: str) -> None:
    suite = load_suite(SUITE / "suite.toml")
    told = {
        claim.key: set(re.findall(r"--scenario ([a-z-]+)", claim.open.of(language)))
        for claim in published().claims
        if claim.open is not None
    }
    assert set.union(*told.values()) <= set(suite.scenarios)
    assert {key: names for key, names in told.items() if names} == {
        "use-spring-stomp-sockjs": {"tuning"},
        "tune-stomp-broker": {"tuning"},
        "tune-stomp-compress": {"compression"},
        "tune-node-degrade": {"connection-limit", "compression", "shedding", "overload"},
        "tune-fastapi-connection": {"tuning", "silent-peers"},
    }
