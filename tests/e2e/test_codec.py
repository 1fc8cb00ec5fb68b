"""The codec suite as a user runs it: contenders of every language in every shape.

Our own format takes part in every language, as does one library of each; of the others a part, in
turn. ``test_codec_exchange`` has what they make of each other's bytes.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.building import build_behind_others
from e2e.codec_contenders import COLD, DRAWN, EACH_LANGUAGE, LANGUAGES, SHAPES
from reports_of_runs import EVERY

pytestmark = [pytest.mark.e2e, pytest.mark.long(5), pytest.mark.left_to_all]

ITERATIONS = 10_000
"""Iterations of the scenario million in the profile smoke."""


Cells = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("codec")
    build_behind_others("codec", *DRAWN)
    chosen = ("--scenario", "steady", *whole_runs.only("--contender", DRAWN), "--profile", "check")
    return whole_runs.run_suite(here, "codec", *chosen, *COLD, reports=EVERY)


@pytest.fixture(scope="module")
def million(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Scenarios of ``smoke`` beside those that everybody takes part in."""
    chosen = whole_runs.only("--contender", [f"{language}-cgd-buffer" for language in LANGUAGES])
    options = ("--scenario", "million", "--profile", "smoke", *chosen)
    return whole_runs.run_suite(tmp_path_factory.mktemp("million"), "codec", *options, *COLD)


@pytest.fixture(scope="module")
def result(folder: Path) -> dict[str, Any]:
    return whole_runs.result_of(folder)


@pytest.fixture(scope="module")
def cells(result: dict[str, Any]) -> Cells:
    return {cell["id"]: cell for cell in result["cells"]}


def contenders(result: dict[str, Any], *, references: bool = False) -> list[str]:
    """The contenders that ran: a yardstick of each language, and many others."""
    chosen = [
        name
        for name in whole_runs.available(result)
        if result["participants"][name]["manifest"]["reference"] == references
    ]
    assert len(chosen) == len(LANGUAGES if references else DRAWN)
    return chosen


def test_the_result_keeps_its_schema(result: dict[str, Any]) -> None:
    whole_runs.keeps_its_schema(result)
    assert result["complete"] is True


def test_everybody_took_part(result: dict[str, Any]) -> None:
    whole_runs.everybody_took_part_or_says_why_not(result, DRAWN)
    assert set(result["participants"]) == whole_runs.available(result)
    for language in LANGUAGES:
        assert f"{language}-cgd-buffer" in contenders(result)
        assert f"{language}-baseline" in contenders(result, references=True)


def test_no_trial_failed(folder: Path, million: Path) -> None:
    whole_runs.no_trial_failed(folder)
    whole_runs.no_trial_failed(million)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_right_and_has_its_times(
    result: dict[str, Any], cells: Cells, shape: str
) -> None:
    for name in contenders(result):
        cell = cells[f"codec/steady/{shape}/{name}"]
        wrong = [f for f in cell["findings"] if f["gate"] == "wrong-answer"]
        assert wrong == [], (name, wrong)
        for operation in ("encode", "decode", "round_trip"):
            metric = cell["metrics"][f"{operation}.time"]
            assert metric["value"] > 0, (name, operation, metric)
        assert cell["metrics"]["encoded.size"]["value"] > 0


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_what_a_decoder_allocates_is_counted(cells: Cells, language: str) -> None:
    metric = cells[f"codec/steady/T5/{language}-cgd-buffer"]["metrics"]["decode.allocated"]
    if language == "python":
        assert metric["unsupported"]
    else:
        assert metric["value"] > 100, "a map of lists takes that much"


def test_yardsticks_have_their_own_times_and_no_rank(result: dict[str, Any], cells: Cells) -> None:
    for name in contenders(result, references=True):
        for shape in SHAPES:
            cell = cells[f"codec/steady/{shape}/{name}"]
            assert cell["metrics"]["copy.time"]["value"] > 0
            assert cell["metrics"]["touch.time"]["value"] > 0
            assert cell["metrics"]["encode.time"]["unsupported"]["code"] == "not-offered"
            assert cell["ranks"] == {}


def test_unlike_modes_and_languages_are_not_ranked_together(
    result: dict[str, Any], cells: Cells
) -> None:
    peers: dict[tuple[str, str], int] = {}
    for name in contenders(result):
        manifest = result["participants"][name]["manifest"]
        key = (manifest["language"], manifest["mode"])
        peers[key] = peers.get(key, 0) + 1
    assert 1 in peers.values()
    for name in contenders(result):
        manifest = result["participants"][name]["manifest"]
        if peers[manifest["language"], manifest["mode"]] == 1:
            assert cells[f"codec/steady/T3/{name}"]["ranks"] == {}, name


def test_the_sources_own_test_is_cold_and_of_a_fixed_length(million: Path) -> None:
    files = list(million.glob("trials/*-million-*/codec.batches.jsonl"))
    assert len(files) == len(LANGUAGES)
    ran = whole_runs.result_of(million)
    assert len(whole_runs.languages_of(ran, whole_runs.available(ran))) == len(LANGUAGES)
    for path in files:
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        timed = [line for line in lines if line["phase"] != "allocation"]
        assert all(line["phase"] == "measure" for line in timed), path.parent.name
        assert {line["rounds"] for line in timed} == {ITERATIONS}, path.parent.name


@pytest.mark.needs("dotnet")
def test_hardly_a_compiler_works_while_a_batch_of_csharp_counts(tmp_path: Path) -> None:
    chosen = ("--scenario", "steady", "--contender", "csharp-cgd-buffer", "--make-up", "0")
    options = ("--profile", "check", "--seed", "7", "--trials", "3")
    folder = whole_runs.run_suite(tmp_path, "codec", *options, *chosen)
    files = list(folder.glob("trials/*-steady-csharp-cgd-buffer/codec.batches.jsonl"))
    trials = [[json.loads(line) for line in path.read_text("utf-8").splitlines()] for path in files]
    assert len(trials) == 3
    found = [Counter(line["phase"] for line in lines) for lines in trials]
    compiling = [Counter(line["phase"] for line in lines if line["compile_ns"]) for lines in trials]
    assert {each["measure"] for each in found} == {3 * len(SHAPES)}
    assert all(each["prewarm"] for each in compiling)
    # Without prewarming a tenth and more, each time; a busy machine leaves some to the compiler.
    assert min(each["measure"] for each in compiling) < 3 * len(SHAPES) / 10


@pytest.mark.parametrize("form", ["report-en.html", "report-en.md", "report-ko.html"])
def test_the_report_tells_of_every_contender(
    folder: Path, result: dict[str, Any], form: str
) -> None:
    text = html.unescape((folder / form).read_text("utf-8")).replace("\\", "")
    language = form.removeprefix("report-").partition(".")[0]
    for name in contenders(result):
        title = result["participants"][name]["manifest"]["title"]
        assert (title[language] or title["en"]) in text, name
    assert not re.search(r"\bNone\b(?! of)", text)


def test_nothing_is_left(folder: Path, million: Path) -> None:
    assert whole_runs.left_of(folder, million) == set()
