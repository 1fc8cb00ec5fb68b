"""Products that the study names and nobody can have, with the reason of each."""

from __future__ import annotations

from wirelab.report.api import (
    Column,
    Context,
    Head,
    Row,
    RowGroup,
    Section,
    Table,
    cell,
    paragraph,
)


def unavailable(context: Context) -> list[Section]:
    """The section on products that cannot be had; none where no such product was asked for."""
    _ = context.words.gettext
    manifests = {name: context.participant(name).manifest for name in context.contenders}
    rows = tuple(
        Row(
            Head(context.name(name)),
            (
                cell(manifest.notes.of(context.language).strip()),
                cell(manifest.unavailable.of(context.language).strip()),
            ),
        )
        for name, manifest in manifests.items()
        if manifest.unavailable.en
    )
    if not rows:
        return []
    said = _(
        "Products that the study measured or names as those to measure next, none of which can be "
        "run here. Sentences about them stay open, and say so; other providers of JMS stand in "
        "their place."
    )
    columns = (
        Column(_("in the study"), align="left"),
        Column(_("why not here"), align="left"),
    )
    table = Table(_("Not to be had"), (_("product"),), columns, (RowGroup(rows),))
    return [Section(_("What is not to be had"), "not-to-be-had", (paragraph(said), table))]
