"""The first screen: what was compared, the verdicts, and what they mean."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.gates.wording import title_of
from wirelab.model.measure import CHECK
from wirelab.model.result import Cell, Verdict
from wirelab.report import remarks
from wirelab.report.cell_table import CellTable, comparisons_of
from wirelab.report.context import Context, value_of
from wirelab.report.document import (
    Absent,
    Badge,
    Block,
    Bullets,
    Callout,
    Column,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Table,
    TableCell,
    Text,
    WordsCell,
    plain,
    text,
)
from wirelab.report.load import load_text
from wirelab.report.sections.validity import reasons, warned_alike
from wirelab.report.sections.versions import unavailable
from wirelab.report.tabulate import DASH, FigureColumn, measured, unit_of, verdict_badge
from wirelab.words.series import series


def overview(
    context: Context,
    comparison: CellTable,
    chosen: Sequence[str] = (),
    conclusions: Sequence[Text] = (),
) -> tuple[Block, ...]:
    """Verdict table of ``chosen`` metrics, what follows from it, and a chart of both."""
    from wirelab.report import charts

    names = list(chosen) or key_metrics(comparison)
    alike = warned_alike(context, comparison.cells)
    blocks = first_screen(
        context,
        _lede(context, comparison),
        *_of_all(context, alike),
        _verdicts(context, comparison, names, alike),
        _meaning(context, comparison, names, conclusions, alike),
    )
    chart = charts.at_a_glance(context, comparison)
    return (*blocks, chart) if chart else blocks


def first_screen(context: Context, *blocks: Block) -> tuple[Block, ...]:
    """The blocks of a suite, below the state of the run and above who could not take part."""
    return (*state(context), *blocks, *unavailable(context))


def key_metrics(comparison: CellTable) -> list[str]:
    """Median and p95 of the first operation, p95 of the others, drift, misses, CPU, memory; before
    them the time of a closed loop's step.

    Where nobody has samples enough for a p95, the median stands for it.
    """
    first, *others = comparison.operations
    of_first = _ranked_times(comparison, first)
    names = [f"{of_first}.p50", f"{of_first}.p95"]
    for other in others:
        times = _ranked_times(comparison, other)
        known = any(value_of(cell, f"{times}.p95") is not None for cell in comparison.cells)
        names.append(f"{times}.p95" if known else f"{times}.p50")
    if comparison.step:
        leading = load_text(comparison.context, comparison.scenario).leading
        names = [*leading, *names]
    ends = ["tick.drift.p95", f"{first}.miss.count"]
    ends += [f"{name}.loss.ratio" for name in comparison.operations]
    return [*names, *ends, *(_with_those_beside(comparison, m) for m in ("cpu.mean", "rss.max"))]


def _ranked_times(comparison: CellTable, operation: str) -> str:
    """Service time, or response time where the scenario ranks by that."""
    response = f"{operation}.response"
    ranked = any(r.metric.startswith(f"{response}.") for r in comparison.scenario.rankings)
    return response if ranked else f"{operation}.latency"


def _with_those_beside(comparison: CellTable, metric: str) -> str:
    """Use of a contender together with the programs it needs, where that is known."""
    together = f"total.{metric}"
    return together if any(together in cell.metrics for cell in comparison.cells) else metric


def state(context: Context) -> list[Block]:
    """Warnings that come before any figure: an unfinished run, a smoke run."""
    _ = context.words.gettext
    blocks: list[Block] = []
    if not context.result.complete:
        blocks.append(
            Callout(
                "warn",
                _("The run is not complete"),
                (
                    Paragraph(
                        text(
                            _(
                                "Trials of the plan are missing. What has finished is shown; "
                                "`./wl run --resume` finishes the rest."
                            )
                        )
                    ),
                ),
            )
        )
    profile = context.result.profile
    if profile in ("smoke", "brief", CHECK) and context.first("too-short"):
        blocks.append(
            Callout(
                "warn",
                _("Too short to compare"),
                (
                    Paragraph(
                        text(
                            _(
                                "A run with the profile {profile} shows that everything works, "
                                "and measures too little for a comparison. To compare, run the "
                                "profile quick or publish."
                            ),
                            profile=profile,
                        )
                    ),
                ),
            )
        )
    if any(c.nothing_apart for c in comparisons_of(context)) and context.first("one-trial"):
        blocks.append(_one_trial(context))
    return blocks


def _one_trial(context: Context) -> Callout:
    _ = context.words.gettext
    return Callout(
        "warn",
        _("One trial: nothing can be told apart"),
        (
            Paragraph(
                plain(
                    _(
                        "A single trial says nothing of how trials differ. Where a figure has no "
                        "interval nobody is ranked, however far apart the figures may look."
                    )
                )
            ),
        ),
    )


def _lede(context: Context, comparison: CellTable) -> Paragraph:
    _ = context.words.gettext
    names = context.names(c.contender for c in comparison.cells)
    load = load_text(context, comparison.scenario)
    operations = "; ".join(
        load.summary(name, operation)
        for name, operation in comparison.operations.items()
        if operation.due == "tick" and operation.record == "samples"
    )
    return Paragraph(
        text(
            _("Compared: **{names}**. Scenario “{scenario}”: {operations}."),
            names=names,
            scenario=_place(context, comparison),
            operations=operations,
        )
    )


def _of_all(context: Context, gates: Sequence[str]) -> list[Block]:
    """The warnings that all contenders share, said once above the table."""
    if not gates:
        return []
    said = context.words.gettext("All contenders share these warnings: {reasons}.")
    return [Paragraph(text(said, reasons=series(title_of(g, context.words) for g in gates)))]


def _place(context: Context, comparison: CellTable) -> str:
    """The scenario, and its step where the figures are those of one."""
    title = comparison.scenario.title.of(context.language)
    step = comparison.scenario.steps.get(comparison.step)
    return f"{title} · {step.title.of(context.language)}" if step else title


def _verdicts(
    context: Context, comparison: CellTable, names: Sequence[str], told: Sequence[str]
) -> Table:
    _ = context.words.gettext
    known = [n for n in names if any(n in c.metrics for c in comparison.cells)]
    columns = [Column(_("verdict"), align="left")]
    columns += [
        Column(
            context.naming.short_title(name),
            unit_of(comparison.cells, FigureColumn(name)),
        )
        for name in known
    ]
    rows = [_row(context, found, known, told) for found in comparison.cells]
    return Table(
        _("Verdicts and key figures, measured here"),
        (_("contender"),),
        tuple(columns),
        (RowGroup(tuple(rows)),),
    )


def _row(context: Context, found: Cell, names: Sequence[str], told: Sequence[str]) -> Row:
    why = reasons(context, found, told)
    verdict = WordsCell((plain(why),) if why else (), verdict_badge(found.verdict, context.words))
    cells: list[TableCell] = [verdict]
    for name in names:
        # The first screen prints results only: invalid figures stand further down.
        figure = found.metrics.get(name)
        invalid = figure is not None and figure.verdict is Verdict.INVALID
        column = FigureColumn(name)
        cells.append(Absent(DASH) if invalid else measured(context, found, column, star=True))
    yardstick = found.contender in context.references
    badge = Badge(context.words.gettext("reference")) if yardstick else None
    head = Head(context.name(found.contender), badge, context.colour(found.contender))
    return Row(head, tuple(cells))


def _meaning(
    context: Context,
    comparison: CellTable,
    names: Sequence[str],
    conclusions: Sequence[Text],
    told: Sequence[str],
) -> Callout:
    _ = context.words.gettext
    said = remarks.all_of(*(remarks.lead(context, comparison, name) for name in names))
    lines = [*said, *conclusions]
    excluded = _("Not ranked, because the checks found them **invalid** ({why}): {names}.")
    lines += _with_reasons(context, excluded, comparison.void)
    invalid = [c for c in comparison.cells if c.verdict is Verdict.INVALID]
    partly = [c for c in invalid if c not in comparison.void]
    left = _("Ranked only in what the checks left **valid** ({why}): {names}.")
    lines += _with_reasons(context, left, partly)
    warned = [
        c for c in comparison.cells if c.verdict is Verdict.WARN and reasons(context, c, told)
    ]
    lines += _with_reasons(context, _("To bear in mind ({why}): {names}."), warned, told)
    if not said:
        lines.insert(0, unranked(context, [comparison]))
    return Callout("neutral", _("What it means"), (Bullets(tuple(lines)),))


def unranked(context: Context, parts: Sequence[CellTable]) -> Text:
    """The reason for no rank: nothing bounds a single trial, or there are not two to compare."""
    _ = context.words.gettext
    if any(part.nothing_apart for part in parts):
        return plain(_("one trial: nothing can be told apart"))
    return plain(_("Nothing could be ranked: that takes two contenders with valid figures."))


def _with_reasons(
    context: Context, template: str, cells: Sequence[Cell], told: Sequence[str] = ()
) -> list[Text]:
    """A line for each reason, so that one that several contenders share is said once."""
    by_reason: dict[str, list[str]] = {}
    for cell in cells:
        by_reason.setdefault(reasons(context, cell, told), []).append(cell.contender)
    return [
        text(template, why=why, names=context.names(contenders))
        for why, contenders in by_reason.items()
    ]
