"""Subscriptions beside polling: how soon a caller learns of a change, and at what cost."""

from __future__ import annotations

from wirelab.report.api import (
    N_,
    Block,
    CellTable,
    Context,
    FigureColumn,
    Head,
    Plain,
    Row,
    RowGroup,
    Section,
    paragraph,
    steps,
)

_SCENARIO = "subscriptions"
_OPERATIONS = {"subscribed": "notification", "polled": "poll"}
"""By variant: the operation that ends when its caller knows of a change."""

_FIGURES = {
    "{op}.response.p50": N_("change to caller, p50, ms"),
    "{op}.response.p95": N_("change to caller, p95, ms"),
    "{op}.wire.after.p50": N_("of it from the wire to the caller, p50, ms"),
    "{op}.miss.count": N_("changes known later than after 200 ms"),
    "cpu.mean": N_("CPU of the client, %"),
    "server.cpu.mean": N_("CPU of the server, %"),
    "wire.traffic": N_("bytes between them, kB/s"),
    "wire.packets": N_("packets between them, a second"),
}


def sections(context: Context) -> list[Section]:
    """The section on subscriptions; none where the scenario was not run."""
    found = {one: CellTable.of(context, _SCENARIO, variant=one) for one in _OPERATIONS}
    tables = {variant: table for variant, table in found.items() if table}
    if not tables:
        return []
    _ = context.words.gettext
    scenario = next(iter(tables.values())).scenario
    said = _(
        "All of {items} tags change in the server at every tick, each {period} ms, and at no other "
        "time; which values they take, only the server knows. What is timed begins with the change "
        "and ends when the caller has all new values. A subscription publishes every {interval} "
        "ms, and a poll reads all tags every {interval} ms: half of that is lost by either on "
        "average, and all of it at the most."
    ).format(
        items=scenario.operations["notification"].items,
        period=f"{scenario.period / 1e6:g}",
        interval=f"{int(scenario.parameters['interval_ns']) / 1e6:g}",
    )
    blocks: list[Block] = [paragraph(said), _sheet(context, tables)]
    return [Section(_("Subscriptions against polling"), "subscriptions", tuple(blocks))]


def _sheet(context: Context, tables: dict[str, CellTable]) -> Block:
    """Contenders down with their figures, the two ways across."""
    _ = context.words.gettext
    here = {name for table in tables.values() for name in table.contenders}
    groups = [
        RowGroup(
            tuple(
                Row(Head(_(title)), tuple(_figure(t, v, name, metric) for v, t in tables.items()))
                for metric, title in _FIGURES.items()
            ),
            Head(context.name(name)),
        )
        for name in context.contenders
        if name in here
    ]
    titles = [
        table.scenario.variants[variant].title.of(context.language)
        for variant, table in tables.items()
    ]
    return steps.sheet(
        context, _("From change to caller, by the way of learning of it"), titles, groups
    )


def _figure(table: CellTable, variant: str, name: str, metric: str) -> Plain:
    return table.shown(name, "", FigureColumn(metric.format(op=_OPERATIONS[variant])))
