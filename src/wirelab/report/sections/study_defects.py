"""Defects of the document whose figures stand beside ours."""

from __future__ import annotations

from wirelab.report.context import Context
from wirelab.report.document import (
    Block,
    Bullets,
    Column,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    Text,
    WordsCell,
    cell,
    plain,
    text,
)
from wirelab.report.published import Defect, Published
from wirelab.words.translation import N_

_KINDS = {
    "impossible": N_("impossible value"),
    "arithmetic": N_("arithmetic"),
    "contradiction": N_("contradiction"),
    "unsupported": N_("unsupported"),
    "unlike": N_("unlike things"),
    "unstated": N_("not stated"),
    "mistaken": N_("mistaken"),
}


def study_defects(context: Context) -> Section | None:
    """The known defects of the study; None without a study or without defects."""
    _ = context.words.gettext
    published = context.published
    if published is None or not published.defects:
        return None
    rows = tuple(_row(context, published.mark_of(defect), defect) for defect in published.defects)
    table = Table(
        _("Known defects of the published figures"),
        (_("mark"),),
        (Column(_("kind"), align="left"), Column(_("what, and why"), align="left")),
        (RowGroup(rows),),
    )
    intro = Paragraph(
        text(
            _(
                "Each is shown by the study's own words and figures ({title}), or by what "
                "the tools it names document. In the tables the mark stands at the figures it "
                "concerns."
            ),
            title=published.title.of(context.language),
        )
    )
    title = _("Published figures: what does not add up")
    return Section(title, "defects", (intro, table, *_left_out(context, published)))


def _left_out(context: Context, published: Published) -> list[Block]:
    """Figures of the study that stand in no table."""
    if not published.left_out:
        return []
    said = context.words.gettext("Published figures that have no figure of this run beside them:")
    whys = tuple(plain(one.why.of(context.language)) for one in published.left_out)
    return [Paragraph(plain(said)), Bullets(whys)]


def _row(context: Context, mark: str, defect: Defect) -> Row:
    explained: tuple[Text, ...] = (
        text("**{title}**", title=defect.title.of(context.language)),
        plain(defect.text.of(context.language)),
    )
    kind = context.words.gettext(_KINDS[defect.kind])
    return Row(Head(mark, anchor=f"defect-{mark.lower()}"), (cell(kind), WordsCell(explained)))
