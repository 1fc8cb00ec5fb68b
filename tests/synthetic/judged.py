"""Cells built by hand, with the verdicts that an analysis would give their figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wirelab.cells.ranks import ranked
from wirelab.cells.verdicts import Verdicts
from wirelab.metrics.catalogue import CORE
from wirelab.model.contender import Contender
from wirelab.model.metrics import OwnMetric
from wirelab.model.result import Cell, Finding, Result, Verdict
from wirelab.model.scenario import Scenario

SPOILED = Finding(
    gate="trial-failed",
    verdict=Verdict.INVALID,
    evidence={"failed": {}, "missing": [], "included": 0},
)
"""Stands for any reason where a test gives an invalid cell none."""


def with_verdicts(
    cells: Iterable[Cell],
    scenarios: Mapping[str, Scenario],
    own: Mapping[str, OwnMetric] | None = None,
) -> list[Cell]:
    """The cells, each figure with the verdict of its findings; that of the cell stays."""
    catalogue = CORE.with_own(own or {})
    verdicts = {name: Verdicts.of(scenario, catalogue) for name, scenario in scenarios.items()}
    return [_judged(cell, verdicts[cell.scenario]) for cell in cells]


def judged(found: Result) -> Result:
    """The same result with the verdicts of its figures."""
    cells = with_verdicts(found.cells, found.scenarios, found.metrics)
    return found.model_copy(update={"cells": cells})


def ranked_by_verdicts(
    cells: Iterable[Cell], scenarios: Mapping[str, Scenario], contenders: Mapping[str, Contender]
) -> list[Cell]:
    """The cells as an analysis ranks them: by the figures that their findings leave."""
    return ranked(with_verdicts(cells, scenarios), scenarios, contenders)


def _judged(cell: Cell, verdicts: Verdicts) -> Cell:
    findings = cell.findings
    if cell.verdict is Verdict.INVALID and not findings:
        findings = [SPOILED]
    metrics, _ = verdicts.judged(cell.metrics, findings, cell.id)
    return cell.model_copy(update={"metrics": metrics})
