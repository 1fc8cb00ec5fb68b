"""Evidence as it is stored, and how it reads."""

from __future__ import annotations

from typing import Any, NamedTuple


class Example(NamedTuple):
    """Evidence of a gate, and its lines in English."""

    code: str
    evidence: dict[str, Any]
    lines: list[str]
