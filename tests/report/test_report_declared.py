"""Rules that ``published.toml`` declares, each kind against the cells of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from report_build import cell, context, metric, participant, scenario

from wirelab.model.result import CallerView, Cell, Finding, Metric, Verdict
from wirelab.model.spikes import Spikes
from wirelab.report import claims
from wirelab.report.claims import NoRuleError, StatementAnswer
from wirelab.report.declared import answering
from wirelab.report.judging import Standing
from wirelab.report.published import Claim


def about(value: float, spread: float = 0.01) -> Metric:
    return metric(value, "ms", (value * (1 - spread), value * (1 + spread)), 500)


def answer(cells: Sequence[Cell], *rules: Mapping[str, Any], **changes: Any) -> Any:
    """Answer to a statement with these rules."""
    claim = Claim.model_validate(
        {"key": "one", "section": "1", "text": "One.", "rules": [dict(rule) for rule in rules]}
    )
    return answering(context(cells, **changes))(claim)


def rule(kind: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "scenario": "main", "metric": "read.latency.p50"} | more


def cells_of(**values: Metric) -> list[Cell]:
    return [cell(name, {"read.latency.p50": value}) for name, value in values.items()]


TWO = cells_of(fast=about(10.0), slow=about(48.0))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (rule("less", left=["fast"], right=["slow"]), Standing.SUPPORTED),
        (rule("more", left=["fast"], right=["slow"]), Standing.CONTRADICTED),
        (rule("times", left="slow", right="fast", times=4.8), Standing.SUPPORTED),
        (rule("times", left="slow", right="fast", times=9), Standing.DIRECTION),
        (rule("between", left="slow", right="fast", low=4, high=8), Standing.SUPPORTED),
        (rule("level", contenders=["fast", "slow"]), Standing.CONTRADICTED),
        (rule("below", limit=50, contenders=["fast", "slow"]), Standing.SUPPORTED),
        (rule("above", limit=20, contenders=["fast", "slow"]), Standing.CONTRADICTED),
        (rule("less", left=["fast"], right=["gone"]), Standing.OPEN),
        (rule("less", left=["fast"], right=["slow"], scenario="other"), Standing.OPEN),
    ],
)
def test_each_kind_is_judged_by_intervals(asked: dict[str, Any], expected: Standing) -> None:
    assert answer(TWO, asked).stand is expected


def test_one_trial_each_decides_nothing() -> None:
    once = cells_of(first=metric(1076.0, per_trial=[1076.0]), last=metric(988.0, per_trial=[988.0]))
    for asked in (
        rule("less", left=["first"], right=["last"]),
        rule("level", contenders=["first", "last"]),
    ):
        found = answer(once, asked)
        assert found.stand is Standing.OPEN
        assert "no interval bounds their ratio" in found.grounds


def test_the_stated_size_is_told_beside_the_ratio() -> None:
    found = answer(TWO, rule("times", left="slow", right="fast", times=9))
    assert "ratio 4.80" in found.grounds
    assert "stated: 9" in found.grounds


def test_losses_are_counted_in_cells_that_are_invalid_for_them_alone() -> None:
    lost = Finding(gate="loss-or-error", verdict=Verdict.INVALID, evidence={})
    late = Finding(gate="order-bias", verdict=Verdict.INVALID, evidence={})
    figures = {"read.loss.count": metric(7, "count", per_trial=[3, 4])}
    asked = rule("none", metric="read.loss.count", contenders=["a"])
    for findings, expected in (([lost], Standing.CONTRADICTED), ([lost, late], Standing.OPEN)):
        found = cell("a", figures, verdict=Verdict.INVALID, findings=findings)
        assert answer([found], asked).stand is expected


def test_an_invalid_figure_decides_nothing() -> None:
    late = Finding(gate="order-bias", verdict=Verdict.INVALID, evidence={})
    invalid = cell("fast", TWO[0].metrics, verdict=Verdict.INVALID, findings=[late])
    found = answer([invalid, TWO[1]], rule("less", left=["fast"], right=["slow"]))
    assert found.stand is Standing.OPEN
    assert "invalid (order-bias)" in found.grounds


def test_outcomes_need_two_trials_that_agree() -> None:
    def seen(*outcomes: str) -> list[Cell]:
        views = [CallerView.model_validate({"trial": "1", "outcome": one}) for one in outcomes]
        return [cell("a", variant="down", caller=views)]

    asked = {"kind": "seen", "scenario": "main", "variant": "down", "outcome": "error"}
    asked["contenders"] = ["a"]  # type: ignore[assignment]
    down = {"title": {"en": "Down", "ko": "다운"}, "expects": "call-error"}
    faults = {"main": scenario(variants={"down": down})}
    assert answer(seen("error", "error"), asked, scenarios=faults).stand is Standing.SUPPORTED
    assert answer(seen("error", "hang"), asked, scenarios=faults).stand is Standing.CONTRADICTED
    assert answer(seen("error"), asked, scenarios=faults).stand is Standing.OPEN


def test_costs_of_owning_are_exact() -> None:
    people = {"short": participant("short", lines=10), "long": participant("long", lines=20)}
    asked = {"kind": "cheaper", "cost": "lines", "left": ["short"], "right": ["long"]}
    cells = [cell("short"), cell("long")]
    assert answer(cells, asked, participants=people).stand is Standing.SUPPORTED
    turned = asked | {"left": ["long"], "right": ["short"]}
    assert answer(cells, turned, participants=people).stand is Standing.CONTRADICTED


def test_sides_may_be_of_unlike_steps_and_steps_a_pattern() -> None:
    steps = {
        name: {"title": {"en": name, "ko": name}, "users": 1, "count": 1}
        for name in ("s1", "s2", "t1")
    }
    main = scenario(load={"type": "closed", "at_most": "100ms"}, steps=steps, drift_target=None)
    cells = [
        found.model_copy(update={"step": step, "id": f"{found.id}/{step}"})
        for found, step in zip(
            cells_of(a=about(1.0)) + cells_of(a=about(2.0)) + cells_of(a=about(90.0)),
            steps,
            strict=True,
        )
    ]
    run = {"scenarios": {"main": main}}
    unlike = rule("times", left="a@s2", right="a@s1", times=2)
    assert answer(cells, unlike, **run).stand is Standing.SUPPORTED
    some = rule("below", step="s*", limit=3, contenders=["a"])
    assert answer(cells, some, **run).stand is Standing.SUPPORTED
    assert answer(cells, some | {"step": "last"}, **run).stand is Standing.CONTRADICTED


def test_a_statement_without_rule_or_reason_is_an_error() -> None:
    claim = Claim.model_validate({"key": "bare", "section": "1", "text": "Bare."})
    with pytest.raises(NoRuleError, match="claim bare has neither"):
        answering(context(TWO))(claim)


def test_a_statement_with_rules_does_not_stay_open_by_its_reason() -> None:
    with pytest.raises(ValueError, match="decide it"):
        Claim.model_validate(
            {
                "key": "both",
                "section": "1",
                "text": "Both.",
                "open": "because",
                "rules": [rule("less", left=["a"], right=["b"])],
            }
        )


# ------------------------------------------------------------- spikes and what coincides with them


def spiky(*causes: str, trials: int = 2, verdict: Verdict = Verdict.VALID) -> Cell:
    """A cell whose slowest calls all coincide with a collection; these causes stand out."""
    coincided = {"collection": 11, "compilation": 1}
    slowest = {"operations": 11, "mean_ms": 9.0, "alone": 0, "coincided": coincided}
    everything = {"operations": 1140, "mean_ms": 2.0, "alone": 1000, "coincided": coincided}
    spikes = {"from_ms": 8.0, "slowest": slowest, "all": everything, "stands_out": list(causes)}
    return cell("fast", verdict=verdict).model_copy(
        update={
            "spikes": {"read": Spikes.model_validate(spikes)},
            "trials": [f"{n:04d}" for n in range(trials)],
        }
    )


SPIKES = {
    "kind": "stands-out",
    "scenario": "main",
    "operation": "read",
    "causes": ["collection", "compilation"],
    "contenders": ["fast"],
}


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (spiky("collection"), Standing.SUPPORTED),
        (spiky("compilation"), Standing.SUPPORTED),
        (spiky(), Standing.OPEN),
        (spiky("host"), Standing.OPEN),
        (spiky("collection", trials=1), Standing.OPEN),
        (spiky("collection", verdict=Verdict.INVALID), Standing.OPEN),
    ],
)
def test_what_stands_out_bears_a_statement_out(found: Cell, expected: Standing) -> None:
    assert answer([found], SPIKES).stand is expected


def test_the_grounds_are_the_slowest_beside_all() -> None:
    grounds = answer([spiky("collection")], SPIKES).grounds
    assert "a collection with 11 of the 11 slowest and 0.96 % of all" in grounds


def test_causes_that_nobody_recorded_leave_it_open() -> None:
    told = answer([spiky("collection")], SPIKES | {"causes": ["wire"]})
    assert told.stand is Standing.OPEN
    assert "not measured in this run" in told.grounds
    assert answer([spiky()], SPIKES | {"operation": "write"}).stand is Standing.OPEN


def test_the_figure_that_decides_is_the_one_of_the_table() -> None:
    for_it = StatementAnswer(Standing.SUPPORTED, "one\ntwo")
    against = StatementAnswer(Standing.CONTRADICTED, "Of three:\nthree\nfour")
    told = claims.all_of([for_it, against])
    assert told.stand is Standing.CONTRADICTED
    assert told.grounds.splitlines() == ["one", "two", "Of three:", "three", "four"]
    assert told.brief() == "Of three: three"
    assert claims.all_of([for_it, for_it]).brief() == "one"
