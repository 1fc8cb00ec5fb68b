"""Every row of the key-value study that is not for all contenders, as a user runs it: one run with
one client, and both in one process; nothing is looked at but what was asked, answered and told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from e2e import whole_runs
from tree import suites_of_the_tree

pytestmark = [pytest.mark.e2e, pytest.mark.long(4), pytest.mark.left_to_all]

CLIENT, BOTH = "aerospike-py", "aerospike-both"
REQUESTS = {
    ("asgi-in-flight", "f1"): 2,
    ("asgi-in-flight", "f10"): 20,
    ("asgi-limited", "c10"): 20,
    ("serving-untimed", "single"): 30,
    ("serving-untimed", "gather"): 30,
    ("serving-shared", "single"): 30,
    ("serving-shared", "gather"): 30,
    ("serving-gateway", "single"): 30,
    ("serving-replicas", "single"): 30,
    ("serving-replicas", "gather"): 30,
    ("serving-merge", "merge"): 30,
}
"""By scenario and step: users times ticks."""

RAMP = "serving-ramp"
LEG_NS = 400_000_000
"""Length of each step of the ramp in the profile `check`."""
LEGS = {"u10": 10, "u20": 20, "u35": 35, "u50": 50, "d25": 25, "d0": 0}
"""Users at the end of each."""

READS = {
    ("in-flight", "c1"): 5,
    ("in-flight", "c16"): 80,
    ("pool-1", "c20"): 60,
    ("pool-5", "c20"): 60,
    ("pool-20", "c20"): 60,
}
MAY_BE_REFUSED = {"pool-1", "pool-5", "asgi-limited"}
"""Callers without a connection get an error or a place in a queue, as the library chooses; calls
that may take no longer than a second fail where the server is overloaded."""

LIMITED: dict[str, dict[str, Any]] = {
    "whole": {},
    "processor-100": {"processor": 1.0, "memory": None},
    "processor-50": {"processor": 0.5, "memory": None},
    "processor-25": {"processor": 0.25, "memory": None},
    "memory-8": {"processor": None, "memory": 8 << 30},
    "memory-4": {"processor": None, "memory": 4 << 30},
}
"""Variants of the scenario serving-limits: what its application has at most."""
LIMITED_HERE = ("whole", "processor-25", "memory-4")
"""The variants in the profile: without limits, and with the least of each kind."""
OF_LIMITED = 12 - 2

REPLICAS: dict[str, dict[str, Any]] = {
    "whole": {},
    "pod-8": {"processor": 1.0, "memory": 8 << 30},
    "pod-4": {"processor": 0.5, "memory": 4 << 30},
}
"""Variants of the scenario serving-replicas-limits: what each replica has at most."""
REPLICAS_HERE = ("whole", "pod-4")
"""The variants in the profile."""
OF_REPLICAS = 12 - 2

CAPACITIES = {"client-capacity": "read.response.p95", "serving-capacity": "request.response.p95"}
ANCHORS = (
    *("asgi-in-flight", "asgi-limited", "serving-untimed", "serving-shared", "serving-gateway"),
    *("serving-replicas", "serving-ramp", "in-flight", "pool-sizes", "serving-limits"),
    *("serving-replicas-limits", "in-time", "spans", "statements"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = dict.fromkeys(
        [
            *(name for name, _step in (*REQUESTS, *READS)),
            *(*CAPACITIES, RAMP, "serving-limits", "serving-replicas-limits"),
        ]
    )
    who = whole_runs.only("--contender", (CLIENT, BOTH))
    chosen = (*whole_runs.only("--scenario", rows), *who)
    here = tmp_path_factory.mktemp("rows")
    options = (*chosen, "--profile", "check", "--seed", "7")
    return whole_runs.run_suite(here, "kv", *options, reports=("en", "ko.md"))


@pytest.fixture(scope="module")
def result(folder: Path) -> dict[str, Any]:
    return whole_runs.result_of(folder)


def test_every_answer_of_every_row_was_right(folder: Path, result: dict[str, Any]) -> None:
    whole_runs.keeps_its_schema(result)
    records = whole_runs.records_of(folder)
    assert [name for name, record in records.items() if record["wrong_answers"]] == []
    # A search asks for more than can be had: how a probe of it ends is its answer.
    others = {name: record["status"] for name, record in records.items() if not _probes(name)}
    assert len(others) >= len({scenario for scenario, _step in (*REQUESTS, *READS)})
    assert {name for name, status in others.items() if status != "ok"} == set()
    assert result["complete"] is True


def _probes(trial: str) -> bool:
    return any(name in trial for name in CAPACITIES)


def trial_of(folder: Path, scenario: str) -> Path:
    """A trial of the scenario, which is all there are; one that the host disturbed is run again."""
    return (
        folder
        / "trials"
        / next(
            name
            for name, record in whole_runs.records_of(folder).items()
            if record["planned"]["scenario"] == scenario
        )
    )


def test_replicas_are_roles_behind_a_gateway(folder: Path) -> None:
    trial = trial_of(folder, "serving-replicas")
    specs = {
        role: json.loads((trial / f"{role}.spec.json").read_text("utf-8"))
        for role in ("app", "replica", "gateway", "generator")
    }
    assert {"app", "replica"} <= set(specs["gateway"]["endpoints"])
    facts = specs["generator"]["facts"]
    assert facts["gateway"] == {"protocol": "http", "replicas": 2}
    assert {facts[role]["protocol"] for role in ("app", "replica")} == {"http-behind-gateway"}


@pytest.mark.parametrize("scenario", ["serving-replicas", "serving-replicas-limits"])
def test_the_replicas_share_the_requests(folder: Path, scenario: str) -> None:
    """The shares are as the gateway tells; all that the generator had answered came through it."""
    trial = trial_of(folder, scenario)
    lines = (trial / "gateway.events.jsonl").read_text("utf-8").splitlines()
    events = [json.loads(line)["event"] for line in lines]
    *_earlier, given = [event["items"] for event in events if event["event"] == "served"]
    assert set(given) == {"app", "replica"}
    answered = pq.read_table(trial / "generator.parquet").num_rows
    assert sum(given.values()) >= answered > 0
    # In turn, but for those that a replica was still busy with when the other one was not.
    assert min(given.values()) > max(given.values()) / 2, given


@pytest.mark.parametrize(
    ("operation", "asked"), [("request", REQUESTS), ("read", READS)], ids=["served", "alone"]
)
def test_as_much_is_answered_as_was_asked(
    result: dict[str, Any], operation: str, asked: dict[tuple[str, str], int]
) -> None:
    unlike = {}
    assert asked
    for (scenario, step), count in asked.items():
        (cell,) = whole_runs.cells_of(result, scenario, step)
        statuses = cell["statuses"][operation]
        # One that the host disturbed is run again, and counts beside it.
        whole = statuses and sum(statuses.values()) % count == 0
        if not whole or (set(statuses) != {"ok"} and scenario not in MAY_BE_REFUSED):
            unlike[scenario, step] = statuses
    assert unlike == {}


def test_an_application_that_looks_at_no_clock_tells_no_spans(result: dict[str, Any]) -> None:
    cells = whole_runs.cells_of(result, "serving-untimed")
    metrics = [name for cell in cells for name in cell["metrics"]]
    assert "request.latency.p95" in metrics
    assert [name for name in metrics if name.startswith("server-time.")] == []


@pytest.mark.parametrize("step", ["single", "gather"])
def test_both_clients_of_one_process_answer(result: dict[str, Any], step: str) -> None:
    (cell,) = whole_runs.cells_of(result, "serving-shared", step)
    assert cell["contender"] == BOTH
    told = [cell["statuses"][f"{client}-time"].get("ok", 0) for client in ("official", "native")]
    assert min(told) > 0
    assert sum(told) == cell["statuses"]["request"]["ok"]


def test_an_application_is_served_by_a_part_of_the_machine(result: dict[str, Any]) -> None:
    declared = result["scenarios"]["serving-limits"]["variants"]
    assert {name: of["limits"].get("app", {}) for name, of in declared.items()} == LIMITED
    cells = {cell["variant"]: cell for cell in whole_runs.cells_of(result, "serving-limits")}
    assert set(cells) == set(LIMITED_HERE)
    for variant, cell in cells.items():
        assert cell["statuses"]["request"]["ok"] % OF_LIMITED == 0, variant
        share, used = LIMITED[variant].get("processor"), cell["metrics"]["cpu.mean"]["value"]
        # The kernel holds it over each 100 ms, and the window ends within some.
        assert share is None or used is None or used <= 100 * share + 5, variant


def test_each_replica_is_served_by_a_part_of_the_machine(
    folder: Path, result: dict[str, Any]
) -> None:
    declared = result["scenarios"]["serving-replicas-limits"]["variants"]
    for role in ("app", "replica"):
        given = {name: of["limits"].get(role, {}) for name, of in declared.items()}
        assert given == REPLICAS, role
    cells = {c["variant"]: c for c in whole_runs.cells_of(result, "serving-replicas-limits")}
    assert set(cells) == set(REPLICAS_HERE)
    for variant, cell in cells.items():
        assert cell["statuses"]["request"]["ok"] % OF_REPLICAS == 0, variant
        share, used = REPLICAS[variant].get("processor"), cell["metrics"]["cpu.mean"]["value"]
        assert share is None or used is None or used <= 100 * share + 5, variant


def test_users_of_the_ramp_come_one_by_one_and_steps_follow_without_a_stop(folder: Path) -> None:
    trial = trial_of(folder, RAMP)
    record = json.loads((trial / "trial.json").read_text("utf-8"))
    tick0_ns = record["tick0_ns"]
    begins = [tick0_ns + number * LEG_NS for number in range(len(LEGS))]
    assert record["steps"] == {
        name: [begin, begin + LEG_NS] for name, begin in zip(LEGS, begins, strict=True)
    }
    samples = pq.read_table(trial / "generator.parquet")
    lanes, starts = (samples.column(name).to_pylist() for name in ("lane", "start_ns"))
    first: dict[int, int] = {}
    for lane, start_ns in zip(lanes, starts, strict=True):
        first[lane] = min(start_ns, first.get(lane, start_ns))
    comes: dict[int, float] = {}
    for before, users, begin_ns in zip([0, *LEGS.values()], LEGS.values(), begins, strict=False):
        each_ns = LEG_NS / max(1, users - before)
        comes |= {lane: begin_ns + (lane - before) * each_ns for lane in range(before, users)}
    assert sorted(comes) == list(range(50))
    # One who has connected too late has asked for nothing; nobody asks before it is his time.
    assert len(first) > LEGS["u20"]
    assert [lane for lane, start_ns in first.items() if start_ns < int(comes[lane])] == []


def test_the_ramp_is_drawn_over_time_with_its_users(folder: Path) -> None:
    series = json.loads((folder / "series.json").read_text("utf-8"))["cells"]
    (ramp,) = (cell for name, cell in series.items() if name.startswith("kv/serving-ramp/aero"))
    users = [
        users for line in ramp["operations"]["request"] for users in line["values"]["under_way"]
    ]
    # Every one of them waits for nothing but answers.
    assert 5 < max(users) <= 50
    page = (folder / "report-en.html").read_text("utf-8")
    assert "Latency and active users over time" in page


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_was_published_of_the_ramp_stands_beside_it(folder: Path, language: str) -> None:
    page = (folder / f"report-{language}.md").read_text("utf-8")
    told = page.split('<a id="serving-ramp"></a>')[1].split("\n## ")[1]
    rows = [line.split(" | ") for line in told.splitlines() if line.startswith("| ")]
    # Of all steps together: mean, p50, p90 and p95 of the only figure that there is.
    beside = [[entry.split()[0] == "592" for entry in row if entry.split()] for row in rows]
    assert [row.index(True) for row in beside if any(row)] == [2 + 3]


def test_capacities_are_searched_by_the_limit_of_the_row(result: dict[str, Any]) -> None:
    suite = suites_of_the_tree().suite("kv")
    for name, metric in CAPACITIES.items():
        capacity = suite.scenario(name).capacity
        assert capacity is not None
        assert metric in {bound.metric for bound in capacity.bounds}
        searched = [cell for cell in whole_runs.cells_of(result, name) if not cell["step"]]
        assert [cell["contender"] for cell in searched] == [CLIENT]
        assert "capacity.verified" in searched[0]["metrics"]


def test_the_report_has_a_section_for_each_row(folder: Path) -> None:
    for form in ("en.html", "en.md", "ko.md"):
        page = (folder / f"report-{form}").read_text("utf-8")
        assert [name for name in ANCHORS if f'id="{name}"' not in page] == []
