"""The proof that the load generator was not what was measured (2.2.2 of the study)."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.api import (
    Block,
    Callout,
    Cell,
    CellTable,
    Command,
    Context,
    Details,
    FigureColumn,
    Paragraph,
    Section,
    Text,
    generator_saturated,
    numbers,
    paragraph,
    plain,
    stepped,
    steps,
    text,
    value_of,
)

from .second_generator import second_generators
from .servers import with_operations

_NAMED = 6
"""More cells than these are only counted; the appendix has them all."""

_CEILING = (
    FigureColumn("delivery.rate"),
    FigureColumn("rtt.attainment"),
    FigureColumn("delivery.loss.ratio"),
    FigureColumn("generator.cpu.mean"),
    FigureColumn("tick.drift.p99"),
    FigureColumn("rtt.latency.p50"),
    FigureColumn("rtt.response.p99"),
    FigureColumn("generator.per.cpu"),
)
_FLOOR = (
    *(FigureColumn(f"rtt.response.{stat}", f"RTT {stat}") for stat in ("p50", "p95", "p99", "max")),
    *(FigureColumn(f"delivery.response.{stat}") for stat in ("p50", "p99")),
    FigureColumn("cpu.mean"),
    FigureColumn("generator.cpu.mean"),
)


def generator(context: Context, parts: CellTable) -> Section:
    """Ceiling, use of the processor, lateness, floor, and a second generator beside."""
    _ = context.words.gettext
    blocks: list[Block | Section] = [
        paragraph(
            _(
                "A generator at its limit measures itself: what waits in it looks like a slow "
                "server. So every cell has to show that the generator had time left, sent on "
                "time, and stayed well below what it takes against a server that does nothing."
            )
        ),
        _conclusion(context, parts),
        *_ceiling_blocks(context),
        *_use_blocks(context, parts),
        *_floor_blocks(context, parts),
        *second_generators(context, parts),
    ]
    return Section(_("Client simulator: was it the bottleneck?"), "generator", tuple(blocks))


def ceiling_of(context: Context) -> float | None:
    """The most deliveries a second that the generator kept up with against a reference server.

    What arrives seconds late is counted too, but a queue that grows is no rate. The rule is that
    of the gate ``generator-ceiling``.
    """
    found = stepped(context, "ceiling")
    rates = [
        rate
        for part in found.by_step
        for cell in part.cells
        if (rate := value_of(cell, "delivery.rate")) is not None
        and _kept_up(cell, found.scenario.period)
    ]
    return max(rates, default=None)


def _kept_up(cell: Cell, period_ns: int) -> bool:
    """Half of all messages came back before the next was due, and nothing failed or was lost."""
    median_ms = value_of(cell, "rtt.latency.p50")
    failures = (value_of(cell, name) for name in ("rtt.error.count", "delivery.loss.count"))
    return median_ms is not None and median_ms * 1e6 <= period_ns and not any(failures)


def verdict_of(context: Context, parts: CellTable) -> tuple[bool, Text]:
    """Whether the generator was clear of its limits in every cell, and the sentence for it."""
    _ = context.words.gettext
    cells = [cell for part in parts.by_step for cell in part.cells]
    bad = [
        f"{context.name(cell.contender)} ({part.title})"
        for part in parts.by_step
        for cell in part.cells
        if any(f.gate == generator_saturated.GATE.code for f in cell.findings)
    ]
    if bad:
        said = _(
            "**The generator was saturated** in {n} of {all} cells, which are invalid: {names}."
        )
        names = "; ".join(bad[:_NAMED]) + ("; …" if len(bad) > _NAMED else "")
        return False, text(said, n=len(bad), all=len(cells), names=names)
    busiest = _highest(cells, "generator.cpu.mean")
    latest = _highest(cells, "tick.drift.p99")
    if busiest is None or latest is None:
        return False, plain(_("The generator's own figures are missing, so nothing is proven."))
    sentence = text(
        _(
            "**The generator was not saturated in any cell**: at most {cpu} of a core, send lag "
            "p99 at most {lag}."
        ),
        cpu=f"{numbers.brief(busiest, digits=3)} %",
        lag=numbers.milliseconds(latest),
    )
    ceiling, most = ceiling_of(context), _highest(cells, "delivery.rate")
    if ceiling is None or most is None:
        return True, sentence + text(_(" Its ceiling was not measured in this run."))
    return True, sentence + text(
        _(" The largest load was {share} of its ceiling of {ceiling} deliveries a second."),
        share=f"{numbers.brief(100 * most / ceiling)} %",
        ceiling=numbers.brief(ceiling, digits=3),
    )


def use_of_generator(context: Context, part: CellTable) -> Text | None:
    """Tell the most that the generator used in one comparison; None where it is not known."""
    _ = context.words.gettext
    busiest = _highest(part.cells, "generator.cpu.mean")
    latest = _highest(part.cells, "tick.drift.p99")
    if busiest is None or latest is None:
        return None
    return text(
        _("The generator used at most {cpu} of a core; its send lag p99 was at most {lag}."),
        cpu=f"{numbers.brief(busiest, digits=3)} %",
        lag=numbers.milliseconds(latest),
    )


def _highest(cells: Sequence[Cell], metric: str) -> float | None:
    """The highest of all cells that have the figure, valid or not."""
    values = [value for cell in cells if (value := value_of(cell, metric)) is not None]
    return max(values, default=None)


def _conclusion(context: Context, parts: CellTable) -> Block:
    clear, sentence = verdict_of(context, parts)
    heading = context.words.gettext("What the checks say")
    return Callout("good" if clear else "bad", heading, (Paragraph(sentence),))


def _ceiling_blocks(context: Context) -> list[Block]:
    _ = context.words.gettext
    found = stepped(context, "ceiling")
    if not found:
        return [
            paragraph(_("The ceiling was not measured in this run. Measure it with:")),
            Command("./wl run websocket --scenario ceiling --contender null"),
        ]
    tables = [
        steps.of_contender(
            found.where(lambda cell: bool(cell.step)),
            name,
            _("Ceiling against {server}: load asked for, step by step").format(
                server=context.name(name)
            ),
            with_operations(context, _CEILING),
        )
        for name in found.yardsticks_last
    ]
    about = _(
        "A step counts for the ceiling where half of all messages came back before the next was "
        "due and nothing was lost: what comes late out of a growing queue is no rate."
    )
    return [paragraph(about), *(table for table in tables if table is not None)]


def _use_blocks(context: Context, parts: CellTable) -> list[Block]:
    _ = context.words.gettext
    blocks: list[Block] = [
        steps.across(
            parts, _("CPU of the generator"), FigureColumn("generator.cpu.mean"), ranks=False
        ),
        steps.across(
            parts,
            _("Send lag of the generator, p99"),
            FigureColumn("tick.drift.p99"),
            ranks=False,
        ),
    ]
    if (ceiling := ceiling_of(context)) is not None:
        column = FigureColumn("delivery.rate", unit="%", factor=100 / ceiling, published="none")
        caption = _("Load as a share of the generator's ceiling")
        blocks.append(steps.across(parts, caption, column, ranks=False))
    return [Details(_("Cell by cell: CPU, send lag, share of the ceiling"), tuple(blocks))]


def _floor_blocks(context: Context, parts: CellTable) -> list[Block]:
    """Show the cost of generator and kernel alone: no server can be below it."""
    _ = context.words.gettext
    blocks: list[Block] = []
    for name in parts.contenders:
        if name in context.references:
            caption = _("Floor: what the generator and the kernel cost with {server}").format(
                server=context.name(name)
            )
            if table := steps.of_contender(parts, name, caption, with_operations(context, _FLOOR)):
                blocks.append(table)
    return blocks
