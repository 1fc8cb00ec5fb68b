"""Facts about servers of the user's own that a run was measured against."""

from __future__ import annotations

from wirelab.model.own import OwnServerFindings
from wirelab.report.context import Context
from wirelab.report.document import Block, Bullets, Callout, Paragraph, Text, plain, text


def told(context: Context) -> tuple[Block, ...]:
    """Name the servers, what was written there, and the proof that they were measured."""
    _ = context.words.gettext
    own = context.result.disclosure.own
    servers = [
        _told(context, program, address, own.found[program])
        for program, address in own.targets.items()
        if program in own.found
    ]
    if not servers:
        return ()
    around = _(
        "Network and load of others are in every figure. Contenders that talk to another server, "
        "and scenarios that need wirelab's own, have no part in this run."
    )
    blocks = (Bullets(tuple(servers)), Paragraph(plain(around)))
    return (Callout("neutral", _("Measured against a server of your own"), blocks),)


def _told(context: Context, program: str, address: str, found: OwnServerFindings) -> Text:
    _ = context.words.gettext
    said = text(
        _("**{product} {version}** at `{address}`, in the place of this suite's `{program}`."),
        product=found.product,
        version=found.version,
        address=address,
        program=program,
    )
    if found.written or found.removed:
        said += text(
            _(" Wirelab wrote {written} records there before the run and removed {removed} after."),
            written=f"{found.written:,}",
            removed=f"{found.removed:,}",
        )
    if found.counter:
        return said + text(
            _(
                " In every included trial, its own counter (`{counter}`) rose at least by the "
                "number of operations that succeeded."
            ),
            counter=found.counter,
        )
    return said + text(
        _(
            " It has no counter of requests that clients can read. Instead, in every included "
            "trial its clients were seen connected to it."
        )
    )
