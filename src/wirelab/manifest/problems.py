"""Problems of a manifest: file, line, key, and what was expected."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from wirelab.model.mistake import MistakeError
from wirelab.words.printable import printable

Key = tuple[str | int, ...]
"""Path of a value in a manifest; numbers count the elements of arrays."""
Findings = Iterable[tuple[Key, str]]
"""Mistakes of a manifest: where each stands, and what it is."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def key_text(key: Key) -> str:
    """A key as it reads in a manifest: ``scenarios.s7.rankings[2].metric``."""
    text = ""
    for part in key:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            name = part if _BARE.fullmatch(part) else json.dumps(part, ensure_ascii=False)
            text += f".{name}" if text else name
    return text


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong. ``line`` counts from 1; None: the file as a whole."""

    file: Path
    line: int | None
    key: Key
    message: str

    def __str__(self) -> str:
        place = _short(self.file) if self.line is None else f"{_short(self.file)}:{self.line}"
        return printable(
            ": ".join(part for part in (place, key_text(self.key), self.message) if part)
        )


class ManifestError(MistakeError):
    """A manifest cannot be used; ``problems`` says why, in the order of the lines."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sorted(problems, key=lambda problem: problem.line or 0)
        super().__init__("\n".join(map(str, self.problems)))


def _short(file: Path) -> str:
    try:
        near = os.path.relpath(file)
    except (OSError, ValueError):
        return str(file)
    return str(file) if near.startswith("..") else near
