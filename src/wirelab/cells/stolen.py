"""Processor time that the hypervisor took while trials ran, and the consequences for their figures.

Windows of it are disturbed time only where they come without regard to who is measured
(``wirelab.cells.fairness``); otherwise nothing is left out, and tails that may be the hypervisor's
are withheld.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.window import Window
from wirelab.gates.facts import StolenShare, TrialFacts
from wirelab.gates.steal import withheld_levels
from wirelab.model.result import Metric, Unsupported


def stolen_share(trial: RecordedTrial, window: Window) -> StolenShare | None:
    """Share of all processors that the hypervisor took in a window; None where nobody knows."""
    if not trial.files.stolen:
        return None
    at, stolen = trial.files.stolen["monotonic_ns"], trial.files.stolen["stolen_ns"]
    if len(at) < 2:
        return None
    taken = stolen.sum(axis=1)
    inside = sum(
        float(np.diff(np.interp(np.array(span), at, taken - taken[0]))[0]) for span in window.spans
    )
    share = inside / (window.seconds * 1e9 * stolen.shape[1])
    return StolenShare(share=share, fairness=trial.steal)


def without_tails(metrics: dict[str, Metric], trials: Sequence[TrialFacts]) -> dict[str, Metric]:
    """The same without the percentiles that may be the hypervisor's, and why."""
    levels, how = withheld_levels(trials)
    if how is None:
        return metrics
    reason = Unsupported(code=f"steal-{how}")
    return {
        name: Metric(value=None, unit=metric.unit, unsupported=reason)
        if metric.value is not None and name.endswith(levels)
        else metric
        for name, metric in metrics.items()
    }
