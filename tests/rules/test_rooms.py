"""Rooms of the core import only what lies below them; ``conform`` can be carried away alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import wirelab

CORE = Path(wirelab.__file__).parent
ARCHITECTURE = Path(__file__).parents[2] / "ARCHITECTURE.md"

FLOORS = (
    {"__main__", "reference"},
    {"cli"},
    {"bench"},
    {"live", "report"},
    {"compare"},
    {"cells", "run"},
    {"capacity", "doctor", "trial"},
    {"build"},
    {"catalog"},
    {"disk", "gates", "manifest", "monitor", "sandbox", "witness"},
    {"metrics", "plan", "processes", "samples", "schedule", "schema", "stats"},
    {"cache", "cgroups", "conform", "garbage", "model", "suite_parts", "words"},
)
"""From the top; a room imports none of its own floor."""


def imports() -> Iterator[tuple[str, str, str]]:
    """File, room and imported room of each import within the core."""
    for file in sorted(CORE.rglob("*.py")):
        inner = file.relative_to(CORE)
        room = inner.parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                parts = name.split(".")
                if parts[0] == "wirelab" and len(parts) > 1:
                    yield str(inner), room, parts[1]


def rooms() -> set[str]:
    """The packages of the core, and its modules that are in none."""
    files = {path.relative_to(CORE).parts[0].removesuffix(".py") for path in CORE.rglob("*.py")}
    return files - {"__init__"}


def test_every_room_has_a_floor() -> None:
    assert rooms() == set().union(*FLOORS)


def test_the_table_of_packages_has_every_room() -> None:
    table = ARCHITECTURE.read_text("utf-8").split("## Packages\n")[1].split("\n## ")[0]
    named = {word for code in re.findall(r"`([^`]+)`", table) for word in re.findall(r"\w+", code)}
    assert len(rooms()) > 20
    assert rooms() - named == {"__main__"}


def test_imports_point_down() -> None:
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    found = [one for one in imports() if one[1] in floor and one[2] in floor]
    assert len(found) > 500
    up = [(file, to) for file, room, to in found if room != to and floor[to] <= floor[room]]
    assert up == []


def test_the_checker_imports_nothing_of_the_core() -> None:
    assert [one for one in imports() if one[1] == "conform"] == []
    assert any(room == "cli" and to == "conform" for _file, room, to in imports())
