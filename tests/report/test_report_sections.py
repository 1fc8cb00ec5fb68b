"""Sections of reports, from results made by hand."""

from __future__ import annotations

import pytest
from report_build import (
    cell,
    context,
    metric,
    only,
    participant,
    result,
    said,
    said_first,
    scenario,
    too_few,
)

from wirelab.doctor.examine import disclosure
from wirelab.model.result import CallerView, Finding, Series, Verdict
from wirelab.model.units import Text
from wirelab.report import advice, generic
from wirelab.report.by_contender import by_contender
from wirelab.report.cell_table import comparisons_of
from wirelab.report.context import Context
from wirelab.report.document import Figure, plain, words_of
from wirelab.report.forms.markdown import render_markdown
from wirelab.report.sections import (
    conditions,
    definitions,
    errors,
    latency,
    limits,
    other_conditions,
    overview,
    reliability,
    traceability,
    validity,
    versions,
)
from wirelab.report.sections.host import details
from wirelab.report.tabulate import FigureColumn, measured
from wirelab.words.translation import words

FAST = {"read.latency.p50": metric(2.0, interval=(1.9, 2.1))}
SLOW = {"read.latency.p50": metric(20.0, interval=(19.0, 21.0))}
CLOSE = {"read.latency.p50": metric(2.1, interval=(1.95, 2.2))}
STEAL = Finding(
    gate="steal", verdict=Verdict.INVALID, evidence={"steal": {"0001": 0.07}, "worst": 0.07}
)


def test_an_invalid_cell_has_no_star_no_result_and_a_reason() -> None:
    # Even a result that gives it a rank does not get it a star.
    invalid = cell(
        "fast", FAST, ranks={"read.latency.p50": 1}, verdict=Verdict.INVALID, findings=[STEAL]
    )
    found = context([invalid, cell("slow", SLOW, ranks={"read.latency.p50": 2})])
    comparison = only(found)
    invalid = comparison.cells[0]
    shown = measured(found, invalid, FigureColumn("read.latency.p50"), star=True)
    assert shown == Figure("2.00", "[1.90–2.10]", tentative=True)
    first_screen = said_first(*overview.overview(found, comparison))
    row = next(line for line in first_screen.splitlines() if line.startswith("| Fast"))
    assert "invalid" in row
    assert "processor time stolen" in row
    assert "2.0" not in row
    assert "★" not in row
    text = said(validity.validity(found))
    assert "steal" in text
    assert "7.0 %" in text
    assert "Remedy:" in text
    choice = advice.by_metric(found, comparison, "read.latency.p50")
    assert not choice.decided
    assert "Fast: invalid" in words_of(choice.grounds)


def test_a_figure_without_samples_says_how_many_it_has() -> None:
    metrics = FAST | {"read.latency.p99": too_few(114.6, 662)}
    found = context([cell("fast", metrics), cell("slow", SLOW)])
    text = said(latency.latency(found, only(found)))
    assert "n too small (114 of 662)" in text
    korean = context([cell("fast", metrics)], "ko")
    assert "n 부족(114/662)" in said(latency.latency(korean, only(korean)))


def test_the_two_times_are_explained_once() -> None:
    found = context([cell("fast", FAST), cell("slow", SLOW)])
    comparison = only(found)
    first, second = (said(latency.latency(found, comparison)) for _ in range(2))
    assert "coordinated omission" in first
    assert "coordinated omission" not in second


def test_a_closed_loop_says_so() -> None:
    closed = scenario(load={"type": "closed", "at_most": "100ms"})
    found = context([cell("fast", FAST), cell("slow", SLOW)], scenarios={"main": closed})
    assert "closed loop" in said(latency.latency(found, only(found)))


def test_unavailable_contenders_carry_their_command() -> None:
    people = {
        "fast": participant("fast"),
        "gone": participant(
            "gone", unavailable="java is not installed", remedy="apt-get install default-jdk"
        ),
    }
    found = context([cell("fast", FAST)], participants=people)
    text = said_first(*versions.unavailable(found))
    assert "**Gone**: java is not installed `apt-get install default-jdk`" in text
    assert "apt-get install default-jdk" in text
    assert "unavailable" in said(versions.versions(found))


def test_trials_in_no_figure_are_listed_with_reasons() -> None:
    why = {"0000-fast": "session-warm-up", "0003-fast": "never-ready: client, 30 s"}
    found = context([cell("fast", FAST, other_trials=why), cell("slow", SLOW)])
    text = said(validity.validity(found))
    assert "`0003-fast`" in text
    assert "was not ready in time (client, 30 s)" in text
    assert "session warm-up" in said(reliability.repeatability(found, only(found)))


def test_what_a_failed_trial_wrote_is_kept() -> None:
    broken = cell("fast", FAST, other_trials={"0003-fast": "exited: client ended with 1"})
    broken = broken.model_copy(update={"stderr": {"0003-fast": "Traceback: ```oh``` <b>"}})
    text = said(validity.validity(context([broken])))
    assert "Standard error of 0003-fast" in text
    assert "Traceback: ```oh``` <b>" in text


def test_a_contender_is_named_with_its_language() -> None:
    people = {
        name: participant(name).model_copy(
            update={
                "manifest": participant(name).manifest.model_copy(
                    update={"title": Text(en=title), "language": language}
                )
            }
        )
        for name, title, language in (
            ("a", "asyncua", "Python"),
            ("b", "Node OPC UA (JavaScript)", "Java"),
            ("c", "open62541 (C)", "C"),
        )
    }
    found = context([cell("a", FAST)], participants=people)
    assert found.name("a") == "asyncua (Python)"
    assert found.name("b") == "Node OPC UA (JavaScript) (Java)"
    assert found.name("c") == "open62541 (C)"


def test_misses_that_were_not_seen_bound_their_ratio() -> None:
    none = {"read.miss.ratio": metric(0.0, "%", n=1140), "read.miss.count": metric(0, "count")}
    some = {"read.miss.ratio": metric(0.1, "%", n=1140), "read.miss.count": metric(1, "count")}
    found = context([cell("a", none), cell("b", none)])
    assert "read &lt; 0.26 %" in said(reliability.misses(found, only(found)))
    found = context([cell("a", none), cell("b", some)])
    assert "No deadline was missed" not in said(reliability.misses(found, only(found)))


def test_every_figure_leads_to_its_trials() -> None:
    figures = {"read.latency.p50": metric(2.0, "ms", (1.9, 2.1), 1140, [1.93, 2.07])}
    text = said(traceability.traceability(context([cell("fast", figures)])))
    assert "`figures.csv`" in text
    assert "T1 `trials/0001-fast/`<br>T2 `trials/0002-fast/`" in text


def test_unlike_modes_are_never_in_one_table() -> None:
    cells = [cell("a", FAST), cell("b", SLOW), cell("c", CLOSE, mode="async")]
    found = context(cells)
    groups = [[c.contender for c in comparison.cells] for comparison in comparisons_of(found)]
    assert groups == [["a", "b"], ["c"]]
    text = render_markdown(generic.compose(found))
    assert "Read and write · async" in text


def test_errors_of_callers() -> None:
    faults = scenario(
        variants={"down": {"title": {"en": "Down", "ko": "다운"}, "expects": "call-error"}},
    )
    view = CallerView(
        trial="0001",
        outcome="error",
        error_class="Oops",
        error_message="<script>alert(1)</script> | **bold** [x](javascript:1)",
        time_to_error_ms=1234.0,
        failed_operations=3,
    )
    silent = view.model_copy(update={"outcome": "silent", "error_message": ""})
    found = context(
        [
            cell("a", caller=[view], scenario_name="main", variant="down"),
            cell("b", caller=[view, silent, silent], scenario_name="main", variant="down"),
        ],
        scenarios={"main": faults},
    )
    section = errors.errors(found)
    assert section is not None
    text = said(section)
    assert "error after 1.23\u00a0s" in text
    assert "<script>" not in text
    assert "\\*\\*bold\\*\\*" in text
    assert "](javascript" not in text.replace("\\](", "")
    assert "outcomes differ: silent 2, error 1" in text
    assert "**B** gives no sign of the fault (Down)" in text


def test_without_faults_there_are_no_error_patterns() -> None:
    assert errors.errors(context([cell("fast", FAST)])) is None


@pytest.mark.parametrize("profile", ["smoke", "brief", "check"])
def test_a_smoke_run_and_an_unfinished_run_say_so(profile: str) -> None:
    found = Context(
        result([cell("a", FAST)], profile=profile, complete=False), Series(cells={}), words("en")
    )
    text = said_first(*overview.overview(found, only(found)))
    assert "not complete" in text
    assert "Too short to compare" in text
    assert "1 included trial" not in said(limits.limits(found, only(found)))


def test_unknown_metrics_keep_their_name_and_claim_no_meaning() -> None:
    found = context([cell("a", {"quarks.flavour": metric(3, "x")})])
    assert "| quarks.flavour | x | – |" in said(definitions.definitions(found))


def test_a_column_nobody_knows_is_left_out() -> None:
    found = context([cell("a", FAST)])
    table = by_contender(
        found,
        only(found),
        "t",
        [FigureColumn("read.latency.p50"), FigureColumn("read.latency.p99")],
    )
    assert [column.title for column in table.columns] == ["p50"]


def two_scenarios() -> Context:
    scenarios = {
        "main": scenario(),
        "slow": scenario(title={"en": "Slow"}, load={"type": "paced", "period": "2s"}),
    }
    cells = [
        cell(name, FAST, scenario_name=of, parameters={"tags": tags, "rate": 7})
        for of, tags in (("main", 100), ("slow", 500))
        for name in ("fast", "other")
    ]
    return context(cells, scenarios=scenarios)


def test_further_scenarios_tell_what_they_have_otherwise() -> None:
    found = two_scenarios()
    (told,) = other_conditions.other_conditions(found, comparisons_of(found))
    text = said_first(told)
    assert "| Slow | scenario | slow |" in text
    assert "| tick period | 2\xa0s |" in text
    assert "| parameter tags | 500 |" in text
    assert "parameter rate" not in text
    only_one = comparisons_of(found)[:1]
    assert other_conditions.other_conditions(found, only_one) == ()


def test_several_summaries_stand_below_one_title() -> None:
    titles = [s.title for s in generic.compose(two_scenarios()).sections]
    assert titles.count("Summary of figures") == 1


def test_operations_that_are_counted_share_a_row() -> None:
    counted = {"record": "intervals", "preflight": 0, "verify_ratio": 0}
    operations = {"read": {"code": 1, **counted}, "write": {"code": 2, **counted}}
    found = context([cell("fast", FAST)], scenarios={"main": scenario(operations=operations)})
    text = said(conditions.conditions(found, only(found)))
    assert "| read, write |" in text


def test_all_that_is_told_of_a_machine_has_words() -> None:
    host = disclosure()
    assert {"toolchains", "timer_late_ns", "open_files", "canary_spread"} <= host.keys()
    base = result([cell("a", FAST)])
    told = base.model_copy(
        update={"disclosure": base.disclosure.model_copy(update={"host": dict(host)})}
    )
    found = Context(told, Series(cells={}), words("ko"))
    (items,) = details(found).blocks
    labels = [term for term, _ in items.items]
    assert len(labels) > len(host)
    assert [label for label in labels if label in host or "_" in label] == []


@pytest.mark.parametrize(
    ("value", "shown"), [("virtual machine", "가상 머신"), ("none", "없음"), ("kvm", "kvm")]
)
def test_what_a_machine_runs_on_is_told_in_words(value: str, shown: str) -> None:
    base = result([cell("a", FAST)])
    host = {"virtualisation": value}
    told = base.model_copy(update={"disclosure": base.disclosure.model_copy(update={"host": host})})
    (items,) = details(Context(told, Series(cells={}), words("ko"))).blocks
    assert dict(items.items)["가상화"] == plain(shown)
