"""Statements that hold across languages, each with the figures that decide it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wirelab.report.api import (
    Block,
    CellTable,
    Context,
    RatioBand,
    Standing,
    StatementAnswer,
    claims,
    numbers,
    open_because,
    own_statements,
)

from .distances import Apart, apart, slower, within, words_of
from .formats import CGD, JSON, PROTOBUF, fastest, format_title, labelled, writers
from .phases import conversion_share, converts
from .sizes import PACKED, PLAIN

_NUMBERS, _STRINGS = ("T1", "T3", "telemetry"), ("T2", "T4")
_LITTLE = 2.0
_MUCH = 25.0
"""Per cent of the phases."""


def general(context: Context, found: CellTable) -> list[Block]:
    """The statements, with all figures folded below them."""
    _ = context.words.gettext
    asked: list[tuple[str, Callable[[], StatementAnswer]]] = [
        (
            _("Numbers: a binary format with a schema is faster than any JSON of the language"),
            lambda: _json_over_binary(context, found),
        ),
        (
            _("Strings: the fastest JSON is within twice the fastest binary format with a schema"),
            lambda: _strings(context, found),
        ),
        (
            _("Keeping Protocol Buffers messages makes them faster than fresh ones"),
            lambda: _reuse(context, found),
        ),
        (
            _("Converting to messages of the library takes more than a quarter of the phases"),
            lambda: _conversions(context, found),
        ),
        (
            _("JSON takes more bytes than Protocol Buffers"),
            lambda: _bytes(context, found, PLAIN),
        ),
        (
            _("JSON still takes more bytes after zstd"),
            lambda: _bytes(context, found, PACKED),
        ),
    ]
    return own_statements(context, _("What the figures say in general"), asked)


def _json_and_binary(found: CellTable, language: str, steps: Sequence[str]) -> list[Apart]:
    """The fastest fresh JSON of a language over its fastest fresh CGD or protobuf."""
    binary = [*writers(found, CGD, language, "fresh"), *writers(found, PROTOBUF, language, "fresh")]
    told = []
    for step in steps:
        left = fastest(found, writers(found, JSON, language, "fresh"), step)
        right = fastest(found, binary, step)
        if left and right and (distance := apart(found, left, right, step)):
            told.append(distance)
    return told


def _by_language(
    context: Context,
    found: CellTable,
    steps: Sequence[str],
    judge: Callable[[Sequence[Apart]], Standing],
) -> StatementAnswer:
    """A line a language in which all the data sets can be compared."""
    _ = context.words.gettext
    lines, stands = [], []
    known = [step for step in steps if step in found.steps]
    for language in found.languages:
        distances = _json_and_binary(found, language, known)
        if distances and len(distances) == len(known):
            stands.append(judge(distances))
            ratios = ", ".join(_named(context, d) for d in distances)
            lines.append(f"{language}: {ratios} ({_(stands[-1].word)})")
    if not lines:
        return open_because(_("no language of this run has both with valid figures"))
    return claims.all_of(list(map(StatementAnswer, stands, lines)))


def _named(context: Context, distance: Apart) -> str:
    """``T1 5.2 [4.9–5.5] (RapidJSON / CGD)``."""
    left, right = (context.title(name) for name in (distance.left, distance.right))
    return f"{words_of(distance)} ({left} / {right})"


def _json_over_binary(context: Context, found: CellTable) -> StatementAnswer:
    return _by_language(context, found, _NUMBERS, slower)


def _strings(context: Context, found: CellTable) -> StatementAnswer:
    return _by_language(context, found, _STRINGS, _within)


def _within(distances: Sequence[Apart]) -> Standing:
    return within(distances, RatioBand(0.0, _LITTLE))


def _reuse(context: Context, found: CellTable) -> StatementAnswer:
    """Not a ranking: one library in two ways of working, side by side."""
    _ = context.words.gettext
    lines, stands = [], []
    for language in found.languages:
        for kept in writers(found, PROTOBUF, language, "reuse"):
            for fresh in writers(found, PROTOBUF, language, "fresh"):
                distances = [d for s in found.steps if (d := apart(found, fresh, kept, s))]
                if distances:
                    stands.append(slower(distances))
                    ratios = ", ".join(map(words_of, distances))
                    lines.append(f"{language}: {ratios} ({_(stands[-1].word)})")
    if not lines:
        return open_because(_("no language of this run has Protocol Buffers in both modes"))
    said = _("Fresh over kept messages:")
    told = claims.all_of(list(map(StatementAnswer, stands, lines)))
    return StatementAnswer(told.stand, f"{said}\n{told.grounds}", f"{said} {told.brief()}")


def _conversions(context: Context, found: CellTable) -> StatementAnswer:
    """The median over the data of each library that converts."""
    _ = context.words.gettext
    lines, above, below = [], 0, 0
    for name in (n for group in found.peers for n in group.contenders if converts(found, n)):
        shares = sorted(
            value
            for step in found.steps
            if (value := conversion_share(found, name, step)) is not None
        )
        if not shares:
            continue
        above += shares[0] > _MUCH
        below += shares[-1] < _MUCH
        lines.append(
            _("{name}: {low} to {high} %").format(
                name=labelled(context, name),
                low=numbers.brief(shares[0]),
                high=numbers.brief(shares[-1]),
            )
        )
    if not lines:
        return open_because(_("no library with messages of its own has figures of all phases"))
    stand = Standing.OPEN
    if above == len(lines):
        stand = Standing.SUPPORTED
    elif below:
        stand = Standing.CONTRADICTED
    return StatementAnswer(stand, "\n".join(lines))


def _bytes(context: Context, found: CellTable, metric: str) -> StatementAnswer:
    """The smallest of each format; sizes are exact."""
    _ = context.words.gettext
    said, larger = [], []
    for step in found.steps:
        least = {}
        for form in (JSON, PROTOBUF):
            name = fastest(found, writers(found, form), step, metric)
            least[form] = found.value(name, step, metric) if name else None
        json, other = least[JSON], least[PROTOBUF]
        if json is not None and other is not None:
            larger.append(json > other)
            said.append(f"{step} {json:,.0f} / {other:,.0f}")
    if not said:
        return open_because(_("no sizes of both formats in this run"))
    stand = Standing.SUPPORTED if all(larger) else Standing.CONTRADICTED
    titles = " / ".join(format_title(context, form) for form in (JSON, PROTOBUF))
    return StatementAnswer(stand, f"{titles}, B: {', '.join(said)}")
