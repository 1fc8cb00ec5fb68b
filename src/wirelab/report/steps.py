"""A scenario by the steps of its load: one contender's figures, and all contenders' beside.

The ranks are those of each step's cells. Published figures are of a whole run, never of a step,
so they stand at the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from wirelab.model.result import Cell
from wirelab.model.suite import Scenario
from wirelab.report.context import Comparison, Context, rank_in
from wirelab.report.document import (
    Absent,
    Column,
    Figure,
    Head,
    Pair,
    Plain,
    Row,
    RowGroup,
    Table,
    TableCell,
)
from wirelab.report.tabulate import (
    DASH,
    FigureColumn,
    contender_head,
    is_published,
    measured,
    notes_for,
    published_cell,
    unit_of,
    verdict_badge,
)


@dataclass(frozen=True)
class Stepped:
    """The comparisons of a scenario's steps, in their order, and that of the whole."""

    context: Context
    scenario_name: str
    scenario: Scenario
    steps: tuple[Comparison, ...]
    whole: Comparison | None

    @property
    def top(self) -> Comparison:
        """The last step: the highest load."""
        return self.steps[-1]

    @cached_property
    def contenders(self) -> list[str]:
        """All that have a cell here, yardsticks last."""
        seen = {cell.contender for part in self.parts for cell in part.cells}
        found = [name for name in self.context.contenders if name in seen]
        return sorted(found, key=lambda name: name in self.context.references)

    @property
    def parts(self) -> tuple[Comparison, ...]:
        """The steps, then the whole."""
        return (*self.steps, self.whole) if self.whole else self.steps

    def title(self, part: Comparison) -> str:
        """What a step is called; the whole of them by that name."""
        step = self.scenario.steps.get(part.step)
        return step.title.of(self.context.language) if step else self._all_of_them

    @property
    def _all_of_them(self) -> str:
        return self.context.words.gettext("all steps")

    def users(self, part: Comparison) -> int:
        """Connections of a step; 0 where the manifest does not say."""
        step = self.scenario.steps.get(part.step)
        said = step.users if step else 0
        if isinstance(said, str):
            said = next((int(cell.parameters[said]) for cell in part.cells), 0)
        return said


def stepped(context: Context, scenario: str, generator: str = "") -> Stepped | None:
    """A scenario by its steps; None where it has no cells of steps or cells of unlike modes."""
    found = [c for c in context.comparisons("load", scenario) if c.generator == generator]
    found += [c for c in context.comparisons("ceiling", scenario) if c.generator == generator]
    steps = tuple(c for c in found if c.step)
    if not steps or len({c.mode for c in found}) > 1:
        return None
    whole = next((c for c in found if not c.step), None)
    return Stepped(context, scenario, steps[0].scenario, steps, whole)


# ------------------------------------------------------------------- one contender, by step


def of_contender(
    parts: Stepped, contender: str, caption: str, columns: Sequence[FigureColumn]
) -> Table | None:
    """Steps down, metrics across, what was published below; None where nothing is known."""
    context = parts.context
    _ = context.words.gettext
    cells = [(part, found) for part in parts.parts if (found := part.cell_of(contender))]
    key = context.published.key_of(contender) if context.published else None
    columns = [c for c in columns if any(c.metric in found.metrics for _part, found in cells)]
    if not columns:
        return None
    rows = [
        Row(_step_head(parts, part, found), tuple(measured(context, found, c) for c in columns))
        for part, found in cells
    ]
    if key is not None:
        theirs = tuple(published_cell(context, key, column) for column in columns)
        if not all(isinstance(cell, Absent) for cell in theirs):
            rows.append(Row(Head(_("published, whole run")), theirs, published=True))
    titles = tuple(
        Column(
            column.title or context.naming.column_title(column.metric),
            unit_of((found for _part, found in cells), column),
        )
        for column in columns
    )
    groups = (RowGroup(tuple(rows)),)
    return Table(caption, (_("step"),), titles, groups, notes_for(context, groups))


def _step_head(parts: Stepped, part: Comparison, found: Cell) -> Head:
    badge = verdict_badge(found.verdict, parts.context.words)
    return Head(parts.title(part), None if badge.tone == "good" else badge)


# --------------------------------------------------------------- all contenders, one metric


def across(parts: Stepped, caption: str, column: FigureColumn, *, ranks: bool = True) -> Table:
    """Contenders down, steps across, with the rank in each step; published beside the whole."""
    context = parts.context
    _ = context.words.gettext
    shown = [part for part in parts.parts if any(column.metric in c.metrics for c in part.cells)]
    groups = [RowGroup(tuple(_row(parts, shown, name, column, ranks) for name in parts.contenders))]
    if parts.whole in shown and (others := _published_only(parts, shown, column)):
        groups.append(RowGroup(tuple(others)))
    unit = unit_of((cell for part in shown for cell in part.cells), column)
    titles = tuple(Column(parts.title(part), unit) for part in shown)
    return Table(caption, (_("contender"),), titles, tuple(groups), notes_for(context, groups))


def side_by_side(
    context: Context, part: Comparison, caption: str, columns: Sequence[FigureColumn]
) -> Table:
    """Contenders down, metrics across, with the rank in each; yardsticks last."""
    columns = [c for c in columns if any(c.metric in found.metrics for found in part.cells)]
    ordered = sorted(part.cells, key=lambda found: found.contender in context.references)
    rows = tuple(
        Row(
            contender_head(context, found),
            tuple(ranked_figure(context, part, found, column) for column in columns),
        )
        for found in ordered
    )
    titles = tuple(
        Column(c.title or context.naming.column_title(c.metric), unit_of(part.cells, c))
        for c in columns
    )
    return Table(caption, (context.words.gettext("contender"),), titles, (RowGroup(rows),))


def _row(
    parts: Stepped, shown: Sequence[Comparison], name: str, column: FigureColumn, ranks: bool
) -> Row:
    context = parts.context
    head = Head(context.name(name), None, context.colour(name))
    cells: list[TableCell] = []
    for part in shown:
        found = part.cell_of(name)
        if found is None:
            cells.append(Absent(DASH))
            continue
        if name in context.references:
            head = contender_head(context, found)
        here = ranked_figure(context, part, found, column) if ranks else None
        here = here or measured(context, found, column)
        cells.append(_with_published(context, name, here, column) if part is parts.whole else here)
    return Row(head, tuple(cells))


def ranked_figure(context: Context, part: Comparison, found: Cell, column: FigureColumn) -> Plain:
    """A figure with its star and its rank among the cells of a comparison."""
    figure = measured(context, found, column, star=True)
    if not isinstance(figure, Figure) or figure.tentative:
        return figure
    return replace(figure, rank=rank_of(part, found, column.metric))


def rank_of(part: Comparison, found: Cell, metric: str) -> str:
    """``2``, or ``2=`` where the intervals do not part it from another; empty when not ranked."""
    place = rank_in(found, metric)
    if place is None:
        return ""
    shared = sum(rank_in(cell, metric) == place for cell in part.ranked) > 1
    return f"{place}=" if shared else str(place)


def _with_published(
    context: Context, contender: str, here: Plain, column: FigureColumn
) -> TableCell:
    published = context.published
    key = published.key_of(contender) if published else None
    if key is None or not is_published(context, column):
        return here
    theirs = published_cell(context, key, column)
    if isinstance(theirs, Absent):
        return here
    return Pair(here, theirs, context.words.gettext("published"))


def _published_only(parts: Stepped, shown: Sequence[Comparison], column: FigureColumn) -> list[Row]:
    """Contenders that only the source has."""
    context = parts.context
    published = context.published
    rows = []
    for key, contender in published.contenders.items() if published else ():
        if contender.here in parts.contenders:
            continue
        theirs = published_cell(context, key, column)
        if not isinstance(theirs, Absent):
            cells = (*(Absent(DASH) for _part in shown[:-1]), theirs)
            rows.append(Row(Head(contender.title.of(context.language)), cells, published=True))
    return rows
