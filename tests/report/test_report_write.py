"""Writing reports: files, forms, suites with and without a report of their own, bad input."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_build import cell, metric, result
from report_sample import SUITE, sample

from wirelab.model.result import Result, Series
from wirelab.report import NoReportError, write
from wirelab.report.sources import find_suite
from wirelab.samples.run_folder import NoSuchRunError
from wirelab.samples.stored import UnreadableFileError
from wirelab.words.translation import UnknownLanguageError


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    """A run folder with the sample."""
    return keep(tmp_path, *sample())


def keep(folder: Path, found: Result, series: Series | None = None) -> Path:
    (folder / "result.json").write_text(found.model_dump_json(), "utf-8")
    if series is not None:
        (folder / "series.json").write_text(series.model_dump_json(), "utf-8")
    return folder


def demo() -> Result:
    figures = {"read.latency.p50": metric(2.0, interval=(1.9, 2.1))}
    return result([cell("a", figures), cell("b", figures)])


def test_forms_are_written_where_they_are_expected(run_dir: Path) -> None:
    paths = write(run_dir, "ko", ["html", "md"], SUITE)
    assert paths == [run_dir / "report-ko.html", run_dir / "report-ko.md"]
    assert all(path.stat().st_size > 10_000 for path in paths)
    assert not list(run_dir.glob("*.partial"))


def test_the_suite_is_found_in_the_tree(run_dir: Path) -> None:
    assert find_suite("opcua") == SUITE
    (path,) = write(run_dir, "en", ["md"])
    assert "Low-spec edge" in path.read_text("utf-8")


def test_sections_follow_the_study(run_dir: Path) -> None:
    (path,) = write(run_dir, "ko", ["md"], SUITE)
    titles = [line[3:] for line in path.read_text("utf-8").splitlines() if line.startswith("## ")]
    assert titles[:9] == [
        "0. 실행 환경 및 조건",
        "1. 처리량 비교 (Throughput)",
        "2. 성능 비교 — 지연(Latency)",
        "3. 스케줄러 정확도 (Tick Drift)",
        "4. 안정성 비교 (Reliability)",
        "5. 자원 사용량 비교 (Resource Usage)",
        "6. 운영성 비교 (Operability)",
        "7. 종합 수치 비교 요약",
        "8. 한계 및 후속 과제",
    ]


def test_a_suite_without_a_report_gets_the_usual_order(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    suite.mkdir()
    (path,) = write(keep(tmp_path, demo()), "en", ["md"], suite)
    text = path.read_text("utf-8")
    assert "## 0. Conditions and environment" in text
    assert "## 7. Summary of figures" in text
    assert "published" not in text.split("## A.")[0].replace("Published", "")


def test_a_suite_composes_its_own(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    suite.mkdir()

    def chapters() -> str:
        (path,) = write(keep(tmp_path, demo()), "en", ["md"], suite)
        return path.read_text("utf-8").split("## B.")[0]

    assert "Throughput" in chapters()
    (suite / "report.py").write_text(
        "from wirelab.report.generic import document\n"
        "def compose(context):\n    return document(context, (), ())\n"
    )
    assert "Throughput" not in chapters()


def test_a_report_without_compose_is_named(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    suite.mkdir()
    (suite / "report.py").write_text("")
    with pytest.raises(NoReportError, match=r"report\.py has no function compose"):
        write(keep(tmp_path, demo()), "en", ["md"], suite)


def test_a_run_without_anything_still_has_a_report(tmp_path: Path) -> None:
    (path,) = write(keep(tmp_path, result([])), "en", ["md"], tmp_path)
    assert "No scenario with figures was run." in path.read_text("utf-8")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_cell_without_figures_still_has_a_report(tmp_path: Path, language: str) -> None:
    found = result([cell("a").model_copy(update={"statuses": {}, "trials": []})])
    (html, md) = write(keep(tmp_path, found), language, ["html", "md"], SUITE)
    assert html.stat().st_size > 0
    assert md.stat().st_size > 0


def test_a_report_without_series_has_no_charts(tmp_path: Path) -> None:
    found, series = sample()

    def page(*lines: Series) -> str:
        (path,) = write(keep(tmp_path, found, *lines), "en", ["html"], SUITE)
        return path.read_text("utf-8")

    assert "Latency distribution" not in page()
    assert "Latency distribution" in page(series)


def test_a_missing_result_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NoSuchRunError, match=r"result\.json is missing; \./wl analyse"):
        write(tmp_path, "en", ["md"], tmp_path)


def test_a_broken_result_is_named(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text('{"run": 1}')
    with pytest.raises(UnreadableFileError, match=r"result\.json"):
        write(tmp_path, "en", ["md"], tmp_path)


def test_a_broken_series_is_named(run_dir: Path) -> None:
    (run_dir / "series.json").write_text('{"cells": 1}')
    with pytest.raises(UnreadableFileError, match=r"series\.json"):
        write(run_dir, "en", ["md"], SUITE)


def test_unknown_forms_and_languages_are_named(run_dir: Path) -> None:
    with pytest.raises(NoReportError, match="'docx'; forms: html, md"):
        write(run_dir, "en", ["docx"], SUITE)
    with pytest.raises(UnknownLanguageError, match="languages: en, ko"):
        write(run_dir, "fr", ["md"], SUITE)
    assert not list(run_dir.glob("report-*"))
