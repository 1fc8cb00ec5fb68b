"""The figures of the harness as a table on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from wirelab.bench import wording
from wirelab.bench.figure import BenchVerdict, Findings

_STYLES = {
    BenchVerdict.MET: "green",
    BenchVerdict.MISSED: "bold red",
    BenchVerdict.UNDECIDED: "yellow",
    BenchVerdict.NOT_MEASURED: "yellow",
    BenchVerdict.NO_TARGET: "dim",
}
_HEADINGS = ("measured", "95 % interval", "target")
_INDENTED = (0, 0, 0, 4)
_ANY_WIDTH = 10_000


def print_findings(findings: Findings, console: Console) -> None:
    """Conditions, the table, what gates had to say, and a sentence on the targets."""

    def say(line: str, style: str | None = None) -> None:
        console.print(line, style=style, markup=False, highlight=False, soft_wrap=True)

    say(", ".join(wording.conditions(findings)))
    if findings.figures:
        _print_figures(findings, console)
    for reason, names in wording.reasons(findings).items():
        say(f"no figure ({reason}): {', '.join(names)}", "yellow")
    for gate, cells in findings.remarks.items():
        say(f"gate {gate}: {', '.join(cells)}", "yellow")
    say(wording.summary(findings))
    if findings.run is not None:
        say(f"trials: {findings.run}")


def _print_figures(findings: Findings, console: Console) -> None:
    table = table_of(findings)
    unbroken = console.options.update(max_width=_ANY_WIDTH)
    if Measurement.get(console, unbroken, table).maximum <= console.width:
        console.print(table)
    else:
        _print_below(findings, console)


def table_of(findings: Findings) -> Table:
    """One row a figure."""
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    table.add_column("what", header_style="dim")
    for heading in _HEADINGS:
        table.add_column(heading, header_style="dim", justify="right", no_wrap=True)
    table.add_column("verdict", header_style="dim", no_wrap=True)
    for figure in findings.figures:
        verdict = f"[{_STYLES[figure.verdict]}]{figure.verdict.value}[/]"
        table.add_row(
            figure.what,
            wording.measured(figure),
            wording.interval(figure),
            wording.target(figure),
            verdict,
        )
    return table


def _print_below(findings: Findings, console: Console) -> None:
    """Each figure below its name, where names beside figures would take many lines."""
    rows = [(wording.measured(f), wording.interval(f), wording.target(f)) for f in findings.figures]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    headed = [max(*pair) for pair in zip(widths, map(cell_len, _HEADINGS), strict=True)]
    heads = _side_by_side(_HEADINGS, headed)
    console.print(Padding(Text(f"{heads}  verdict", "dim"), _INDENTED))
    for figure, row in zip(findings.figures, rows, strict=True):
        console.print(Text(figure.what))
        verdict = (figure.verdict.value, _STYLES[figure.verdict])
        console.print(Padding(Text.assemble(_side_by_side(row, headed), "  ", verdict), _INDENTED))


def _side_by_side(row: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True))
