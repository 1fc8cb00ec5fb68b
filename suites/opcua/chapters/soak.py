"""Runs of hours: what grew, the least growth that would have shown, what calls met meanwhile."""

from __future__ import annotations

from wirelab.report.api import (
    DASH,
    N_,
    Absent,
    Badge,
    Block,
    Cell,
    CellTable,
    Column,
    Context,
    FigureColumn,
    Head,
    Metric,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    WordsCell,
    notes_for,
    numbers,
    paragraph,
    plain,
)

_SOAK, _CHECK = "soak", "soak-check"
_HOUR_S = 3600

_HELD = {
    "rss": N_("memory (RSS)"),
    "descriptors": N_("open descriptors"),
    "threads": N_("threads"),
}
"""Things that may leak, by the metrics of their slopes."""

_ROWS = {
    "rss.slope": N_("memory (RSS), MB an hour"),
    "rss.slope.least": N_("smallest that would show, MB an hour"),
    "descriptors.slope": N_("open descriptors, an hour"),
    "descriptors.slope.least": N_("smallest that would show, an hour"),
    "threads.slope": N_("threads, an hour"),
    "threads.slope.least": N_("smallest that would show, an hour"),
    "read.latency.slope": N_("read p50, ms an hour"),
    "write.latency.slope": N_("write p50, ms an hour"),
    "read.latency.max": N_("longest read, ms"),
    "gc.pause.total": N_("GC pauses, sum, ms"),
    "read.error.count": N_("reads that failed"),
    "connections.opened.count": N_("connections opened again"),
}


def sections(context: Context) -> list[Section]:
    """The section on runs of hours; none where neither scenario was run."""
    _ = context.words.gettext
    blocks: list[Block] = []
    for name in (_SOAK, _CHECK):
        if table := CellTable.of(context, name):
            blocks += [paragraph(_introduction(context, table)), _sheet(table)]
            blocks.append(paragraph(_about_connections(context)))
    return [Section(_("What grows over hours"), "soak", tuple(blocks))] if blocks else []


def state(context: Context) -> str:
    """The state of the study's limit, in this run."""
    _ = context.words.gettext
    if table := CellTable.of(context, _SOAK):
        return _("measured over {hours} h: {section}").format(
            hours=f"{_hours(table):.3g}", section=_("What grows over hours")
        )
    return _("not measured in this run: ./wl run opcua --scenario soak --profile night")


def _introduction(context: Context, table: CellTable) -> str:
    _ = context.words.gettext
    if table.scenario_name == _CHECK:
        return _(
            "A soak cut short, to {minutes} minutes: it shows that everything works, and gives no "
            "verdict on leaks. What grows in the first minutes is mostly what was not filled yet."
        ).format(minutes=f"{_hours(table) * 60:.3g}")
    return _(
        "The load of S7 for {hours} hours in one session. Slopes are those after the warm-up: a "
        "line through 64 segments, its 95 % interval widened by how much each segment tells of the "
        "one before. A leak is seen where the whole interval lies above zero; without one, what is "
        "below the smallest that would show may still be there. The study examined none of it."
    ).format(hours=f"{_hours(table):.3g}")


def _about_connections(context: Context) -> str:
    return context.words.gettext(
        "Connections opened again are those that the server accepted after the warm-up, by its own "
        "count. A client that asks for the server's endpoints before it connects opens two each "
        "time; one outage may meet several calls, or none."
    )


def _hours(table: CellTable) -> float:
    """Length of a trial, as it was planned."""
    measure = table.scenario.profiles.get(table.context.result.profile)
    return (measure.count if measure else 0) * table.scenario.period / 1e9 / _HOUR_S


def _sheet(table: CellTable) -> Table:
    """Figures down, contenders across."""
    context = table.context
    _ = context.words.gettext
    names = table.contenders
    rows = [
        Row(Head(_(title)), tuple(table.shown(name, "", FigureColumn(key)) for name in names))
        for key, title in _ROWS.items()
    ]
    rows.append(
        Row(
            Head(_("calls that met a lost connection")), tuple(_lost(table, name) for name in names)
        )
    )
    if table.scenario_name == _SOAK:
        rows.insert(0, Row(Head(_("leak")), tuple(_verdict(table, name) for name in names)))
    columns = tuple(
        Column(context.name(name), align="left", colour=context.colour(name)) for name in names
    )
    caption = table.scenario.title.of(context.language)
    groups = (RowGroup(tuple(rows)),)
    return Table(caption, (_("figures"),), columns, groups, notes_for(context, groups))


def _lost(table: CellTable, name: str) -> Plain:
    """Calls that met a lost connection."""
    cell = table.cell(name)
    if cell is None:
        return Absent(DASH)
    met = sum(counts.get("disconnected", 0) for counts in cell.statuses.values())
    return WordsCell((plain(f"{met:,}"),))


def _verdict(table: CellTable, name: str) -> Plain:
    """Whether anything leaks, and how small a leak would have been seen."""
    _ = table.context.words.gettext
    cell = table.cell(name)
    slopes = {held: _slope(cell, held) for held in _HELD}
    if cell is None or any(slope is None for slope in slopes.values()):
        return Absent(_("not told"))
    leaking = [held for held, slope in slopes.items() if slope is not None and _rises(slope)]
    if leaking:
        said = ", ".join(_(_HELD[held]) for held in leaking)
        return WordsCell((plain(said),), Badge(_("seen"), "bad"))
    least = table.metric(name, "", "rss.slope.least")
    bound = numbers.brief(least.value) if least is not None and least.value is not None else DASH
    said = _("of {least} MB an hour or more").format(least=bound)
    return WordsCell((plain(said),), Badge(_("none"), "good"))


def _slope(cell: Cell | None, held: str) -> Metric | None:
    found = cell.usable(f"{held}.slope") if cell is not None else None
    return found if found is not None and found.interval is not None else None


def _rises(slope: Metric) -> bool:
    return slope.interval is not None and slope.interval[0] > 0
