"""The page of ``wl bench``: the figures of the terminal in a report like any other."""

from __future__ import annotations

import html
import re
from pathlib import Path

from test_bench_table import figure, findings

from cli.command_lines import said
from wirelab.bench import BENCHMARKS, write_page


def text_of(page: Path) -> str:
    """Its words, as a reader has them."""
    written = re.sub(r"<style>.*?</style>", "", page.read_text("utf-8"), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", written)).split())


def test_the_page_has_every_figure_with_its_interval_target_and_verdict(tmp_path: Path) -> None:
    found = findings(
        figure("a", 12.345, interval=(12.0, 1234.5), target=100.0),
        figure("b", None, benchmark="ticks", target=1.0, why_not="no compiler"),
        figure("c", 0.5, benchmark="ticks", target=1.0),
        figure("d", 7.0, benchmark="ticks", target=1.0),
        remarks={"steal (warn)": ["ticks/c"]},
    )
    path = tmp_path / "deep" / "bench.html"
    write_page(found, path)
    read = text_of(path)
    assert "1 of 4 targets met. missed: what d is. undecided: what a is." in read
    for row in (
        "what a is 12.3 ns [12 – 1,234] <= 100 ns undecided",
        "what b is no compiler <= 1 ns not measured",
        "what c is 0.5 ns <= 1 ns met",
        "what d is 7 ns <= 1 ns missed",
    ):
        assert row in read
    assert "steal (warn): ticks/c" in read
    assert "2 processors, A processor, Linux 6.1" in read
    assert "Ticks: how late a tick begins" in read
    # A file that needs nothing else.
    assert "<script" not in path.read_text()


def test_every_benchmark_has_a_title(tmp_path: Path) -> None:
    path = tmp_path / "bench.html"
    write_page(findings(*(figure(name, 1.0, benchmark=name) for name in BENCHMARKS)), path)
    found = re.findall(r'<section id="(\w+)">', path.read_text())
    assert found == list(BENCHMARKS)


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    words = ("--only", "analysis", "--profile", "smoke", "--html", str(tmp_path / "page.html"))
    ended = said("bench", *words, cwd=tmp_path)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "page.html" in ended.stdout
    assert "analysing 44,000 samples" in text_of(tmp_path / "page.html")
