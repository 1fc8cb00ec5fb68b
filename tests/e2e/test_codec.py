"""The codec suite as a user runs it: every contender, every shape, and who understands whom."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.building import build_behind_others
from wirelab.build import tools
from wirelab.processes import leftovers

pytestmark = [pytest.mark.e2e, pytest.mark.long(7), pytest.mark.left_to_all]

SUITE = whole_runs.REPOSITORY / "suites" / "codec"
SHAPES = ("T1", "T2", "T3", "T4", "T5", "telemetry", "chat")
INSTALLED = ("cpp", "go", "java", "node", "python", "rust")
LANGUAGES = (*INSTALLED, "csharp") if tools.DOTNET.find() else INSTALLED
"""No Debian package provides dotnet: without it, tests of C# say that they are skipped."""

EACH_LANGUAGE = (*INSTALLED, pytest.param("csharp", marks=pytest.mark.needs("dotnet")))
ITERATIONS = 10_000
"""Iterations of the scenario million in the profile smoke."""

MOST_ALLOCATED = 1_000_000
"""Bytes that our own decoders may allocate for any of the bad inputs."""

OF_EVERYBODY = ("steady", "encodings", "conform", "evolution", "large")
COLD = ("--seed", "7", "--set", "prewarm_ms=0")
"""Nobody looks at times here: what a JVM and .NET take to get warm can be saved."""

Cells = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("codec")
    build_behind_others("codec")
    chosen = whole_runs.only("--scenario", OF_EVERYBODY)
    return whole_runs.run_suite(here, "codec", *chosen, "--profile", "check", *COLD)


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
    """Those that ran: a yardstick of each language, and many others."""
    chosen = [
        name
        for name in whole_runs.available(result)
        if result["participants"][name]["manifest"]["reference"] == references
    ]
    assert len(chosen) == len(LANGUAGES) if references else len(chosen) > 50
    return chosen


def test_the_result_keeps_its_schema(result: dict[str, Any]) -> None:
    whole_runs.keeps_its_schema(result)
    assert result["complete"] is True


def test_every_contender_of_the_tree_ran_or_says_why_not(result: dict[str, Any]) -> None:
    whole_runs.everybody_took_part_or_says_why_not(result)
    missing = set(result["participants"]) - whole_runs.available(result) - {"cpp-cgd-original"}
    assert {name.partition("-")[0] for name in missing} <= {"csharp"}, missing
    if "csharp" in LANGUAGES:
        assert missing <= {"csharp-cgd-original"}
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


@pytest.mark.parametrize("shape", SHAPES)
def test_contenders_of_one_format_understand_each_other(
    result: dict[str, Any], cells: Cells, shape: str
) -> None:
    for name in contenders(result):
        read = cells[f"codec/conform/{shape}/{name}"]["remarks"]["read"]
        assert name in read, "a contender reads itself at least"
        for encoder, row in read.items():
            assert row["same"] == row["of"] > 0, (name, encoder, row)


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_our_own_decoders_refuse_bad_inputs_and_allocate_little(
    cells: Cells, language: str
) -> None:
    known = json.loads((SUITE / "vectors" / "negative.json").read_text("utf-8"))
    vectors = [vector for vector in known if vector["format"] == "cgd"]
    assert {vector["expect"] for vector in vectors} >= {"reject"}
    for vector in vectors:
        remarks = cells[f"codec/conform/{vector['step']}/{language}-cgd-buffer"]["remarks"]
        found = remarks["reject"][vector["name"]]
        if vector["expect"] == "reject":
            assert found["outcome"] == "rejected", vector["name"]
        assert found.get("allocated_bytes", 0) < MOST_ALLOCATED, vector["name"]


@pytest.mark.parametrize("shape", SHAPES)
def test_our_own_decoders_refuse_every_truncation(cells: Cells, shape: str) -> None:
    assert len(LANGUAGES) >= len(INSTALLED)
    for language in LANGUAGES:
        told = cells[f"codec/conform/{shape}/{language}-cgd-buffer"]["remarks"]["truncate"]
        assert told["length"] > 0
        assert told["accepted"] == [], language


@pytest.mark.needs("dotnet")
def test_hardly_a_compiler_works_while_a_batch_of_csharp_counts(tmp_path: Path) -> None:
    chosen = ("--scenario", "steady", "--contender", "csharp-cgd-buffer", "--make-up", "0")
    folder = whole_runs.run_suite(tmp_path, "codec", "--profile", "check", "--seed", "7", *chosen)
    (path,) = folder.glob("trials/*-steady-csharp-cgd-buffer/codec.batches.jsonl")
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    found = {"prewarm": 0, "measure": 0}
    compiling = found.copy()
    for line in lines:
        if line["phase"] in found:
            found[line["phase"]] += 1
            compiling[line["phase"]] += line["compile_ns"] > 0
    assert found["measure"] == 3 * len(SHAPES)
    assert compiling["prewarm"] > 0
    # Without prewarming a tenth and more; a busy machine may leave one to the compiler.
    assert compiling["measure"] < found["measure"] / 10


CHANGES = (
    "added",
    "removed",
    "reordered",
    "renamed",
    "widened",
    "retyped",
    "enumeration",
    "required",
)


def outcomes(cells: Cells, name: str, direction: str) -> str:
    """Outcomes of the last value of each change, in their order."""
    told = [
        cells[f"codec/evolution/{change}/{name}"]["remarks"]["evolution"][direction]
        for change in CHANGES
    ]
    return " ".join(one[-1]["outcome"] for one in told)


@pytest.mark.parametrize(
    ("name", "direction", "expected"),
    [
        (
            "python-cgd-buffer",
            "backward",
            "refused wrong wrong right refused refused right refused",
        ),
        ("python-cgd-buffer", "forward", "right refused wrong right wrong wrong right right"),
        ("python-protobuf", "backward", "right right right right right defaulted right defaulted"),
        ("python-protobuf", "forward", "right right right right wrong defaulted right right"),
        ("rust-postcard", "backward", "refused refused wrong right right refused right refused"),
        ("rust-serde-json", "forward", "right right right refused refused refused refused right"),
        ("node-avsc", "forward", "right right right refused refused refused refused right"),
    ],
)
def test_what_becomes_of_data_of_another_version(
    cells: Cells, name: str, direction: str, expected: str
) -> None:
    assert outcomes(cells, name, direction) == expected


@pytest.mark.parametrize(
    ("name", "direction", "expected"),
    [
        ("go-cgd-buffer", "backward", "refused refused wrong right refused refused right refused"),
        ("go-cgd-buffer", "forward", "refused refused wrong right refused refused right refused"),
        ("go-protobuf", "forward", "right right right right wrong defaulted right right"),
        (
            "go-encoding-json",
            "backward",
            "right right right defaulted right refused right defaulted",
        ),
        ("go-encoding-json", "forward", "right right right defaulted refused refused right right"),
        ("go-msgpack", "forward", "right right right defaulted wrong refused right right"),
        ("go-cbor", "forward", "right right right defaulted refused refused right right"),
        ("go-sonic", "forward", "right right right defaulted refused refused right right"),
        (
            "java-cgd-buffer",
            "backward",
            "refused refused wrong right refused refused right refused",
        ),
        ("java-protobuf", "forward", "right right right right wrong defaulted right right"),
        ("java-msgpack", "forward", "right right right defaulted refused refused refused right"),
        ("cpp-cgd-buffer", "backward", "refused wrong wrong right refused refused right refused"),
        ("cpp-cgd-buffer", "forward", "right refused wrong right wrong wrong right right"),
        ("cpp-protobuf", "forward", "right right right right wrong defaulted right right"),
        ("cpp-nlohmann-json", "forward", "right right right refused wrong refused right right"),
        ("cpp-rapidjson", "forward", "right right right refused refused refused right right"),
        ("cpp-msgpack", "forward", "right right right refused refused refused right right"),
        ("cpp-cereal", "forward", "right refused wrong right wrong wrong right right"),
        ("cpp-capnproto", "backward", "right right right right wrong wrong right defaulted"),
        ("cpp-capnproto", "forward", "right right right right wrong wrong right right"),
        ("cpp-flatbuffers", "forward", "right right right right wrong wrong right right"),
    ],
)
def test_what_becomes_of_it_in_go_java_and_cpp(
    cells: Cells, name: str, direction: str, expected: str
) -> None:
    assert outcomes(cells, name, direction) == expected


def test_fields_that_code_does_not_know_are_kept_by_those_whose_messages_hold_them(
    cells: Cells,
) -> None:
    kept = {
        cell["contender"]
        for cell in cells.values()
        if (cell["scenario"], cell["step"]) == ("evolution", "added")
        and cell["remarks"]["evolution"]["rewrite"][-1]["outcome"] == "right"
    }
    assert kept >= {"cpp-protobuf", "go-protobuf", "java-protobuf", "cpp-capnproto"}
    assert kept >= {"cpp-nlohmann-json", "cpp-rapidjson", "python-json", "node-json"}
    assert not kept & {"cpp-flatbuffers", "go-encoding-json", "rust-prost", "cpp-cgd-buffer"}


@pytest.mark.needs("dotnet")
@pytest.mark.parametrize(
    ("name", "direction", "expected"),
    [
        (
            "csharp-cgd-buffer",
            "backward",
            "refused wrong wrong right refused refused right refused",
        ),
        ("csharp-cgd-buffer", "forward", "right refused wrong right wrong wrong right right"),
        (
            "csharp-protobuf",
            "backward",
            "right right right right right defaulted right defaulted",
        ),
        ("csharp-protobuf", "forward", "right right right right wrong defaulted right right"),
        # Required members are held to by one of the two, and numbers read as texts by the other.
        ("csharp-json", "backward", "right right right refused right refused right refused"),
        ("csharp-json", "forward", "right right right refused refused refused right right"),
        (
            "csharp-newtonsoft",
            "backward",
            "right right right defaulted right right right defaulted",
        ),
        ("csharp-newtonsoft", "forward", "right right right defaulted refused right right right"),
    ],
)
def test_what_becomes_of_it_in_csharp(
    cells: Cells, name: str, direction: str, expected: str
) -> None:
    assert outcomes(cells, name, direction) == expected


@pytest.mark.parametrize(
    "name",
    [
        *("rust-bincode", "rust-postcard", "rust-cgd-buffer", "node-cgd-buffer"),
        *("go-cgd-buffer", "cpp-cgd-buffer", "cpp-cereal"),
    ],
)
def test_formats_without_names_or_tags_misread_another_order(cells: Cells, name: str) -> None:
    told = cells[f"codec/evolution/reordered/{name}"]["remarks"]["evolution"]
    assert told["backward"] == told["forward"] == [{"outcome": "wrong", "told": "sensor = 12"}]


LARGE = (
    *("cpp-cereal", "cpp-cgd-buffer", "cpp-msgpack", "cpp-protobuf"),
    *("go-cbor", "go-cgd-buffer", "go-encoding-json", "go-msgpack", "go-protobuf", "go-sonic"),
    *("java-cgd-buffer", "java-jackson", "java-msgpack", "java-protobuf"),
    *("node-bufbuild", "node-cbor-x", "node-cgd-buffer", "node-json", "node-msgpackr"),
    "node-protobufjs",
    *("python-cbor2", "python-cgd-buffer", "python-json", "python-msgpack"),
    *("python-msgspec-json", "python-msgspec-msgpack", "python-orjson", "python-pickle"),
    "python-protobuf",
    *("rust-bincode", "rust-cgd-buffer", "rust-postcard", "rust-prost", "rust-rmp-serde"),
    "rust-serde-json",
)
LARGE_IN_CSHARP = ("csharp-cgd-buffer", "csharp-json", "csharp-newtonsoft", "csharp-protobuf")
MEMORY = ("to-bytes.memory", "from-bytes.memory")


@pytest.mark.parametrize(
    "name",
    [*LARGE, *(pytest.param(one, marks=pytest.mark.needs("dotnet")) for one in LARGE_IN_CSHARP)],
)
def test_a_megabyte_is_written_and_read_in_every_form(cells: Cells, name: str) -> None:
    for form in ("blob", "whole", "stream"):
        cell = cells[f"codec/large/{form}-1/{name}"]
        assert [f for f in cell["findings"] if f["gate"] == "wrong-answer"] == []
        for metric in ("to_bytes.time", "from_bytes.time", *MEMORY):
            assert cell["metrics"][metric]["value"] is not None, (form, metric)
        assert cell["metrics"]["encoded.size"]["value"] >= 400_000, form


def test_a_stream_holds_no_more_than_a_record_at_a_time(cells: Cells) -> None:
    held = {
        form: {
            name: max(cells[f"codec/large/{form}-1/{name}"]["metrics"][m]["value"] for m in MEMORY)
            for name in LARGE
            if name.startswith("python-")
        }
        for form in ("whole", "stream")
    }
    assert len(held["stream"]) == 9
    for name, megabytes in held["stream"].items():
        # Fifty thousand objects of Python are megabytes, some of which were free before.
        whole = held["whole"][name]
        assert 2 * megabytes < whole > 1, (name, megabytes, whole)


def test_a_list_of_bytes_in_the_cgd_format_has_its_count_and_nothing_else(cells: Cells) -> None:
    own = {language: cells[f"codec/large/blob-1/{language}-cgd-buffer"] for language in LANGUAGES}
    sizes = {name: cell["metrics"]["encoded.size"]["value"] for name, cell in own.items()}
    assert sizes == dict.fromkeys(LANGUAGES, 1_000_004)


@pytest.mark.parametrize("form", ["report-en.html", "report-en.md", "report-ko.html"])
def test_the_report_tells_of_every_contender(
    folder: Path, result: dict[str, Any], form: str
) -> None:
    text = html.unescape((folder / form).read_text("utf-8")).replace("\\", "")
    for name in contenders(result):
        assert result["participants"][name]["manifest"]["title"] in text, name
    assert not re.search(r"\bNone\b(?! of)", text)


def test_nothing_is_left(folder: Path, million: Path) -> None:
    runs = (f"{folder.name}/", f"{million.name}/")
    assert leftovers.marked(lambda mark: mark.startswith(runs)) == set()
