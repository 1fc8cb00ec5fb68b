"""The first screen: the fastest of each language, and what follows from the run."""

from __future__ import annotations

from collections import Counter

from wirelab.gates.wording import title_of
from wirelab.model.result import Verdict
from wirelab.report import claims, figures
from wirelab.report.batches import Batches
from wirelab.report.context import Context
from wirelab.report.declared import answering
from wirelab.report.document import (
    Absent,
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
    Words,
    plain,
    text,
)
from wirelab.report.sections import overview
from wirelab.report.sections.versions import unavailable
from wirelab.report.tabulate import DASH

from .formats import TIMED, fastest, mode_of
from .statements import rules


def glance(context: Context, steady: Batches, million: Batches | None) -> tuple[Block, ...]:
    """State of the run, the table, what it means, and who could not take part."""
    return (
        *overview.state(context),
        _lede(context, steady),
        _table(context, steady),
        _meaning(context, steady, million),
        *unavailable(context),
    )


def _lede(context: Context, steady: Batches) -> Paragraph:
    _ = context.words.gettext
    names = [name for name in steady.contenders if name not in context.references]
    counts = Counter(steady.language_of(name) for name in names)
    listed = ", ".join(f"{language} {count}" for language, count in sorted(counts.items()))
    return Paragraph(
        text(
            _(
                "**{n} contenders in {languages} languages** ({listed}) write and read "
                "{data} data sets. Times are nanoseconds a round, "
                "the median over {processes} fresh processes."
            ),
            n=len(names),
            languages=len(counts),
            listed=listed,
            data=len(steady.steps),
            processes=steady.processes,
        )
    )


def _table(context: Context, steady: Batches) -> Table:
    """The smallest valid time of each language among those with fresh values: told, not ranked."""
    _ = context.words.gettext
    rows = []
    for language in steady.languages:
        names = [
            name
            for group in steady.of_language(language)
            for name in group.contenders
            if mode_of(context, name) in ("", "fresh")
        ]
        if names:
            cells = tuple(_best(context, steady, names, step) for step in steady.steps)
            rows.append(Row(Head(language), cells))
    columns = tuple(Column(s, "ns", align="left") for s in steady.steps)
    caption = _("Smallest round-trip time of each language, fresh values (languages unranked)")
    return Table(caption, (_("language"),), columns, (RowGroup(tuple(rows)),))


def _best(context: Context, steady: Batches, names: list[str], step: str) -> TableCell:
    """The fastest with its figure; those that nothing parts from it are counted."""
    name = fastest(steady, names, step)
    metric = steady.metric(name, step, TIMED) if name else None
    if name is None or metric is None:
        return Absent(DASH)
    cell = steady.cells[name, step]
    level = sum(
        steady.cells[other, step].ranks.get(TIMED) == cell.ranks.get(TIMED, 0)
        for other in names
        if (other, step) in steady.cells and other != name
    )
    shown = figures.figure(metric)
    lines: list[Text] = [
        text("**{number}**", number=shown.number),
        *((plain(shown.interval),) if shown.interval else ()),
        plain(context.participant(name).manifest.title),
    ]
    if level and steady.processes > 1:
        template = context.words.gettext("and {n} not told apart")
        lines.append(plain(template.format(n=level)))
    return Words(tuple(lines))


# ---------------------------------------------------------------------------- what it means


def _meaning(context: Context, steady: Batches, million: Batches | None) -> Callout:
    _ = context.words.gettext
    lines: list[Text] = []
    if steady.processes < 2:
        lines.append(
            plain(_("One process a contender: no intervals, so nothing here is told apart."))
        )
    answered = answering(context, rules(context, steady, million))
    if (said := claims.tally_of_source(context, answered)) is not None:
        lines.append(said)
    lines += _invalid(context, steady)
    return Callout("neutral", _("What it means"), (Bullets(tuple(lines)),))


def _invalid(context: Context, steady: Batches) -> list[Text]:
    """Contenders with data sets they have no valid figures for, and the checks that said so."""
    found: dict[str, dict[str, list[str]]] = {}
    for (name, step), cell in steady.cells.items():
        if cell.verdict is not Verdict.INVALID or not step:
            continue
        gates = [f.gate for f in cell.findings if f.verdict is Verdict.INVALID]
        titles = ", ".join(dict.fromkeys(title_of(gate, context.words) for gate in gates))
        found.setdefault(name, {}).setdefault(titles, []).append(step)
    template = context.words.gettext("**No valid figures**: {name}, {data} ({reasons}).")
    return [
        text(template, name=context.name(name), data=", ".join(steps), reasons=reasons)
        for name, by_reason in found.items()
        for reasons, steps in by_reason.items()
    ]
