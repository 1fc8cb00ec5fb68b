"""Units of figures in the language of a report: ``message/s`` is ``메시지/s`` in Korean."""

from __future__ import annotations

from wirelab.model.result import Cell, Result
from wirelab.words.translation import Words


def unit_in_words(unit: str, words: Words) -> str:
    """A unit of what a suite counts, by the suite's words for it; any other as it is."""
    return "/".join(map(words.gettext, unit.split("/"))) if "/" in unit else unit


def in_words(result: Result, words: Words) -> Result:
    """The result with the units of its figures in words. Nothing computes with these units."""
    units = {metric.unit for cell in result.cells for metric in cell.metrics.values()}
    told = {unit: said for unit in units if (said := unit_in_words(unit, words)) != unit}
    if not told:
        return result
    return result.model_copy(update={"cells": [_told(cell, told) for cell in result.cells]})


def _told(cell: Cell, told: dict[str, str]) -> Cell:
    metrics = {
        name: metric.model_copy(update={"unit": told[metric.unit]})
        if metric.unit in told
        else metric
        for name, metric in cell.metrics.items()
    }
    return cell.model_copy(update={"metrics": metrics})
