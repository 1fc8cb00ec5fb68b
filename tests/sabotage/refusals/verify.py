"""Refused items of an answer; all its other values are verified by the suite loopback."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

REFUSED = {"read": [], "unknown-tag": [3], "secret-tag": [5]}


def verify(
    spec: Mapping[str, Any], _facts: Mapping[str, Any], answers: Iterable[Mapping[str, Any]]
) -> list[str]:
    """Findings in plain language; none when every answer is right."""
    wanted = REFUSED[spec["parameters"]["probe"]]
    return [
        f"{given['phase']} read {given['tick']}: {given['answer']['bad']} refused, not {wanted}"
        for given in answers
        if given["answer"]["bad"] != wanted
    ][:20]
