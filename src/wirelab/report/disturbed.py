"""Time that other programs disturbed, in a sentence, and the figure that it changes most."""

from __future__ import annotations

import math
from collections.abc import Iterator

from wirelab.gates import host_disturbed
from wirelab.model.rankings import rankings
from wirelab.model.result import Cell, Metric
from wirelab.report.context import Context
from wirelab.report.document import Text, text
from wirelab.report.remarks import with_unit
from wirelab.words import numbers


def time_left_out(context: Context) -> Text:
    """Say how much of the measured time is left out; empty where nothing is."""
    shares = [
        float(finding.evidence["share"])
        for cell in context.cells
        for finding in cell.findings
        if finding.gate == host_disturbed.GATE.code
    ]
    if not shares:
        return ()
    said = context.words.gettext(
        "Other programs ran for up to {share} of the measured time, which is left out."
    )
    return text(said, share=numbers.percent(max(shares)))


def changed_most(context: Context) -> Text:
    """Name the ranked figure that would differ most with the disturbed time; empty without any."""
    found = list(_changed(context))
    if not found:
        return ()
    _size, cell, name = max(found, key=lambda one: one[0])
    quiet = cell.metrics[name]
    everything = quiet.model_copy(update={"value": quiet.uncensored, "interval": None})
    return text(
        context.words.gettext(
            " That changes no ranked figure more than the {metric} of **{name}**: {quiet}, and "
            "{everything} with it."
        ),
        metric=context.naming.title(name),
        name=context.name(cell.contender),
        quiet=with_unit(quiet),
        everything=with_unit(everything),
    )


def _changed(context: Context) -> Iterator[tuple[float, Cell, str]]:
    """Ranked figures that disturbed time changes, with the size of the logarithm of their ratio."""
    for cell in context.cells:
        for ranking in rankings(context.result.scenarios[cell.scenario]):
            metric = cell.metrics.get(ranking.metric)
            if metric is not None and _is_known(metric):
                size = abs(math.log((metric.uncensored or 1.0) / (metric.value or 1.0)))
                yield size, cell, ranking.metric


def _is_known(metric: Metric) -> bool:
    return bool(metric.value and metric.uncensored) and metric.is_usable and not metric.at_least
