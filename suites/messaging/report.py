"""The report of the suite ``messaging``: the study's tables, and what they did not have."""

from __future__ import annotations

from dataclasses import replace

from wirelab.report.api import N_, Context, Document, generic

from .chapters import (
    applications,
    capacities,
    choice,
    connecting,
    glance,
    guarantees,
    meanings,
    queues,
    resources,
    sizes,
    sockets,
    statements,
    streams,
    tables,
    unavailable,
)

_WORDS = (
    N_("message"),
    N_("client"),
    N_("connection"),
    N_("server"),
    N_("responder"),
    N_("echo"),
    N_("send"),
    N_("delivery"),
    N_("complete"),
    N_("connect"),
)
"""Names of the manifest that the suite's catalogue translates where a report prints them."""


def compose(context: Context) -> Document:
    """The study's tables first, then everything that is told of any suite."""
    own = [
        meanings.meanings(context),
        *tables.sections(context),
        *sizes.sizes(context),
        *applications.applications(context),
        *sockets.against_sockets(context),
        *guarantees.guarantees(context),
        *connecting.connecting(context),
        *capacities.capacities(context),
        *streams.streams(context),
        *queues.queues(context),
        *resources.resources(context),
        *choice.choice(context),
        statements.statements(context),
        *unavailable.unavailable(context),
    ]
    document = generic.compose(context, own)
    first_screen = glance.glance(context)
    return replace(document, overview=first_screen) if first_screen else document
