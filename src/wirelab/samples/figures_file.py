"""``figures.csv``: every figure of a run in a row, with the value of each trial."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from wirelab.model.result import Cell, Metric, Result

_HEADS = (
    *("scenario", "variant", "step", "contender", "generator", "mode", "verdict of the cell"),
    *("metric", "unit", "value", "low", "high", "at least", "uncensored", "n", "effective n"),
    *("verdict", "gates", "why none"),
)


def figures_csv(result: Result) -> str:
    """All figures in full precision; columns ``T1``, ``T2``, … are the included trials of the cell,
    and ``trial T1``, … their folders below ``trials``.
    """
    most = max((len(cell.trials) for cell in result.cells), default=0)
    numbers = [f"T{at}" for at in range(1, most + 1)]
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow([*_HEADS, *numbers, *(f"trial {number}" for number in numbers)])
    for cell in result.cells:
        place = _place(cell)
        trials = _filled(cell.trials, most)
        table.writerows(
            [*place, name, *_figure(metric), *_filled(metric.per_trial, most), *trials]
            for name, metric in cell.metrics.items()
        )
    return file.getvalue()


def _place(cell: Cell) -> list[str]:
    named = [cell.scenario, cell.variant, cell.step, cell.contender, cell.generator, cell.mode]
    return [*named, cell.verdict]


def _figure(metric: Metric) -> Iterator[object]:
    low, high = metric.interval or (None, None)
    at_least = "yes" if metric.at_least else ""
    yield from (metric.unit, metric.value, low, high, at_least, metric.uncensored)
    yield from (metric.n, metric.effective_n, metric.verdict, " ".join(metric.gates))
    yield metric.unsupported.code if metric.unsupported else ""


def _filled(values: Sequence[object], length: int) -> list[object]:
    return [*values, *[None] * (length - len(values))]
