"""The report of the suite ``codec``: the study's test, and what it left for next time."""

from __future__ import annotations

from wirelab.report.api import (
    N_,
    CellTable,
    Context,
    Document,
    Section,
    generic,
    microbenchmark,
    sections,
)

from .chapters import (
    choices,
    conformance,
    evolution,
    glance,
    languages,
    large,
    method,
    million,
    phases,
    ranking,
    sizes,
    statements,
    traps,
    usability,
)
from .chapters.formats import JSON, writers

_WORDS = (
    N_("message"),
    N_("codec"),
    N_("to_message"),
    N_("encode"),
    N_("decode"),
    N_("from_message"),
    N_("round_trip"),
    N_("round_trip_unused"),
    N_("copy"),
    N_("touch"),
    N_("write"),
    N_("read"),
    N_("truncate"),
    N_("reject"),
    N_("backward"),
    N_("forward"),
    N_("rewrite"),
    N_("to_bytes"),
    N_("from_bytes"),
    N_("once"),
)
"""Names of the manifest that the suite's catalogue translates where a report prints them."""


def compose(context: Context) -> Document:
    """The chapters in the order of a reader's questions; the usual order for a run without the
    steady scenario, on whose figures all chapters but a few rest."""
    steady, conform = CellTable.of(context, "steady"), CellTable.of(context, "conform")
    changed, cold = CellTable.of(context, "evolution"), CellTable.of(context, "million")
    much = CellTable.of(context, "large")
    if not steady:
        own = [million.million(context, cold, steady)] if cold else []
        own += [conformance.conformance(context, conform, conform)] if conform else []
        own += [evolution.evolution(context, changed)] if changed else []
        own += [usability.usability(context, changed)] if changed else []
        own += [large.large(context, much)] if much else []
        return generic.compose(context, own)
    told = [
        _method(context, steady),
        million.million(context, cold, steady),
        ranking.ranking(context, steady),
        languages.languages(context, steady),
        phases.phases(context, steady),
        *sections.microbenchmark.instructions.sections(context),
        _sizes(context, steady, much),
        _conformance(context, steady, conform, changed),
        traps.traps(context, CellTable.of(context, "traps")),
        choices.choices(context, steady),
        _study(context, steady, cold),
        _reliability(context),
        _operability(context, steady, changed),
        sections.limits.limits(context, steady, _limits(context, steady, cold)),
    ]
    return generic.document(context, glance.glance(context, steady, cold), told, 1)


def _method(context: Context, steady: CellTable) -> Section:
    told = method.method(context, steady)
    parts = (
        sections.microbenchmark.conditions.conditions(context),
        sections.versions.versions(context),
    )
    return Section(told.title, told.anchor, (*told.blocks, *parts))


def _sizes(context: Context, steady: CellTable, much: CellTable) -> Section:
    """Bytes and allocations of the data sets, and of data that are larger than any."""
    told = sizes.sizes(context, steady)
    return Section(told.title, told.anchor, (*told.blocks, large.large(context, much)))


def _conformance(
    context: Context, steady: CellTable, conform: CellTable, changed: CellTable
) -> Section:
    """Readers of each other's data, and of other versions of their own."""
    told = conformance.conformance(context, steady, conform)
    return Section(told.title, told.anchor, (*told.blocks, evolution.evolution(context, changed)))


def _study(context: Context, steady: CellTable, cold: CellTable) -> Section:
    title = context.words.gettext("The study, answered")
    return Section(title, "study", (statements.statements(context, steady, cold),))


def _reliability(context: Context) -> Section:
    """Reliability of the scenarios in which something is timed."""
    parts = tuple(
        sections.microbenchmark.reliability.reliability(context, found)
        for found in microbenchmark.scenarios(context)
        if microbenchmark.loops_of(found).count and not found.scenario.counts_instructions
    )
    return Section(context.words.gettext("Reliability"), "reliability", parts)


def _operability(context: Context, steady: CellTable, changed: CellTable) -> Section:
    parts = (
        sections.operability.ownership(context, steady.whole),
        usability.usability(context, changed),
    )
    return Section(context.words.gettext("Operability"), "operability", parts)


def _limits(context: Context, steady: CellTable, cold: CellTable) -> dict[str, str]:
    """State in this run of what the study left for next time."""
    _ = context.words.gettext
    here = steady.languages
    return {
        "cpp": _("measured here: {names}").format(names=_of_language(context, steady, "C++"))
        if "C++" in here
        else _("none took part in this run"),
        "json": _("measured here: {names}").format(names=_json(context, steady)),
        "ways": _("encode, decode, round trip, conversions, sizes, allocations and conformance"),
        "csharp": _("measured here: {names}").format(names=_of_language(context, steady, "C#"))
        if "C#" in here
        else _("C# was not measured in this run"),
        "cold": _("apart: scenario million")
        if cold
        else _("not run this time: ./wl run codec --scenario million"),
    }


def _of_language(context: Context, found: CellTable, language: str) -> str:
    names = [name for group in found.peers_of(language) for name in group.contenders]
    return context.names(names) or "–"


def _json(context: Context, found: CellTable) -> str:
    return context.names(writers(found, JSON)) or "–"
