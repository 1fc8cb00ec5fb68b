"""Conduct of servers with pings and with text that is none, of which nobody is accused."""

from __future__ import annotations

from wirelab.report.api import (
    N_,
    Bullets,
    CellTable,
    Context,
    FigureColumn,
    Section,
    plain,
    stepped,
    steps,
)

_COLUMNS = (
    FigureColumn("connect.ping.quoted.count", N_("ping: answered with what it said")),
    FigureColumn("connect.ping.misquoted.count", N_("ping: answered otherwise")),
    FigureColumn("connect.invalid.named.count", N_("not UTF-8: closed with 1007")),
    FigureColumn("connect.invalid.ended.count", N_("not UTF-8: ended otherwise")),
    FigureColumn("connect.invalid.kept.count", N_("not UTF-8: kept open")),
    FigureColumn("connect.invalid.spread.count", N_("not UTF-8: passed on")),
)
_ABOUT = (
    N_(
        "When nothing is due any more, one user of some boards sends a ping, and another one a "
        "text message that is not UTF-8. A pong has to say what its ping said (RFC 6455, 5.5.3), "
        "and a server has to end the connection of such a text by the code 1007 (8.1 and 7.4.1). "
        "Several libraries leave the latter to their caller."
    ),
    N_(
        "The table counts what servers did, trial by trial. Nobody is ranked or accused by it: it "
        "says what a caller of the library has to look after."
    ),
)


def sections(context: Context) -> list[Section]:
    """The section; none where nobody has tried it."""
    _ = context.words.gettext
    for scenario in context.result.scenarios:
        parts = stepped(context, scenario)
        if parts and _is_told(parts.top):
            caption = parts.top.title
            blocks = (
                Bullets(tuple(plain(_(said)) for said in _ABOUT)),
                steps.side_by_side(parts.top, caption, _COLUMNS),
            )
            return [Section(_("Pings, and text that is none"), "conduct", blocks)]
    return []


def _is_told(table: CellTable) -> bool:
    return any(column.metric in cell.metrics for cell in table.cells for column in _COLUMNS)
