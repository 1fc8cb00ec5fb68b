"""Source of every figure: the file of all figures, and the trials of each cell."""

from __future__ import annotations

from collections import Counter

from wirelab.model.result import Cell
from wirelab.report.context import Context
from wirelab.report.document import (
    Block,
    Column,
    Details,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    WordsCell,
    text,
)
from wirelab.report.microbenchmark import scenarios
from wirelab.report.sections.microbenchmark import traces
from wirelab.report.sections.validity import place_of


def traceability(context: Context) -> Section:
    """The files that lead from a figure to its trials, and the trials of each scenario's cells."""
    _ = context.words.gettext
    blocks: list[Block | Section] = [
        Paragraph(
            text(
                _(
                    "`figures.csv` of this run has every figure of every cell in a row: its "
                    "interval, its samples, and its value in each trial (T1, T2, …). Each trial is "
                    "a folder below `trials/`. It holds the samples (`*.parquet`), what the "
                    "monitor saw (`monitor.parquet`), every event, standard error and the record "
                    "of the trial; `./wl analyse` computes every figure again from them."
                )
            )
        )
    ]
    for name, scenario in context.result.scenarios.items():
        if not scenario.is_microbenchmark and (rows := _rows(context, name)):
            title = scenario.title.of(context.language)
            blocks.append(Details(title, (_table(context, title, rows),)))
    blocks += [block for one in scenarios(context) for block in traces.traces(context, one)]
    return Section(_("Where every figure comes from"), "traceability", tuple(blocks))


def _rows(context: Context, scenario: str) -> list[Row]:
    """A row for the cells of a contender that have their trials in common, such as its steps."""
    together: dict[tuple[str, ...], list[Cell]] = {}
    for cell in context.result.cells:
        if cell.scenario == scenario and cell.trials:
            place = place_of(context, cell.model_copy(update={"step": ""}))
            together.setdefault((place, *cell.trials), []).append(cell)
    several = Counter(place for place, *_rest in together)
    rows = []
    for (place, *_rest), cells in together.items():
        head = place_of(context, cells[0]) if several[place] > 1 else place
        rows.append(Row(Head(head), (_trials(cells[0]),)))
    return rows


def _trials(cell: Cell) -> WordsCell:
    return WordsCell(
        tuple(
            text("{number} `trials/{trial}/`", number=f"T{at}", trial=trial)
            for at, trial in enumerate(cell.trials, start=1)
        )
    )


def _table(context: Context, title: str, rows: list[Row]) -> Table:
    _ = context.words.gettext
    caption = _("Included trials of {scenario}").format(scenario=title)
    columns = (Column(_("folders of its trials"), align="left"),)
    return Table(caption, (_("contender"),), columns, (RowGroup(tuple(rows)),))
