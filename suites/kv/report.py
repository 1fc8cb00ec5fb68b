"""The report of the suite ``kv``: the study's tables, and why they are as they are."""

from __future__ import annotations

from dataclasses import replace

from wirelab.report.api import N_, Context, Document, generic

from .chapters import (
    alone,
    choice,
    connections,
    databases,
    glance,
    layers,
    limited,
    limits,
    policy,
    server,
    single,
    spans,
    statements,
    together,
    web,
)

_WORDS = (
    N_("multi-get"),
    N_("client"),
    N_("server"),
    N_("app"),
    N_("replica"),
    N_("gateway"),
    N_("generator"),
    N_("read"),
    N_("request"),
    N_("keys"),
    N_("hop_out"),
    N_("call"),
    N_("hop_back"),
    N_("convert"),
    N_("wait"),
    N_("features"),
    N_("inference"),
    N_("render"),
    N_("server-time"),
    N_("http"),
    N_("queue"),
    N_("reading"),
    N_("official-time"),
    N_("native-time"),
    N_("ycsb"),
    N_("update"),
    N_("insert"),
    N_("scan"),
    N_("modify"),
    N_("operation"),
)
"""Names of the manifest that the suite's catalogue translates where a report prints them."""


def compose(context: Context) -> Document:
    """The study's tables first, then everything that is told of any suite."""
    own = [
        server.server(context),
        *alone.sections(context),
        *policy.sections(context),
        *web.sections(context),
        *limited.sections(context),
        *together.sections(context),
        *limits.sections(context),
        *connections.sections(context),
        *single.sections(context),
        *spans.sections(context),
        *layers.sections(context),
        statements.statements(context),
        *choice.sections(context),
        *databases.sections(context),
    ]
    document = generic.compose(context, own)
    first_screen = glance.glance(context)
    return replace(document, overview=first_screen) if first_screen else document
