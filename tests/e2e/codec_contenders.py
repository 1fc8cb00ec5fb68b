"""Languages, shapes and contenders of the codec suite, for the tests that run it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from e2e.building import REPOSITORY
from e2e.drawn import drawn_of
from wirelab.build import tools

SUITE = REPOSITORY / "suites" / "codec"
SHAPES = ("T1", "T2", "T3", "T4", "T5", "telemetry", "chat")
INSTALLED = ("cpp", "go", "java", "node", "python", "rust")
LANGUAGES = (*INSTALLED, "csharp") if tools.DOTNET.find() else INSTALLED
"""No Debian package provides dotnet: without it, tests of C# say that they are skipped."""

IN_CSHARP = pytest.mark.needs("dotnet")
EACH_LANGUAGE = (*INSTALLED, pytest.param("csharp", marks=IN_CSHARP))
COLD = ("--seed", "7", "--set", "prewarm_ms=0")
"""Nobody looks at times here: what a JVM and .NET take to get warm can be saved."""

LIBRARIES = {
    "cpp-protobuf": "cpp",
    "csharp-protobuf": "csharp",
    "go-protobuf": "go",
    "java-protobuf": "java",
    "node-json": "node",
    "python-json": "python",
    "rust-prost": "rust",
}
"""One of each language."""

ALWAYS = {
    *(f"{language}-cgd-buffer" for language in LANGUAGES),
    *(name for name, language in LIBRARIES.items() if language in LANGUAGES),
}

DRAWN = drawn_of("codec", "steady", ALWAYS)
"""Contenders that take part, in the order of their names."""


def taking_part(rows: Iterable[str]) -> list[Any]:
    """Rows whose first word is a contender that takes part, as parameters of a test.

    Without dotnet nobody in C# takes part: their rows are there to be skipped with that reason.
    """
    chosen: list[Any] = []
    for row in sorted(rows):
        name = row.partition(" ")[0]
        if name.startswith("csharp-") and "csharp" not in LANGUAGES:
            chosen.append(pytest.param(row, marks=IN_CSHARP))
        elif name in DRAWN:
            chosen.append(row)
    return chosen
