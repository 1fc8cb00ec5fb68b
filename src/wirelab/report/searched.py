"""Cells of a comparison with what their searches for the largest load found."""

from __future__ import annotations

from dataclasses import dataclass

from wirelab.capacity.found import VERIFIED, found_of
from wirelab.model.capacity import CapacityFound, Probe
from wirelab.model.load import Open
from wirelab.model.result import Cell
from wirelab.model.scenario import Scenario
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import Absent, Figure, Plain
from wirelab.report.tabulate import DASH

_WHOLE = 100
"""From here on three digits have no fraction."""


@dataclass(frozen=True)
class Searched:
    """A cell with what its searches found."""

    cell: Cell
    found: CapacityFound

    @property
    def probes(self) -> list[Probe]:
        """Probes of all its searches."""
        return [probe for search in self.found.searches for probe in search.probes]


def load_in_words(context: Context, scenario: Scenario) -> str:
    """The load of a search in words: ``users``, or ``messages every 2 ms`` where it is a tick's."""
    capacity = scenario.capacity
    if capacity is None:
        return ""
    parameter = context.words.called(capacity.parameter)
    if capacity.of != "tick" or not isinstance(capacity.load, Open):
        return parameter
    every = f"{capacity.load.period / 1e6:g}\u00a0ms"
    return context.words.gettext("{parameter} every {period}").format(
        parameter=parameter, period=every
    )


def searched_of(comparison: CellTable) -> list[Searched]:
    """The cells of a comparison that were searched, yardsticks last."""
    known = [(found, found_of(found)) for found in comparison.cells]
    cells = [Searched(own, found) for own, found in known if found is not None]
    return sorted(cells, key=lambda one: one.cell.contender in comparison.context.references)


def held_of(context: Context, own: Cell | None, factor: float = 1) -> Plain:
    """The load that held in all searches of a cell, with ≥ where one of them knows no end.

    ``factor`` is how much of what is told makes one of the load, such as messages a second.
    """
    found = None if own is None else found_of(own)
    if found is None:
        return Absent(DASH)
    verified = [search.verified for search in found.searches if search.verified is not None]
    if len(verified) < len(found.searches):
        return Absent(context.words.gettext("no load held"))
    at_least = any(one.is_at_least for one in found.searches)
    return Figure(held(min(verified) * factor, at_least=at_least))


def failed_with(own: Cell | None, metric: str) -> tuple[int, float] | None:
    """The lowest load of all searches that did not hold, and a bound's figure at it; None where
    none is known."""
    found = None if own is None else found_of(own)
    probes = [
        (probe.load, figure.value)
        for search in (found.searches if found else [])
        if search.failed is not None
        for probe in (search.decisive, *search.probes)
        if probe is not None and probe.load == search.failed
        for figure in probe.figures
        if figure.metric == metric and figure.value is not None
    ]
    return min(probes, key=lambda one: one[0], default=None)


def held(verified: float, *, at_least: bool) -> str:
    """``1,300``, or ``≥ 1,300`` where the search knows no end; alike in all languages.

    What is no number of users may have a fraction where it is small.
    """
    shown = (
        f"{verified:,.0f}" if verified >= _WHOLE or verified == int(verified) else f"{verified:.3g}"
    )
    return f"≥ {shown}" if at_least else shown


def rank_of(comparison: CellTable, own: Cell) -> str:
    """``2``, or ``2=`` where its bracket overlaps another one's; empty when not ranked. One search
    is enough: a bracket is an interval of its own."""
    place = own.ranks.get(VERIFIED)
    if place is None:
        return ""
    company = (cell for cell in comparison.ranked if cell.mode == own.mode)
    shared = sum(cell.ranks.get(VERIFIED) == place for cell in company) > 1
    return f"{place}=" if shared else str(place)
