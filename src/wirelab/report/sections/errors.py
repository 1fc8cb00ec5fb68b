"""A caller's view when something broke."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from wirelab.model.parts import Variant
from wirelab.model.result import CallerView, Cell
from wirelab.model.scenario import Kind
from wirelab.report.cell_table import CellTable, comparisons_of
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Badge,
    Bullets,
    Column,
    Footnote,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    Text,
    Tone,
    WordsCell,
    plain,
    text,
)
from wirelab.report.sections import outage
from wirelab.report.tabulate import DASH
from wirelab.words.translation import N_

OUTCOMES: dict[str, tuple[str, Tone]] = {
    "error": (N_("error"), "neutral"),
    "item-error": (N_("error per item"), "good"),
    "silent": (N_("silent"), "bad"),
    "hang": (N_("hang"), "bad"),
    "recovered": (N_("recovered"), "good"),
    "not-recovered": (N_("not recovered"), "bad"),
    "ok": (N_("no error"), "neutral"),
}
_MESSAGE_LENGTH = 160


def errors(context: Context) -> Section | None:
    """A table of every fault by contender, but for those that a chapter shows; None without any."""
    _ = context.words.gettext
    faults = [one for one in faults_of(context) if one.scenario_name not in context.shown_apart]
    if not faults:
        return None
    table = _table(context, faults)
    return Section(
        _("Error patterns"),
        "errors",
        (
            Paragraph(
                plain(
                    _(
                        "What the caller sees in each fault: the error in the library's own words, "
                        "how long it took from the fault to the error, whether the timeout that "
                        "was asked for fired, how long the longest call blocked, and how many "
                        "ticks came late. Contenders are ranked by the outage alone: from the "
                        "fault to the first operation that succeeded on time, within its deadline "
                        "or before it was due again. A call that ignores its timeout is the first "
                        "to be answered, so a contender that made one is not ranked."
                    )
                )
            ),
            table,
            *([Bullets(said)] if (said := remarks(context, faults)) else []),
        ),
    )


def faults_of(context: Context) -> list[CellTable]:
    """A table for each fault. Contenders of unlike modes stand side by side: a rank, which is one
    within a mode, says among how many."""
    known = dict.fromkeys(
        (c.scenario_name, c.variant) for c in comparisons_of(context, Kind.FAULTS)
    )
    return [CellTable.of(context, scenario, variant=variant) for scenario, variant in known]


def _table(context: Context, faults: Sequence[CellTable]) -> Table:
    _ = context.words.gettext
    contenders = [name for name in context.contenders if any(one.cell(name) for one in faults)]
    only_published = _published_views_of_others(context, contenders)
    groups = [_group(context, one, contenders, only_published) for one in faults]
    columns = [
        Column(context.name(name), align="left", colour=context.colour(name)) for name in contenders
    ]
    published = context.published
    columns += [
        Column(published.contenders[key].title.of(context.language), align="left")
        for key in only_published
        if published
    ]
    stub = (_("fault"), _("figures")) if published else (_("fault"),)
    return Table(_("What the caller sees"), stub, tuple(columns), tuple(groups), _notes(context))


def _published_views_of_others(context: Context, contenders: Sequence[str]) -> list[str]:
    published = context.published
    if published is None or not published.errors:
        return []
    return context.published_without(contenders)


def _group(
    context: Context, fault: CellTable, contenders: Sequence[str], others: Sequence[str]
) -> RowGroup:
    _ = context.words.gettext
    variant = fault.scenario.variants.get(fault.variant)
    title = fault_title(fault)
    own: list[TableCell] = []
    for name in contenders:
        found = fault.cell(name)
        own.append(
            _seen(context, found, outage.rank_of(context, found, fault.cells))
            if found
            else Absent(_why_unseen(context, variant, name))
        )
    own += [Absent(DASH) for _other in others]
    if context.published is None:
        return RowGroup((Row(Head(title), tuple(own)),))
    rows = [Row(Head(_("here")), tuple(own))]
    if theirs := _published_row(context, fault.variant, contenders, others):
        rows.append(theirs)
    return RowGroup(tuple(rows), Head(title))


def _why_unseen(context: Context, variant: Variant | None, name: str) -> str:
    """The reason why a contender has no cell of a fault."""
    _ = context.words.gettext
    able = context.participant(name).manifest.capabilities
    if variant is not None and any(need not in able for need in variant.needs):
        return _("not supported")
    return _("not measured")


def _published_row(
    context: Context, variant: str, contenders: Sequence[str], others: Sequence[str]
) -> Row | None:
    published = context.published
    found = next((e for e in published.errors if e.variant == variant), None) if published else None
    if published is None or found is None:
        return None
    keys = [context.key_of(name) for name in contenders] + list(others)
    cells: list[TableCell] = []
    for key in keys:
        view = found.views.get(key) if key else None
        cells.append(
            WordsCell((plain(view.of(context.language)),)) if view is not None else Absent(DASH)
        )
    label = context.words.gettext("published: {title}").format(
        title=found.title.of(context.language)
    )
    return Row(Head(label), tuple(cells), published=True)


def _notes(context: Context) -> tuple[Footnote, ...]:
    published = context.published
    if published is None:
        return ()
    return tuple(
        Footnote(
            published.mark_of(defect),
            plain(defect.title.of(context.language)),
            f"defect-{published.mark_of(defect).lower()}",
        )
        for defect in published.defects
        if "errors" in defect.metrics
    )


def _seen(context: Context, found: Cell, rank: str) -> TableCell:
    """The caller's view in the trials of a cell, the usual outcome first."""
    _ = context.words.gettext
    if not found.caller:
        why = next(iter(found.other_trials.values()), "")
        return Absent(why or _("no included trial"))
    outcomes = Counter(view.outcome for view in found.caller)
    usual, _count = outcomes.most_common(1)[0]
    label, tone = OUTCOMES[usual]
    views = [view for view in found.caller if view.outcome == usual]
    if usual == "recovered":
        tone = outage.tone_of(views)
    badge = Badge(_(label), tone if len(outcomes) == 1 else "warn")
    lines: list[Text] = []
    if len(outcomes) > 1:
        listed = ", ".join(f"{_(OUTCOMES[o][0])} {n}" for o, n in outcomes.most_common())
        lines.append(text(_("outcomes differ: {outcomes}"), outcomes=listed))
    lines += _error_lines(views[0])
    lines += _times(context, views)
    lines += outage.lines(context, views)
    lines += [plain(rank)] if rank else []
    return WordsCell(tuple(lines), badge)


def outcome_word(context: Context, found: Cell | None) -> str:
    """The usual outcome of a cell in a word, with how long the outage was where it ended."""
    _ = context.words.gettext
    if found is None or not found.caller:
        return DASH
    usual = Counter(view.outcome for view in found.caller).most_common(1)[0][0]
    word = _(OUTCOMES[usual][0])
    if usual != "recovered":
        return word
    told = outage.in_a_word(context, found.caller)
    return f"{word} ({told})" if told else word


def _error_lines(view: CallerView) -> list[Text]:
    named = [part for part in (view.error_class, view.error_status) if part]
    lines = [text("`{what}`", what=" · ".join(dict.fromkeys(named)))] if named else []
    if view.error_message and view.error_message not in named:
        message = view.error_message
        short = message[: _MESSAGE_LENGTH - 1] + "…" if len(message) > _MESSAGE_LENGTH else message
        lines.append(plain(short))
    return lines


def _times(context: Context, views: Sequence[CallerView]) -> list[Text]:
    _ = context.words.gettext
    lines = []
    if spans := [v.time_to_error_ms for v in views if v.time_to_error_ms is not None]:
        lines.append(text(_("error after {time}"), time=outage.span(spans)))
    failed = [v.failed_operations for v in views if v.failed_operations]
    if failed:
        lines.append(text(_("failed calls: {count}"), count=outage.between(failed)))
    if any(view.good_items for view in views):
        lines.append(plain(_("the other items arrived")))
    elif any(view.good_items is False for view in views):
        lines.append(plain(_("the whole request failed")))
    return lines


def is_bad(found: Cell) -> bool:
    """Whether a caller was ever left without an answer, a sign of the fault, or its timeout."""
    if found.caller and outage.tone_of(found.caller) == "bad":
        return True
    return any(OUTCOMES[view.outcome][1] == "bad" for view in found.caller)


def remarks(context: Context, faults: Sequence[CellTable]) -> tuple[Text, ...]:
    """Remarks for a caller who has to choose: silence, hangs, lost connections."""
    _ = context.words.gettext
    warnings = {
        "silent": _("**{name}** gives no sign of the fault ({fault}): check every item yourself."),
        "hang": _("**{name}** hangs ({fault}): give every call a time limit of your own."),
        "not-recovered": _("**{name}** does not come back by itself ({fault})."),
    }
    said = []
    for outcome, template in warnings.items():
        for name in context.contenders:
            titles = [
                fault_title(one)
                for one in faults
                if (found := one.cell(name)) and any(v.outcome == outcome for v in found.caller)
            ]
            if titles:
                said.append(text(template, name=context.name(name), fault="; ".join(titles)))
    for name in context.contenders:
        for one in faults:
            found = one.cell(name)
            if found and (held := outage.ignored_timeout(context, fault_title(one), found)):
                said.append(held)
    return tuple(said)


def fault_title(fault: CellTable) -> str:
    """Name of a fault."""
    variant = fault.scenario.variants.get(fault.variant)
    return variant.title.of(fault.context.language) if variant else fault.variant


def sections(context: Context) -> tuple[Section, ...]:
    """The section to be put among others; nothing when there is none."""
    section = errors(context)
    return (section,) if section else ()
