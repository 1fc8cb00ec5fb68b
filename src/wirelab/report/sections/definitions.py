"""Every metric of the report: name, unit, meaning."""

from __future__ import annotations

from fnmatch import fnmatchcase

from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Block,
    Column,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    WordsCell,
    cell,
    plain,
    text,
)
from wirelab.report.tabulate import DASH


def definitions(context: Context) -> Section:
    """One row a family of metrics that occurs in the result, then the study's own fields."""
    _ = context.words.gettext
    units = {
        name: metric.unit
        for found in context.result.cells
        for name, metric in found.metrics.items()
    }
    families: dict[str, list[str]] = {}
    for name in units:
        families.setdefault(context.naming.pattern_of(name), []).append(name)
    rows = [_row(context, names, units) for names in families.values()]
    blocks: list[Block | Section] = [
        *_how(context),
        Table(
            _("Metrics"),
            (_("metric"),),
            (Column(_("unit"), align="left"), Column(_("meaning"), align="left")),
            (RowGroup(tuple(rows)),),
        ),
    ]
    if fields := _fields_of_study(context):
        blocks.append(fields)
    return Section(_("Definitions of fields and units"), "definitions", tuple(blocks))


def _how(context: Context) -> list[Block]:
    """Explain how figures and intervals come about, for each kind of scenario that was run."""
    _ = context.words.gettext
    of_batches = _(
        "A figure of an operation in batches is the median over fresh processes of each process's "
        "median batch; its 95 % interval is Student's t over the processes, and with one process "
        "there is none. No batch is left out. MB is 10⁶ bytes."
    )
    of_samples = _(
        "Intervals are 95 % confidence intervals, by bootstrap over trials and blocks "
        "of one second within them, or by Student's t over the trials where a trial "
        "gives one value. n is the number of samples; effective n is n corrected for "
        "autocorrelation. Percentiles are taken from all included trials together and "
        "never averaged; no outlier is dropped. MB is 10⁶ bytes."
    )
    repeated = {scenario.is_microbenchmark for scenario in context.result.scenarios.values()}
    said = [of_batches] if True in repeated else []
    said += [of_samples] if False in repeated else []
    said += [_within_blocks(context)] if _has_blocks(context) else []
    return [Paragraph(plain(words)) for words in said]


def _has_blocks(context: Context) -> bool:
    """Whether several contenders have figures of the same blocks."""
    known = {
        found.contender
        for found in context.result.cells
        if any(metric.by_block is not None for metric in found.metrics.values())
    }
    return len(known) > 1


def _within_blocks(context: Context) -> str:
    return context.words.gettext(
        "A ratio of two contenders is taken within blocks, in which both met the same hour: the "
        "Hodges-Lehmann estimate over the ratios of the blocks with its signed-rank interval, or "
        "below six blocks the mean of their logarithms with Student's t. It is not the quotient of "
        "the two figures. From six blocks on ranks and stars are decided for all pairs of a table "
        "at once (max-T, by permutation within blocks), so that two may share a rank although the "
        "interval of their ratio leaves out 1."
    )


def _row(context: Context, names: list[str], units: dict[str, str]) -> Row:
    called = {name: context.words.gettext("count") for name in names if units[name] == "count"}
    shown = ", ".join(sorted({called.get(name, units[name]) for name in names}))
    meaning = context.naming.meaning(names[0])
    listed = ", ".join(names) if len(names) <= 3 else f"{names[0]} … {names[-1]}"
    prefixes = sorted({name.rpartition(".")[0] for name in names})
    if len(names) > 3 and all(prefixes):
        listed = ", ".join(f"{prefix}.*" for prefix in prefixes)
        if len(prefixes) == len(names):
            listed = "*." + names[0].partition(".")[2]
    return Row(Head(listed), (cell(shown), cell(meaning or DASH)))


def _fields_of_study(context: Context) -> Table | None:
    _ = context.words.gettext
    published = context.published
    if published is None or not published.fields:
        return None
    present = {name for found in context.result.cells for name in found.metrics}
    rows = []
    for field in published.fields:
        known = [p for p in field.metrics if any(fnmatchcase(name, p) for name in present)]
        here = WordsCell((text("`{names}`", names=", ".join(known)),)) if known else Absent(DASH)
        rows.append(
            Row(
                Head(field.field.of(context.language)),
                (
                    cell(field.unit.of(context.language)),
                    cell(field.meaning.of(context.language)),
                    here,
                ),
                published=True,
            )
        )
    columns = (
        Column(_("unit"), align="left"),
        Column(_("meaning"), align="left"),
        Column(_("metric here"), align="left"),
    )
    return Table(
        _("Fields of the study"), (_("published field"),), columns, (RowGroup(tuple(rows)),)
    )
