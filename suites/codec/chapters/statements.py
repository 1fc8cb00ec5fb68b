"""The study's conclusions against this run, and the questions it left for next time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wirelab.report.api import (
    DASH,
    MORE,
    Absent,
    CellTable,
    Column,
    Context,
    Head,
    RatioBand,
    Row,
    RowGroup,
    Rule,
    Section,
    Standing,
    StatementAnswer,
    Table,
    TableCell,
    WordsCell,
    claims,
    judge,
    numbers,
    open_because,
    paragraph,
    plain,
    study_statements,
    whole,
)

from .distances import Apart, apart, compared, pairs_by_language, slower, within, words_of
from .formats import CGD, JSON, PROTOBUF, TIMED, labelled, writers, yardstick

STUDY_SHAPES = ("T1", "T2", "T3", "T4", "T5")
_STRINGS, _NUMBERS = ("T2", "T4"), ("T1", "T3")
_LITTLE = 1.5
"""The study calls a difference "not large" without a figure; here: below half as much again."""

_ORIGINAL = "csharp-cgd-original"
"""The codec that the study measured in C#."""

_SMALL_SPREAD = 10.0
"""Per cent between the fastest and the slowest process, which the study calls "not large"."""


def statements(context: Context, steady: CellTable, million: CellTable) -> Section:
    """The study's statements with how they stand, then its open question."""
    _ = context.words.gettext
    caption = _("What the study concludes, against this run")
    blocks = study_statements(context, caption, rules(context, steady, million))
    parts = (*blocks, _left_open(context, steady))
    return Section(_("The study's statements"), "statements", parts)


def rules(context: Context, steady: CellTable, million: CellTable) -> Mapping[str, Rule]:
    """The rules by the keys of the statements."""
    known = [step for step in STUDY_SHAPES if step in steady.steps]
    return {
        "cpp-far-ahead": lambda: _cpp_ahead(context, steady, known),
        "json-behind": lambda: compared(
            context, steady, JSON, CGD, [s for s in _NUMBERS if s in steady.steps]
        ),
        "json-strings": lambda: _strings_level(context, steady),
        "cgd-ahead": lambda: compared(context, steady, PROTOBUF, CGD, known),
        "cgd-little": lambda: _little(context, steady, known),
        "json-libraries": lambda: _libraries(context, steady, known),
        "little-spread": lambda: _spread(context, million),
    }


# ------------------------------------------------------------------------------------- rules


def _cpp_ahead(context: Context, found: CellTable, steps: Sequence[str]) -> StatementAnswer:
    """The original in C# decides, which does not check what it reads and so has a mode of its own;
    the same codec in other hands is told beside it."""
    _ = context.words.gettext
    base = yardstick(found)
    if base is None:
        return open_because(_("C++ CGD was not measured in this run"))
    lines, stand, measured = [], Standing.OPEN, False
    alike = writers(found, CGD, mode=context.mode_of(base))
    for name in (name for name in writers(found, CGD) if name in alike or name == _ORIGINAL):
        distances = [d for step in steps if (d := apart(found, name, base, step))]
        if name == base or not distances:
            continue
        lines.append(f"{labelled(context, name)}: {', '.join(map(words_of, distances))}")
        if name == _ORIGINAL:
            stand, measured = slower(distances), True
    if not measured:
        lines.insert(0, _("The original in C# was not measured. The same codec over C++ CGD:"))
    return StatementAnswer(stand, "\n".join(lines))


def _strings_level(context: Context, found: CellTable) -> StatementAnswer:
    """JSON over CGD: less on strings than on numbers, in every language with both."""
    _ = context.words.gettext
    lines, stands = [], []
    for _language, one, other in pairs_by_language(found, JSON, CGD):
        strings = [d for step in _STRINGS if (d := apart(found, one, other, step))]
        numbers = [d for step in _NUMBERS if (d := apart(found, one, other, step))]
        if len(strings) < len(_STRINGS) or len(numbers) < len(_NUMBERS):
            continue
        stands.append(_less(strings, numbers))
        lines.append(
            _("{left} over {right}: strings {strings}; numbers {numbers}").format(
                left=context.name(one),
                right=context.name(other),
                strings=", ".join(map(words_of, strings)),
                numbers=", ".join(map(words_of, numbers)),
            )
        )
    if not lines:
        return open_because(_("no language of this run has both JSON and CGD on T1 to T4"))
    return claims.all_of(list(map(StatementAnswer, stands, lines)))


def _less(left: Sequence[Apart], right: Sequence[Apart]) -> Standing:
    """Whether every ratio on the left lies below every one on the right."""
    bounds = [(one.bounded, other.bounded) for one in left for other in right]
    if any(one is None or other is None for one, other in bounds):
        return Standing.OPEN
    known = [(a, b) for a, b in bounds if a is not None and b is not None]
    if any(a.low > b.high for a, b in known):
        return Standing.CONTRADICTED
    return Standing.SUPPORTED if all(a.high < b.low for a, b in known) else Standing.OPEN


def _little(context: Context, found: CellTable, steps: Sequence[str]) -> StatementAnswer:
    """Protocol Buffers over CGD below one and a half, wherever both exist."""
    _ = context.words.gettext
    answer = compared(context, found, PROTOBUF, CGD, steps)
    by_language = [
        [distance for step in steps if (distance := apart(found, one, other, step))]
        for _language, one, other in pairs_by_language(found, PROTOBUF, CGD)
    ]
    told = [distances for distances in by_language if distances]
    if not told:
        return StatementAnswer(Standing.OPEN, answer.grounds)
    said = _("“Not large” is taken as less than {n} times.").format(n=f"{_LITTLE:g}")
    band = RatioBand(1 / _LITTLE, _LITTLE)
    stand = within([distance for distances in told for distance in distances], band)
    stands = [within(distances, band) for distances in told]
    decisive = answer.grounds.splitlines()[stands.index(stand) if stand in stands else 0]
    return StatementAnswer(stand, f"{said}\n{answer.grounds}", f"{said} {decisive}")


def _libraries(context: Context, found: CellTable, steps: Sequence[str]) -> StatementAnswer:
    """The slowest JSON library of a language over its fastest, data by data."""
    _ = context.words.gettext
    lines, stands = [], []
    for language in found.languages:
        names = writers(found, JSON, language, "fresh")
        if len(names) < 2:
            continue
        distances = [d for step in steps if (d := _extremes(found, names, step))]
        if not distances:
            continue
        lines.append(f"{language}: {', '.join(map(words_of, distances))}")
        stands += [judge(distance.bounded, MORE) for distance in distances]
    if not lines:
        return open_because(_("no language of this run has two JSON libraries of one mode"))
    said = _("Slowest over fastest JSON library of a language:")
    # It "may" differ: one library that does is enough.
    stand = Standing.SUPPORTED if Standing.SUPPORTED in stands else whole(stands)
    return StatementAnswer(stand, "\n".join((said, *lines)))


def _extremes(found: CellTable, names: Sequence[str], step: str) -> Apart | None:
    values = {name: found.value(name, step, TIMED) for name in names}
    known = {name: value for name, value in values.items() if value is not None}
    if len(known) < 2:
        return None
    slowest, first = max(known, key=known.__getitem__), min(known, key=known.__getitem__)
    return apart(found, slowest, first, step)


def _spread(context: Context, found: CellTable) -> StatementAnswer:
    """Slowest process over fastest, of a million iterations: what the study repeated by hand."""
    _ = context.words.gettext
    spreads: list[tuple[float, str, str]] = []
    for cell in found.cells:
        metric = cell.metrics.get(TIMED)
        known = [value for value in (metric.per_trial if metric else []) if value]
        if len(known) > 1:
            spreads.append((100 * (max(known) / min(known) - 1), cell.contender, cell.step))
    if not spreads:
        return open_because(
            _("one process each in this profile: nothing was repeated (publish repeats five times)")
        )
    worst = max(spreads)
    small = sum(spread < _SMALL_SPREAD for spread, _name, _step in spreads)
    said = _(
        "Slowest over fastest process: {small} of {n} cells below {bound} %; most {worst} % "
        "({name}, {step})"
    ).format(
        small=small,
        n=len(spreads),
        bound=f"{_SMALL_SPREAD:g}",
        worst=numbers.brief(worst[0]),
        name=context.name(worst[1]),
        step=worst[2],
    )
    return StatementAnswer(
        Standing.SUPPORTED if small == len(spreads) else Standing.CONTRADICTED, said
    )


# -------------------------------------------------------------------------- the open question


def _left_open(context: Context, found: CellTable) -> Section:
    """The question "How fast are C++ JSON and protobuf?": every C++ library over C++ CGD."""
    _ = context.words.gettext
    title = _("The question it left open: JSON and Protocol Buffers in C++")
    base = yardstick(found)
    steps = [step for step in STUDY_SHAPES if step in found.steps]
    names = [
        name
        for form in (PROTOBUF, JSON)
        for name in writers(found, form, "C++")
        if any(found.metric(name, step, TIMED) for step in steps)
    ]
    if base is None or not names:
        said = _("No C++ CGD, or no JSON and Protocol Buffers in C++, in this run: still open.")
        return Section(title, "cpp-others", (paragraph(said),))
    rows = tuple(
        Row(
            Head(labelled(context, name)),
            tuple(_times(found, name, base, step) for step in steps),
        )
        for name in names
    )
    caption = _("Round trip, with the multiple of C++ CGD below")
    columns = tuple(Column(step, "ns", align="left") for step in steps)
    table = Table(caption, (_("contender"),), columns, (RowGroup(rows),))
    said = _(
        "“You may wonder how fast JSON and protobuf are in C++, but I did not get that far”, says "
        "the study. Here they are, steady. Modes other than that of C++ CGD are named: their "
        "multiple is told, and ranked nowhere."
    )
    return Section(title, "cpp-others", (paragraph(said), table))


def _times(found: CellTable, name: str, base: str, step: str) -> TableCell:
    metric, distance = found.metric(name, step, TIMED), apart(found, name, base, step)
    if metric is None:
        return Absent(DASH)
    lines = [plain(claims.shown(metric).removesuffix("\u00a0ns"))]
    if distance is not None:
        times = words_of(distance).partition(" ")[2]
        lines.append(plain(found.context.words.gettext("{n} times").format(n=times)))
    return WordsCell(tuple(lines))
