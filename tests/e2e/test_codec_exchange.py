"""The codec suite as a user runs it: who understands whom, other versions, and large data.

The contenders are those of ``test_codec``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.building import build_behind_others
from e2e.codec_contenders import (
    ALWAYS,
    COLD,
    DRAWN,
    EACH_LANGUAGE,
    LANGUAGES,
    SHAPES,
    SUITE,
    taking_part,
)
from study_rows import STUDIES, answered_by, without_section

pytestmark = [pytest.mark.e2e, pytest.mark.long(4), pytest.mark.left_to_all]

MOST_ALLOCATED = 1_000_000
"""Bytes that our own decoders may allocate for any of the bad inputs."""

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

EVOLVED = {
    "cpp-capnproto backward": "right right right right wrong wrong right defaulted",
    "cpp-capnproto forward": "right right right right wrong wrong right right",
    "cpp-cereal forward": "right refused wrong right wrong wrong right right",
    "cpp-cgd-buffer backward": "refused wrong wrong right refused refused right refused",
    "cpp-cgd-buffer forward": "right refused wrong right wrong wrong right right",
    "cpp-flatbuffers forward": "right right right right wrong wrong right right",
    "cpp-msgpack forward": "right right right refused refused refused right right",
    "cpp-nlohmann-json forward": "right right right refused wrong refused right right",
    "cpp-protobuf forward": "right right right right wrong defaulted right right",
    "cpp-rapidjson forward": "right right right refused refused refused right right",
    "csharp-cgd-buffer backward": "refused wrong wrong right refused refused right refused",
    "csharp-cgd-buffer forward": "right refused wrong right wrong wrong right right",
    "csharp-json backward": "right right right refused right refused right refused",
    "csharp-json forward": "right right right refused refused refused right right",
    "csharp-newtonsoft backward": "right right right defaulted right right right defaulted",
    "csharp-newtonsoft forward": "right right right defaulted refused right right right",
    "csharp-protobuf backward": "right right right right right defaulted right defaulted",
    "csharp-protobuf forward": "right right right right wrong defaulted right right",
    "go-cbor forward": "right right right defaulted refused refused right right",
    "go-cgd-buffer backward": "refused refused wrong right refused refused right refused",
    "go-cgd-buffer forward": "refused refused wrong right refused refused right refused",
    "go-encoding-json backward": "right right right defaulted right refused right defaulted",
    "go-encoding-json forward": "right right right defaulted refused refused right right",
    "go-msgpack forward": "right right right defaulted wrong refused right right",
    "go-protobuf forward": "right right right right wrong defaulted right right",
    "go-sonic forward": "right right right defaulted refused refused right right",
    "java-cgd-buffer backward": "refused refused wrong right refused refused right refused",
    "java-flatbuffers backward": "right right right right wrong refused right defaulted",
    "java-flatbuffers forward": "right right right right wrong wrong right right",
    "java-msgpack forward": "right right right defaulted refused refused refused right",
    "java-protobuf forward": "right right right right wrong defaulted right right",
    "node-avsc forward": "right right right refused refused refused refused right",
    "node-bufbuild backward": "right right right right right refused right defaulted",
    "node-bufbuild forward": "right right right right wrong refused right right",
    "python-cgd-buffer backward": "refused wrong wrong right refused refused right refused",
    "python-cgd-buffer forward": "right refused wrong right wrong wrong right right",
    "python-protobuf backward": "right right right right right defaulted right defaulted",
    "python-protobuf forward": "right right right right wrong defaulted right right",
    "rust-postcard backward": "refused refused wrong right right refused right refused",
    "rust-serde-json forward": "right right right refused refused refused refused right",
}
"""Contender and direction: outcomes of the last value of each change, in their order.

Of the two in C# one holds to required members, and the other reads numbers as texts.
"""

KEEPS_UNKNOWN = {
    *("cpp-protobuf", "go-protobuf", "java-protobuf", "cpp-capnproto"),
    *("cpp-nlohmann-json", "cpp-rapidjson", "python-json", "node-json", "node-bufbuild"),
}
DROPS_UNKNOWN = {
    *("cpp-flatbuffers", "java-flatbuffers"),
    *("go-encoding-json", "rust-prost", "cpp-cgd-buffer"),
}

WITHOUT_NAMES = {
    *("rust-bincode", "rust-postcard", "rust-cgd-buffer", "node-cgd-buffer"),
    *("go-cgd-buffer", "cpp-cgd-buffer", "cpp-cereal"),
}
"""Formats without names or tags."""

LARGE = {
    *("cpp-capnproto", "cpp-cereal", "cpp-cgd-buffer", "cpp-flatbuffers", "cpp-msgpack"),
    *("cpp-nlohmann-json", "cpp-protobuf", "cpp-rapidjson"),
    *("go-cbor", "go-cgd-buffer", "go-encoding-json", "go-msgpack", "go-protobuf", "go-sonic"),
    *("java-cgd-buffer", "java-fastjson2", "java-fory", "java-gson", "java-jackson"),
    *("java-kryo", "java-msgpack", "java-protobuf"),
    *("node-avsc", "node-bufbuild", "node-cbor-x", "node-cgd-buffer", "node-json"),
    *("node-msgpackr", "node-msgpackr-records", "node-protobufjs"),
    *("python-cbor2", "python-cgd-buffer", "python-json", "python-msgpack"),
    *("python-msgspec-json", "python-msgspec-msgpack", "python-orjson", "python-pickle"),
    "python-protobuf",
    *("rust-bincode", "rust-cgd-buffer", "rust-postcard", "rust-prost", "rust-rmp-serde"),
    *("rust-rkyv", "rust-serde-json", "rust-sonic-rs"),
    *("csharp-cgd-buffer", "csharp-json", "csharp-newtonsoft", "csharp-protobuf"),
}
"""Contenders of the scenario large."""

MEMORY = ("to-bytes.memory", "from-bytes.memory")

Cells = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    build_behind_others("codec", *DRAWN)
    scenarios = whole_runs.only("--scenario", ("encodings", "conform", "evolution", "large"))
    chosen = (*scenarios, *whole_runs.only("--contender", DRAWN))
    here = tmp_path_factory.mktemp("exchange")
    return whole_runs.run_suite(here, "codec", *chosen, "--profile", "check", *COLD)


@pytest.fixture(scope="module")
def cells(folder: Path) -> Cells:
    result = whole_runs.result_of(folder)
    whole_runs.everybody_took_part_or_says_why_not(result, DRAWN)
    assert whole_runs.available(result) >= set(DRAWN) > ALWAYS
    return {cell["id"]: cell for cell in result["cells"]}


def test_no_trial_failed(folder: Path) -> None:
    whole_runs.no_trial_failed(folder)


@pytest.mark.parametrize("shape", SHAPES)
def test_contenders_of_one_format_understand_each_other(cells: Cells, shape: str) -> None:
    read = {name: cells[f"codec/conform/{shape}/{name}"]["remarks"]["read"] for name in DRAWN}
    for name, rows in read.items():
        assert name in rows, "a contender reads itself at least"
        for encoder, row in rows.items():
            assert row["same"] == row["of"] > 0, (name, encoder, row)
    ours = {f"{language}-cgd-buffer" for language in LANGUAGES}
    assert len(ours) >= 6
    assert {name: {*read[name]} for name in ours} == dict.fromkeys(ours, ours)


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
    assert len(LANGUAGES) >= 6
    for language in LANGUAGES:
        told = cells[f"codec/conform/{shape}/{language}-cgd-buffer"]["remarks"]["truncate"]
        assert told["length"] > 0
        assert told["accepted"] == [], language


@pytest.mark.parametrize("row", taking_part(EVOLVED))
def test_what_becomes_of_data_of_another_version(cells: Cells, row: str) -> None:
    name, direction = row.split()
    told = [
        cells[f"codec/evolution/{change}/{name}"]["remarks"]["evolution"][direction]
        for change in CHANGES
    ]
    assert " ".join(one[-1]["outcome"] for one in told) == EVOLVED[row]


def test_fields_that_code_does_not_know_are_kept_by_those_whose_messages_hold_them(
    cells: Cells,
) -> None:
    known = {*KEEPS_UNKNOWN, *DROPS_UNKNOWN} & set(DRAWN)
    kept = {
        name
        for name in known
        if cells[f"codec/evolution/added/{name}"]["remarks"]["evolution"]["rewrite"][-1]["outcome"]
        == "right"
    }
    assert kept == KEEPS_UNKNOWN & known
    assert kept
    assert known - kept


@pytest.mark.parametrize("name", taking_part(WITHOUT_NAMES))
def test_formats_without_names_or_tags_misread_another_order(cells: Cells, name: str) -> None:
    told = cells[f"codec/evolution/reordered/{name}"]["remarks"]["evolution"]
    assert told["backward"] == told["forward"] == [{"outcome": "wrong", "told": "sensor = 12"}]


def test_the_rows_of_the_study_that_need_no_other_scenario_have_their_sections(
    folder: Path,
) -> None:
    page = STUDIES / "serialization.md"
    assert [row.scenarios for row in answered_by(folder, page)] == [
        ["evolution"],
        ["encodings", "conform"],
        ["large"],
    ]
    assert without_section(folder, page) == []


def test_all_who_carry_large_data_do_so(cells: Cells) -> None:
    found = {cell["contender"] for cell in cells.values() if cell["scenario"] == "large"}
    assert found == LARGE & set(DRAWN)
    assert found >= {f"{language}-cgd-buffer" for language in LANGUAGES}


@pytest.mark.parametrize("name", taking_part(LARGE))
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
            for name in LARGE & set(DRAWN)
            if name.startswith("python-")
        }
        for form in ("whole", "stream")
    }
    assert len(held["stream"]) > 1
    for name, megabytes in held["stream"].items():
        # Fifty thousand objects of Python are megabytes, some of which were free before.
        whole = held["whole"][name]
        assert 2 * megabytes < whole > 1, (name, megabytes, whole)


def test_a_list_of_bytes_in_the_cgd_format_has_its_count_and_nothing_else(cells: Cells) -> None:
    own = {language: cells[f"codec/large/blob-1/{language}-cgd-buffer"] for language in LANGUAGES}
    sizes = {name: cell["metrics"]["encoded.size"]["value"] for name, cell in own.items()}
    assert sizes == dict.fromkeys(LANGUAGES, 1_000_004)


def test_nothing_is_left(folder: Path) -> None:
    assert whole_runs.left_of(folder) == set()
