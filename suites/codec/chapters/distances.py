"""Statements over several data sets: each of them asked apart, the intervals decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wirelab.report.api import (
    MORE,
    CellTable,
    Context,
    Ratio,
    RatioBand,
    Standing,
    StatementAnswer,
    claims,
    judge,
    numbers,
    open_because,
    ratio,
    ratio_words,
    whole,
)

from .formats import TIMED, format_title, writers


@dataclass(frozen=True)
class Apart:
    """Distance of two contenders in one data set. ``bounded`` is None where no interval tells."""

    left: str
    right: str
    step: str
    value: float
    bounded: Ratio | None


def apart(found: CellTable, left: str, right: str, step: str, metric: str = TIMED) -> Apart | None:
    """The figure of ``left`` over that of ``right``; None where one has no valid figure."""
    of_left, of_right = (found.metric(name, step, metric) for name in (left, right))
    if of_left is None or of_right is None or not of_left.value or not of_right.value:
        return None
    value = of_left.value / of_right.value
    return Apart(left, right, step, value, ratio(of_left, of_right))


def words_of(distance: Apart) -> str:
    """``T1 5.2 [4.9–5.5]``."""
    if distance.bounded is None:
        return f"{distance.step} {numbers.brief(distance.value)}"
    return f"{distance.step} {ratio_words(distance.bounded)}"


def slower(distances: Sequence[Apart]) -> Standing:
    """Whether every left one is slower than its right one: the worst of them decides."""
    return within(distances, MORE)


def within(distances: Sequence[Apart], band: RatioBand) -> Standing:
    """Whether every ratio lies in the band that a statement allows."""
    return whole(judge(distance.bounded, band) for distance in distances)


def pairs_by_language(
    found: CellTable, left: str, right: str, mode: str = "fresh"
) -> list[tuple[str, str, str]]:
    """Language, and the writers of two formats there in one mode. Of several libraries of a format
    each is paired with each of the other."""
    return [
        (language, one, other)
        for language in found.languages
        for one in writers(found, left, language, mode)
        for other in writers(found, right, language, mode)
    ]


def compared(
    context: Context, found: CellTable, left: str, right: str, steps: Sequence[str]
) -> StatementAnswer:
    """Whether ``left`` takes longer than ``right`` in every language that has both formats."""
    _ = context.words.gettext
    stands, lines = [], []
    for _language, one, other in pairs_by_language(found, left, right):
        distances = [d for step in steps if (d := apart(found, one, other, step))]
        if not distances:
            continue
        complete = len(distances) == len([step for step in steps if step in found.steps])
        stands.append(slower(distances) if complete else Standing.OPEN)
        lines.append(
            _("{left} over {right}: {ratios} ({stand})").format(
                left=context.name(one),
                right=context.name(other),
                ratios=", ".join(map(words_of, distances)),
                stand=_(stands[-1].word),
            )
        )
    if not lines:
        return open_because(
            _("no language of this run has both {left} and {right}").format(
                left=format_title(context, left), right=format_title(context, right)
            )
        )
    return claims.all_of(list(map(StatementAnswer, stands, lines)))
