"""Allowed values of a manifest's keys in plain words, read from the schema of its format."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter

from wirelab.manifest.problems import Key
from wirelab.model.builds import (
    Coordinates,
    DebianPackage,
    Exclusion,
    Passed,
    Variable,
    Versioned,
)
from wirelab.model.metrics import MetricKey
from wirelab.model.units import Name, Term

_Node = Mapping[str, Any]

_NAMES = {
    Name: "a name of lower-case letters, digits and dashes",
    Term: "a name of letters, digits, dashes and underscores",
    MetricKey: "a name with dots, of lower-case letters, digits and dashes between them",
    DebianPackage: "the name of a Debian package, or names to choose from such as a|b",
}
RULES: dict[str, str] = {
    TypeAdapter(kind).json_schema()["pattern"]: f"{name}, at most 64 characters"
    for kind, name in _NAMES.items()
} | {
    TypeAdapter(Variable).json_schema()["pattern"]: "letters, digits and _, no digit first",
    TypeAdapter(Passed).json_schema()["pattern"]: "text",
    TypeAdapter(Coordinates).json_schema()["pattern"]: "the coordinates of a Java package, "
    '"group:artifact:version", with ":classifier" after it where it has one, '
    'or of a NuGet package, "id:version"',
    TypeAdapter(Versioned).json_schema()["pattern"]: "the coordinates of a Java package, "
    '"group:artifact:version"',
    TypeAdapter(Exclusion).json_schema()["pattern"]: 'a Java package, "group:artifact"',
}
"""Descriptions of names, by the pattern they must match."""

_WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
}


class Expected:
    """The expectations of one format."""

    def __init__(self, schema: _Node) -> None:
        self._schema = schema

    def at(self, key: Key) -> str:
        """Describe what ``key`` may hold; empty when the format knows no such key."""
        node = self._node(key)
        return self.words(node) if node is not None else ""

    def keys(self, table: Key) -> list[str]:
        """The keys a table may have; empty when they are free."""
        node = self._node(table)
        if node is None:
            return []
        tables = [option["properties"] for option in self._options(node) if "properties" in option]
        return list(dict.fromkeys(name for table in tables for name in table))

    def _node(self, key: Key) -> _Node | None:
        node: _Node | None = self._schema
        for part in key:
            node = self._child(node, part) if node is not None else None
        return node

    def _child(self, node: _Node, part: str | int) -> _Node | None:
        for option in self._options(node):
            found = option.get("items") if isinstance(part, int) else _property(option, part)
            if isinstance(found, Mapping):
                return found
        return None

    def _options(self, node: _Node) -> Sequence[_Node]:
        resolved = self._resolved(node)
        choices = [*resolved.get("anyOf", []), *resolved.get("oneOf", [])]
        return [resolved, *(option for choice in choices for option in self._options(choice))]

    def _resolved(self, node: _Node) -> _Node:
        if "$ref" not in node:
            return node
        resolved: _Node = self._schema["$defs"][node["$ref"].rpartition("/")[2]]
        return resolved

    def words(self, node: _Node) -> str:
        node = self._resolved(node)
        if "examples" in node:
            examples = ", ".join(json.dumps(example) for example in node["examples"])
            return f"{node['title']} such as {examples}"
        if "anyOf" in node or "oneOf" in node:
            words = [self.words(option) for option in node.get("anyOf") or node["oneOf"]]
            return " or ".join(dict.fromkeys(word for word in words if word))
        if "const" in node:
            return json.dumps(node["const"])
        if "enum" in node:
            return "one of " + ", ".join(json.dumps(value) for value in node["enum"])
        if node.get("type") == "object":
            return _table(node)
        if node.get("type") == "array":
            each = self.words(node["items"])
            filled = " that is not empty" if node.get("minItems") else ""
            return f"a list{filled}, each element {each}"
        if rule := RULES.get(node.get("pattern", "")):
            return rule
        return _WORDS.get(node.get("type", ""), "") + _range(node)


def _property(node: _Node, name: str) -> Any:
    if name in node.get("properties", {}):
        return node["properties"][name]
    if "patternProperties" in node:
        return next(iter(node["patternProperties"].values()))
    return node.get("additionalProperties")


def _table(node: _Node) -> str:
    keys = list(node.get("properties", ()))
    return f"a table with the keys {', '.join(keys)}" if keys else "a table"


def _range(node: _Node) -> str:
    low, high = node.get("minimum"), node.get("maximum")
    if low is not None and high is not None:
        return f" from {low} to {high}"
    if low is not None:
        return f" of {low} or more"
    if high is not None:
        return f" of {high} or less"
    if "exclusiveMinimum" in node:
        return f" above {node['exclusiveMinimum']}"
    return ""
