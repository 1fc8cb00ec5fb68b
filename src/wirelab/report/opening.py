"""The opening of a report: one sentence, whose figures stand beside, and how to read its tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from wirelab.gates.wording import title_of
from wirelab.model.rankings import rankings
from wirelab.model.result import Cell, Verdict
from wirelab.model.scenario import Kind
from wirelab.report import generic, remarks, until
from wirelab.report.cell_table import CellTable, comparisons_of
from wirelab.report.context import Context
from wirelab.report.disturbed import changed_most, time_left_out
from wirelab.report.document import (
    Block,
    Bullets,
    Callout,
    Document,
    Figure,
    Footnote,
    MeasuredBesidePublished,
    Paragraph,
    Section,
    Table,
    TableCell,
    Text,
    plain,
    text,
)
from wirelab.report.lost import lost_trials
from wirelab.report.sections import errors
from wirelab.words.series import series


def opened(context: Context, document: Document) -> Document:
    """The document with a headline, the study introduced, faults, and keys at its tables."""
    overview = [
        _keyed(context, block) if isinstance(block, Table) else block for block in document.overview
    ]
    told = [at for at, b in enumerate(overview) if isinstance(b, Callout) and b.tone == "neutral"]
    place = told[0] + 1 if told else len(overview)
    overview[place:place] = _faults(context)
    return replace(
        document,
        overview=(*_headline(context), *_stopped(context), *_study(context), *overview),
        sections=tuple(_first_keyed(context, section) for section in document.sections),
    )


# -------------------------------------------------------------------------------- headline


def _headline(context: Context) -> tuple[Paragraph, ...]:
    """Name the best in what is ranked first, and count the contenders with figures; empty for a run
    of batches, whose first screen opens with a sentence of its own.
    """
    _ = context.words.gettext
    told = _told(context)
    if not told:
        return ()
    for comparison in told:
        for ranking in rankings(comparison.scenario):
            if said := remarks.lead(context, comparison, ranking.metric):
                place = generic.comparison_title(context, comparison)
                opening = text(_("**In short** ({place}). "), place=place)
                elsewhere = comparison is not told[0]
                void = _without_figures(context, told[0], ranking.metric, named=elsewhere)
                return (Paragraph(opening + said + void),)
    nobody = text(_("**In short.** This run ranks nobody."))
    return (Paragraph(nobody + _without_figures(context, told[0], named=True)),)


def _told(context: Context) -> list[CellTable]:
    """Comparisons to open with: of the first scenario its highest load, that of most contenders
    first, its other steps before the whole; then the other scenarios.

    Steps may ask for unlike things: a figure over all of them is the last one to open with. A ramp
    asks for one thing, and opens with the whole.
    """
    found = [c for c in comparisons_of(context) if not c.generator] or comparisons_of(
        context, Kind.CAPACITY
    )
    if not found:
        return []
    steps = [c.step for c in found if _opens(found, c) and c.step]
    last = steps[-1] if steps and not found[0].scenario.is_ramp else ""

    def place(comparison: CellTable) -> tuple[bool, bool, bool, int]:
        opens, step = _opens(found, comparison), comparison.step
        return not opens, step != last, not step, -len(comparison.ranked) if opens else 0

    return sorted(found, key=place)


def _opens(found: list[CellTable], comparison: CellTable) -> bool:
    return comparison.scenario_name == found[0].scenario_name


def _without_figures(
    context: Context, comparison: CellTable, metric: str = "", *, named: bool
) -> Text:
    """Count the cells without a valid figure (of any ranked metric where none is given), and say
    why most of them have none; ``named`` with the comparison's title, where the sentence before
    does not have it.
    """
    _ = context.words.gettext
    cells = comparison.ranked
    lost = [c.metrics[metric] for c in cells if metric in c.metrics]
    gates = [gate for m in lost if m.verdict is Verdict.INVALID for gate in m.gates]
    void = [c for c in comparison.void if c in cells]
    gates += [f.gate for c in void for f in c.findings if f.verdict is Verdict.INVALID]
    invalid = [c for c in cells if c in void or _is_invalid(c, metric)]
    if not invalid:
        return ()
    usual = max(dict.fromkeys(gates), key=gates.count, default="")
    said = (
        _(" No valid figure in {place}: {invalid} of {n} contenders ({reason}).")
        if named
        else _(" No valid figure there: {invalid} of {n} contenders ({reason}).")
    )
    return text(
        said,
        place=generic.comparison_title(context, comparison),
        invalid=len(invalid),
        n=len(cells),
        reason=title_of(usual, context.words) if usual else _("invalid"),
    )


def _is_invalid(cell: Cell, metric: str) -> bool:
    found = cell.metrics.get(metric)
    return found is not None and found.verdict is Verdict.INVALID


def _stopped(context: Context) -> tuple[Paragraph, ...]:
    """The end of a run that adds blocks, and what others took of its time and of its trials."""
    left_out = (*time_left_out(context), *changed_most(context))
    told = (until.stopped(context), left_out, lost_trials(context))
    return tuple(Paragraph(said) for said in told if said)


# ---------------------------------------------------------------------------------- study


def _study(context: Context) -> tuple[Paragraph, ...]:
    """The study whose figures stand beside ours, by its name."""
    _ = context.words.gettext
    published = context.published
    if published is None:
        return ()
    said = _(
        "Published figures stand beside ours. They come from an earlier study, **{title}**, which "
        "this report calls the study. Its hardware was not ours: {machine}. Its figures are "
        "therefore never ranked with ours."
    )
    language = context.language
    titles = {"title": published.title.of(language), "machine": published.machine.of(language)}
    return (Paragraph(text(said, **titles)),)


# ---------------------------------------------------------------------------------- faults


def _faults(context: Context) -> list[Block]:
    """Show what callers saw when something broke: it may decide where figures are close."""
    _ = context.words.gettext
    comparisons = comparisons_of(context, Kind.FAULTS)
    if not comparisons:
        return []
    said = errors.remarks(context, errors.faults_of(context))
    bad = {c.contender for one in comparisons for c in one.cells if errors.is_bad(c)}
    seen = {c.contender for one in comparisons for c in one.cells if c.caller}
    good = [context.name(name) for name in context.contenders if name in seen - bad]
    lines = list(said)
    if good:
        lines.append(
            text(_("An error or a recovery in every fault tried: {names}."), names=series(good))
        )
    if not lines:
        lines.append(plain(_("No fault has an included trial.")))
    return [Callout("neutral", _("When something breaks"), (Bullets(tuple(lines)),))]


# ------------------------------------------------------------------------------------ keys


def _first_keyed(context: Context, section: Section) -> Section:
    """The section with a key at the first of its tables that needs one."""
    return _with_key(context, section)[0]


def _with_key(context: Context, section: Section) -> tuple[Section, bool]:
    blocks: list[Block | Section] = []
    done = False
    for block in section.blocks:
        changed: Block | Section = block
        if not done and isinstance(block, Section):
            changed, done = _with_key(context, block)
        elif not done and isinstance(block, Table) and _marks(context, block):
            changed, done = _keyed(context, block), True
        blocks.append(changed)
    return (replace(section, blocks=tuple(blocks)), True) if done else (section, False)


def _keyed(context: Context, table: Table) -> Table:
    """The table with a note for each kind of mark that it has."""
    return replace(table, notes=(*_marks(context, table), *table.notes))


def _marks(context: Context, table: Table) -> tuple[Footnote, ...]:
    _ = context.words.gettext
    shown = list(_figures(c for g in table.groups for row in g.rows for c in row.cells))
    notes = []
    if any(figure.star for figure in shown):
        said = _("best figure here; shared by those not told apart")
        notes.append(Footnote("★", plain(said)))
    if any(figure.interval for figure in shown):
        notes.append(Footnote("[ ]", plain(_("95 % interval of the figure"))))
    if any(figure.tentative for figure in shown):
        notes.append(
            Footnote(
                "( )",
                plain(_("no result: invalid by the checks, or known with disturbed time alone")),
            )
        )
    return tuple(notes)


def _figures(cells: Iterable[TableCell]) -> Iterator[Figure]:
    for cell in cells:
        here = cell.here if isinstance(cell, MeasuredBesidePublished) else cell
        if isinstance(here, Figure):
            yield here
