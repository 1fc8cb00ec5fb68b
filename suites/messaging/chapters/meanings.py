"""Meanings of "echo": who answers, over how many hops, with which guarantee."""

from __future__ import annotations

from wirelab.report.api import (
    DASH,
    N_,
    Absent,
    Column,
    Context,
    Head,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    cell,
    paragraph,
)

from .cells import by_mode

_TOLD = (N_("mode"), N_("delivery"), N_("acknowledge"), N_("hops"))
"""The mode, then what `[tuning]` prints."""


def meanings(context: Context) -> Section:
    """Contenders by mode, with what their tuning prints."""
    _ = context.words.gettext
    said = _(
        "What an echo is differs more between these contenders than their speed: a server of "
        "ours may answer it, a broker may bring it back, a second client of the broker may reply, "
        "a disk may have to be waited for. So it is printed, and unlike modes are never ranked "
        "together."
    )
    # What nobody can have was not looked at.
    names = [n for n in context.contenders if not context.participant(n).manifest.unavailable.en]
    columns = tuple(Column(_(title), align="left") for title in _TOLD)
    groups = [
        RowGroup(
            tuple(Row(_head(context, name), _cells(context, name)) for name in of_mode),
            Head(f"{mode}: {context.mode_meaning(context.mode_of(of_mode[0]))}"),
        )
        for mode, of_mode in by_mode(context, names).items()
    ]
    table = Table(_("What echo means"), ("", _("contender")), columns, tuple(groups))
    return Section(_("What echo means"), "meanings", (paragraph(said), table))


def _head(context: Context, name: str) -> Head:
    return Head(context.name(name), None, context.colour(name))


def _cells(context: Context, name: str) -> tuple[Plain, ...]:
    manifest = context.participant(name).manifest
    hops = {"direct": "2"}.get(manifest.mode, "")
    told = {"hops": hops, **{key: str(value) for key, value in manifest.tuning.items()}}
    words = [context.mode_title(manifest.mode), *(told.get(key, "") for key in _TOLD[1:])]
    return tuple(cell(word) if word else Absent(DASH) for word in words)
