"""Commands in texts are typed as in a clone: ``./wl run``."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMANDS = "|".join(path.stem for path in sorted((ROOT / "src/wirelab/cli").glob("[a-z]*.py")))
BARE = re.compile(rf"(?<![\w./`])wl (?:{COMMANDS})\b(?![a-z ]*: )")


def bare_commands(source: str) -> list[str]:
    """Texts of a module in which ``wl`` lacks its path, other than docstrings and names of commands
    before a colon."""
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
        and BARE.search(node.value)
    ]


def test_commands_in_texts_can_be_typed_in_a_clone() -> None:
    files = [file for part in ("src", "suites") for file in (ROOT / part).rglob("*.py")]
    assert len(files) > 300
    found = {str(file.relative_to(ROOT)): bare_commands(file.read_text("utf-8")) for file in files}
    assert {file: texts for file, texts in found.items() if texts} == {}


def test_a_bare_command_is_found() -> None:
    assert bare_commands("say('first wl run kv')\nsay('./wl run kv')\n") == ["first wl run kv"]
