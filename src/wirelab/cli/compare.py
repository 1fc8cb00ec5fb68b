"""``wl compare``: the changes between two runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from wirelab.cli.screen import screen
from wirelab.compare import Change, Comparison, ExitCode, compare_runs
from wirelab.compare.comparison import CellComparison, Difference, MetricChange
from wirelab.compare.wording import headline, said, why

_STYLES = {Change.BETTER: "green", Change.WORSE: "red", Change.CHANGED: "yellow"}

_WIDE = 160
"""A row of figures is not squeezed into a narrow terminal, which would cut names."""

_ENDINGS = {
    ExitCode.NOTHING_WORSE: "nothing is shown to be worse",
    ExitCode.WORSE: "something is worse",
    ExitCode.NOTHING_COMPARED: "no cell could be compared, so nothing is shown",
}


def compare(
    old: Annotated[Path, typer.Argument(help="Folder of the earlier run.")],
    new: Annotated[Path, typer.Argument(help="Folder of the later run.")],
    threshold: Annotated[
        float, typer.Option(min=0, max=1, help="Changes up to this share are noise.")
    ] = 0.05,
    every: Annotated[bool, typer.Option("--all", help="Show what did not change as well.")] = False,
) -> None:
    """Show what changed between two runs, with intervals.

    The outcome of each cell is one of: better, worse, no difference shown, not comparable (with
    the reason).

    Exit code: 1 if anything is worse; else 3 if no cell could be compared; else 0. 2 is a mistake
    in the use of this command.
    """
    comparison = compare_runs(old, new, threshold)
    console = screen(width=max(Console().width, _WIDE))
    for difference in comparison.differences:
        _line(console, _changed(difference), "yellow")
    for cell in comparison.cells:
        _show(console, cell, every=every)
    for name, cells in (("old", comparison.only_old), ("new", comparison.only_new)):
        for key in cells:
            _line(console, f"{key}: only in the {name} run", "dim")
    _line(console, _rule(comparison), "dim")
    _line(console, _ending(comparison), "bold")
    raise typer.Exit(int(comparison.exit_code))


def _changed(difference: Difference) -> str:
    kind, _, name = difference.what.partition(".")
    what = f"the code of {name} changed" if kind == "code" else difference.what
    old, new = ("none" if side is None else side for side in (difference.old, difference.new))
    return f"{what}: {old} → {new}"


def _show(console: Console, cell: CellComparison, *, every: bool) -> None:
    """A cell with its outcome, and below it the figures that changed."""
    line = Text.assemble(f"{cell.id}: ", (headline(cell), _STYLES.get(cell.change, "dim")))
    if reasons := why(cell):
        line.append(f" ({'; '.join(reasons)})")
    if cell.code_changed:
        line.append(" · its code changed", "yellow")
    console.print(line, soft_wrap=True)
    shown = [m for m in cell.metrics if every or m.change in _STYLES]
    if shown:
        console.print(Padding(_table(shown), (0, 0, 0, 4)))


def _table(metrics: list[MetricChange]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1))
    table.add_column("metric", header_style="dim", no_wrap=True)
    for heading in ("old", "new", "ratio", "95 %"):
        table.add_column(heading, justify="right", header_style="dim", no_wrap=True)
    table.add_column("beside", header_style="dim", no_wrap=True)
    table.add_column("", header_style="dim")
    for metric in metrics:
        table.add_row(*_row(metric))
    return table


def _row(metric: MetricChange) -> list[str | Text]:
    interval = ""
    if metric.interval is not None:
        interval = f"{metric.interval[0]:.3f}–{metric.interval[1]:.3f}"
    return [
        metric.metric,
        _figure(metric.old, metric.unit),
        _figure(metric.new, metric.unit),
        "" if metric.ratio is None else f"{metric.ratio:.3f}",
        interval,
        metric.baseline,
        _outcome(metric),
    ]


def _figure(value: float | None, unit: str) -> str:
    return "" if value is None else f"{value:.4g} {unit}"


def _outcome(metric: MetricChange) -> Text:
    reason = f": {said(metric.reason)}" if metric.reason else ""
    return Text(f"{metric.change}{reason}", _STYLES.get(metric.change, "dim"))


def _rule(comparison: Comparison) -> str:
    """The ratio by which the figures were compared."""
    metrics = [metric for cell in comparison.cells for metric in cell.metrics]
    beside = dict.fromkeys(metric.baseline for metric in metrics if metric.baseline)
    if not beside:
        return "ratios: new / old; none could be taken beside an unchanged contender"
    names = ", ".join(beside)
    return (
        f"ratios: of times and rates, by how much their ratio to {names} (unchanged) within blocks "
        "has changed, so that what an hour did to everybody falls away; of all other figures, "
        "new / old"
    )


def _ending(comparison: Comparison) -> str:
    """Count the cells by outcome, and explain the exit code."""
    counts = [f"{number} {change}" for change, number in comparison.counts.items()]
    cells = ", ".join(counts) or "no cell is in both runs"
    code = comparison.exit_code
    return f"cells: {cells}. Exit code {int(code)}: {_ENDINGS[code]}."


def _line(console: Console, line: str, style: str) -> None:
    """A line that is never broken or cut, so that names in it can be copied."""
    console.print(Text(line, style), soft_wrap=True)
