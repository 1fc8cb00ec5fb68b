"""The page of all keys of manifests, written from the schemas of their formats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wirelab.manifest.expected import Expected
from wirelab.reference.page import FOLDER, WRITTEN, in_one_line, rows
from wirelab.schema import MANIFESTS, schema_of

PAGE = FOLDER / "manifests.md"

_FILES = {"suite": "suite.toml", "contender": "contender.toml", "library": "library.toml"}

_Node = Mapping[str, Any]

_HEAD = f"""\
{WRITTEN.format(source="src/wirelab/model")}
# Keys of manifests

Every key of `suite.toml`, `contender.toml` and `library.toml`. A text of a report is a string, or a
table with the keys `en` and `ko`. [The manifest of a suite](suite-manifest.md) explains how a
suite uses them, [How to add a contender](../how-to/add-a-contender.md) how a contender does.
"""


def page() -> str:
    """All formats of manifests, and the tables within them, each once."""
    told: dict[str, str] = {}
    for name in MANIFESTS:
        told |= dict(_tables(name))
    return _HEAD + "".join(told.values())


def _tables(name: str) -> Iterator[tuple[str, str]]:
    schema = schema_of(name)
    expected = Expected(schema)
    yield name, _section(f"`{_FILES[name]}`", schema, expected)
    for title, node in schema["$defs"].items():
        if "properties" in node and title != "Text":
            yield title, _section(title, node, expected)


def _section(title: str, node: _Node, expected: Expected) -> str:
    required = node.get("required", ())
    cells = [
        (f"`{key}`", _held(value, expected), _default(key, value, required), _meaning(value))
        for key, value in node["properties"].items()
    ]
    told = in_one_line(node.get("description", ""))
    table = rows(("key", "holds", "default", "meaning"), cells)
    return f"\n## {title}\n\n{told}\n\n{table}"


def _held(node: _Node, expected: Expected) -> str:
    if tables := list(dict.fromkeys(_tables_in(node))):
        return " or ".join(f"[{name}](#{name.lower()})" for name in tables) + _by_name(node)
    return expected.words(node)


def _tables_in(node: _Node) -> Iterator[str]:
    """Names of the tables that a value holds, by name or in a list too."""
    name = node.get("$ref", "").rpartition("/")[2]
    if name and name not in ("Text", "Disturbed"):
        yield name
    inner = [
        *node.get("anyOf", ()),
        *node.get("oneOf", ()),
        *node.get("patternProperties", {}).values(),
    ]
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), Mapping):
            inner.append(node[key])
    for each in inner:
        yield from _tables_in(each)


def _by_name(node: _Node) -> str:
    if "patternProperties" in node or isinstance(node.get("additionalProperties"), Mapping):
        return ", by name"
    return ", a list" if node.get("type") == "array" else ""


def _default(key: str, node: _Node, required: Any) -> str:
    if key in required:
        return "**needed**"
    default = node.get("default")
    if default in (None, "", [], {}):
        return "–"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def _meaning(node: _Node) -> str:
    return in_one_line(node.get("description", ""))
