"""An echo gives back what was sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def verify(
    spec: Mapping[str, Any], facts: Mapping[str, Any], answers: Iterable[Mapping[str, Any]]
) -> list[str]:
    """Findings in plain language; none when every answer is right."""
    return [
        f"{answer['phase']} {answer['tick']}: {answer['answer']['text']}"
        for answer in answers
        if answer["answer"]["text"] != f"echo {answer['tick']}"
    ]
