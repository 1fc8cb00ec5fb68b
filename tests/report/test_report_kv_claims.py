"""Statements of the key-value study, each judged by its own rule: on results built by hand that
bear it out, and on others that do not."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from report_build import cell, context, metric

from tree import suites_of_the_tree
from wirelab.catalog import SuiteEntry
from wirelab.model.result import Cell
from wirelab.report.claims import StatementAnswer
from wirelab.report.declared import answering
from wirelab.report.judging import Standing
from wirelab.report.published import Published, read_published
from wirelab.report.sources import composer

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "suites" / "kv"

FigurePlace = tuple[str, str, str]
Figures = Mapping[FigurePlace, Mapping[str, float]]
"""By scenario, step and metric: what each contender has."""

EIGHT = ("eight-nodes", "found-k200")
ASGI = ("asgi", "c5")
BEHIND = ("serving-gateway", "single")
SERVED = ("serving", "single")
SINGLE, GATHER = ("serving-untimed", "single"), ("serving-untimed", "gather")
NATIVE, OFFICIAL, ASYNC = "aerospike-py", "official", "official-async"


@cache
def entry() -> SuiteEntry:
    return suites_of_the_tree().suite("kv")


@cache
def published() -> Published:
    found = read_published(SUITE / "published.toml")
    assert found is not None
    return found


def cells_of(figures: Figures, spread: float) -> list[Cell]:
    """A cell for each scenario, step and contender, with the figures that it has."""
    told: dict[tuple[str, str, str], dict[str, Any]] = {}
    for (scenario, step, name), by_contender in figures.items():
        for contender, value in by_contender.items():
            interval = (value * (1 - spread), value * (1 + spread))
            told.setdefault((scenario, step, contender), {})[name] = metric(value, "ms", interval)
    return [
        cell(contender, metrics, scenario_name=scenario).model_copy(
            update={"step": step, "id": f"kv/{scenario}/{step}/{contender}"}
        )
        for (scenario, step, contender), metrics in told.items()
    ]


def answer(key: str, figures: Figures, spread: float = 0.005) -> StatementAnswer:
    """Answer to the statement of that key."""
    found = context(
        cells_of(figures, spread),
        published=published(),
        scenarios=entry().manifest.scenarios,
        suite="kv",
    )
    rules = composer("kv", SUITE).__globals__["statements"].rules_of(found)
    (claim,) = [one for one in published().claims if one.key == key]
    return answering(found, rules)(claim)


def pair(place: tuple[str, str], name: str, native: float, other: float, rival: str) -> Figures:
    return {(*place, name): {NATIVE: native, rival: other}}


def of_steps(times: float, rival: str, keys: str = "k50") -> Figures:
    """The same ratio in every set that the statement is about."""
    return {
        ("client", f"s{number}-{keys}", "read.latency.mean"): {NATIVE: 10.0, rival: 10.0 * times}
        for number in (1, 2, 3, 4, 5, 6, 7, 9)
    }


def of_a(latency: float, rate: float, rival: str) -> Figures:
    mean = pair(EIGHT, "read.latency.mean", 10.0, 10.0 * latency, rival)
    return {**mean, **pair(EIGHT, "read.rate", 100.0 * rate, 100.0, rival)}


def of_p99(official: float, executor: float) -> Figures:
    name = (*EIGHT, "read.latency.p99")
    return {name: {NATIVE: 10.0, OFFICIAL: 10.0 * official, ASYNC: 10.0 * executor}}


def gaps(executor: float, official: float) -> Figures:
    both = zip(
        of_steps(executor, ASYNC).items(), of_steps(official, OFFICIAL).values(), strict=True
    )
    return {place: {**one, **other} for (place, one), other in both}


def of_b(name: str, share: float) -> Figures:
    return pair(ASGI, name, 100.0 * share, 100.0, ASYNC)


def passed_on(reading: float, total: float) -> Figures:
    return {
        **of_b("reading.latency.mean", reading),
        **of_b("server-time.latency.mean", total),
    }


def of_c(level: str, share: float, place: tuple[str, str] = SINGLE) -> Figures:
    return pair(place, f"request.latency.{level}", 100.0 * share, 100.0, ASYNC)


def recipe(share: float) -> Figures:
    name = "request.latency.mean"
    return {(*SINGLE, name): {NATIVE: 100.0 * share}, (*GATHER, name): {NATIVE: 100.0}}


def outside(times: float, inside: float = 50.0) -> Figures:
    """Requests of 2 ms outside of the application, behind a gateway ``times`` as much."""
    parts = {SERVED: 2.0, BEHIND: 2.0 * times}
    of_place = {
        place: {"request": 50.0 + part, "server-time": inside, "http": part}
        for place, part in parts.items()
    }
    return {
        (*place, f"{operation}.latency.mean"): {NATIVE: value, ASYNC: value}
        for place, values in of_place.items()
        for operation, value in values.items()
    }


YES, NO, DIRECTION = Standing.SUPPORTED, Standing.CONTRADICTED, Standing.DIRECTION
CASES: list[tuple[str, Figures, Standing]] = [
    ("native-faster", of_a(4.8, 2.7, OFFICIAL), YES),
    ("native-faster", of_a(1.6, 2.7, OFFICIAL), DIRECTION),
    ("native-faster", of_a(4.8, 0.9, OFFICIAL), NO),
    ("native-faster-async", of_a(4.9, 3.0, ASYNC), YES),
    ("native-faster-async", of_a(4.9, 2.0, ASYNC), DIRECTION),
    ("native-faster-async", of_a(0.5, 3.0, ASYNC), NO),
    ("native-p99", of_p99(1.6, 1.8), YES),
    ("native-p99", of_p99(1.6, 5.0), DIRECTION),
    ("native-p99", of_p99(0.9, 1.8), NO),
    ("async-gap", gaps(6.5, 5.5), YES),
    ("async-gap", gaps(8.0, 5.5), DIRECTION),
    # Both within their ranges, and the gap to official is the larger one.
    ("async-gap", gaps(6.2, 6.5), NO),
    ("async-gap", gaps(6.5, 0.5), NO),
    ("asgi-total", of_b("server-time.latency.mean", 0.79), YES),
    ("asgi-total", of_b("server-time.latency.mean", 0.6), DIRECTION),
    ("asgi-total", of_b("server-time.latency.mean", 1.2), NO),
    ("asgi-read", of_b("reading.latency.mean", 0.79), YES),
    ("asgi-read", of_b("reading.latency.mean", 0.3), DIRECTION),
    ("asgi-read", of_b("reading.latency.mean", 1.2), NO),
    ("asgi-passed-on", passed_on(0.79, 0.79), YES),
    ("asgi-passed-on", passed_on(0.3, 0.8), NO),
    ("asgi-passed-on", passed_on(1.0, 1.0), Standing.OPEN),
    ("asgi-rate", of_b("request.rate", 1.17), YES),
    ("asgi-rate", of_b("request.rate", 1.5), DIRECTION),
    ("asgi-rate", of_b("request.rate", 0.8), NO),
    ("asgi-p99", of_b("server-time.latency.p99", 1.0), YES),
    ("asgi-p99", of_b("server-time.latency.p99", 1.3), NO),
    ("serving-mean", of_c("mean", 0.81), YES),
    ("serving-mean", of_c("mean", 0.5), DIRECTION),
    ("serving-mean", of_c("mean", 1.1), NO),
    ("serving-median", of_c("p50", 0.90), YES),
    ("serving-median", of_c("p50", 1.1), NO),
    ("serving-p90", of_c("p90", 0.59), YES),
    ("serving-p90", of_c("p90", 1.1), NO),
    ("serving-p95", of_c("p95", 0.58), YES),
    ("serving-p95", of_c("p95", 0.9), DIRECTION),
    ("serving-gather", of_c("p95", 0.88, GATHER), YES),
    ("serving-gather", of_c("p95", 1.2, GATHER), NO),
    ("single-recipe", recipe(0.67), YES),
    ("single-recipe", recipe(0.81), DIRECTION),
    ("single-recipe", recipe(1.2), NO),
    ("inside-and-outside", outside(3.0), YES),
    ("inside-and-outside", outside(1.3), NO),
    # The application tells more than its client waited: what is left cannot be a gateway's.
    ("inside-and-outside", outside(3.0, inside=60.0), Standing.OPEN),
    ("inside-and-outside", outside(1.3, inside=60.0), Standing.OPEN),
]


@pytest.mark.parametrize(
    ("key", "figures", "expected"), CASES, ids=[f"{key}-{s.name}" for key, _f, s in CASES]
)
def test_each_statement_is_judged_by_its_own_rule(
    key: str, figures: Figures, expected: Standing
) -> None:
    assert answer(key, figures).stand is expected


@pytest.mark.parametrize("key", sorted({key for key, _figures, _stand in CASES}))
def test_wide_intervals_and_missing_figures_leave_it_open(key: str) -> None:
    figures = next(f for k, f, stand in CASES if k == key and stand is YES)
    assert answer(key, figures, spread=0.4).stand is Standing.OPEN
    assert answer(key, {}).stand is Standing.OPEN


def test_grounds_on_the_gateway_name_what_is_subtracted_from_what() -> None:
    lines = answer("inside-and-outside", outside(3.0)).grounds.splitlines()
    *of_clients, published = lines
    assert len(of_clients) == 2
    for line in of_clients:
        bare, behind, _ratio = line.split("; ")
        for word in ("request 52", "application 50", "(means): 2.0"):
            assert word in bare
        assert "request 56" in behind
        assert "application 50" in behind
    assert "189 ms at the client less p95 of 202 ms in the server is −13 ms" in published
    wrong = answer("inside-and-outside", outside(3.0, inside=60.0)).grounds
    assert "the application tells more than its client waited" in wrong


OF_C = {
    key: figures
    for key, figures, stand in CASES
    if stand is YES and {scenario for scenario, _step, _metric in figures} == {SINGLE[0]}
}
"""Statements on environment C, with figures of an application that looks at no clock."""


def timed(figures: Figures) -> Figures:
    """The same figures of the scenario in which spans are measured."""
    return {(SERVED[0], step, name): values for (_, step, name), values in figures.items()}


def turned(figures: Figures) -> Figures:
    """Figures that say the opposite: each contender has the other's, or a step the other's."""
    ordered = [values for of_place in figures.values() for values in of_place.values()]
    swapped = iter(reversed(ordered))
    return {
        place: {contender: next(swapped) for contender in of_place}
        for place, of_place in figures.items()
    }


@pytest.mark.parametrize("key", sorted(OF_C))
def test_statements_on_serving_are_judged_without_measured_spans(key: str) -> None:
    """As the study's figures were measured; with spans only where that was not run."""
    both = answer(key, {**OF_C[key], **timed(turned(OF_C[key]))})
    assert both.stand is YES
    assert both.grounds.startswith("Serving a model: spans not measured: ")
    alone = answer(key, timed(OF_C[key]))
    assert alone.stand is YES
    assert alone.grounds.startswith("Serving a model: 10 users: ")
    assert answer(key, turned(OF_C[key])).stand is NO


def test_all_statements_on_times_of_serving_are_so_judged() -> None:
    assert set(OF_C) == {
        *("serving-mean", "serving-median", "serving-p90", "serving-p95", "serving-gather"),
        "single-recipe",
    }


def test_the_ratio_behind_the_model_is_that_without_measured_spans() -> None:
    alone = pair(EIGHT, "read.latency.mean", 10.0, 48.0, ASYNC)
    served = pair(SINGLE, "request.latency.mean", 100.0, 124.0, ASYNC)
    with_spans = pair(SERVED, "request.latency.mean", 100.0, 990.0, ASYNC)
    shrinks = answer("ratio-shrinks", {**alone, **served, **with_spans})
    assert shrinks.stand is YES
    assert "1.24" in shrinks.grounds
    assert shrinks.grounds.startswith("Serving a model: spans not measured: ")
    with_spans_alone = answer("ratio-shrinks", {**alone, **with_spans})
    assert with_spans_alone.stand is NO
    assert with_spans_alone.grounds.startswith("Serving a model: 10 users: ")


def test_sizes_that_a_statement_names_are_those_of_its_rule() -> None:
    """Percent and times stand in the text; the rule has to test these and no others."""
    stated = {
        claim.key: [rule.times for rule in claim.rules if rule.kind == "times"]
        for claim in published().claims
    }
    assert stated["native-faster"] == [4.8, 2.7]
    assert stated["native-faster-async"] == [4.9, 3.0]
    assert stated["native-p99"] == [1.6, 1.8]
    percents = {
        "asgi-total": -21,
        "asgi-read": -21,
        "asgi-rate": 17,
        "serving-mean": -19,
        "serving-median": -10,
        "serving-p90": -41,
        "serving-p95": -42,
        "serving-gather": -12,
        "single-recipe": -33,
    }
    for key, percent in percents.items():
        assert [round(100 * (times - 1)) for times in stated[key]] == [percent]
        (claim,) = [one for one in published().claims if one.key == key]
        assert f"{percent:+d} %".replace("-", "\N{MINUS SIGN}") in claim.text.of("en")


def test_defects_of_claims_name_claims_that_exist() -> None:
    keys = {f"claim.{claim.key}" for claim in published().claims}
    named = [m for d in published().defects for m in d.metrics if m.startswith("claim.")]
    assert named
    assert [one for one in named if not any(fnmatchcase(key, one) for key in keys)] == []
