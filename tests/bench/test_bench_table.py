from __future__ import annotations

import io

import pytest
from rich.console import Console

from wirelab.bench.figure import BenchFigure, Findings
from wirelab.bench.table import print_findings
from wirelab.bench.wording import summary


def figure(name: str, value: float | None, **fields) -> BenchFigure:
    return BenchFigure(
        **{"benchmark": "recorder", "name": name, "what": f"what {name} is", "unit": "ns"}
        | {"value": value}
        | fields
    )


def findings(*figures: BenchFigure, **fields) -> Findings:
    return Findings(
        **{
            "started_at": "2026-01-02T03:04:05+00:00",
            "wirelab": "0.1.0",
            "git_revision": "abc",
            "profile": "quick",
            "seed": 4711,
            "host": {"cpus": 2, "cpu": "A processor", "kernel": "6.1", "clock_source": "tsc"},
            "load_before": [0.25, 0.5, 0.5],
            "run": "results/one",
            "figures": list(figures),
            "remarks": {},
        }
        | fields
    )


def printed(found: Findings, width: int = 200) -> str:
    out = io.StringIO()
    print_findings(found, Console(file=out, width=width))
    return out.getvalue()


def row(text: str, begins: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(begins))


def test_a_row_holds_figure_interval_target_and_verdict():
    text = printed(findings(figure("a", 12.345, interval=(12.0, 1234.5), target=100.0)))
    assert row(text, "what a is").split() == (
        ["what", "a", "is", "12.3", "ns", "12", "–", "1,234", "<=", "100", "ns", "undecided"]
    )


def test_a_target_that_is_a_minimum_says_so():
    text = printed(findings(figure("a", 7.0, target=6.0, better="higher")))
    assert row(text, "what a is").split()[-4:] == [">=", "6", "ns", "met"]


def test_conditions_come_first():
    first = printed(findings(figure("a", 1.0))).splitlines()[0]
    for part in ("2 processors", "A processor", "Linux 6.1", "clock tsc", "load before 0.25"):
        assert part in first


def test_a_missed_target_is_said_clearly():
    found = findings(
        figure("a", 1.0, target=2.0),
        figure("b", 3.0, target=2.0),
        figure("c", None, target=2.0, why_not="no compiler"),
        figure("d", 9.0),
    )
    assert summary(found) == ("1 of 3 targets met. missed: what b is. not measured: what c is")
    assert summary(found) in printed(found)


def test_what_has_no_figure_says_why_once_for_all_that_share_the_reason():
    text = printed(
        findings(
            figure("a", None, target=1.0, why_not="no compiler"),
            figure("b", None, why_not="no compiler"),
        )
    )
    assert row(text, "what a is").split()[-3:] == ["ns", "not", "measured"]
    assert "no figure (no compiler): a, b" in text


def test_gates_are_named_with_their_cells():
    text = printed(findings(figure("a", 1.0), remarks={"steal (warn)": ["ticks/c", "ticks/java"]}))
    assert "gate steal (warn): ticks/c, ticks/java" in text


def test_nothing_is_cut_off_on_a_narrow_terminal():
    text = printed(findings(figure("a", 123456.0, interval=(0.0001234, 1.5), target=1.0)), 80)
    assert "…" not in text
    for part in ("123,456 ns", "0.000123 – 1.5", "<= 1 ns", "undecided"):
        assert part in text


def test_a_narrow_terminal_has_each_figure_below_its_name_in_columns():
    name = "p95 of the drift of a Java ticker, over that of a bare clock_nanosleep loop"
    target = {"target": 1.5, "better": "higher"}
    missed = {"target": 1e7, "better": "higher"}
    text = printed(
        findings(
            figure("a", 123456.0, what=name, interval=(0.0001234, 1234567.0), **missed),
            figure("b", 1.0, what=name.replace("Java", "Python"), target=2.0),
            figure("c", None, what=name.replace("Java", "C"), unit="messages/s", **target),
        ),
        80,
    )
    lines = text.splitlines()
    at = [number for number, line in enumerate(lines) if line.startswith("p95 of")]
    assert lines[at[0]] == name
    figures = [lines[number + 1] for number in at]
    assert all(max(map(len, lines[n : n + 2])) <= 80 for n in at)
    # The verdicts stand below each other.
    verdicts = ("missed", "met", "not measured")
    assert len({line.index(said) for line, said in zip(figures, verdicts, strict=True)}) == 1
    assert lines[at[0] - 1].split() == ["measured", "95", "%", "interval", "target", "verdict"]


@pytest.mark.parametrize("width", [30, 200])
def test_without_figures_there_is_no_table(width: int):
    text = printed(findings(remarks={"steal (warn)": ["ticks/c"]}), width)
    assert "95 % interval" not in text
    assert "gate steal (warn): ticks/c" in text
    assert "no figure here has a target" in text


def test_figures_without_targets_are_no_success():
    assert summary(findings(figure("a", 1.0))) == "no figure here has a target"
