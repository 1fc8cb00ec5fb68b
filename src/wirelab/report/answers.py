"""Tables of statements, each beside its answer and the figure that decides it.

A cell has one line, which a reader takes in; all lines of all answers are folded below the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wirelab.report.claims import Answered, Rule, StatementAnswer
from wirelab.report.context import Context
from wirelab.report.document import (
    Badge,
    Block,
    Bullets,
    Column,
    Details,
    Head,
    Row,
    RowGroup,
    Table,
    WordsCell,
    paragraph,
    plain,
)
from wirelab.report.tabulate import notes_for


def of_study(context: Context, caption: str, answered: Answered, chapter: str = "") -> list[Block]:
    """The study's statements of a chapter, and the answers; nothing without any in the study.

    A defect of the study that names ``claim.KEY`` leaves its mark at the statement.
    """
    published = context.published
    claims = [c for c in published.claims if c.chapter == chapter] if published else []
    if not claims or published is None:
        return []
    told = [
        _Told(
            f"{claim.section} {claim.text.of(context.language)}",
            answered(claim),
            published.marks_of_claim(claim.key),
        )
        for claim in claims
    ]
    return _told(context, caption, context.words.gettext("statement of the study"), told)


def own_statements(
    context: Context, caption: str, rules: Sequence[tuple[str, Rule]]
) -> list[Block]:
    """Statements of the report itself, each with the figures that decide it."""
    told = [_Told(said, rule()) for said, rule in rules]
    return _told(context, caption, context.words.gettext("statement"), told)


class _Told(NamedTuple):
    """A statement with its answer, and the marks of the study's defects."""

    said: str
    answer: StatementAnswer
    marks: tuple[str, ...] = ()


def _told(context: Context, caption: str, stub: str, told: Sequence[_Told]) -> list[Block]:
    """A table with the decisive figure of each statement, and below it, folded, all others."""
    _ = context.words.gettext
    columns = (Column(_("this run"), align="left"), Column(_("figures of this run"), align="left"))
    groups = (RowGroup(tuple(_row(context, *one) for one in told)),)
    blocks: list[Block] = [Table(caption, (stub,), columns, groups, notes_for(context, groups))]
    longer = [one for one in told if len(one.answer.grounds.splitlines()) > 1]
    if longer:
        rest = (block for one in longer for block in _all_grounds(one))
        blocks.append(Details(_("Every figure behind these statements"), tuple(rest)))
    return blocks


def _row(context: Context, said: str, answer: StatementAnswer, marks: tuple[str, ...]) -> Row:
    badge = Badge(context.words.gettext(answer.stand.word), answer.stand.tone)
    brief = answer.brief()
    more = sum(line not in brief for line in answer.grounds.splitlines())
    if more:
        brief = context.words.gettext("{figures} (+{n} below)").format(figures=brief, n=more)
    return Row(Head(said), (WordsCell((), badge), WordsCell((plain(brief),), marks=marks)))


def _all_grounds(told: _Told) -> Iterator[Block]:
    yield paragraph(told.said)
    yield Bullets(tuple(map(plain, told.answer.grounds.splitlines())))
