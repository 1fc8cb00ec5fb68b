"""Findings of the checks on a terminal: at length, or in one line of caution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from wirelab.gates.trial_failed import never_ran
from wirelab.gates.wording import evidence_lines, remedy_of, title_of
from wirelab.model.result import Cell, Finding, Verdict
from wirelab.report.context import Context
from wirelab.report.sections.validity import by_gate, place_of, told_once
from wirelab.report.tabulate import verdict_badge

STYLES = {"good": "green", "warn": "yellow", "bad": "bold red", "neutral": ""}
_MOST_LINES = 6
_NAMED = ((3, 3), (3, 2), (2, 2), (2, 1), (1, 1), (1, 0), (0, 0))
"""Gates to name of invalid cells and of those with warnings, the fullest line first."""


class FindingsLine:
    """Count of the cells that are invalid or have warnings, by gate: one line, where it can be."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def lines(self, width: int) -> list[str]:
        """The line that names most and fits; none where every cell is valid."""
        longest_first = (self._line(*named) for named in _NAMED)
        line = ""
        for line in longest_first:
            if cell_len(line) <= width:
                break
        return [line] if line else []

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """In the colour of a warning."""
        yield from (Text(line, style="yellow") for line in self.lines(options.max_width))

    def _line(self, invalid: int, warned: int) -> str:
        _ = self._context.words.gettext
        ran = [cell for cell in self._context.result.cells if not never_ran(cell)]
        every, later = len(ran), len(self._context.result.cells) - len(ran)
        told: list[str] = []
        for verdict, first, second, most in (
            (Verdict.INVALID, _("{n} of {all} cells invalid{gates}"), "", invalid),
            (Verdict.WARN, _("{n} of {all} cells warned{gates}"), _("{n} warned{gates}"), warned),
        ):
            cells = [cell for cell in ran if cell.verdict is verdict]
            if cells:
                named = _gates_of(cells, verdict, most)
                said = second if told else first
                told.append(said.format(n=len(cells), all=every, gates=named))
        if later:
            told.append(_("{n} not measured yet").format(n=later))
        return _("Caution: {found}; see report").format(found=", ".join(told)) if told else ""


def _gates_of(cells: Sequence[Cell], verdict: Verdict, most: int) -> str:
    """`` (steal, canary, +2)``: the gates that spoke of most cells, and how many others did."""
    gates = Counter(
        gate
        for cell in cells
        for gate in dict.fromkeys(f.gate for f in cell.findings if f.verdict is verdict)
    )
    names = [gate for gate, _cells in gates.most_common(most)]
    if not names:
        return ""
    rest = len(gates) - len(names)
    return f" ({', '.join([*names, *([f'+{rest}'] if rest else [])])})"


def at_length(context: Context) -> list[RenderableType]:
    """Warnings and worse, gate by gate: where, the evidence, and the remedy."""
    return [_gate(context, gate, verdict, pairs) for gate, verdict, pairs in by_gate(context)]


def _gate(
    context: Context, gate: str, verdict: Verdict, pairs: Sequence[tuple[Cell, Finding]]
) -> Text:
    badge = verdict_badge(verdict, context.words)
    line = Text(f"{badge.label} ", style=STYLES[badge.tone])
    line.append(f"{title_of(gate, context.words)} ({gate})", style="bold")
    said = [
        f"{_where(context, cell)}: {evidence}"
        for cell, finding in told_once(pairs)
        for evidence in evidence_lines(finding, cell.id, context.words)
    ]
    for shown in said[:_MOST_LINES]:
        line.append(f"\n    {shown}", style="")
    if len(said) > _MOST_LINES:
        more = context.words.gettext("… and {n} more, in the report")
        line.append(f"\n    {more.format(n=len(said) - _MOST_LINES)}", style="dim")
    remedy = remedy_of(gate, context.words).replace("`", "")
    line.append(f"\n    → {remedy}", style="dim")
    return line


def _where(context: Context, cell: Cell) -> str:
    return f"{cell.scenario} / {place_of(context, cell)}"


def unavailable(context: Context) -> list[RenderableType]:
    """Contenders that cannot be had here, why, and what would help."""
    _ = context.words.gettext
    rendered: list[RenderableType] = []
    for name in context.contenders:
        participant = context.participant(name)
        if participant.unavailable:
            line = Text(f"{_('unavailable')} ", style="yellow")
            line.append(f"{context.name(name)}: ", style="bold")
            reason, remedy = participant.missing(context.language)
            line.append(reason)
            if remedy:
                line.append(f"\n    {remedy}", style="cyan")
            rendered.append(line)
    return rendered
