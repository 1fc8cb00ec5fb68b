"""Treatments of what scenarios do to servers: how each works, where it could matter, the counts
that prove it, how it went for users, and its ratio to the plain server."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.api import (
    N_,
    Block,
    Bullets,
    Cell,
    CellTable,
    Context,
    Text,
    claims,
    paragraph,
    plain,
    series,
)

from . import ratios
from .treatment_kinds import Treatment
from .treatment_list import TREATMENTS

_WENT = {
    "ok": N_("let in {count}"),
    "error": N_("answered that they were not {count}"),
    "timeout": N_("without an answer within the limit {count}"),
    "disconnected": N_("cut off {count}"),
    "refused": N_("refused by the kernel {count}"),
}
"""Words for the outcome of connecting, by its status."""


def about(context: Context, scenario: str, *tables: CellTable) -> list[Block]:
    """Mechanism, load and proof of a scenario's treatments, and the counts of each table; nothing
    for a scenario that no server treats."""
    blocks: list[Block] = []
    told = _of_tables(scenario, tables) or of_scenario(scenario)
    for treatment in told:
        said = [plain(context.words.gettext(one)) for one in treatment.about]
        for table in tables:
            lines = (_counted(context, table, treatment), _went(context, table, treatment))
            said += [one for one in lines if one is not None]
        if len(told) > 1:
            blocks.append(paragraph(_names(context, treatment)))
        blocks.append(Bullets(tuple(said)))
    return blocks


def beside(context: Context, scenario: str, table: CellTable, title: str) -> list[Block]:
    """The ratio of each treated server to the plain one, or the reason why there is none."""
    _ = context.words.gettext
    blocks: list[Block] = []
    for treatment in _of_tables(scenario, [table]):
        names = (treatment.untreated, treatment.treated)
        missing = [claims.named(context, name) for name in names if table.cell(name) is None]
        if missing:
            said = _(
                "{load}: ratio to the plain server: none, because {servers} did not take part."
            )
            blocks.append(paragraph(said.format(load=title, servers=series(missing))))
        else:
            pair, treated = table.among(names), (treatment.treated,)
            ratio = ratios.to_untuned(pair, title, treatment.untreated, treated, treatment.ratios)
            blocks.append(ratio)
    return blocks


def of_scenario(scenario: str, untreated: str = "") -> list[Treatment]:
    """The treatments of a scenario, or of them those that are held against one server."""
    return [
        one for one in TREATMENTS if one.scenario == scenario and untreated in ("", one.untreated)
    ]


def _of_tables(scenario: str, tables: Sequence[CellTable]) -> list[Treatment]:
    """The treatments of which a server took part."""
    return [
        one
        for one in of_scenario(scenario)
        if any(table.cell(name) for table in tables for name in (one.untreated, one.treated))
    ]


def _names(context: Context, treatment: Treatment) -> str:
    names = {
        "treated": claims.named(context, treatment.treated),
        "untreated": claims.named(context, treatment.untreated),
    }
    return context.words.gettext("{treated}, beside {untreated}:").format(**names)


def _counted(context: Context, table: CellTable, treatment: Treatment) -> Text | None:
    """The counts of both servers and what they show; None where the treated one is missing."""
    _ = context.words.gettext
    treated, untreated = table.cell(treatment.treated), table.cell(treatment.untreated)
    if treated is None:
        return None
    if (why := claims.unfit(context, treated, treatment.proof_count)) is not None:
        said = _("Counted ({load}): nothing that would prove it: {server}: {reason}.")
        if _has_answered(treated, treatment) and not _has_answered(untreated, treatment):
            said = _(
                "Counted ({load}): {server}: {reason}. All the same it answered users that they "
                "were not let in, which no other work of the machine brings about: it was active."
            )
        name = context.name(treatment.treated)
        return plain(said.format(load=load_of(table), server=name, reason=why))
    known = [_of_one(context, one, treatment) for one in (treated, untreated) if one is not None]
    verdict = treatment.shown if _is_shown(treated, untreated, treatment) else treatment.not_shown
    said = _("Counted ({load}): {counts}. {verdict}")
    return plain(said.format(load=load_of(table), counts="; ".join(known), verdict=_(verdict)))


def load_of(table: CellTable) -> str:
    """The load of a table: its variant, or its step."""
    variant = table.scenario.variants.get(table.variant)
    return variant.title.of(table.context.language) if variant else table.title


def _has_answered(found: Cell | None, treatment: Treatment) -> bool:
    """Whether a server said no to somebody. That others wait for it may be the machine's doing."""
    went = found.statuses.get(treatment.outcomes, {}) if found is not None else {}
    return went.get("error", 0) > 0


def _went(context: Context, table: CellTable, treatment: Treatment) -> Text | None:
    """The outcomes of an operation, of both servers; None where none was recorded.

    The generator counts it one by one: that holds of cells whose times do not.
    """
    _ = context.words.gettext
    cells = (table.cell(treatment.treated), table.cell(treatment.untreated))
    known = []
    for found in cells:
        went = found.statuses.get(treatment.outcomes, {}) if found is not None else {}
        if found is not None and went:
            told = ", ".join(
                _(_WENT[status]).format(count=f"{count:,}") for status, count in went.items()
            )
            why = claims.unfit(context, found, treatment.proof_count)
            name = context.name(found.contender)
            known.append(f"{name}: {told} ({why})" if why else f"{name}: {told}")
    if not known:
        return None
    said = _("How it went for those who came ({load}, all trials together): {counts}.")
    return plain(said.format(load=load_of(table), counts="; ".join(known)))


def _of_one(context: Context, found: Cell, treatment: Treatment) -> str:
    told = " · ".join(
        f"{context.naming.column_title(name)} {claims.shown(found.metrics[name])}"
        for name in treatment.counts
        if claims.unfit(context, found, name) is None
    )
    return f"{context.name(found.contender)}: {told or '–'}"


def _is_shown(treated: Cell, untreated: Cell | None, treatment: Treatment) -> bool:
    counts = [
        (one.metrics[treatment.proof_count].value or 0.0)
        if one is not None and treatment.proof_count in one.metrics
        else 0.0
        for one in (treated, untreated)
    ]
    return counts[0] > (0.0 if treatment.by_load else counts[1])
