"""Chapters of ``websocket``: the study's sections with what it published, ranks at each
step, the proof about the generator, and what becomes of all that in smaller runs."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

from rich.console import Console
from told_once import report_of
from websocket_sample import (
    SERVERS,
    STEPS,
    SUITE,
    about,
    changed,
    ranked,
    sample,
    without,
)
from websocket_text import grounds, part, published, report, stand

from wirelab.model.result import Cell, CellSeries, Finding, Series, Timeline, Verdict
from wirelab.report.cell_table import comparisons_of, stepped
from wirelab.report.context import Context
from wirelab.report.loads import users_of
from wirelab.report.terminal import summary
from wirelab.words.translation import words

# ---------------------------------------------------------------------------- the structure


def test_sections_are_those_of_the_study(tmp_path: Path) -> None:
    text = report(tmp_path, sample(), "ko")
    headings = re.findall(r"^## (\d\. .+)$", text, re.M)
    assert headings == [
        "2. 실험 환경",
        "3. 기본 실험",
        "4. 추가 최적화 실험",
        "5. 실시간 동기화 시스템 가이드라인",
        "6. 결론",
        "7. 향후 연구",
    ]
    below = re.findall(r"^### (\d-\d\. .+)$", text, re.M)
    for name in ("3-2. 성능 측정 결과", "3-3. 결과 비교 및 분석", "5-1. 서버별 권장 활용 환경"):
        assert name in below
    assert "#### 3-3-1. 성능 지표 비교" in text
    assert "#### 3-3-2. 프레임워크 구조적 특성 분석" in text


def test_every_server_has_its_steps_and_the_published_figures_below(tmp_path: Path) -> None:
    text = report(tmp_path, sample())
    of_node = part(text, "#### 3-2-4. Node.js ws (JavaScript)")
    first = of_node.split("**Delivery")[0]
    rows = [line.split(" | ")[0].strip("| ") for line in first.splitlines() if line[:2] == "| "]
    assert rows[2:] == [
        *("100 users", "300 users", "500 users", "700 users", "1,000 users"),
        *("all steps", "published, whole run"),
    ]
    last = first.strip().splitlines()
    assert any("| 250<sup>" in line and "3,000<sup>" in line for line in last)


def test_every_published_figure_is_shown(tmp_path: Path) -> None:
    text = report(tmp_path, sample(), "ko")
    assert [len(of) for of in published().figures.values()] == [4] * 6
    assert sum(len(of) for of in published().said.values()) == 28
    for key, of in published().figures.items():
        for name, digits in of.items():
            assert f"{int(digits):,}" in text, (key, name)
    for key, said in published().said.items():
        for name, words_ in said.items():
            assert words_.of("ko") in text.replace("&lt;", "<"), (key, name)


def test_both_languages_have_the_same_figures(tmp_path: Path) -> None:
    english, korean = (report(tmp_path, sample(), language) for language in ("en", "ko"))
    figures = [
        sorted(re.findall(r"\[\d[\d.,]*–\d[\d.,]*\]", text.split("## A.")[0]))
        for text in (english, korean)
    ]
    assert len(figures[0]) > 500
    assert figures[0] == figures[1]


def test_charts_by_step_are_drawn(tmp_path: Path) -> None:
    html = report(tmp_path, sample(), form="html")
    assert html.count("by users, one line for each contender") >= 9
    assert "delivery response time p99" in html


def test_rate_and_network_over_time_stand_at_their_server(tmp_path: Path) -> None:
    line = Timeline(trial="0001", seconds=[0, 1], values={"rate": [4_900, 4_900], "lost": [0, 2]})
    flow = Timeline(trial="0001", seconds=[0, 1], values={"in": [0.01, 0.01], "out": [0.7, 0.7]})
    drawn = CellSeries(operations={"delivery": [line]}, network=[flow])
    series = Series(cells={"websocket/ramp/node-ws": drawn})
    text = report_of(SUITE, tmp_path, sample(), "en", "md", series=series)
    of_node = part(text, "#### 3-2-4. Node.js ws (JavaScript)")
    for title in ("Rate and loss over time", "Network over time"):
        assert title in of_node
        assert text.count(title) == 1


# ------------------------------------------------------------------------ ranks, references


def test_ranks_are_printed_at_each_step_and_ties_say_so(tmp_path: Path) -> None:
    table = report(tmp_path, sample()).split("**delivery response time p95**")[1].split("**")[0]
    lines = {line.split(" | ")[0].strip("| "): line for line in table.splitlines() if "|" in line}
    assert lines["axum (Rust)"].count("★ #1 |") == len(STEPS) + 1
    assert lines["Spring WebSocket (Java)"].count("#3=") == len(STEPS) + 1
    assert "#" not in lines["Null server (Rust)  reference"]
    naive = lines["Spring WebSocket (naive) (Java)"].split(" | ")
    assert "#" in naive[3]
    assert naive[4].startswith("(")
    assert "#" not in naive[4]


def test_the_yardstick_is_no_choice(tmp_path: Path) -> None:
    use = part(report(tmp_path, sample()), "### 5-1. Recommended use of each server")
    assert "Null server" not in use
    assert "**axum (Rust)**" in use


def test_steps_are_comparisons_of_their_own() -> None:
    context = Context(sample(), Series(cells={}), words("en"), published())
    found = [(c.step, c.generator) for c in comparisons_of(context, scenario="ramp")]
    assert found == [(s, "") for s in ("", *STEPS)] + [(s, "k6") for s in STEPS]
    parts = stepped(context, "ramp")
    assert [users_of(part) for part in parts.by_step] == list(STEPS.values())
    assert parts.yardsticks_last[-1] == "null"
    assert "null" not in {cell.contender for cell in parts.top.ranked}


# ---------------------------------------------------------------------------- the generator


def test_the_generator_is_shown_to_have_had_time(tmp_path: Path) -> None:
    proof = part(report(tmp_path, sample()), "### 2-3. Client simulator: was it the bottleneck?")
    assert "not saturated in any cell**: at most 36.0 % of a core" in proof
    assert "33 % of its ceiling of 147,000 deliveries a second" in proof
    assert "Floor: what the generator and the kernel cost with Null server (Rust)" in proof


def test_a_saturated_generator_is_said_first_and_named(tmp_path: Path) -> None:
    finding = Finding(
        gate="generator-saturated",
        verdict=Verdict.INVALID,
        evidence={"trials": {"0001": {"cpu_share": 0.99}}},
    )
    found = changed(sample(), "fastapi", findings=[finding], verdict=Verdict.INVALID, ranks={})
    text = report(tmp_path, found)
    overview = text.split("## 2.")[0]
    assert "**The generator was saturated** in 5 of 55 cells, which are invalid" in overview
    assert "not saturated in any cell" not in text
    # What such a cell lost was lost by nobody knows whom.
    assert stand(text, "Above 500 users FastAPI") == "undecided"
    assert stand(text, "FastAPI suffers because its event loop") == "undecided"


def test_without_a_ceiling_the_report_says_how_to_get_one(tmp_path: Path) -> None:
    text = report(tmp_path, without(sample(), scenario=["ceiling"]))
    assert "Its ceiling was not measured in this run." in text
    assert "wl run websocket --scenario ceiling" in text


def test_two_generators_stand_side_by_side(tmp_path: Path) -> None:
    proof = part(report(tmp_path, sample()), "### 2-3. Client simulator: was it the bottleneck?")
    table = proof.split("**One server, two generators: wirelab and k6**")[1]
    assert table.count("| k6 |") == len(STEPS)
    assert table.count("| wirelab |") == len(STEPS)
    assert "ratio 5.77 [5.45–6.11]" in table.replace("\u00a0", " ")
    assert "k6 was at its limit from 500 users on" in table
    # Its cells are in no table of servers.
    assert "(99.0)" not in part(report(tmp_path, sample()), "#### 3-2-4. Node.js ws (JavaScript)")


def test_without_k6_the_report_says_how_to_run_it(tmp_path: Path) -> None:
    text = report(tmp_path, without(sample(), generator=["k6"]))
    assert "--generator k6" in text
    assert "two generators" not in text


def test_a_ceiling_is_what_was_kept_up_with(tmp_path: Path) -> None:
    found = sample()
    cells = [
        cell.model_copy(update={"metrics": {**cell.metrics, "rtt.latency.p50": about(2500.0)}})
        if cell.scenario == "ceiling"
        else cell
        for cell in found.cells
    ]
    text = report(tmp_path, found.model_copy(update={"cells": cells}))
    assert "Its ceiling was not measured in this run." in text
    assert "**Load as a share of the generator's ceiling**" not in text


# ------------------------------------------------------------------- what others print of it


def test_many_contenders_stand_below_each_other_on_a_terminal() -> None:
    console = Console(width=200, record=True, file=StringIO())
    summary(sample(), console)
    printed = console.export_text()
    title = "WebSocket servers · Ramp: 100 to 1,000 users · quick · 1,000 users"
    lines = [line.strip() for line in printed.splitlines()]
    table = lines[lines.index(title) :]
    row = next(line for line in table if line.startswith("axum (Rust)"))
    assert "valid" in row
    assert "★ 1.73" in row
    assert any(line.endswith("· k6") for line in lines)
    # The whole of the ramp mixes five loads: it is no table of its own.
    assert "WebSocket servers · Ramp: 100 to 1,000 users · quick" not in lines


def test_what_is_said_of_a_whole_run_is_not_repeated_for_its_steps(tmp_path: Path) -> None:
    stolen = Finding(
        gate="steal", verdict=Verdict.WARN, evidence={"steal": {"0001": 0.02}, "worst": 0.02}
    )
    found = changed(sample(), "axum", findings=[stolen], verdict=Verdict.WARN)
    text = report(tmp_path, without(found, generator=["k6"]))
    assert text.count("up to 2.0 % of the processor time") == 1


# --------------------------------------------------------------------------- smaller runs


def test_a_smoke_run_of_two_steps_has_a_report(tmp_path: Path) -> None:
    found = without(sample(), step=["users-500", "users-700", "users-1000"], generator=["k6"])
    text = report(tmp_path, found.model_copy(update={"profile": "smoke"}))
    assert text.count("Too short to compare") == 1
    assert "no step of 500 users or more in this run" in grounds(text, "Above 500 users FastAPI")


def test_scenarios_that_did_not_run_are_named_with_their_command(tmp_path: Path) -> None:
    text = report(tmp_path, without(sample(), scenario=["stroke", "join-storm", "crowd"]))
    for name in ("stroke", "join-storm", "crowd"):
        assert f"wl run websocket --scenario {name}" in text
    said = grounds(text, "Spring WebSocket: large real-time")
    assert "not run this time: ./wl run websocket --scenario crowd" in said


def test_without_redis_servers_section_four_says_so(tmp_path: Path) -> None:
    gone = [name for name in SERVERS if "redis" in name]
    text = report(tmp_path, without(sample(), contender=gone))
    assert "No server with workers and Redis took part in this run." in text


def test_without_the_ramp_the_usual_order_is_kept(tmp_path: Path) -> None:
    text = report(tmp_path, without(sample(), scenario=["ramp"]))
    assert "## 0. Conditions and environment" in text
    assert "Stroke: pen points at 60 Hz · several writers on each board" in text


def test_cells_of_two_modes_are_not_compared(tmp_path: Path) -> None:
    found = changed(sample(), "axum", mode="raw")
    text = report(tmp_path, found.model_copy(update={"cells": ranked(found.cells)}))
    assert "Ramp: 100 to 1,000 users · 1,000 users · raw" in text


def test_figures_that_are_missing_are_said_to_be(tmp_path: Path) -> None:
    cells: list[Cell] = [
        cell.model_copy(update={"metrics": {}, "ranks": {}}) for cell in sample().cells
    ]
    text = report(tmp_path, sample().model_copy(update={"cells": cells}))
    assert "The generator's own figures are missing, so nothing is proven." in text
    supported = [line for line in text.splitlines() if "**supported**" in line]
    assert not supported
