"""Second English words for ideas that have one, with the word to use.

The word of ``docs/reference/glossary.md`` is the only one for its idea, and has no other meaning.
A word that an API or a study of somebody else has is that word there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class SecondWord:
    """A word that is not to be written. ``suites``: only in texts of these suites; () is all."""

    words: str
    use: str
    suites: tuple[str, ...] = ()


SECOND_WORDS = (
    SecondWord(r"\bcounted (?:trials?|process(?:es)?|blocks?)\b", "included"),
    SecondWord(r"\bcounted (?:operations?|deliver(?:y|ies)) are\b", "recorded by the second"),
    SecondWord(r"\b(?:is|are|was|were) counted by the second\b", "recorded by the second"),
    SecondWord(r"\brecorded as intervals\b", "recorded by the second"),
    SecondWord(r"(?<!Completion)\b[Ss]tages?\b(?! OFF)", "setup, phase, span or state"),
    SecondWord(r"\bthe sources? (?:says?|states?|shows?|gives?|claims?|publishe[sd])\b", "study"),
    SecondWord(r"\b(?:figures?|statements?|words|tables?) of the source\b(?! code)", "study"),
    SecondWord(r"\b[Bb]atch(?:es)?\b(?! reads?\b)(?!=)", "multi-get", suites=("kv",)),
    SecondWord(r"\b[Bb]atch(?:es)?\b", "nodes of a request", suites=("opcua",)),
    SecondWord(r"\b\d{3}_[0-9a-f]{16}\b", "the name of the study"),
    SecondWord(r"\b(?:competitors?|benchmarkees?)\b", "contender"),
    SecondWord(r"\b(?:seats?|seating|larder|postbox)\b", "what it is"),
    SecondWord(r"\bwarmup (?:phase|period|time)\b", "warm-up"),
    SecondWord(r"\b[Rr]ounds?\b(?![\s_-]+trip)", "iteration", suites=("codec",)),
    SecondWord(
        r"(?i)\b(?:ns|ms|instr\w*|time|bytes|cost|executed|allocated|batch\w*|loop|million|[\d,]{5,})"
        r" (?:of |by |per |an? |one |each |its )*rounds?\b(?!\s+trip)"
        r"|\bcalibrat\w+ (?:the )?rounds\b"
        r"|\brounds? of (?:an? |the |each |every )?(?:batch|loop|microbenchmark)",
        "iteration",
    ),
)


def second_words_in(text: str, suite: str = "") -> list[str]:
    """Every second word of ``text``, with the one to use."""
    return [
        f"{found.group()!r}: {second.use}"
        for second in SECOND_WORDS
        if not second.suites or suite in second.suites
        for found in re.finditer(second.words, text)
    ]
