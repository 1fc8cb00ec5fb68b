"""Ranked figures that rest on too few samples."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import MEASURED
from wirelab.metrics.naming import Naming
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words

_CODE = "too-few-samples"
"""The gate's, and the reason that a metric gives in place of its figure."""


class Support(Strict):
    """Effective samples a figure has, and those it needs; None where a stored run does not say."""

    has: float | None
    needs: float | None


class UnsupportedMetrics(Strict):
    """By metric: how far its samples go."""

    metrics: dict[str, Support]


def _check(cell: CellFacts) -> Iterator[TypedFinding[UnsupportedMetrics]]:
    """A metric that contenders are ranked by has too few effective samples to be printed.

    A remark: the figure says so in its own place, and those that are printed suffer nothing.
    The thresholds are those of ``wirelab.stats.support``.
    """
    missing = {
        ranking.metric: Support(has=reason.has, needs=reason.needs)
        for ranking in cell.scenario.rankings
        if (metric := cell.metrics.get(ranking.metric)) is not None
        and (reason := metric.unsupported) is not None
        and reason.code == _CODE
    }
    if missing and cell.trials:
        yield TypedFinding(Verdict.VALID, UnsupportedMetrics(metrics=missing))


def _lines(evidence: UnsupportedMetrics, words: Words) -> list[str]:
    template = words.gettext("{metric}: {has} effective samples of {needs} needed")
    return [
        template.format(
            metric=Naming(words).title(name), has=_whole(of.has), needs=_whole(of.needs)
        )
        for name, of in evidence.metrics.items()
    ]


def _whole(samples: float | None) -> str:
    return "–" if samples is None else f"{int(samples):,}"


GATE = Gate(
    code=_CODE,
    title=N_("too few samples"),
    meaning=N_("A ranked percentile rests on too few independent samples and is not printed."),
    remedy=N_("Run more or longer trials, as the publish profile does."),
    looks_at="effective samples of ranked percentiles",
    verdicts={Verdict.VALID: "fewer than the percentile needs"},
    loads=MEASURED,
    blames=(Blame.HARNESS,),
    concerns=Concern.NAMED,
    check=_check,
    evidence=UnsupportedMetrics,
    lines=_lines,
)
