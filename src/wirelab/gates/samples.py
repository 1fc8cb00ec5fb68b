"""Gate on the number of samples."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.model.result import Finding, Verdict


def too_few_samples(cell: CellFacts) -> Iterator[Finding]:
    """A metric that contenders are ranked by has too few effective samples to be printed.

    A remark: the figure says so in its own place, and those that are printed suffer nothing.
    The thresholds are those of ``wirelab.stats.support``.
    """
    missing = {
        ranking.metric: {"has": reason.has, "needs": reason.needs}
        for ranking in cell.scenario.rankings
        if (metric := cell.metrics.get(ranking.metric)) is not None
        and (reason := metric.unsupported) is not None
        and reason.code == "too-few-samples"
    }
    if missing and cell.trials:
        evidence = {"metrics": missing}
        yield Finding(gate="too-few-samples", verdict=Verdict.VALID, evidence=evidence)
