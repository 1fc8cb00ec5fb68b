"""The key-value suite as a user runs it: bench server and real databases, every client, the app.

Times are not looked at, but for the one that is made: eight nodes that take 10 ms each and are
asked in turn take 80, on any machine.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.building import build_behind_others
from e2e.drawn import drawn_of
from reports_of_runs import EVERY
from wirelab.build import tools

pytestmark = [pytest.mark.e2e, pytest.mark.long(4), pytest.mark.left_to_all]

OF_ANSWERS = {"trial-failed", "wrong-answer", "loss-or-error"}
"""Gates that speak of the answers and not of the machine."""

OF_EACH_LANGUAGE = {
    "Go": "aerospike-go",
    "Java": "aerospike-java",
    "JavaScript": "aerospike-node",
    "Python": "official-async",
}
"""Clients of the bench server, which has as many nodes as a scenario asks for. Python's has an
application, of which the study published figures; C# and Rust have no client that knows nodes."""
IN_TURN = "official"
AT_ONCE = ("official-concurrent", "aerospike-py")
SERVING = ("official-async", "aerospike-py")
"""Clients that have an application."""
IN_TURN_MS = 75
"""Less than what is made: 200 keys are on all eight nodes, and each of them takes 10 ms."""

THAT_SCAN = {"asyncpg", "psycopg", "csharp-npgsql", "csharp-npgsql-multiplexed"}
"""Clients of the database whose keys have an order."""

KINDS_OF = {
    ("ycsb", "a"): {"read", "update"},
    ("ycsb", "c"): {"read"},
    ("ycsb", "d"): {"read", "insert"},
    ("ycsb", "f"): {"read", "modify"},
    ("ycsb-scan", "e"): {"scan", "insert"},
}
"""Kinds of operations of YCSB's workloads."""

OF_EACH_DATABASE = (
    *("asyncpg", "psycopg", "redis-py", "pymemcache", "redis-rs"),
    *(("csharp-npgsql",) if tools.DOTNET.find() else ()),
)
"""Clients of each database that is written to, one in Rust and one in C# among them."""

DRAWN = drawn_of("kv", "client", (*OF_EACH_LANGUAGE.values(), IN_TURN, *OF_EACH_DATABASE))
"""Clients that read here: of each language and each database, and of the others a part in turn."""

OF_RECORDS = drawn_of("kv", "ycsb", OF_EACH_DATABASE)
"""Clients that write as well."""

FOLLOWED = {"service:redis", "service:memcached", "service:postgres", "service:bench"}
"""Services whose protocol the witness of the wire knows."""

READS = 10 * 5
OPERATIONS = 16 * 20
REQUESTS = 10 * 3
SPANS = ("keys", "call", "convert", "features", "render", "server-time", "http")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("kv")
    build_behind_others("kv", *DRAWN)
    options = ("--scenario", "client", *whole_runs.only("--contender", DRAWN))
    options += ("--profile", "check", "--seed", "7")
    return whole_runs.run_suite(here, "kv", *options, reports=EVERY)


@pytest.fixture(scope="module")
def records(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Clients that write as well."""
    scenarios = whole_runs.only("--scenario", ("ycsb", "ycsb-scan"))
    chosen = whole_runs.only("--contender", OF_RECORDS)
    options = (*scenarios, *chosen, "--profile", "check", "--seed", "7")
    return whole_runs.run_suite(tmp_path_factory.mktemp("records"), "kv", *options)


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Costs of a client's policy, read as often as ``smoke`` asks: one read in time is enough."""
    scenarios = whole_runs.only("--scenario", ("one-node", "eight-nodes"))
    chosen = dict.fromkeys([*OF_EACH_LANGUAGE.values(), IN_TURN, *AT_ONCE])
    options = (*scenarios, *whole_runs.only("--contender", chosen))
    here = tmp_path_factory.mktemp("nodes")
    return whole_runs.run_suite(here, "kv", *options, "--profile", "smoke", "--seed", "7")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The study's applications: with ASGI alone, and with the model.

    ``test_kv_rows`` goes through the others.
    """
    scenarios = whole_runs.only("--scenario", ("asgi", "serving"))
    options = (*scenarios, *whole_runs.only("--contender", SERVING))
    here = tmp_path_factory.mktemp("served")
    return whole_runs.run_suite(here, "kv", *options, "--profile", "check", "--seed", "7")


@pytest.fixture(scope="module")
def result(folder: Path) -> dict[str, Any]:
    return whole_runs.result_of(folder)


def fastest(run: Path, contender: str, step: str) -> float:
    """Times of batches from eight nodes, ms."""
    cells = json.loads((run / "series.json").read_text("utf-8"))["cells"]
    curve = cells[f"kv/eight-nodes/{step}/{contender}"]["latency"]["read"]
    assert curve["percentiles"][0] == 0
    return float(curve["values"][0])


def test_the_result_keeps_its_schema(
    result: dict[str, Any], nodes: Path, served: Path, records: Path
) -> None:
    for found in (result, *map(whole_runs.result_of, (nodes, served, records))):
        whole_runs.keeps_its_schema(found)
        assert found["complete"] is True


def test_everybody_took_part_or_says_why_not(result: dict[str, Any], records: Path) -> None:
    whole_runs.everybody_took_part_or_says_why_not(result, DRAWN)
    whole_runs.everybody_took_part_or_says_why_not(whole_runs.result_of(records), OF_RECORDS)
    assert set(OF_RECORDS) < set(DRAWN)
    ran = {cell["scenario"] for cell in result["cells"]}
    assert ran == {"ceiling", "client"}
    people = result["participants"]
    know_nodes = [
        n
        for n in whole_runs.available(result)
        if "cluster" in people[n]["manifest"]["capabilities"]
    ]
    assert set(OF_EACH_LANGUAGE) == whole_runs.languages_of(result, know_nodes)


def test_every_answer_was_right(folder: Path, nodes: Path, served: Path, records: Path) -> None:
    for run in (folder, nodes, served, records):
        whole_runs.no_trial_failed(run)
        assert whole_runs.accused(whole_runs.result_of(run), OF_ANSWERS) == {}


@pytest.mark.parametrize("scenario", ["asgi", "serving"])
def test_requests_to_applications_were_on_the_wire(served: Path, scenario: str) -> None:
    cells = whole_runs.cells_of(whole_runs.result_of(served), scenario)
    matched = {cell["id"]: cell["metrics"]["request.wire.matched"]["value"] for cell in cells}
    assert matched
    assert set(matched.values()) == {100}, matched


@pytest.mark.parametrize("step", ["s1-k50", "s8-k200"])
def test_every_client_reads_as_often_as_it_is_asked_to(result: dict[str, Any], step: str) -> None:
    cells = whole_runs.cells_of(result, "client", step)
    assert {cell["contender"] for cell in cells} == whole_runs.available(result)
    for cell in cells:
        assert cell["statuses"]["read"] == {"ok": READS}, cell["id"]


def test_reads_from_databases_whose_protocol_is_known_were_on_the_wire(
    result: dict[str, Any],
) -> None:
    served_by = {
        name: one["manifest"]["provided_by"].get("server")
        for name, one in result["participants"].items()
    }
    followed = {name for name, service in served_by.items() if service in FOLLOWED}
    followed &= whole_runs.available(result)
    assert {served_by[name] for name in followed} == FOLLOWED
    matched = {
        cell["contender"]: cell["metrics"]["read.wire.matched"]["value"]
        for cell in whole_runs.cells_of(result, "client", "s1-k50")
        if cell["contender"] in followed
    }
    assert matched == dict.fromkeys(followed, 100)
    accused = whole_runs.accused(result, {"not-on-the-wire", "sent-before-start"})
    assert accused == {}


@pytest.mark.parametrize(
    ("scenario", "step"), [*(("ycsb", step) for step in "abcfd"), ("ycsb-scan", "e")]
)
def test_every_record_is_what_was_written(records: Path, scenario: str, step: str) -> None:
    result = whole_runs.result_of(records)
    cells = whole_runs.cells_of(result, scenario, step)
    asked = {n for n in OF_RECORDS if step != "e" or n in THAT_SCAN}
    assert asked & whole_runs.available(result) == asked >= {"asyncpg", "psycopg"}
    assert {cell["contender"] for cell in cells} == asked
    for cell in cells:
        assert cell["statuses"]["ycsb"] == {"ok": OPERATIONS}, cell["id"]


@pytest.mark.parametrize(("scenario", "step"), [*KINDS_OF])
def test_each_kind_of_operation_has_its_own_times(records: Path, scenario: str, step: str) -> None:
    cells = whole_runs.cells_of(whole_runs.result_of(records), scenario, step)
    assert len(cells) > 1
    for cell in cells:
        counts = {
            key.split(".")[2]: metric["n"]
            for key, metric in cell["metrics"].items()
            if key.startswith("ycsb.kind.") and key.endswith(".mean")
        }
        assert set(counts) == KINDS_OF[scenario, step], cell["id"]
        assert sum(counts.values()) == cell["metrics"]["ycsb.latency.mean"]["n"], cell["id"]


@pytest.mark.parametrize(
    ("language", "caption", "column"),
    [
        ("en", "50 % updates, by kind of operation", "update p95"),
        ("ko", "갱신 50 %, 연산 종류별", "갱신 p95"),
    ],
)
def test_the_report_tells_kinds_apart(
    records: Path, language: str, caption: str, column: str
) -> None:
    page = (records / f"report-{language}.md").read_text("utf-8")
    assert caption in page
    assert column in page


def test_a_client_of_each_language_asks_one_node_and_eight(nodes: Path) -> None:
    found = whole_runs.result_of(nodes)
    for language, contender in OF_EACH_LANGUAGE.items():
        assert whole_runs.languages_of(found, [contender]) == {language}
    asked = {*OF_EACH_LANGUAGE.values(), IN_TURN, *AT_ONCE}
    for scenario in ("one-node", "eight-nodes"):
        assert {cell["contender"] for cell in whole_runs.cells_of(found, scenario)} == asked


def test_the_default_policy_asks_nodes_in_turn(nodes: Path) -> None:
    assert fastest(nodes, IN_TURN, "found-k200") > IN_TURN_MS
    # No read of who asks in turn is faster: one that is was not read so, however late the others.
    for contender in AT_ONCE:
        assert fastest(nodes, contender, "found-k200") < IN_TURN_MS, contender


def test_one_repeated_key_is_one_node(nodes: Path) -> None:
    assert fastest(nodes, IN_TURN, "repeated-k200") < IN_TURN_MS


def test_the_application_tells_its_spans(served: Path) -> None:
    found = whole_runs.cells_of(whole_runs.result_of(served), "serving")
    cells = [cell for cell in found if cell["step"]]
    assert {cell["step"] for cell in cells} == {"single", "gather"}
    for cell in cells:
        for span in (*SPANS, "inference"):
            told = cell["metrics"][f"{span}.received.count"]["value"]
            assert told == REQUESTS, (cell["id"], span, told)


def test_the_study_stands_beside_it(folder: Path, served: Path) -> None:
    english = (folder / "report-en.md").read_text("utf-8")
    korean = (folder / "report-ko.md").read_text("utf-8")
    assert "Clients alone: the study's environment A" in english
    assert "클라이언트 단독: 원문의 환경 A" in korean
    assert "110.23" in english
    behind = (served / "report-en.md").read_text("utf-8")
    for published in ("289.56", "324"):
        assert published in behind


def test_the_scenarios_have_one_summary_together(served: Path) -> None:
    lines = (served / "report-en.md").read_text("utf-8").splitlines()
    titles = [line for line in lines if line.startswith("## ")]
    assert sum("Summary of figures" in title for title in titles) == 1


def test_nothing_is_left(folder: Path, nodes: Path, served: Path, records: Path) -> None:
    assert whole_runs.left_of(folder, nodes, served, records) == set()
