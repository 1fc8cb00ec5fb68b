"""Processor time of programs by the places of their code, where trials sampled their stacks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from wirelab.model.result import Cell, Verdict
from wirelab.model.scenario import Kind
from wirelab.model.stacks import SampledPlace, SampledStacks
from wirelab.report.cell_table import comparisons_of
from wirelab.report.context import Context
from wirelab.report.document import (
    Block,
    Bullets,
    Column,
    Figure,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    Text,
    plain,
    text,
)
from wirelab.words import numbers

_MODULES, _FUNCTIONS, _PACKAGES = 12, 15, 6
_STANDARD_ERRORS = 1.96


def sections(context: Context) -> list[Section]:
    """The section on where processor time goes; empty where no trial sampled it."""
    _ = context.words.gettext
    cells = [cell for table in comparisons_of(context, Kind.STACKS) for cell in table.cells]
    known = [(cell, cell.stacks) for cell in cells if cell.stacks is not None]
    if not any(own.sampled_ns for _cell, own in known):
        return []
    blocks: list[Block | Section] = [
        Paragraph(
            plain(
                _(
                    "In trials that are in no other figure, the process samples the stack of its "
                    "main thread each 4 ms of processor time. Own: the time while the place itself "
                    "ran, C code that it called included; with what it calls: also the time of all "
                    "below it. Python takes a sample where a function begins, a loop goes round or "
                    "C code returns, so that some of a function's time may be told as that of the "
                    "one it calls next: modules are surer than functions. __main__ is the worker."
                )
            )
        ),
        Bullets(
            (
                *(_whole(context, cell, own) for cell, own in known if own.sampled_ns),
                *(
                    _heap(context, cell, own.heap_bytes)
                    for cell, own in known
                    if own.heap_bytes is not None
                ),
            )
        ),
    ]
    for cell, own in known:
        if own.sampled_ns:
            blocks.append(_table(context, cell, own))
    return [Section(_("Where processor time goes"), "stacks", tuple(blocks))]


def _whole(context: Context, cell: Cell, own: SampledStacks) -> Text:
    """Number of samples of a contender, how closely they tell, and its packages."""
    _ = context.words.gettext
    packages: Counter[str] = Counter()
    for module in own.modules:
        packages[module.name.partition(".")[0]] += module.own_ns
    shares = ", ".join(
        f"{name} {numbers.percent(ns / own.sampled_ns)}"
        for name, ns in packages.most_common(_PACKAGES)
    )
    return text(
        _(
            "**{name}**: {n} samples of {seconds} s of processor time, {main} of it the main "
            "thread's; a share of 10 % is known to ±{points} points. Own time by package: {shares}."
        ),
        name=context.name(cell.contender),
        n=f"{own.samples:,}",
        seconds=numbers.brief(own.process_ns / 1e9),
        main=numbers.percent(min(1.0, own.main_thread_ns / max(1, own.process_ns))),
        points=numbers.brief(100 * _STANDARD_ERRORS * math.sqrt(0.1 * 0.9 / max(1, own.samples))),
        shares=shares,
    )


def _heap(context: Context, cell: Cell, in_use: int) -> Text:
    """The heap as its allocators count it, which in timed trials would hold the program up."""
    _ = context.words.gettext
    return text(
        _(
            "Heap of {name} at the end of such a trial: {mb} MB in blocks that are in use, as its "
            "allocators count them. That is what other runtimes call their heap; the figure of "
            "timed trials is all anonymous memory, an upper bound."
        ),
        name=context.name(cell.contender),
        mb=numbers.brief(in_use / 1e6),
    )


def _table(context: Context, cell: Cell, own: SampledStacks) -> Table:
    _ = context.words.gettext
    groups = (
        RowGroup(_rows(cell, own, own.modules[:_MODULES]), Head(_("module"))),
        RowGroup(_rows(cell, own, own.functions[:_FUNCTIONS]), Head(_("function"))),
    )
    columns = (Column(_("own"), "%"), Column(_("with what it calls"), "%"))
    caption = _("{name}: where its processor time goes").format(name=context.name(cell.contender))
    return Table(caption, (_("kind"), _("place")), columns, groups)


def _rows(cell: Cell, own: SampledStacks, places: Sequence[SampledPlace]) -> tuple[Row, ...]:
    tentative = cell.verdict is Verdict.INVALID
    return tuple(
        Row(
            Head(place.name),
            tuple(
                Figure(numbers.brief(100 * ns / own.sampled_ns), tentative=tentative)
                for ns in (place.own_ns, place.within_ns)
            ),
        )
        for place in places
    )
