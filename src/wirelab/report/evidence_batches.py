"""Evidence about operations that are repeated in batches, in words."""

from __future__ import annotations

from wirelab.report.evidence_host import Evidence, percent
from wirelab.words import numbers
from wirelab.words.translation import Words


def loop_failed(evidence: Evidence, words: Words) -> list[str]:
    """What each operation threw."""
    template = words.gettext("{operation} threw {what}")
    return [
        template.format(operation=words.gettext(name), what=str(what))
        for name, what in evidence["operations"].items()
    ]


def below_floor(evidence: Evidence, words: Words) -> list[str]:
    """The time of a round beside what it cannot be below."""
    template = words.gettext("{operation}: {time} a round, and the floor alone takes {floor}")
    return [
        template.format(
            operation=words.gettext(name),
            time=_nanoseconds(of["ns"]),
            floor=_nanoseconds(of["floor_ns"]),
        )
        for name, of in evidence["operations"].items()
    ]


def never_settled(evidence: Evidence, words: Words) -> list[str]:
    """In how many processes the warm-up ended at its limit."""
    template = words.gettext("{operation}: in {trials} of {of} processes")
    return [
        template.format(operation=words.gettext(name), trials=of["trials"], of=of["of"])
        for name, of in evidence["operations"].items()
    ]


def batch_outliers(evidence: Evidence, words: Words) -> list[str]:
    """How many batches lie far from the others."""
    template = words.gettext("{operation}: {outliers} of {batches} batches ({share})")
    return [
        template.format(
            operation=words.gettext(name),
            outliers=of["outliers"],
            batches=of["batches"],
            share=percent(of["outliers"] / of["batches"]),
        )
        for name, of in evidence["operations"].items()
    ]


def not_repeating(evidence: Evidence, words: Words) -> list[str]:
    """The counts of the repeats, and how far they lie apart."""
    template = words.gettext("{operation}: {counts} instructions a round, {share} apart")
    return [
        template.format(
            operation=words.gettext(name),
            counts=", ".join(f"{value:,.1f}" for value in of["values"]),
            share=percent(of["share"], 2),
        )
        for name, of in evidence["operations"].items()
    ]


def _nanoseconds(value: float) -> str:
    return f"{numbers.brief(value, digits=3)}\u00a0ns"
