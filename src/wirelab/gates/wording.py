"""Findings in words, by their gates; also those of a gate that is not known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wirelab.gates.catalogue import gate_of
from wirelab.model.result import Finding
from wirelab.words import numbers
from wirelab.words.translation import N_, Words


def title_of(code: str, words: Words) -> str:
    """The title of a gate; one that is not known by its code alone."""
    gate = gate_of(code)
    return words.gettext(gate.title) if gate else code.replace("-", " ")


def meaning_of(code: str, words: Words) -> str:
    """Say what a finding means for the figures."""
    gate = gate_of(code)
    return words.gettext(gate.meaning if gate else N_("A check of the method did not pass."))


def remedy_of(code: str, words: Words) -> str:
    """Say what helps against a finding."""
    gate = gate_of(code)
    unknown = N_("See the evidence, and the page of this reason code in the documentation.")
    return words.gettext(gate.remedy if gate else unknown)


def evidence_lines(finding: Finding, cell: str, words: Words) -> list[str]:
    """The evidence of a finding, a sentence or figure a line.

    Raises EvidenceError where the evidence is not what its gate writes. What a gate of another
    version found is listed key by key, so that nothing is left out.
    """
    gate = gate_of(finding.gate)
    return gate.in_words(finding, cell, words) if gate else _listed(finding.evidence)


def _listed(evidence: Mapping[str, Any], prefix: str = "") -> list[str]:
    lines = []
    for key, value in evidence.items():
        name = f"{prefix}{key.replace('_', ' ')}"
        if isinstance(value, Mapping):
            lines += _listed(value, f"{name}: ")
        elif isinstance(value, Sequence) and not isinstance(value, str):
            lines.append(f"{name}: {', '.join(numbers.plain(item) for item in value)}")
        else:
            lines.append(f"{name}: {numbers.plain(value)}")
    return lines
