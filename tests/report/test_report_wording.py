"""Words of Korean reports in places that once had a key or another load's words, and figures of a
statement that were told twice."""

from __future__ import annotations

import re
from pathlib import Path

import messaging_sample
import pytest
import report_sample
import websocket_sample

from tree import suites_of_the_tree
from wirelab.model.result import Result, Series
from wirelab.report import write


def korean(folder: Path, result: Result, series: Series, suite: Path) -> str:
    """A report in Korean, as Markdown."""
    (folder / "result.json").write_text(result.model_dump_json(), "utf-8")
    (folder / "series.json").write_text(series.model_dump_json(), "utf-8")
    (path,) = write(folder, "ko", ["md"], suite)
    return path.read_text("utf-8")


@pytest.fixture(scope="module")
def messaging(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("messaging")
    return korean(folder, messaging_sample.sample(), Series(cells={}), messaging_sample.SUITE)


def test_a_mode_beside_a_name_is_its_title(messaging: str) -> None:
    assert "NATS (Java) · 자기 큐 경유" in messaging
    assert "own-queue" not in messaging


def test_an_open_load_is_not_said_to_be_paced(messaging: str) -> None:
    assert "부하는 **개루프**입니다." in messaging
    assert "고정 주기**로 옵니다" not in messaging


def test_no_ticks_are_not_told_of(messaging: str) -> None:
    assert "| 단계별 제외 구간 | 접속 |" in messaging


def test_what_is_searched_is_in_words(messaging: str) -> None:
    assert "충족 (사용자 수)" in messaging
    assert re.search(r"충족 \(\d+\sms마다 메시지 수\)", messaging)


def test_statistics_of_round_trips_are_in_words(tmp_path: Path) -> None:
    sample = websocket_sample.sample()
    said = korean(tmp_path, sample, Series(cells={}), websocket_sample.SUITE)
    assert "RTT 최대 (ms)" in said
    assert "RTT max" not in said
    assert "RTT mean" not in said


def test_a_reason_is_told_once_in_a_statement(tmp_path: Path) -> None:
    said = korean(tmp_path, *report_sample.sample(), report_sample.SUITE)
    row, told = [line for line in said.splitlines() if "모두 miss 0, error 0이다" in line]
    assert row.count("이번 실행에서 측정하지 않음") == 1
    grounds = said.split(f"\n{told}\n\n")[1].split("\n\n")[0]
    assert grounds.count("이번 실행에서 측정하지 않음") == 1


@pytest.mark.parametrize("name", sorted(suites_of_the_tree().suites))
@pytest.mark.parametrize("language", ["en", "ko"])
def test_no_title_is_a_key_of_the_manifest(name: str, language: str) -> None:
    suite = suites_of_the_tree().suite(name).manifest
    titled = [*suite.modes.items(), *suite.scenarios.items()]
    for scenario in suite.scenarios.values():
        titled += [*scenario.variants.items(), *scenario.steps.items()]
    told = {key: one.title.of(language) for key, one in titled}
    assert told
    # Who reads a report does not know the manifest; a single word may be both.
    assert [key for key, title in told.items() if "-" in key and key in title] == []
