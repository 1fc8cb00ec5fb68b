"""Lines of a TOML file on which its keys stand."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

from wirelab.manifest.problems import Key

_TOML = Language(tree_sitter_toml.language())


class Lines:
    """The lines of every key of a TOML text that ``tomllib`` can read."""

    def __init__(self, text: str) -> None:
        self._lines: dict[Key, int] = {}
        self._elements: dict[Key, int] = {}
        self._read_document(Parser(_TOML).parse(text.encode()).root_node)

    def of(self, key: Key) -> int:
        """Line of ``key``, or of the nearest table around it; 1 when there is none."""
        while key and key not in self._lines:
            key = key[:-1]
        return self._lines.get(key, 1)

    def _read_document(self, document: Node) -> None:
        for child in document.named_children:
            if child.type == "pair":
                self._read_pair((), child)
            elif child.type == "table":
                self._read_table(child, self._enter((), _names(child.named_children[0])))
            elif child.type == "table_array_element":
                self._read_table(child, self._next_element(_names(child.named_children[0])))

    def _read_table(self, table: Node, key: Key) -> None:
        self._note(key, table)
        for child in table.named_children:
            if child.type == "pair":
                self._read_pair(key, child)

    def _read_pair(self, table: Key, pair: Node) -> None:
        name, *value = [child for child in pair.named_children if child.type != "comment"]
        key = self._enter(table, _names(name))
        self._note(key, pair)
        if value:
            self._read_value(key, value[0])

    def _read_value(self, key: Key, value: Node) -> None:
        inner = [child for child in value.named_children if child.type != "comment"]
        if value.type == "inline_table":
            for pair in inner:
                if pair.type == "pair":
                    self._read_pair(key, pair)
        elif value.type == "array":
            for number, element in enumerate(inner):
                self._note((*key, number), element)
                self._read_value((*key, number), element)

    def _enter(self, table: Key, names: list[str]) -> Key:
        """The key below ``table``; a name of an array of tables means its last element."""
        key = table
        for name in names:
            key = (*key, name)
            if key in self._elements:
                key = (*key, self._elements[key])
        return key

    def _next_element(self, names: list[str]) -> Key:
        array: Key = (*self._enter((), names[:-1]), *names[-1:])
        self._elements[array] = self._elements.get(array, -1) + 1
        return (*array, self._elements[array])

    def _note(self, key: Key, node: Node) -> None:
        # A table that is only implied by a longer name stands where it is first implied.
        for length in range(1, len(key) + 1):
            self._lines.setdefault(key[:length], node.start_point.row + 1)


def _names(node: Node) -> list[str]:
    """The names of a key as tomllib reads them, quotes and escapes undone."""
    text = node.text.decode() if node.text else ""
    names: list[str] = []
    try:
        table: object = tomllib.loads(f"{text} = 0")
    except tomllib.TOMLDecodeError:
        return names
    while isinstance(table, Mapping):
        name, table = next(iter(table.items()))
        names.append(name)
    return names
