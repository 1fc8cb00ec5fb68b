"""The round trip divided at the wire: the generator's time and the server's."""

from __future__ import annotations

from wirelab.report.api import N_, CellTable, Context, Section, paragraph, sections

_ABOUT = N_(
    "The same load for every server: one user draws 20 messages a second, 49 look on. The kernel's "
    "stamps say how much of a round trip was the generator's time, and how much the server's."
)


def divided(context: Context) -> list[Section]:
    """The section; empty where nobody looked at the wire."""
    table = CellTable.of(context, "divided")
    parts = sections.wire.wire(context, table) if table else []
    if not parts:
        return []
    title = table.scenario.title.of(context.language)
    about = paragraph(context.words.gettext(_ABOUT))
    return [Section(title, "divided", (about, *parts))]
