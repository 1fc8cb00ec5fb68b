"""Chapters of the key-value report on serving, limits and the policy: figures stand where their
titles say, a figure that is not there is no other one's, and a chapter without any is none."""

from __future__ import annotations

import re

import pytest
from kv_sections import Figures, only_text, tables, told

from wirelab.report.document import Chart, Section

NATIVE, OFFICIAL, ASYNC, BOTH = "aerospike-py", "official", "official-async", "aerospike-both"


def rows_of(sections: list[Section]) -> list[list[str]]:
    """Rows of the only table, without its titles."""
    (table,) = tables(only_text(sections))
    return table[1:]


def bare(entry: str) -> str:
    """A figure without its interval, its rank and the marks of defects, nor zeros at its end."""
    found = re.split(r" |<", entry.strip("★* "), maxsplit=1)[0].replace(",", "")
    return f"{float(found):g}" if re.fullmatch(r"[\d.]+", found) else found


def charts(sections: list[Section]) -> list[Chart]:
    """Charts of the only section."""
    (section,) = sections
    return [block for block in section.blocks if isinstance(block, Chart)]


# ------------------------------------------------------------------------ latency over the users
P95 = "request.latency.p95"
RAMP = ("u10", "u20", "u35", "u50", "d25", "d0")


def over_users(scenario: str, steps: tuple[str, ...]) -> list[Chart]:
    figures = {(scenario, step, P95): {NATIVE: 10.0 + at} for at, step in enumerate(steps)}
    return charts(told("web", figures))


def test_a_ramp_is_drawn_on_its_way_up_and_on_its_way_down() -> None:
    assert [chart.title for chart in over_users("serving-ramp", RAMP)] == [
        "Latency over active users",
        "Latency over active users on the way down",
    ]


def test_of_each_way_only_its_own_steps_are_drawn() -> None:
    # One place is no line: the other way keeps its chart.
    assert [chart.title for chart in over_users("serving-ramp", RAMP[:5])] == [
        "Latency over active users"
    ]
    assert [chart.title for chart in over_users("serving-ramp", ("u50", "d25", "d0"))] == [
        "Latency over active users on the way down"
    ]


def test_requests_in_flight_have_one_way() -> None:
    drawn = over_users("asgi-in-flight", ("f1", "f10", "f40"))
    assert [chart.title for chart in drawn] == ["Latency over active users"]
    assert over_users("asgi-in-flight", ("f1",)) == []


# ------------------------------------------------------------------------------- who runs the model
@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, "ONNX Runtime runs the model. PyTorch does where"),
        ({"inference": "onnxruntime"}, "ONNX Runtime runs the model. PyTorch does where"),
        ({"inference": "/opt/torch"}, "PyTorch runs the model, from a folder of your own."),
    ],
)
def test_the_chapter_on_serving_says_who_runs_the_model(
    parameters: dict[str, str], expected: str
) -> None:
    figures = {("serving", "single", P95): {NATIVE: 10.0}}
    text = only_text(told("web", figures, parameters=parameters))
    assert expected in text
    assert text.count("runs the model") == 1


def test_who_runs_the_model_is_told_where_there_is_one() -> None:
    text = only_text(told("web", {("asgi", "c5", P95): {NATIVE: 10.0}}))
    assert "runs the model" not in text


# ------------------------------------------------------------------------------ spans of a request
def spans_of(scenario: str, step: str, clock: str = "latency") -> Figures:
    values = {"request": 30.0, "call": 20.0, "server-time": 28.0, "reading": 22.0, "http": 2.0}
    clocks = {"request": clock}
    return {
        (scenario, step, f"{name}.{clocks.get(name, 'latency')}.mean"): {NATIVE: value}
        for name, value in values.items()
    }


def test_a_span_stands_below_its_title_and_one_that_a_client_has_not_is_empty() -> None:
    (table,) = tables(only_text(told("spans", spans_of("serving", "single"))))
    of_mean = dict(zip(table[0], map(bare, table[1]), strict=True))
    assert of_mean["generator's time (ms)"] == "30"
    assert of_mean["client call (ms)"] == "20"
    assert of_mean["outside of the application (ms)"] == "2"
    assert of_mean["whole application (ms)"] == "28"
    assert of_mean["reading (ms)"] == "22"
    assert of_mean["hop out (ms)"] == of_mean["inference (ms)"] == "–"


def test_the_studys_times_in_the_server_stand_below_ours() -> None:
    (table,) = tables(only_text(told("spans", spans_of("serving", "single"))))
    (published,) = [row for row in table if "published, p95" in row[1]]
    beside = dict(zip(table[0], map(bare, published), strict=True))
    assert beside["whole application (ms)"] == "202"
    assert beside["reading (ms)"] == "137"
    assert beside["client call (ms)"] == "–"


def test_where_requests_are_due_their_time_counts_from_then() -> None:
    (table,) = tables(only_text(told("spans", spans_of("serving-paced", "r20", "response"))))
    assert "due → sent (ms)" in table[0]
    assert bare(table[1][2]) == "30"


def test_an_application_that_looks_at_no_clock_has_no_spans() -> None:
    assert told("spans", spans_of("serving-untimed", "single")) == []


# ------------------------------------------------------------------------------ limits of clients
def test_what_is_answered_in_time_is_in_requests_a_second() -> None:
    """Each user of the search asks for so many of them a second: 20 multi-gets, 2 requests."""
    figures = {
        ("client-capacity", "", "capacity.verified"): {NATIVE: 40.0},
        ("serving-capacity", "", "capacity.verified"): {NATIVE: 30.0},
    }
    sections = told("limits", figures)
    assert [section.anchor for section in sections] == ["in-time"]
    found = {table[0][-1]: bare(table[1][-1]) for table in tables(only_text(sections))}
    assert {title.split(",")[0]: value for title, value in found.items()} == {
        "multi-gets/s": "800",
        "requests/s": "60",
    }


def test_calls_in_flight_have_a_column_each() -> None:
    rates = {"c1": 1000.0, "c16": 9000.0}
    figures = {("in-flight", step, "read.rate"): {NATIVE: rate} for step, rate in rates.items()}
    sections = told("limits", figures)
    assert [section.anchor for section in sections] == ["in-flight"]
    (rate,) = [row for row in rows_of(sections) if "calls/s" in row]
    assert [bare(entry) for entry in rate[2:]] == ["1000", "9000"]


def test_pools_stand_side_by_side_those_that_were_run() -> None:
    sizes = {"pool-1": 50.0, "pool": 90.0, "pool-20": 800.0}
    figures = {(name, "c20", "read.rate"): {NATIVE: rate} for name, rate in sizes.items()}
    (table,) = tables(only_text(told("limits", figures)))
    assert table[0][2:] == ["1 connection", "2 connections", "20 connections"]
    assert [bare(entry) for entry in table[1][2:]] == ["50", "90", "800"]


def test_ways_to_wait_stand_side_by_side() -> None:
    figures = {
        (name, "c50", "read.latency.p99"): {"csharp-npgsql": value}
        for name, value in {"callers": 10.0, "callers-threads": 30.0}.items()
    }
    sections = told("limits", figures)
    assert [section.anchor for section in sections] == ["callers"]
    (table,) = tables(only_text(sections))
    assert table[0][2:] == ["awaited", "blocked, 64 threads"]
    (p99,) = [row for row in table if "p99, ms" in row]
    assert [bare(entry) for entry in p99[2:]] == ["10", "30"]


# -------------------------------------------------------------------------- both in one process
def together(*, alone: bool = True) -> Figures:
    level = "latency.p95"
    shared = {
        ("serving-shared", "single", f"official-time.{level}"): {BOTH: 400.0},
        ("serving-shared", "single", f"native-time.{level}"): {BOTH: 300.0},
    }
    own = {("serving", "single", f"server-time.{level}"): {ASYNC: 200.0, NATIVE: 100.0}}
    return {**shared, **own} if alone else shared


def test_each_client_of_one_process_stands_above_itself_alone() -> None:
    rows = [[bare(entry) for entry in row[2:]] for row in rows_of(told("together", together()))]
    titles = [row[1].strip("* ") for row in rows_of(told("together", together()))]
    assert titles == ["in one process", "in a process of its own", "published"] * 2
    assert [row[3] for row in rows] == ["400", "200", "324", "300", "100", "189"]


def test_without_the_clients_alone_their_rows_are_empty() -> None:
    rows = rows_of(told("together", together(alone=False)))
    assert [row[5] for row in rows if "process of its own" in row[1]] == ["–", "–"]


def test_clients_alone_are_no_chapter_on_one_process() -> None:
    figures = together()
    alone = {place: values for place, values in figures.items() if place[0] == "serving"}
    assert told("together", alone) == []


# --------------------------------------------------------------------------------------- the policy
def of_nodes(scenario: str, **times: float) -> Figures:
    place = (scenario, "found-k200", "read.latency.p50")
    return {place: {name.replace("_", "-"): value for name, value in times.items()}}


def test_the_policy_is_told_by_eight_nodes_over_one() -> None:
    figures = {
        **of_nodes("one-node", official=10.0, official_concurrent=10.0),
        **of_nodes("eight-nodes", official=80.0, official_concurrent=11.0),
    }
    rows = rows_of(told("policy", figures))
    assert [[bare(entry) for entry in row[2:]] for row in rows] == [
        ["10", "80", "8"],
        ["10", "11", "1.1"],
    ]


def test_without_one_node_there_is_no_ratio_and_without_eight_no_chapter() -> None:
    (row,) = rows_of(told("policy", of_nodes("eight-nodes", official=80.0)))
    assert [bare(entry) for entry in row[2:]] == ["–", "80", "–"]
    assert told("policy", of_nodes("one-node", official=10.0)) == []
