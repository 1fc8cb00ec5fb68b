"""Fixtures of the gates' tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from gates_support import judge, run

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Gate
from wirelab.model.result import Finding
from wirelab.words.translation import words

__all__ = ["judge", "run"]


@pytest.fixture(autouse=True)
def held_to_their_gates(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hold whatever gates find in a test to what they declare, and say it in both languages."""
    found: list[tuple[Gate[Any], Finding]] = []
    find = Gate.findings

    def recorded(gate: Gate[Any], cell: CellFacts) -> Iterator[Finding]:
        for finding in find(gate, cell):
            found.append((gate, finding))
            yield finding

    monkeypatch.setattr(Gate, "findings", recorded)
    yield
    for gate, finding in found:
        assert finding.verdict in gate.verdicts
        stored = Finding.model_validate_json(finding.model_dump_json())
        read = gate.read(stored.evidence, "a cell")
        assert read.model_dump(mode="json", exclude_unset=True) == finding.evidence
        assert gate.blamed(stored, "a cell") in (gate.blames or (None,))
        for language in ("en", "ko"):
            lines = gate.in_words(stored, "a cell", words(language))
            assert lines
            assert [line for line in lines if not line or re.search("[{}]", line)] == []
