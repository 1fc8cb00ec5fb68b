"""Seconds that were left out, of operations that are recorded by the second."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY, LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

MUCH = 0.5
"""Share of the seconds that is left out."""

_KINDS = ("latency", "response")


class SecondsLeftOut(Strict):
    """By operation: the share of its seconds that is left out; the metrics that rest on less than
    half of them."""

    shares: dict[str, float]
    metrics: list[str]


def _check(cell: CellFacts) -> Iterator[TypedFinding[SecondsLeftOut]]:
    """Says what share of the seconds was left out: a remark up to half of them, above that a
    warning. It is never invalid by itself: a few quiet seconds are as good as many, and where they
    support a percentile no more it is not printed (``too-few-samples``). How much of the time was
    disturbed decides, which seconds alone would exaggerate (``host-disturbed``).
    """
    shares = {
        name: share for name in cell.planned[0].operations if (share := _share(cell, name)) > 0
    }
    if not shares:
        return
    much = [name for name, share in shares.items() if share > MUCH]
    metrics = [key for key in cell.metrics if key.startswith(_prefixes(much))]
    trials = [
        trial.id
        for trial in cell.trials
        if any(of.seconds_left_out for of in trial.operations.values())
    ]
    rounded = {name: round(share, 4) for name, share in shares.items()}
    evidence = SecondsLeftOut(shares=rounded, metrics=metrics)
    yield TypedFinding(Verdict.WARN if much else Verdict.VALID, evidence, trials)


def _share(cell: CellFacts, name: str) -> float:
    facts = [trial.operations[name] for trial in cell.trials if name in trial.operations]
    seconds = sum(one.seconds for one in facts)
    if not seconds:
        return 0.0
    return sum(one.seconds_left_out * one.seconds for one in facts) / seconds


def _prefixes(operations: list[str]) -> tuple[str, ...]:
    return tuple(f"{name}.{kind}." for name in operations for kind in _KINDS)


def _lines(evidence: SecondsLeftOut, words: Words) -> list[str]:
    template = words.gettext("{operation}: {share} of the seconds are left out")
    return [
        template.format(operation=words.gettext(name), share=numbers.percent(share))
        for name, share in evidence.shares.items()
    ]


GATE = Gate(
    code="disturbed-seconds",
    title=N_("seconds beside other programs are left out"),
    meaning=N_(
        "What is recorded by the second or its tenths, such as deliveries, is left out likewise: "
        "each in which other programs disturbed the host, or right before they did. Latencies are "
        "of the others; counts and losses are of all of them."
    ),
    remedy=N_("Stop other programs (`./wl doctor` names them), or measure for longer."),
    looks_at="seconds, or tenths, of operations that are recorded so, in which (or 100 ms after "
    "which) others disturbed the host, or what they had held up was still under way",
    verdicts={
        Verdict.VALID: "any",
        Verdict.WARN: f"more than {numbers.percent(MUCH)} of the seconds",
    },
    loads=ORDINARY | {LoadKind.CEILING},
    blames=(Blame.HOST,),
    concerns=Concern.NAMED,
    check=_check,
    evidence=SecondsLeftOut,
    lines=_lines,
)
