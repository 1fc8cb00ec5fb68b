"""Bounds that a probe held, and the blame where it did not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from wirelab.capacity.judgement import Evidence, TakenByOthers, judge
from wirelab.gates.signs import Sign
from wirelab.model.capacity import Bound, Probe
from wirelab.model.result import Finding, Metric, Unsupported, Verdict

BOUNDS = [
    Bound(metric="connect.attainment", at_least=100),
    Bound(metric="echo.attainment", at_least=99.9),
    Bound(metric="connect.drop.count", at_most=0),
    Bound(metric="echo.response.p99", at_most=100),
]

GOOD = {
    "connect.attainment": Metric(value=100, unit="%"),
    "echo.attainment": Metric(value=99.95, unit="%"),
    "connect.drop.count": Metric(value=0, unit="count"),
    "echo.response.p99": Metric(value=100, unit="ms"),
    "echo.response.max": Metric(value=180, unit="ms"),
}


def judged(*, gates: tuple[str, ...] = (), busy: bool = False, **changed: float | None) -> Probe:
    metrics = dict(GOOD)
    for name, value in changed.items():
        dotted = name.replace("_", ".")
        metrics[dotted] = metrics[dotted].model_copy(update={"value": value})
    findings = [Finding(gate=gate, verdict=Verdict.INVALID, evidence={}) for gate in gates]
    signs: dict[Sign, float] = {"cpu_share": 0.93} if busy else {}
    return judge(Evidence("0001", 200, metrics=metrics, findings=findings, generator=signs), BOUNDS)


def test_a_client_that_counts_is_no_excuse() -> None:
    """Limits of a library that is compared are a result; those of a load generator are none."""
    late = GOOD | {"echo.response.p99": Metric(value=400, unit="ms")}
    signs: dict[Sign, float] = {"cpu_share": 0.93}
    evidence = Evidence("0001", 200, metrics=late, generator=signs)
    assert judge(evidence, BOUNDS).outcome == "generator"
    probe = judge(replace(evidence, client_counts=True), BOUNDS)
    assert (probe.outcome, probe.reason) == ("failed", "echo.response.p99")
    # What was seen of it is kept.
    assert probe.signs == {"cpu_share": 0.93}
    # The host is one all the same.
    lost = replace(evidence, client_counts=True, lost=True)
    assert judge(lost, BOUNDS).outcome == "host"


def test_figures_at_their_limits_hold() -> None:
    probe = judged()
    assert (probe.outcome, probe.reason, probe.broken) == ("held", "", None)


@pytest.mark.parametrize(
    ("changed", "metric"),
    [
        ({"connect_attainment": 99.5}, "connect.attainment"),
        ({"echo_attainment": 99.8}, "echo.attainment"),
        ({"connect_drop_count": 1}, "connect.drop.count"),
        ({"echo_response_p99": 100.1}, "echo.response.p99"),
    ],
)
def test_each_bound_can_break(changed: dict[str, Any], metric: str) -> None:
    probe = judged(**changed)
    assert (probe.outcome, probe.reason) == ("failed", metric)
    assert probe.broken is not None
    assert probe.broken.metric == metric


def test_a_generator_at_its_limit_is_the_one_accused() -> None:
    probe = judged(echo_response_p99=212, busy=True)
    assert (probe.outcome, probe.reason) == ("generator", "echo.response.p99")
    assert probe.signs == {"cpu_share": 0.93}
    assert judged(echo_attainment=80, gates=("rate-missed",)).outcome == "generator"


def test_a_late_generator_loses_no_connections() -> None:
    assert judged(echo_response_p99=212, connect_drop_count=3, busy=True).outcome == "failed"


def test_bounds_that_hold_hold_whatever_the_generator_did() -> None:
    """Its lateness is in every response time: it cannot have helped."""
    assert judged(busy=True).outcome == "held"


def test_a_host_that_was_away_is_told_apart() -> None:
    assert judged(echo_response_p99=212, gates=("steal",)).outcome == "host"
    assert judged(gates=("steal",)).outcome == "held"


UNKNOWN = {name: Metric(value=None, unit=metric.unit) for name, metric in GOOD.items()}
"""Figures of a load whose queue never became short again."""


@pytest.mark.parametrize(
    ("changed", "outcome"),
    [
        ({"echo.response.p99": (160.0, "ms")}, "host"),
        ({"echo.response.p99": (161.0, "ms")}, "failed"),
        ({"echo.attainment": (98.9, "%")}, "host"),
        ({"echo.attainment": (98.8, "%")}, "failed"),
        ({"echo.response.p99": (160.0, "ms"), "echo.attainment": (90.0, "%")}, "failed"),
    ],
)
def test_who_is_behind_by_more_than_others_took_has_failed(
    changed: dict[str, tuple[float, str]], outcome: str
) -> None:
    metrics = GOOD | {name: Metric(value=v, unit=unit) for name, (v, unit) in changed.items()}
    taken = TakenByOthers(ms=60.0, share=0.01)
    evidence = Evidence("0001", 200, metrics=metrics, quiet=UNKNOWN, taken=taken)
    assert judge(evidence, BOUNDS).outcome == outcome
    left_out = Finding(gate="host-disturbed", verdict=Verdict.INVALID, evidence={})
    assert judge(replace(evidence, findings=[left_out]), BOUNDS).outcome == outcome
    stolen = Finding(gate="steal", verdict=Verdict.INVALID, evidence={})
    assert judge(replace(evidence, findings=[stolen]), BOUNDS).outcome == "host"
    assert judge(replace(evidence, taken=None), BOUNDS).outcome == "host"


@pytest.mark.parametrize(
    "gate", ["wrong-answer", "fast-not-found", "duplicated", "clock", "less-traffic"]
)
def test_no_bound_makes_up_for_wrong_answers(gate: str) -> None:
    probe = judged(gates=(gate,), busy=True)
    assert (probe.outcome, probe.reason) == ("failed", gate)


def test_losses_are_judged_by_the_bounds_of_the_search() -> None:
    assert judged(gates=("loss-or-error",)).outcome == "held"
    probe = judged(gates=("loss-or-error",), echo_attainment=99.8)
    assert (probe.outcome, probe.reason) == ("failed", "echo.attainment")


@pytest.mark.parametrize(("by_others", "outcome"), [(False, "failed"), (True, "host")])
def test_a_trial_that_failed(outcome: str, *, by_others: bool) -> None:
    evidence = Evidence("0001", 400, failure=("exited", "it ended"), failed_by_others=by_others)
    probe = judge(evidence, BOUNDS)
    assert (probe.outcome, probe.reason, probe.detail) == (outcome, "exited", "it ended")


def few(maximum: float) -> Probe:
    """Too few samples for a p99, as ten users give."""
    metrics = GOOD | {
        "echo.response.p99": Metric(
            value=None,
            unit="ms",
            unsupported=Unsupported(code="too-few-samples", has=40, needs=200),
        ),
        "echo.response.max": Metric(value=maximum, unit="ms"),
    }
    return judge(Evidence("0001", 10, metrics=metrics), BOUNDS)


def test_the_maximum_stands_in_for_a_percentile_that_few_samples_do_not_give() -> None:
    assert few(99.0).outcome == "held"
    strict = few(101.0)
    assert strict.outcome == "failed"
    assert strict.broken is not None
    assert (strict.broken.value, strict.broken.stand_in) == (101.0, "echo.response.max")


def test_what_was_not_measured_did_not_hold() -> None:
    metrics = {name: metric for name, metric in GOOD.items() if name != "connect.drop.count"}
    probe = judge(Evidence("0001", 10, metrics=metrics), BOUNDS)
    assert (probe.outcome, probe.reason) == ("failed", "connect.drop.count")
    assert probe.broken is not None
    assert probe.broken.value is None


def test_what_was_attained_leads_to_the_next_load() -> None:
    assert judged(echo_attainment=49.95).hint == pytest.approx(0.5)
    assert judged(connect_attainment=5.0).hint == pytest.approx(0.05)
    assert judged(echo_response_p99=5000).hint == 0.5
