"""Cost of security: the same load under every policy, the opening of sessions apart from it, and
the certificates that either side refused.
"""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.report.api import (
    DASH,
    N_,
    Absent,
    Badge,
    Block,
    CellTable,
    Choice,
    Column,
    Context,
    FigureColumn,
    Head,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    TableCell,
    WordsCell,
    advice,
    multiple,
    paragraph,
    plain,
    steps,
)

_SCENARIO = "security"
_PLAIN = "none"
_POLICIES = {
    _PLAIN: "None",
    "basic256sha256-sign": "Basic256Sha256, Sign",
    "basic256sha256-encrypt": "Basic256Sha256, SignAndEncrypt",
    "aes128-sign": "Aes128_Sha256_RsaOaep, Sign",
    "aes128-encrypt": "Aes128_Sha256_RsaOaep, SignAndEncrypt",
}
"""By the beginning of a variant's name: policy and mode, which are names of the specification."""

_OF_THE_STUDY = "basic256sha256-encrypt"
"""The policy that the study wanted to measure, and decides by."""

_CALLS = {
    "read.latency.p50": N_("read p50, ms"),
    "read.latency.p95": N_("read p95, ms"),
    "write.latency.p50": N_("write p50, ms"),
    "cpu.mean": N_("CPU of the client, %"),
    "server.cpu.mean": N_("CPU of the server, %"),
}
_OPENING = {
    "session.latency.p50": N_("session p50, ms"),
    "session.latency.p95": N_("session p95, ms"),
    "cpu.mean": N_("CPU of the client, %"),
    "server.cpu.mean": N_("CPU of the server, %"),
}
_CONNECTED = ("ok", "silent")
"""Outcomes of callers that were refused by nobody."""

FAULTS = frozenset({"certificates"})
"""Scenarios of faults that this chapter shows."""

_REFUSALS = (
    "trusted",
    "client-untrusted",
    "client-expired",
    "server-untrusted",
    "server-expired",
)


def sections(context: Context) -> list[Section]:
    """The section on the cost of security; none where neither scenario was run."""
    _ = context.words.gettext
    blocks = [*_costs(context), *_refusals(context)]
    return [Section(_("What security costs"), "security-cost", tuple(blocks))] if blocks else []


def choice(context: Context) -> Choice:
    """Choose a client where encryption is needed: by the latency of reads under the policy that the
    study names.
    """
    _ = context.words.gettext
    calls = CellTable.of(context, _SCENARIO, variant=f"{_OF_THE_STUDY}-calls")
    if not calls:
        return advice.undecided(
            _("no figures with Basic256Sha256 in this run: ./wl run opcua --scenario security")
        )
    return advice.by_metric(context, calls, "read.latency.p95")


def measured(context: Context) -> bool:
    """Whether calls were measured under the policy that the study names."""
    return bool(CellTable.of(context, _SCENARIO, variant=f"{_OF_THE_STUDY}-calls"))


# ---------------------------------------------------------------------------- what it costs


def _costs(context: Context) -> list[Block]:
    _ = context.words.gettext
    calls, opening = _by_policy(context, "calls"), _by_policy(context, "open")
    if not calls and not opening:
        return []
    return [
        paragraph(
            _(
                "The load of S7 in one session under each policy, and, in trials of their own, "
                "the opening of sessions one after the other: TCP, secure channel, session and "
                "its activation, at an endpoint that is known. The server offers nothing but the "
                "policy of the trial, so no session can have had another one. What changes "
                "between the columns is two parameters: no client was built again. × is how many "
                "times as much as without security. The study names the policy Basic256Sha256 "
                "with Sign&Encrypt and has no figures of it."
            )
        ),
        *_sheet(context, _("Calls by policy"), calls, _CALLS, "read.latency.p50"),
        *_sheet(
            context, _("Opening a session by policy"), opening, _OPENING, "session.latency.p50"
        ),
    ]


def _by_policy(context: Context, part: str) -> dict[str, CellTable]:
    """The cells of each policy that was run, of calls or of openings."""
    found = {
        policy: CellTable.of(context, _SCENARIO, variant=f"{policy}-{part}") for policy in _POLICIES
    }
    return {policy: table for policy, table in found.items() if table}


def _sheet(
    context: Context,
    caption: str,
    tables: Mapping[str, CellTable],
    metrics: Mapping[str, str],
    compared: str,
) -> list[Block]:
    """Contenders down with their figures, policies across."""
    _ = context.words.gettext
    names = [
        name
        for name in context.contenders
        if any(table.cell(name) is not None for table in tables.values())
    ]
    if not names:
        return []
    groups = []
    for name in names:
        rows = [
            Row(
                Head(_(title)),
                tuple(table.shown(name, "", FigureColumn(metric)) for table in tables.values()),
            )
            for metric, title in metrics.items()
        ]
        rows.insert(1, Row(Head(_("p50, × without security")), _times(tables, name, compared)))
        groups.append(RowGroup(tuple(rows), Head(context.name(name))))
    titles = [_POLICIES[policy] for policy in tables]
    return [steps.sheet(context, caption, titles, groups)]


def _times(tables: Mapping[str, CellTable], name: str, metric: str) -> tuple[Plain, ...]:
    base = tables[_PLAIN].metric(name, "", metric) if _PLAIN in tables else None
    return tuple(
        Absent(DASH) if policy == _PLAIN else multiple(table.metric(name, "", metric), base, 1)
        for policy, table in tables.items()
    )


# ------------------------------------------------------------------------ who was refused


def _refusals(context: Context) -> list[Block]:
    _ = context.words.gettext
    tables = [
        table
        for variant in _REFUSALS
        if (table := CellTable.of(context, "certificates", variant=variant))
    ]
    if not tables:
        return []
    here = {name for table in tables for name in table.contenders}
    names = [name for name in context.contenders if name in here]
    rows = [
        Row(Head(_title(context, table)), tuple(_refusal(table, name) for name in names))
        for table in tables
    ]
    said = _(
        "Each trial makes the key pairs of server and client anew, and puts the certificate of the "
        "one on the trust list of the other. Then one thing is wrong with one of them, and the "
        "client connects with Basic256Sha256 and SignAndEncrypt: the other side has to refuse. An "
        "expired certificate is on the list, so that its date alone is wrong; in the place of one "
        "that is not trusted, the list has another certificate of the same names."
    )
    columns = tuple(
        Column(context.name(name), align="left", colour=context.colour(name)) for name in names
    )
    caption = _("Certificates that have to be refused")
    refusals = Table(caption, (_("what is wrong"),), columns, (RowGroup(tuple(rows)),))
    return [paragraph(said), refusals]


def _title(context: Context, table: CellTable) -> str:
    return table.scenario.variants[table.variant].title.of(context.language)


def _refusal(table: CellTable, name: str) -> TableCell:
    """Whether any trial connected, and what the client's library said where it did not."""
    _ = table.context.words.gettext
    cell = table.cell(name)
    if cell is None or not cell.caller:
        return Absent(DASH)
    connected = [view for view in cell.caller if view.outcome in _CONNECTED]
    unanswered = [view for view in cell.caller if view.outcome == "hang"]
    others = [view for view in cell.caller if view.outcome not in _CONNECTED]
    words = dict.fromkeys(view.error_status or view.error_class for view in others)
    lines = tuple(plain(word) for word in words if word)
    if unanswered:
        badge = Badge(_("no answer"), "bad")
    elif table.scenario.variants[table.variant].expects is None:
        badge = Badge(_("not connected"), "bad") if others else Badge(_("connected"), "good")
    else:
        badge = Badge(_("connected"), "bad") if connected else Badge(_("refused"), "good")
    return WordsCell(lines, badge)
