"""The server of the clients: a bench server, or the user's own."""

from __future__ import annotations

from wirelab.report.api import Block, Bullets, Context, Section, paragraph, plain


def server(context: Context) -> Section:
    """Said before any figure: what these figures are not."""
    _ = context.words.gettext
    if context.result.disclosure.own.targets:
        said = _(
            "The clients talk to a server of your own, with the same records as the suite's: "
            "what it is, and what was done there, stands with the conditions."
        )
    else:
        said = _(
            "Aerospike's clients talk to a bench server that speaks its protocol: their figures "
            "are a client's cost against a bench server, not the speed of a database. Redis, "
            "memcached and PostgreSQL are real, on the same machine, with the same records."
        )
    points = [
        _(
            "A multi-get is over when its caller has a plain list of rows, decoded; every answer "
            "is checked against the same multi-get before, a share of them value by value."
        ),
        _(
            "Contenders of unlike databases stand in one table because they do the same work for "
            "the application; what differs between databases is their protocol and server as well."
        ),
        _(
            "Nodes, their delay and the order in which a client asks them are parameters of their "
            "own scenarios, because they decide the ratio that the study found."
        ),
    ]
    blocks: list[Block] = [
        paragraph(said),
        Bullets(tuple(plain(point) for point in points)),
    ]
    return Section(_("What is measured here"), "server", tuple(blocks))
