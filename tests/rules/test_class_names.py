"""A class is known by its name: within the code of a language no other has the same one."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

import wirelab

ROOT = Path(__file__).parents[2]
CORE = Path(wirelab.__file__).parent
_CSHARP = re.compile(
    r"^(?:(?:public|internal|private|sealed|abstract|static|readonly|file) )*"
    r"(?:class|record struct|record|struct|interface|enum) ([A-Z]\w*)",
    re.M,
)
_NODE = re.compile(r"^(?:export )?class ([A-Z]\w*)", re.M)
_JAVA = re.compile(
    r"^(?:(?:public|abstract|final|sealed|non-sealed) )*"
    r"(?:class|record|interface|enum|@interface) ([A-Z]\w*)",
    re.M,
)
_JAVA_SOURCES = ("libraries/*/src/main", "brokers/*/src/main", "contenders/*/src/main")
_JAVA_ROLES = {"Main": 4, "MiloVersion": 2}
"""Names of a part of which several programs have one of their own, and how many do: where a program
begins, and what differs between two lines of releases of Milo.
"""


def repeated(names: Iterable[str]) -> list[str]:
    """Names that are there more than once."""
    return [name for name, count in Counter(names).items() if count > 1]


def test_class_names_of_the_core_are_unique() -> None:
    names = [
        node.name
        for file in CORE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    assert len(names) > 100
    assert repeated(names) == []


def test_class_names_of_the_python_sdk_and_harnesses_are_unique() -> None:
    """Harnesses: libraries of suites whose code imports the SDK's names beside its own."""
    files = [
        *(ROOT / "sdk/python/wirelab_sdk").rglob("*.py"),
        *(file for part in (ROOT / "suites").glob("*/libraries/*") for file in part.rglob("*.py")),
    ]
    names = [
        node.name
        for file in files
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    assert len(names) > 100
    assert repeated(names) == []


@pytest.mark.parametrize(
    ("declared", "places", "at_least"),
    [
        (_CSHARP, ("sdk/csharp/src", "suites/*/libraries/csharp*/src", "suites/*/contenders"), 150),
        (_NODE, ("sdk/node/src", "suites/*/libraries/node*"), 20),
    ],
    ids=["C#", "Node.js"],
)
def test_class_names_of_a_language_are_unique(
    declared: re.Pattern[str], places: tuple[str, ...], at_least: int
) -> None:
    ending = "*.cs" if declared is _CSHARP else "*.js"
    names = [
        name
        for place in places
        for folder in ROOT.glob(place)
        for file in folder.rglob(ending)
        if "node_modules" not in file.parts and not file.name.endswith(".pb.cs")
        for name in declared.findall(file.read_text("utf-8"))
    ]
    assert len(names) > at_least
    assert repeated(names) == []


def test_class_names_of_java_are_unique() -> None:
    places = ["sdk/java/src/main", "bench/contenders/java/src/main"]
    sources = [
        file.read_text("utf-8")
        for place in (*places, *(f"suites/*/{place}" for place in _JAVA_SOURCES))
        for folder in ROOT.glob(place)
        for file in folder.rglob("*.java")
    ]
    written = [text for text in sources if not text.startswith("// automatically generated")]
    names = Counter(name for text in written for name in _JAVA.findall(text))
    assert len(names) > 300
    assert {name: count for name, count in names.items() if count > 1} == _JAVA_ROLES


def test_a_repeated_name_is_found() -> None:
    assert repeated(_CSHARP.findall("public sealed class A(int n)\nstruct B\nrecord A;\n")) == ["A"]
    assert repeated(_JAVA.findall("final class A {\npublic record A(int n) {\n")) == ["A"]
    assert repeated(_NODE.findall("class A {}\nexport class B {}\nclass A {}\n")) == ["A"]
