"""Phases, sizes, choices and traps of the report of codecs; who writes which format."""

from __future__ import annotations

from pathlib import Path

import pytest
from codec_sample import LIBRARIES, SHAPES, about, changed, sample, with_time, without
from codec_text import chapter, context_of, part, report, rows

from wirelab.model.result import Verdict
from wirelab.report.cell_table import CellTable


def test_conversions_are_told_where_a_library_has_messages_of_its_own(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample()), "## 5. Where the time goes")
    assert (
        "**Protocol Buffers (C++)**: converting between native values and messages takes 40 %"
        in text
    )
    own = text.split("**Libraries with messages of their own**")[1].split("<summary>Encoding and")[
        0
    ]
    assert "RapidJSON" not in own
    table = rows(text, "Libraries with messages of their own")
    assert table["Protocol Buffers (C++)"][-2:] == ["40", "109.0 [105.7–112.3]"]


def test_without_phases_nothing_is_made_up(tmp_path: Path) -> None:
    def bare(cell):
        kept = {n: m for n, m in cell.metrics.items() if n.startswith(("round_trip", "encoded"))}
        return cell.model_copy(update={"metrics": kept}) if cell.scenario == "steady" else cell

    text = report(tmp_path, changed(sample(), bare))
    assert "No contender with messages of its own was measured." in text
    assert "of the distance" not in text


@pytest.mark.parametrize(
    ("decode", "said"), [(1200.0, "it reads faster"), (30.0, "it writes and reads faster")]
)
def test_why_names_the_half_the_distance_comes_from(
    tmp_path: Path, decode: float, said: str
) -> None:
    found = with_time(sample(), "cpp-protobuf", "T1", "decode.time", about(decode))
    table = rows(part(report(tmp_path, found), "## 9. Which library for which data"), "C++")
    assert said in table["fresh"][-1]


def test_sizes_stand_together_and_survive_a_bad_time(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample()), "## 6. Encoded sizes and allocations")
    table = rows(text, "Encoded size, and size after zstd")
    assert table["FlatBuffers"][2] == "64<br>zstd 68"
    assert "json (Python)" in table["JSON"][1]
    assert "T3 Protocol Buffers (10 B)" in text


def test_traps_are_labelled_as_no_results(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample()), "## 8. Traps")
    assert "Not a measurement of any library" in text
    table = rows(text, "The same loop with its result used, and unused")
    assert table["C++"][5:8] != []
    line = next(line for line in text.splitlines() if "| CGD wire format |" in line)
    assert line.split(" | ")[4] == "1.7"
    gone = part(report(tmp_path, without(sample(), scenario=["traps"])), "## 8. Traps")
    assert "wl run codec --scenario traps" in gone
    assert "Traps seen in published comparisons" in gone


def test_formats_are_known_by_name() -> None:
    formats = chapter("sizes").formats.__globals__["format_of"]
    told = {
        "cpp-cgd-buffer": "cgd",
        "rust-prost": "protobuf",
        "node-bufbuild": "protobuf",
        "node-protobufjs": "protobuf",
        "go-sonic": "json",
        "rust-sonic-rs": "json",
        "java-gson": "json",
        "python-msgspec-json": "json",
        "python-msgspec-msgpack": "msgpack",
        "node-msgpackr": "msgpack",
        "node-msgpackr-records": "msgpackr-records",
        "rust-rmp-serde": "msgpack",
        "python-cbor2": "cbor",
        "cpp-flatbuffers-unvalidated": "flatbuffers",
        "cpp-capnproto": "capnproto",
        "node-avsc": "avro",
        "java-kryo": "kryo",
        "rust-bincode": "bincode",
    }
    assert {name: formats(name) for name in told} == told


def test_cells_are_found_by_language_and_mode() -> None:
    steady = CellTable.of(context_of(sample()), "steady")
    assert [(g.language, g.mode) for g in steady.peers] == [
        ("C++", "borrowed"),
        ("C++", "fresh"),
        ("C++", "reuse"),
        ("Java", "fresh"),
        ("Python", "fresh"),
        ("Rust", "fresh"),
    ]
    assert steady.steps == list(SHAPES)
    assert steady.value("cpp-flatbuffers", "T1", "round_trip.time") is None
    found = steady.cell("cpp-flatbuffers", "T1")
    assert found is not None
    assert found.verdict is Verdict.INVALID
    assert set(LIBRARIES) <= set(steady.contenders)
