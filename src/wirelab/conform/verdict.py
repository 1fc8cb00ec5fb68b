"""The outcome of one check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Outcome = Literal["pass", "fail", "n/a"]

_SHOWN = 3


@dataclass(frozen=True)
class Check:
    """One line of the result."""

    name: str
    outcome: Outcome
    detail: str

    def __str__(self) -> str:
        return f"{self.outcome:<5} {self.name}: {self.detail}"


def verdict(name: str, findings: Sequence[str], passed: str) -> Check:
    """A failure that tells the first findings, or a pass that says ``passed``."""
    if not findings:
        return Check(name, "pass", passed)
    counted = Counter(findings).items()
    texts = [f"{text} ({count} times)" if count > 1 else text for text, count in counted]
    more = f" (and {len(texts) - _SHOWN} more)" if len(texts) > _SHOWN else ""
    return Check(name, "fail", "; ".join(texts[:_SHOWN]) + more)


def first_failure(checks: Sequence[Check]) -> Check:
    """The first of ``checks`` that failed; the first of all where none did."""
    return next((check for check in checks if check.outcome == "fail"), checks[0])
