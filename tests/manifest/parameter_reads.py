"""Parameters that a source file reads: literal names, and places that look names up otherwise."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]

_ANY = r"""["'](?P<name>[a-z][a-z0-9_]*)["']"""
_NAME = r'"(?P<name>[a-z][a-z0-9_]*)"'

_JAVA_FIELDS = r"\b(?:parameters(?:\(\))?|tuning)"
_READ_FROM_JAVA = r"(?:integer|integerWithin|text|flag|has|real|number)"
_CSHARP_FIELDS = r"\b[Pp]arameters"
_READ_FROM_CSHARP = r"(?:Integer|Within|Text|Flag|Has|Number)"

LITERAL = {
    "python": [
        rf"\.parameter\(\s*{_ANY}",
        rf"\bparameters(?:\.get\(|\[)\s*{_ANY}",
        rf"{_ANY} in [\w.]*parameters\b",
        rf'\["parameters"\](?:\.get\(|\[)\s*{_ANY}',
        rf'get\("parameters", \{{\}}\)\.get\(\s*{_ANY}',
    ],
    "java": [
        rf"{_JAVA_FIELDS}\s*\.\s*{_READ_FROM_JAVA}\(\s*{_NAME}",
        # Handed on with the name: either(parameters, "delivery", …).
        rf"{_JAVA_FIELDS},\s*{_NAME}",
    ],
    "csharp": [
        rf"{_CSHARP_FIELDS}\s*\.\s*{_READ_FROM_CSHARP}\(\s*{_NAME}",
        # Handed on with the name: Compare(parameters, "gc", …).
        rf"{_CSHARP_FIELDS},\s*{_NAME}",
    ],
    "c": [r'"parameters\.(?P<name>\w+)"', rf"\.tuning\(\s*{_NAME}"],
    "node": [rf"\bparameter\(\w+,\s*{_ANY}", r"\.parameters\.(?P<name>[a-z]\w*)"],
    "go": [
        rf"\bParameter(?:\[\w+\])?\([\w.]+,\s*(?:[\w.&\[\]]+,\s*)?{_NAME}",
        rf"\bStepParameter(?:\[\w+\])?\([\w.]+,\s*[\w.&\[\]]+,\s*{_NAME}",
    ],
    "rust": [
        rf"\.(?:step_)?parameter\(\s*(?:step,\s*)?{_NAME}",
        rf"\bparameter\(\s*spec,\s*step,\s*{_NAME}",
        rf"\bparameters\.get\({_NAME}",
    ],
}
"""By language: how a parameter is read by its name."""

OTHERWISE = {
    "python": [
        r"\.parameter\(\s*(?![\"'\s])",
        r"\bparameters(?:\.get\(|\[)\s*(?![\"'\s])",
        r'\(spec\["parameters"\]\)',
    ],
    "java": [rf"{_JAVA_FIELDS}\s*\.\s*{_READ_FROM_JAVA}\(\s*(?![\"\s])"],
    "csharp": [rf"{_CSHARP_FIELDS}\s*\.\s*{_READ_FROM_CSHARP}\(\s*(?![\"\s])"],
    "c": [r'"parameters\."'],
    "node": [r"(?<!function )\bparameter\(\w+,\s*(?![\"'\s])", r"\.parameters\["],
    "go": [r"Parameter(?:\[\w+\])?\([\w.]+,\s*(?:step, )?name\b", r"\.Parameters\["],
    "rust": [
        r"\.(?:step_)?parameter\(\s*(?:step,\s*)?(?![\"\s]|step)",
        r"\bparameters\.get\((?!\")",
    ],
}
"""By language: how a parameter is read by a name that stands elsewhere."""

_LANGUAGES = {
    ".py": "python",
    ".java": "java",
    ".cs": "csharp",
    **dict.fromkeys((".c", ".h", ".cpp", ".hpp"), "c"),
    **dict.fromkeys((".js", ".mjs", ".ts"), "node"),
    ".go": "go",
    ".rs": "rust",
}
_TESTS = re.compile(r"(^|/)(tests?|examples)/|_test\.go$|/tests\.rs$|\.d\.ts$|\.test\.")


def sources(*folders: str) -> list[str]:
    """Source files below ``folders`` of the repository, without tests of their own."""
    below = tuple(f"{folder}/" for folder in folders)
    return [path for path in _every_source() if path.startswith(below)]


@cache
def _every_source() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    kept = (path for path in listed if Path(path).suffix in _LANGUAGES and not _TESTS.search(path))
    return [path for path in kept if (ROOT / path).is_file()]


def literal_reads(text: str, suffix: str) -> set[str]:
    """Names of the parameters that a source reads."""
    patterns = LITERAL[_LANGUAGES[suffix]]
    return {match["name"] for p in patterns for match in re.finditer(p, text)}


def looks_up(text: str, suffix: str) -> bool:
    """Whether a source reads parameters by names that stand elsewhere."""
    return any(re.search(p, text) for p in OTHERWISE[_LANGUAGES[suffix]])


def reads_of(paths: Iterable[str]) -> dict[str, set[str]]:
    """By file: the parameters that it reads, where it reads any."""
    found = {path: literal_reads((ROOT / path).read_text(), Path(path).suffix) for path in paths}
    return {path: names for path, names in found.items() if names}


def looking_up(paths: Iterable[str]) -> set[str]:
    """The files that read parameters by names that stand elsewhere."""
    return {path for path in paths if looks_up((ROOT / path).read_text(), Path(path).suffix)}
