"""``wl compare``: what changed between two runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from wirelab.compare import Change, Comparison, compare_runs
from wirelab.compare.comparison import MetricChange

_STYLES = {Change.IMPROVED: "green", Change.REGRESSED: "red", Change.CHANGED: "yellow"}


def compare(
    old: Annotated[Path, typer.Argument(help="Folder of the earlier run.")],
    new: Annotated[Path, typer.Argument(help="Folder of the later run.")],
    threshold: Annotated[
        float, typer.Option(min=0, max=1, help="Changes up to this share are noise.")
    ] = 0.05,
    every: Annotated[bool, typer.Option("--all", help="Show what did not change as well.")] = False,
) -> None:
    """Show what changed, with intervals. Exit code 1 with a regression, 2 if nothing compares."""
    comparison = compare_runs(old, new, threshold)
    console = Console()
    for difference in comparison.differences:
        console.print(
            f"{difference.what}: {difference.old} → {difference.new}", style="yellow", markup=False
        )
    console.print(_table(comparison, every=every))
    for name, cells in (("old", comparison.only_old), ("new", comparison.only_new)):
        if cells:
            console.print(f"only in the {name} run: {', '.join(cells)}", markup=False)
    raise typer.Exit(int(comparison.exit_code))


def _table(comparison: Comparison, *, every: bool) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    table.add_column("cell", header_style="dim")
    table.add_column("metric", header_style="dim")
    for heading in ("old", "new", "ratio", "95 %"):
        table.add_column(heading, justify="right", header_style="dim")
    table.add_column("", header_style="dim")
    for cell in comparison.cells:
        shown = [m for m in cell.metrics if every or m.change in _STYLES]
        table.add_row(cell.id, "", "", "", "", "", _outcome(cell.change, cell.reason))
        for metric in shown:
            table.add_row("", *_row(metric))
    return table


def _row(metric: MetricChange) -> list[str]:
    interval = ""
    if metric.interval is not None:
        interval = f"{metric.interval[0]:.3f}–{metric.interval[1]:.3f}"
    return [
        metric.metric,
        _figure(metric.old, metric.unit),
        _figure(metric.new, metric.unit),
        "" if metric.ratio is None else f"{metric.ratio:.3f}",
        interval,
        _outcome(metric.change, metric.reason),
    ]


def _figure(value: float | None, unit: str) -> str:
    return "" if value is None else f"{value:.4g} {unit}"


def _outcome(change: Change, reason: str) -> str:
    style = _STYLES.get(change, "dim")
    return f"[{style}]{change}{f': {reason}' if reason else ''}[/{style}]"
