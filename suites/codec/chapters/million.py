"""The study's own table: a million iterations of each test, cold start included."""

from __future__ import annotations

from wirelab.report.api import (
    DASH,
    Absent,
    Block,
    CellTable,
    Column,
    Context,
    Figure,
    FigureColumn,
    Head,
    Metric,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    microbenchmark,
    notes_for,
    numbers,
    paragraph,
    published_cell,
    ratio,
    ratio_words,
)

from .formats import TIMED, format_of, labelled, within, yardstick

MILLION = 1_000_000
_STUDY_ORDER = ("T1", "T3", "T2", "T4", "T5")
"""The columns of the author's later table: primitives, list of int, string, list, map."""


def million(context: Context, found: CellTable, steady: CellTable) -> Section:
    """A table a language in the study's form, then the author's later figures."""
    _ = context.words.gettext
    title = _("The study's own test")
    if not found:
        said = _("not run this time: ./wl run codec --scenario million")
        return Section(title, "million", (paragraph(said), *_later(context, found)))
    iterations = microbenchmark.loops_of(found).rounds or MILLION
    blocks: list[Block | Section] = [paragraph(_opening(context, iterations, steady))]
    blocks += [
        _table(context, found, steady, language, iterations)
        for language in found.languages
        if found.peers_of(language)
    ]
    blocks += _later(context, found)
    return Section(title, "million", tuple(blocks))


def _opening(context: Context, iterations: int, steady: CellTable) -> str:
    _ = context.words.gettext
    if steady:
        said = _with_steady(context)
    else:
        said = _(
            "Rows are the study's tests, columns the contenders. The first row of each test is "
            "the time of all iterations together from the first, cold one, in a fresh process; the "
            "second what the study writes below its figures, the multiple of C++ CGD. How much of "
            "it is the start is told beside the scenario steady, which was not run."
        )
    if iterations != MILLION:
        said += " " + _(
            "This profile ran {iterations} iterations, not a million: figures are per "
            "{iterations} iterations and are not scaled up, for a cold start happens once."
        ).format(iterations=f"{iterations:,}")
    return said


def _with_steady(context: Context) -> str:
    return context.words.gettext(
        "Rows are the study's tests, columns the contenders. The first row of each test is the "
        "time of all iterations together from the first, cold one, in a fresh process; the second "
        "what the study writes below its figures, the multiple of C++ CGD; the third the same "
        "number of iterations at the steady pace. What the first has over the third is the start: "
        "loading, interpreting, compiling, growing heaps."
    )


def _table(
    context: Context, found: CellTable, steady: CellTable, language: str, iterations: int
) -> Table:
    _ = context.words.gettext
    names = [name for group in found.peers_of(language) for name in group.contenders]
    base = yardstick(found)
    if base is not None and base not in names:
        names.insert(0, base)
    unit = _("ms per {iterations} iterations").format(iterations=f"{iterations:,}")
    factor = iterations / 1e6
    groups = []
    for step in found.steps:
        cold = tuple(found.shown(name, step, _scaled(factor)) for name in names)
        apart = tuple(_times_base(found, base, name, step) for name in names)
        rows = [Row(Head(_("cold start included")), cold), Row(Head(_("times C++ CGD")), apart)]
        if steady:
            warm = tuple(steady.shown(name, step, _scaled(factor)) for name in names)
            rows.append(Row(Head(_("steady")), warm))
        groups.append(RowGroup(tuple(rows), Head(found.step_title(step))))
    columns = tuple(
        Column((within if context.language_of(name) == language else labelled)(context, name))
        for name in names
    )
    caption = f"{language}, {unit}"
    return Table(caption, (_("test"), _("figures")), columns, tuple(groups))


def _scaled(factor: float) -> FigureColumn:
    return FigureColumn(TIMED, factor=factor, unit="ms")


def _times_base(found: CellTable, base: str | None, name: str, step: str) -> TableCell:
    """``5.2 [4.9–5.5]``; the bare multiple, as in the study, where nothing bounds it."""
    own = found.metric(name, step, TIMED)
    beside = found.metric(base, step, TIMED) if base else None
    if own is None or beside is None:
        return Absent(DASH)
    return Figure("1") if name == base else multiple(own, beside)


def multiple(own: Metric, base: Metric) -> TableCell:
    """A ratio with its interval where there is one; a dash without two figures."""
    apart = ratio(own, base)
    if apart is not None:
        number, _space, interval = ratio_words(apart).partition(" ")
        return Figure(number, interval)
    if not own.value or not base.value:
        return Absent(DASH)
    return Figure(numbers.brief(own.value / base.value))


# ----------------------------------------------------------------- the author's later table


def _later(context: Context, found: CellTable) -> list[Block]:
    """Published figures of December 2023, above what stands nearest to them here."""
    _ = context.words.gettext
    published = context.published
    if published is None or not published.figures:
        return []
    theirs = [
        Row(
            Head(contender.title.of(context.language)),
            tuple(
                published_cell(context, key, FigureColumn(f"million.{step}"))
                for step in _STUDY_ORDER
            ),
            published=True,
        )
        for key, contender in published.contenders.items()
        if key in published.figures
    ]
    groups = [RowGroup(tuple(theirs), Head(_("published, December 2023, C#")))]
    if microbenchmark.loops_of(found).rounds == MILLION and (own := _near(context, found)):
        groups.append(RowGroup(tuple(own), Head(_("measured here, same test"))))
    titles = [_title(found, step) for step in _STUDY_ORDER]
    table = Table(
        _(
            "The author's later table, beside the same formats here: ms per {iterations} iterations"
        ).format(iterations=f"{MILLION:,}"),
        (_("from"), _("contender")),
        tuple(Column(title) for title in titles),
        tuple(groups),
        notes_for(context, groups),
    )
    said = _(
        "The study shows its results as pictures; their figures are not in its text. These are "
        "from a later table in the author's public repository: C# on a machine that is not named, "
        "one figure each, and data like that of the tests above, but not the same."
    )
    return [paragraph(said), table]


def _title(found: CellTable, step: str) -> str:
    return found.step_title(step) if step in found.steps else step


def _near(context: Context, found: CellTable) -> list[Row]:
    names = [
        name
        for name in found.contenders
        if format_of(name) in ("cgd", "protobuf", "msgpack") and name not in context.references
    ]
    return [
        Row(
            Head(labelled(context, name)),
            tuple(found.shown(name, step, _scaled(1.0)) for step in _STUDY_ORDER),
        )
        for name in names
    ]
