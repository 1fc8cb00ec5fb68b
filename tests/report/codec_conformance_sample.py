"""The libraries of the sample of ``codec``, and what the judge noted of them in ``conform``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SUITE = Path(__file__).parents[2] / "suites" / "codec"

SHAPES = ("T1", "T2", "T3", "T4", "T5", "telemetry", "chat")

# name: title, language, mode, strings, round trip of T1 in ns, share of conversions
LIBRARIES: dict[str, tuple[str, str, str, str, float, float]] = {
    "cpp-cgd-buffer": ("CGD wire format", "C++", "fresh", "utf-16", 18.0, 0.0),
    "cpp-protobuf": ("Protocol Buffers", "C++", "fresh", "utf-8", 109.0, 0.4),
    "cpp-protobuf-reuse": ("Protocol Buffers, reused", "C++", "reuse", "utf-8", 89.0, 0.35),
    "cpp-nlohmann-json": ("nlohmann/json", "C++", "fresh", "utf-8", 5600.0, 0.5),
    "cpp-rapidjson": ("RapidJSON", "C++", "fresh", "utf-8", 1050.0, 0.0),
    "cpp-flatbuffers": ("FlatBuffers", "C++", "borrowed", "utf-8", 60.0, 0.0),
    "java-cgd-buffer": ("CGD wire format", "Java", "fresh", "utf-16", 60.0, 0.0),
    "java-protobuf": ("Protocol Buffers", "Java", "fresh", "utf-16", 190.0, 0.3),
    "java-jackson": ("Jackson", "Java", "fresh", "utf-16", 900.0, 0.0),
    "python-cgd-buffer": ("CGD wire format", "Python", "fresh", "code-point", 2900.0, 0.0),
    "python-protobuf": ("Protocol Buffers", "Python", "fresh", "code-point", 3000.0, 0.4),
    "python-orjson": ("orjson", "Python", "fresh", "code-point", 1100.0, 0.0),
    "python-json": ("json", "Python", "fresh", "code-point", 8100.0, 0.0),
    "rust-serde-json": ("serde_json", "Rust", "fresh", "utf-8", 500.0, 0.0),
}
LANGUAGES = ("C++", "Java", "Python", "Rust")
PREFIXES = {"C++": "cpp", "Java": "java", "Python": "python", "Rust": "rust"}
SIZES = {
    "cgd": (42, 326, 36, 330, 216, 20_004, 1_520),
    "protobuf": (43, 273, 10, 273, 100, 21_400, 990),
    "json": (112, 322, 22, 282, 115, 61_000, 1_480),
    "flatbuffers": (64, 420, 44, 420, 240, 24_040, 1_600),
}


def format_of(name: str) -> str:
    """The format a library of the sample writes."""
    if "json" in name or "jackson" in name:
        return "json"
    return next(form for form in SIZES if form.split("-", maxsplit=1)[0] in name)


def conformance() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Contender, data and remarks of every cell."""
    for name in LIBRARIES:
        form = format_of(name)
        writers = [other for other in LIBRARIES if format_of(other) == form]
        for step in SHAPES:
            length = SIZES[form][SHAPES.index(step)]
            read = {writer: {"same": 8, "of": 8, "first": ""} for writer in writers}
            if (name, step) == ("java-jackson", "T5"):
                read["cpp-nlohmann-json"] = {"same": 6, "of": 8, "first": "zero: 1 instead of 2"}
            accepted = [10, 12] if form == "protobuf" and step == "T1" else []
            remarks: dict[str, Any] = {
                "read": read,
                "truncate": {"length": min(length, 2048), "accepted": accepted},
            }
            if rejected := _negative(name, form, step):
                remarks["reject"] = rejected
            yield name, step, remarks


def _negative(name: str, form: str, step: str) -> dict[str, Any]:
    vectors = json.loads((SUITE / "vectors" / "negative.json").read_text("utf-8"))
    told: dict[str, Any] = {}
    for vector in vectors:
        if (vector["format"], vector["step"]) != (form, step):
            continue
        if vector["name"] == "above-2^53" and name == "java-jackson":
            value = '{"u64":9007199254740992}'
            told[vector["name"]] = {"outcome": "accepted", "shown": value, "allocated_bytes": 480}
        elif vector["name"] == "invalid-utf-8":
            told[vector["name"]] = {"outcome": "accepted", "shown": '["\ufffd("]'}
        elif vector["name"] == "trailing-byte" and name == "python-cgd-buffer":
            told[vector["name"]] = {"outcome": "accepted", "shown": "[3,2,9,10,11,22,44,22]"}
        else:
            told[vector["name"]] = {
                "outcome": "rejected",
                "as": "DecodeError",
                "allocated_bytes": 96,
            }
    return told
