"""Closed loops in a report: the time of steps, no response times, and nothing told of one trial.

``WIRELAB_UPDATE_GOLDEN=1`` writes the file in ``golden/`` anew, as it does for the other reports.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from report_build import cell, context, metric, only, said_first
from rich.console import Console

from synthetic import Client, closed_run
from wirelab.cells.analysis import analyse
from wirelab.gates.wording import evidence_lines
from wirelab.model.measure import Ranking
from wirelab.model.result import Finding, Result, Series, Verdict
from wirelab.report import closed, terminal, write
from wirelab.report.cell_table import CellTable
from wirelab.report.charts import latency_and_users
from wirelab.report.charts.steps import by_step
from wirelab.report.context import Context
from wirelab.report.document import Chart, Table, plain
from wirelab.report.sections import closed as closed_section
from wirelab.report.sections import overview
from wirelab.words import numbers
from wirelab.words.translation import words

GOLDEN = Path(__file__).parent / "golden"
UPDATE = os.environ.get("WIRELAB_UPDATE_GOLDEN") == "1"
CLIENTS = {"swift": Client(), "slow": Client(median_ms=6.0), "twin": Client()}


def analysed(folder: Path, trials: int) -> Result:
    """A run in two steps, on disk."""
    return analyse(closed_run(CLIENTS, trials=trials, ticks=300).write(folder))[0]


def shown(result: Result, language: str = "en") -> str:
    console = Console(file=io.StringIO(), width=100)
    terminal.summary(result, console, language)
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_a_report_of_closed_loops_is_as_kept(tmp_path: Path) -> None:
    analysed(tmp_path, trials=3)
    (path,) = write(tmp_path, "en", ["md"], None)
    kept = GOLDEN / "closed-en.md"
    if UPDATE:
        kept.write_bytes(path.read_bytes())
    text = path.read_text("utf-8")
    assert text == kept.read_text("utf-8")
    (korean,) = write(tmp_path, "ko", ["md"], None)
    for absent in ("응답 시간 p", "response p", "drift p95", "Hz)"):
        assert absent not in text
        assert absent not in korean.read_text("utf-8")


def test_a_terminal_ranks_contenders_step_by_step(tmp_path: Path) -> None:
    result = analysed(tmp_path, trials=3)
    lines = {line.split()[0]: line for line in shown(result).splitlines() if line.strip()}
    assert lines["slow"].count("#3") == 2
    assert lines["swift"].count("#1=") == lines["twin"].count("#1=") == 2
    assert "one trial" not in shown(result)
    assert "#3" in shown_so_far(result)


def test_yardsticks_alone_have_no_table_on_a_terminal(tmp_path: Path) -> None:
    run = closed_run(CLIENTS, trials=3, ticks=300)
    people = dict(run.run.participants)
    bare = people["twin"].manifest.model_copy(update={"reference": True, "mode": "bare"})
    people["twin"] = people["twin"].model_copy(update={"manifest": bare})
    run.run = run.run.model_copy(update={"participants": people})
    result = analyse(run.write(tmp_path))[0]
    for text in (shown(result), shown_so_far(result)):
        assert "slow" in text
        assert "twin" not in text
    alone = {name: one for name, one in people.items() if name == "twin"}
    cells = [cell for cell in result.cells if cell.contender == "twin"]
    only_it = result.model_copy(update={"participants": alone, "cells": cells})
    assert "twin" in shown_so_far(only_it)


def shown_so_far(result: Result) -> str:
    table = terminal.so_far(result)
    assert table is not None
    console = Console(file=io.StringIO(), width=100)
    console.print(table)
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_before_all_trials_are_run_nobody_is_ranked(tmp_path: Path) -> None:
    result = analysed(tmp_path, trials=3)
    waiting = [
        cell.model_copy(update={"other_trials": {**cell.other_trials, "last": "not-run"}})
        for cell in result.cells
    ]
    text = shown_so_far(result.model_copy(update={"cells": waiting}))
    assert "3/4" in text
    assert "#" not in text


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "one trial: nothing can be told apart"),
        ("ko", "회차가 하나뿐이라 구별할 수 없음"),
    ],
)
def test_one_trial_ranks_nobody_and_says_so_once(
    tmp_path: Path, language: str, sentence: str
) -> None:
    result = analysed(tmp_path, trials=1)
    ranks = [cell.ranks["step.elapsed"] for cell in result.cells if cell.step]
    assert ranks == [1] * 2 * len(CLIENTS)
    text = shown(result, language)
    assert "#1" not in text.replace("#1 fastest", "").replace("#1: ", "")
    assert text.count(sentence) == 1


def test_a_star_takes_more_than_one_trial() -> None:
    def of(name: str, value: float, trials: int):
        made = cell(name, {"read.latency.p50": metric(value)}, ranks={"read.latency.p50": 1})
        return made.model_copy(update={"trials": made.trials[:trials]})

    one = context([of("a", 1.0, 1), of("b", 9.0, 1)])
    told = said_first(*overview.overview(one, only(one)))
    assert "★" not in told
    assert "no difference" not in told
    assert told.count("nothing can be told apart") == 2  # the callout, and why nobody is ranked
    two = context([of("a", 1.0, 2), of("b", 9.0, 2)])
    told = said_first(*overview.overview(two, only(two)))
    assert told.count("★") == 2
    assert "nothing can be told apart" not in told


def test_one_trial_with_an_interval_is_told_apart() -> None:
    cells = [
        cell(name, {"read.latency.p50": metric(value, interval=(value, value * 1.1))},
             ranks={"read.latency.p50": rank})
        for name, value, rank in (("a", 1.0, 1), ("b", 9.0, 2))
    ]  # fmt: skip
    found = context([c.model_copy(update={"trials": c.trials[:1]}) for c in cells])
    told = said_first(*overview.overview(found, only(found)))
    assert told.count("★") == 1
    assert "nothing can be told apart" not in told


def test_what_alone_is_bounded_has_no_rank(tmp_path: Path) -> None:
    """A trial that made up for a lost one bounds its contender, and nobody else."""
    result = analysed(tmp_path, trials=3)
    cells = [
        one.model_copy(
            update={
                "ranks": dict.fromkeys(one.ranks, 1),
                "trials": one.trials[:1],
                "metrics": {
                    name: found.model_copy(update={"interval": None})
                    for name, found in one.metrics.items()
                },
            }
        )
        if one.contender != "swift"
        else one.model_copy(update={"ranks": dict.fromkeys(one.ranks, 1)})
        for one in result.cells
    ]
    assert any(one.contender == "swift" and one.ranks for one in cells)
    text = shown(result.model_copy(update={"cells": cells}))
    assert "swift" in text
    assert "#1" not in text.replace("#1 fastest", "")
    assert "★" not in text.replace("★ best", "")


def test_a_scenario_that_ranks_latencies_shows_them(tmp_path: Path) -> None:
    result = analysed(tmp_path, trials=3)
    ranked = {
        name: one.model_copy(update={"rankings": [Ranking(metric="rtt.latency.p50")]})
        for name, one in result.scenarios.items()
    }
    text = shown(result.model_copy(update={"scenarios": ranked}))
    assert "rtt p50" in text
    assert "#1 best" in text
    assert "Time of each step" not in text
    cells = [cell for cell in result.cells if cell.contender == "slow" and cell.step]
    assert cells
    (line,) = (line for line in text.splitlines() if line.split()[:1] == ["slow"])
    for one in cells:
        value = one.metrics["rtt.latency.p50"].value
        assert value is not None
        assert numbers.brief(value, digits=3) in line


@pytest.mark.parametrize(("language", "word"), [("en", "payload 24.0"), ("ko", "페이로드 24.0")])
def test_the_evidence_of_missing_traffic(language: str, word: str) -> None:
    evidence = {"trials": {"0001-a": {"payload": 24_000_000, "received": 300_000}}}
    finding = Finding(gate="less-traffic", verdict=Verdict.INVALID, evidence=evidence)
    (line,) = evidence_lines(finding, "a cell", words(language))
    assert word in line
    assert "0.3" in line


# ------------------------------------------------------------------------------- charts


def lines_of(chart: Chart | None) -> list[set[float]]:
    """Places along which each panel of a chart has points."""
    assert chart is not None
    return [{row["x"] for row in panel.spec["datasets"]["points"]} for panel in chart.panels]


def test_latency_stands_over_users_who_send(tmp_path: Path) -> None:
    """A step may have more connections than users who send, as on the way down of a ramp."""
    result = analysed(tmp_path, trials=3)
    scenario = result.scenarios["closed"]
    more = scenario.steps["more"].model_copy(update={"users": 9, "lanes": 4})
    steps = {**scenario.steps, "more": more}
    ranked = [Ranking(metric="rtt.latency.p50")]
    changed = scenario.model_copy(update={"steps": steps, "rankings": ranked})
    parts = CellTable.of(
        Context(
            result.model_copy(update={"scenarios": {"closed": changed}}),
            Series(cells={}),
            words("en"),
        ),
        "closed",
    )
    groups = [("", parts.contenders)]
    drawn = [
        by_step(parts, "Latency", plain("p50"), "rtt.latency.p50", groups, active=active)
        for active in (False, True)
    ]
    assert [lines_of(chart) for chart in drawn] == [[{2, 9}], [{2, 4}]]


def as_a_ramp(result: Result) -> Context:
    """The same run with steps during which users come one by one."""
    scenario = result.scenarios["closed"]
    steps = {
        name: step.model_copy(update={"ramp": 1_000_000_000, "users": users, "lanes": None})
        for (name, step), users in zip(scenario.steps.items(), (6, 9), strict=True)
    }
    changed = scenario.model_copy(update={"steps": steps})
    told = result.model_copy(update={"scenarios": {"closed": changed}})
    return Context(told, Series(cells={}), words("en"))


def test_a_part_of_a_ramp_stands_at_the_middle_of_its_users(tmp_path: Path) -> None:
    parts = CellTable.of(as_a_ramp(analysed(tmp_path, trials=3)), "closed")
    groups = [("", parts.contenders)]
    chart = by_step(parts, "Latency", plain("p50"), "rtt.latency.p50", groups, active=True)
    assert lines_of(chart) == [{3, 7.5}]


def test_steps_of_a_ramp_are_told_by_what_it_ranks_and_not_by_the_time_they_are_given(
    tmp_path: Path,
) -> None:
    result = analysed(tmp_path, trials=3)
    for made, opens in ((as_a_ramp, "Rtt latency p50, by step"), (as_it_is, "Time of each step")):
        told = made(result)
        (parts,) = closed.groups(told)
        blocks = [*closed_section.overview(told, parts), *closed_section.times(told, parts).blocks]
        captions = [block.caption for block in blocks if isinstance(block, Table)]
        assert captions[:3] == [opens, opens, f"{opens}, as a multiple of the fastest"]


def as_it_is(result: Result) -> Context:
    return Context(result, Series(cells={}), words("en"))


def test_latency_stands_before_the_users_of_each_second(tmp_path: Path) -> None:
    result, series = analyse(closed_run(CLIENTS, trials=2, ticks=300).write(tmp_path))
    told = Context(result, series, words("ko"))
    whole = CellTable.of(told, "closed").whole
    chart = latency_and_users(told, whole, "rtt")
    assert chart is not None
    assert [panel.title for panel in chart.panels] == [told.name(name) for name in sorted(CLIENTS)]
    rows = chart.panels[0].spec["datasets"]["points"]
    assert {row["kind"] for row in rows} == {"p50", "p95", "under_way"}
    assert {row["trial"] for row in rows} == set(whole.cells[0].trials)
    assert latency_and_users(told, whole, "nobody") is None
