"""Leaders, ties and recommendations, and their absence."""

from __future__ import annotations

from report_build import cell, context, metric, only, participant, said, said_first, too_few

from wirelab.report import advice, remarks
from wirelab.report.costs import cheapest
from wirelab.report.document import Section, words_of
from wirelab.report.sections import overview, summary

FAST = {"read.latency.p50": metric(2.0, interval=(1.9, 2.1))}
SLOW = {"read.latency.p50": metric(20.0, interval=(19.0, 21.0))}
CLOSE = {"read.latency.p50": metric(2.1, interval=(1.95, 2.2))}


def test_the_leader_and_the_distances() -> None:
    found = context(
        [
            cell("fast", FAST, ranks={"read.latency.p50": 1}),
            cell("slow", SLOW, ranks={"read.latency.p50": 2}),
        ]
    )
    lead = remarks.lead(found, only(found), "read.latency.p50")
    assert lead is not None
    assert words_of(lead).replace("\u00a0", " ") == (
        "Lowest read latency p50: Fast (2.00 ms). Slow 10.0 times as much [9.3–10.7]."
    )


def test_a_tie_is_said_and_shares_the_star() -> None:
    found = context(
        [
            cell("close", CLOSE, ranks={"read.latency.p50": 1}),
            cell("fast", FAST, ranks={"read.latency.p50": 1}),
            cell("slow", SLOW, ranks={"read.latency.p50": 3}),
        ]
    )
    comparison = only(found)
    lead = remarks.lead(found, comparison, "read.latency.p50")
    assert lead is not None
    assert "Close, Fast" in words_of(lead)
    assert "They are not told apart." in words_of(lead)
    text = said(summary.summary(found, comparison))
    row = next(line for line in text.splitlines() if line.startswith("| read latency p50"))
    assert row.count("★") == 2
    assert "not told apart: Close, Fast" in row


def test_everybody_who_shares_the_first_rank_is_not_told_apart() -> None:
    """Pairs of a table are judged at once, so that intervals which lie apart do not decide it."""
    ranks = {"read.latency.p50": 1}
    found = context([cell("slow", SLOW, ranks=ranks), cell("fast", FAST, ranks=ranks)])
    lead = remarks.lead(found, only(found), "read.latency.p50")
    assert lead is not None
    assert words_of(lead) == "Read latency p50: Fast, Slow are not told apart."


def test_one_contender_leads_nobody() -> None:
    found = context([cell("fast", FAST)])
    assert remarks.lead(found, only(found), "read.latency.p50") is None
    assert "Nothing could be ranked" in said_first(*overview.overview(found, only(found)))


def test_recommendations_stay_open_without_figures() -> None:
    found = context([cell("fast", {"cpu.mean": too_few(1, 2)}), cell("slow", {})])
    choice = advice.by_metric(found, only(found), "cpu.mean")
    assert not choice.decided
    assert "n too small (1 of 2)" in words_of(choice.grounds)
    assert "Slow: not measured" in words_of(choice.grounds)


def test_recommendations_share_a_tie() -> None:
    ranks = {"cpu.mean": 1}
    figures = {"cpu.mean": metric(1.0, "%", (0.9, 1.1))}
    found = context(
        [
            cell("a", figures, ranks=ranks),
            cell("b", figures, ranks=ranks),
            cell("c", {"cpu.mean": metric(9.0, "%", (8.0, 10.0))}, ranks={"cpu.mean": 3}),
        ]
    )
    choice = advice.by_metric(found, only(found), "cpu.mean")
    assert choice.first == ("A", "B")
    assert choice.second == ("C",)
    situation = advice.Situation("cpu", "Limited CPU", lambda *_: choice)
    table = advice.table(found, only(found), [situation])
    assert "(not told apart)" in said(Section("t", "t", (table,)))


def test_a_second_is_not_recommended_for_the_first() -> None:
    """The others are not the first choice where nothing bounds the figure of the first."""
    first = cell("a", {"cpu.mean": metric(0.5, "%")}, ranks={"cpu.mean": 1})
    found = context(
        [
            first.model_copy(update={"trials": first.trials[:1]}),
            cell("b", {"cpu.mean": metric(1.0, "%", (0.9, 1.1))}, ranks={"cpu.mean": 2}),
            cell("c", {"cpu.mean": metric(9.0, "%", (8.0, 10.0))}, ranks={"cpu.mean": 3}),
        ]
    )
    choice = advice.by_metric(found, only(found), "cpu.mean")
    assert not choice.decided
    assert "A: one trial: nothing can be told apart" in words_of(choice.grounds)
    assert "B: behind a figure that nothing bounds" in words_of(choice.grounds)


def test_costs_that_print_alike_share_the_star() -> None:
    people = {
        "a": participant("a", lines=10),
        "b": participant("b", lines=20),
    }
    people["b"] = people["b"].model_copy(
        update={"ownership": people["b"].ownership.model_copy(update={"install_bytes": 5_000_400})}
    )
    found = context([cell("a", FAST), cell("b", SLOW)], participants=people)
    assert cheapest(found, "size") == {"a", "b"}
    assert cheapest(found, "lines") == set()
