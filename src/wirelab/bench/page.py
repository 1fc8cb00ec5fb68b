"""The figures of the harness as a page: a document like any report's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from wirelab.bench import wording
from wirelab.bench.figure import BenchFigure, BenchVerdict, Findings
from wirelab.report.document import (
    Absent,
    Badge,
    Block,
    Bullets,
    Callout,
    Column,
    Document,
    Figure,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    Tone,
    cell,
    paragraph,
    plain,
)
from wirelab.report.forms.html import render_html
from wirelab.samples.replacing import replacing

PAGE = "bench.html"
"""In the folder of the trials."""

_TONES: dict[BenchVerdict, Tone] = {
    BenchVerdict.MET: "good",
    BenchVerdict.MISSED: "bad",
    BenchVerdict.UNDECIDED: "warn",
    BenchVerdict.NOT_MEASURED: "warn",
}
_TITLES = {
    "recorder": "Recorder: what a sample costs",
    "batches": "Batches: what an iteration costs by itself",
    "probe": "Probe and core",
    "ticks": "Ticks: how late a tick begins",
    "echo": "Echo: what the harness adds to a round trip",
    "engine": "Engine",
    "monitor": "Monitor beside many idle threads",
    "witness": "Witness of the wire: what it costs and adds",
    "sandbox": "Sandboxes of roles: what they cost",
    "http": "HTTP generator",
    "analysis": "Analysis",
}
_COLUMNS = (
    Column("measured"),
    Column("target"),
    Column("verdict", align="left"),
)


def write_page(findings: Findings, path: Path) -> None:
    """Replace ``path`` by the page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        file.write(render_html(document_of(findings)).encode())


def document_of(findings: Findings) -> Document:
    """The page of what is said in the terminal, by benchmark."""
    by_benchmark = groupby(findings.figures, key=lambda figure: figure.benchmark)
    return Document(
        title="What does the harness itself cost?",
        subtitle=", ".join(wording.conditions(findings)),
        language="en",
        facts=_facts(findings),
        overview=_overview(findings),
        sections=tuple(_section(name, list(figures)) for name, figures in by_benchmark),
        footer=plain("Each figure with its 95 % interval; see docs/reference/benchmarks.md"),
    )


def _facts(findings: Findings) -> tuple[tuple[str, str], ...]:
    known = {
        "begun": findings.started_at,
        "wirelab": findings.wirelab,
        "commit": findings.git_revision,
        "trials": Path(findings.run).name if findings.run is not None else "",
    }
    return tuple((name, value) for name, value in known.items() if value)


def _overview(findings: Findings) -> tuple[Block, ...]:
    blocks: list[Block] = [paragraph(f"{wording.summary(findings)}.")]
    if findings.remarks:
        said = [f"{gate}: {', '.join(cells)}" for gate, cells in findings.remarks.items()]
        remarks = Bullets(tuple(map(plain, said)))
        blocks.append(Callout("warn", "What the checks of the trials had to say", (remarks,)))
    return tuple(blocks)


def _section(name: str, figures: Sequence[BenchFigure]) -> Section:
    title = _TITLES[name]
    rows = RowGroup(tuple(map(_row, figures)))
    return Section(title, name, (Table(title, ("figure",), _COLUMNS, (rows,)),))


def _row(figure: BenchFigure) -> Row:
    verdict: TableCell = cell("")
    if figure.target is not None:
        verdict = Badge(figure.verdict.value, _TONES[figure.verdict])
    return Row(Head(figure.what), (_measured(figure), cell(wording.target(figure)), verdict))


def _measured(figure: BenchFigure) -> TableCell:
    if figure.value is None:
        return Absent(figure.why_not or "not measured")
    known = wording.interval(figure)
    return Figure(wording.number(figure.value), f"[{known}]" if known else "", figure.unit)
