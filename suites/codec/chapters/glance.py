"""The first screen: the fastest of each language, and what follows from the run."""

from __future__ import annotations

from collections import Counter

from wirelab.report.api import (
    DASH,
    Absent,
    Block,
    Bullets,
    Callout,
    CellTable,
    Column,
    Context,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Table,
    TableCell,
    Text,
    Verdict,
    WordsCell,
    figure,
    first_screen,
    gate_title,
    plain,
    study_tally,
    text,
)

from .formats import TIMED, fastest
from .statements import rules


def glance(context: Context, steady: CellTable, million: CellTable) -> tuple[Block, ...]:
    """State of the run, the table, what it means, and who could not take part."""
    return first_screen(
        context,
        _lede(context, steady),
        _table(context, steady),
        _meaning(context, steady, million),
    )


def _lede(context: Context, steady: CellTable) -> Paragraph:
    _ = context.words.gettext
    names = [name for name in steady.contenders if name not in context.references]
    counts = Counter(context.language_of(name) for name in names)
    listed = ", ".join(f"{language} {count}" for language, count in sorted(counts.items()))
    return Paragraph(
        text(
            _(
                "**{n} contenders in {languages} languages** ({listed}) write and read {data} "
                "data sets. Times are nanoseconds an iteration: the median over the fresh "
                "processes of a contender ({processes})."
            ),
            n=len(names),
            languages=len(counts),
            listed=listed,
            data=len(steady.steps),
            processes=steady.trials,
        )
    )


def _table(context: Context, steady: CellTable) -> Table:
    """The smallest valid time of each language among those with fresh values: told, not ranked."""
    _ = context.words.gettext
    rows = []
    for language in steady.languages:
        names = [
            name
            for group in steady.peers_of(language)
            for name in group.contenders
            if context.mode_of(name) in ("", "fresh")
        ]
        if names:
            cells = tuple(_best(context, steady, names, step) for step in steady.steps)
            rows.append(Row(Head(language), cells))
    columns = tuple(Column(s, "ns", align="left") for s in steady.steps)
    caption = _("Smallest round-trip time of each language, fresh values (languages unranked)")
    return Table(caption, (_("language"),), columns, (RowGroup(tuple(rows)),))


def _best(context: Context, steady: CellTable, names: list[str], step: str) -> TableCell:
    """The fastest with its figure; those that nothing parts from it are counted."""
    name = fastest(steady, names, step)
    metric = steady.metric(name, step, TIMED) if name else None
    if name is None or metric is None:
        return Absent(DASH)
    places = {cell.contender: cell.ranks.get(TIMED) for cell in steady.at(step).among(names).cells}
    first = places.pop(name) or 0
    level = sum(place == first for place in places.values())
    shown = figure(metric)
    lines: list[Text] = [
        text("**{number}**", number=shown.number),
        *((plain(shown.interval),) if shown.interval else ()),
        plain(context.title(name)),
    ]
    if level and steady.trials > 1:
        template = context.words.gettext("and {n} not told apart")
        lines.append(plain(template.format(n=level)))
    return WordsCell(tuple(lines))


# ---------------------------------------------------------------------------- what it means


def _meaning(context: Context, steady: CellTable, million: CellTable) -> Callout:
    _ = context.words.gettext
    lines: list[Text] = []
    if steady.trials < 2:
        lines.append(
            plain(
                _(
                    "Each contender ran in a single process. There are no intervals, so no two "
                    "figures can be told apart."
                )
            )
        )
    if (said := study_tally(context, rules(context, steady, million))) is not None:
        lines.append(said)
    lines += _invalid(context, steady)
    return Callout("neutral", _("What it means"), (Bullets(tuple(lines)),))


def _invalid(context: Context, steady: CellTable) -> list[Text]:
    """Contenders with data sets they have no valid figures for, and the checks that said so."""
    found: dict[str, dict[str, list[str]]] = {}
    for cell in steady.cells:
        if cell.verdict is not Verdict.INVALID or not cell.step:
            continue
        gates = [f.gate for f in cell.findings if f.verdict is Verdict.INVALID]
        titles = ", ".join(dict.fromkeys(gate_title(gate, context.words) for gate in gates))
        found.setdefault(cell.contender, {}).setdefault(titles, []).append(cell.step)
    template = context.words.gettext("**No valid figures**: {name}, {data} ({reasons}).")
    return [
        text(template, name=context.name(name), data=", ".join(steps), reasons=reasons)
        for name, by_reason in found.items()
        for reasons, steps in by_reason.items()
    ]
