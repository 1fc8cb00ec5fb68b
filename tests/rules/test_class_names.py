"""A class is known by its name: within the code of a language no other has the same one."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
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
_RUST = re.compile(r"^ *(?:pub(?:\([a-z]+\))? )?(?:struct|enum|trait|union) ([A-Z]\w*)", re.M)
_JAVA = re.compile(
    r"^(?:(?:public|abstract|final|sealed|non-sealed) )*"
    r"(?:class|record|interface|enum|@interface) ([A-Z]\w*)",
    re.M,
)
_JAVA_SOURCES = (
    *("libraries/*/src/main", "brokers/*/src/main", "activemq/src/main"),
    "contenders/*/src/main",
)
_JAVA_ROLES = {"Main": 4, "MiloVersion": 2}
"""Names of a part of which several programs have one of their own, and how many do: where a program
begins, and what differs between two lines of releases of Milo.
"""

_TWO_ROOMS = {
    # The contract, which the core writes and the SDK reads: neither is there without the other.
    "Interval Operation OwnTarget Schedule Step Verification Worker": r"^(?:src|sdk)/",
    # Shapes of the suite, which each library that holds them in classes of its own has once.
    "Author Chat Point Position Stroke T1 T2 Telemetry": (
        r"^suites/codec/(?:libraries/python|contenders/python-msgspec-json)/"
    ),
    # A server, which each suite that has it starts with its own settings.
    "Nginx RabbitMq Redis": r"^suites/\w+/(?:databases|brokers|gateway|libraries|rabbitmq|redis)/",
    # Programs that never meet: each contender has the parts of a server, or a refusal, once.
    "Boards Member TooSlowError": r"^suites/websocket/contenders/[\w-]+/(?:boards|members)\.py$",
    "NotStoredError": r"^suites/kv/contenders/[\w-]+/worker\.py$",
}
"""Names that two rooms must have, with the reason and the rooms: all others stand once."""


def repeated(names: Iterable[str]) -> list[str]:
    """Names that are there more than once."""
    return [name for name, count in Counter(names).items() if count > 1]


def public_classes(file: Path) -> Iterator[str]:
    """Names of the classes in a file of Python that are seen outside of it."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def test_class_names_of_the_core_are_unique() -> None:
    """Private classes included."""
    names = [
        node.name
        for file in CORE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    assert len(names) > 100
    assert repeated(names) == []


def test_class_names_of_python_are_unique() -> None:
    """The core, the SDK and the suites, whose code imports names of both beside its own."""
    places: dict[str, list[str]] = {}
    for tree in (CORE, ROOT / "sdk/python/wirelab_sdk", ROOT / "suites"):
        for file in sorted(tree.rglob("*.py")):
            if "tests" not in file.relative_to(ROOT).parts:
                for name in public_classes(file):
                    places.setdefault(name, []).append(str(file.relative_to(ROOT)))
    assert len(places) > 800
    twice = {name: files for name, files in places.items() if len(files) > 1}
    allowed = {name: rooms for names, rooms in _TWO_ROOMS.items() for name in names.split()}
    assert {name: files for name, files in twice.items() if name not in allowed} == {}
    assert [name for name in allowed if name not in twice] == []
    elsewhere = {
        name: [file for file in files if not re.search(allowed[name], file)]
        for name, files in twice.items()
    }
    assert {name: files for name, files in elsewhere.items() if files} == {}


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


@pytest.mark.parametrize(
    ("crate", "at_least"),
    [("crates/engine", 80), ("crates/witness", 40), ("sdk/rust", 40), ("suites/kv/server", 40)],
)
def test_type_names_of_a_crate_are_unique(crate: str, at_least: int) -> None:
    sources = sorted((ROOT / crate / "src").rglob("*.rs"))
    names = [name for file in sources for name in _RUST.findall(file.read_text("utf-8"))]
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
    assert repeated(_RUST.findall("pub struct A;\n    enum A {\n")) == ["A"]
    assert repeated(_NODE.findall("class A {}\nexport class B {}\nclass A {}\n")) == ["A"]
