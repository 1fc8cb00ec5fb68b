"""Client, wire and server, as every form of a report shows them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from report_sample import SUITE
from rich.console import Console

from synthetic import Client, load_run
from synthetic.wire import wire_run
from wirelab.cells.analysis import analyse
from wirelab.model.result import Result
from wirelab.report import terminal, write
from wirelab.report.context import value_of
from wirelab.words import numbers

CLIENTS = {
    "milo": Client(median_ms=2.8, language="Java", title="Eclipse Milo"),
    "open62541": Client(median_ms=0.8, language="C", heap_mb=None),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of s7 whose reads were all seen on the wire."""
    run = wire_run(CLIENTS, count=400, suite="opcua", scenario_name="s7")
    return run.write(tmp_path_factory.mktemp("seen"))


@pytest.fixture(scope="module")
def result(folder: Path) -> Result:
    return analyse(folder)[0]


def on_terminal(result: Result, language: str, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    terminal.summary(result, console, language)
    return console.file.getvalue()  # type: ignore[attr-defined]


WORDS = {
    "en": ("Client, wire and server", "caller to wire p50", "packets each", "What operations are"),
    "ko": (
        "클라이언트·네트워크·서버 구간",
        "호출 → 네트워크 p50",
        "연산당 패킷",
        "연산 시간의 구성",
    ),
}


@pytest.mark.parametrize("language", ["en", "ko"])
def test_table_and_chart(result: Result, folder: Path, language: str) -> None:
    assert len(result.cells) == len(CLIENTS)
    html, md = (path.read_text("utf-8") for path in write(folder, language, ["html", "md"], SUITE))
    section, before, packets, chart = WORDS[language]
    for text in (html, md):
        for said in (section, before, packets, chart):
            assert said in text
    assert "open62541 (C) · p95" in html
    (cell,) = (one for one in result.cells if one.contender == "milo")
    medians = [value_of(cell, f"read.wire.{part}.p50") for part in ("before", "server", "after")]
    assert None not in medians
    rows = [line for line in md.splitlines() if "Eclipse Milo" in line]
    figures = [numbers.brief(one) for one in medians if one is not None]
    assert any(all(one in row for one in figures) for row in rows)
    assert any("980" in row and "100" in row for row in rows)


@pytest.mark.parametrize(
    ("language", "caption", "busiest"),
    [
        ("en", "Traffic by connection, both ways", "busiest connection"),
        ("ko", "연결별 트래픽(송수신 합계)", "가장 바쁜 연결"),
    ],
)
def test_traffic_by_connection_where_there_are_several(
    tmp_path: Path, language: str, caption: str, busiest: str
) -> None:
    several, alone = (
        wire_run(CLIENTS, count=400, suite="opcua", scenario_name="s7", every=every)
        for every in (4, 1)
    )
    texts = []
    for name, run in (("several", several), ("alone", alone)):
        folder = run.write(tmp_path / name)
        analyse(folder)
        (md,) = write(folder, language, ["md"], SUITE)
        texts.append(md.read_text("utf-8"))
    assert caption in texts[0]
    assert busiest in texts[0]
    assert caption not in texts[1]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_terminal_shows_the_parts_within_eighty_columns(result: Result, language: str) -> None:
    text = on_terminal(result, language)
    assert {"en": "client, wire and server (ms)", "ko": "구간(ms)"}[language] in text
    assert "100 %" in text
    assert "…" not in text


def test_a_run_that_nobody_looked_at_has_no_such_section(tmp_path: Path) -> None:
    run = load_run(CLIENTS, count=400, suite="opcua", scenario_name="s7")
    found, _ = analyse(run.write(tmp_path))
    (md,) = write(tmp_path, "en", ["md"], SUITE)
    assert "Client, wire and server" not in md.read_text("utf-8")
    assert "client, wire and server" not in on_terminal(found, "en")
