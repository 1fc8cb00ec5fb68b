"""The largest load that holds its bounds: a table of brackets, every probe, a chart of them."""

from __future__ import annotations

from wirelab.gates.brackets import reason, why
from wirelab.model.capacity import Capacity, Probe, Search
from wirelab.model.scenario import Kind
from wirelab.model.steps import highest_of
from wirelab.report.cell_table import CellTable, comparisons_of, together
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Block,
    Bullets,
    Column,
    Details,
    Figure,
    Head,
    Paragraph,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    cell,
    text,
)
from wirelab.report.searched import Searched, held, load_in_words, rank_of, searched_of
from wirelab.report.tabulate import DASH, contender_head
from wirelab.report.units import unit_in_words


def sections(context: Context) -> list[Section]:
    """A section for every scenario that searches a capacity, contenders of all modes together."""
    tables = together(context, comparisons_of(context, Kind.CAPACITY))
    return [
        _section(context, comparison, number)
        for number, comparison in enumerate(tables)
        if comparison.scenario.capacity is not None
    ]


def _section(context: Context, comparison: CellTable, number: int) -> Section:
    from wirelab.report.charts import capacity as charts

    scenario = comparison.scenario
    title = " · ".join(
        part
        for part in (
            scenario.title.of(context.language),
            comparison.mode_title,
            context.generator(comparison.generator) if comparison.generator else "",
        )
        if part
    )
    cells = searched_of(comparison)
    blocks: list[Block] = []
    if scenario.capacity is not None:
        blocks += _asked(context, scenario.capacity, comparison)
    blocks.append(table(context, comparison, cells))
    if (
        chart := charts.probes(context, comparison, [(c.cell, c.probes) for c in cells])
    ) is not None:
        blocks.append(chart)
    blocks += [_probes(context, one) for one in cells]
    return Section(title, f"capacity-{number}", tuple(blocks))


def highest_probed(comparison: CellTable, capacity: Capacity) -> int:
    """The highest load that the profile of the run asks for."""
    profile = comparison.context.result.profile
    measure = comparison.scenario.profiles.get(profile)
    return highest_of(capacity, measure) if measure else capacity.highest


def _asked(context: Context, capacity: Capacity, comparison: CellTable) -> list[Block]:
    """Describe the load that was searched, and the bounds it had to hold."""
    _ = context.words.gettext
    opening = text(
        _(
            "The largest `{parameter}` from {lowest} to {highest} that holds every bound, searched "
            "with MLRsearch (RFC 9971) to within {width}. Each probe is a trial with fresh "
            "processes. The capacity lies between the load that held and the one that did not; "
            "contenders whose brackets overlap share a rank. Where the load generator was at its "
            "limit, or the highest load held, the capacity is that load or more (≥)."
        ),
        parameter=capacity.parameter,
        lowest=f"{capacity.lowest:,}",
        highest=f"{highest_probed(comparison, capacity):,}",
        width=f"{100 * capacity.width:g} %",
    )
    bounds = tuple(
        text(
            "{metric} {sign} {limit} (`{name}`)",
            metric=context.naming.title(bound.metric),
            sign=bound.sign,
            limit=f"{bound.limit:g}",
            name=bound.metric,
        )
        for bound in capacity.bounds
    )
    return [Paragraph(opening), Bullets(bounds)]


def table(context: Context, comparison: CellTable, cells: list[Searched]) -> Table:
    """A row a search: what held, what did not and why, how many probes it took."""
    _ = context.words.gettext
    rows = [
        Row(
            contender_head(context, one.cell, comparison.label(one.cell.contender)),
            (
                _verified(context, comparison, one, search),
                _count(search.failed),
                cell(why(search, context.words) or DASH),
                _count(len(search.probes)),
            ),
        )
        for one in cells
        for search in one.found.searches
    ]
    parameter = load_in_words(context, comparison.scenario)
    columns = (
        Column(_("held"), parameter),
        Column(_("did not hold"), parameter),
        Column(_("why it did not"), align="left"),
        Column(_("probes")),
    )
    return Table(_("Capacity"), (_("contender"),), columns, (RowGroup(tuple(rows)),))


def _verified(context: Context, comparison: CellTable, one: Searched, search: Search) -> Plain:
    if search.verified is None:
        return Absent(context.words.gettext("no load held"))
    number = held(search.verified, at_least=search.is_at_least)
    rank = rank_of(comparison, one.cell)
    return Figure(number, star=rank in ("1", "1="), rank=rank)


def _count(value: int | None) -> Plain:
    return Absent(DASH) if value is None else Figure(f"{value:,}")


def _probes(context: Context, one: Searched) -> Details:
    """Every probe in its order: the load, whether it held, the figure of every bound."""
    _ = context.words.gettext
    bounds = list(dict.fromkeys(f.metric for probe in one.probes for f in probe.figures))
    units = {
        f.metric: unit_in_words(f.unit, context.words)
        for probe in one.probes
        for f in probe.figures
        if f.unit
    }

    def shown(probe: Probe, metric: str) -> Plain:
        value = next((f.value for f in probe.figures if f.metric == metric), None)
        return Absent(DASH) if value is None else Figure(f"{value:,.4g}")

    groups = tuple(
        RowGroup(
            tuple(
                Row(
                    Head(f"{number}"),
                    (
                        _count(probe.load),
                        *(shown(probe, metric) for metric in bounds),
                        cell(reason(probe, context.words)),
                    ),
                )
                for number, probe in enumerate(search.probes, start=1)
            )
        )
        for search in one.found.searches
    )
    columns = (
        Column(one.found.parameter),
        *(Column(context.naming.title(metric), units.get(metric, "")) for metric in bounds),
        Column(_("outcome"), align="left"),
    )
    name = context.name(one.cell.contender)
    caption = _("Probes: {contender}").format(contender=name)
    told = _("Load, figure of every bound, and outcome")
    return Details(caption, (Table(told, (_("probe"),), columns, groups),))


def overview(context: Context) -> tuple[Block, ...]:
    """The brackets of every scenario, for a first screen."""
    return tuple(
        table(context, comparison, searched_of(comparison))
        for comparison in comparisons_of(context, Kind.CAPACITY)
    )
