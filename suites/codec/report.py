"""The report of the suite ``codec``: the source's test, and what it left for next time."""

from __future__ import annotations

from dataclasses import replace

from wirelab.report import generic
from wirelab.report.batches import Batches, batches, scenarios
from wirelab.report.context import Context
from wirelab.report.document import Document, Section
from wirelab.report.sections import (
    batch_conditions,
    instructions,
    limits,
    operability,
    versions,
)
from wirelab.report.sections.batches import reliability
from wirelab.words.translation import N_

from .chapters import (
    choices,
    conformance,
    glance,
    languages,
    method,
    million,
    phases,
    ranking,
    sizes,
    statements,
    traps,
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
)
"""Names of the manifest that the suite's catalogue translates where a report prints them."""


def compose(context: Context) -> Document:
    """The chapters in the order of a reader's questions; the usual order for a run without the
    steady scenario, on whose figures all chapters but the one on conformance rest."""
    steady, conform = batches(context, "steady"), batches(context, "conform")
    if steady is None:
        own = [conformance.conformance(context, conform, conform)] if conform else []
        return generic.compose(context, own)
    cold = batches(context, "million")
    sections = [
        _method(context, steady),
        million.million(context, cold, steady),
        ranking.ranking(context, steady),
        languages.languages(context, steady),
        phases.phases(context, steady),
        *instructions.sections(context),
        sizes.sizes(context, steady),
        conformance.conformance(context, steady, conform),
        traps.traps(context, batches(context, "traps")),
        choices.choices(context, steady),
        _source(context, steady, cold),
        _reliability(context),
        _operability(context, steady),
        limits.limits(context, steady.comparisons[0], _limits(context, steady, cold)),
    ]
    return generic.document(context, glance.glance(context, steady, cold), sections, 1)


def _method(context: Context, steady: Batches) -> Section:
    told = method.method(context, steady)
    parts = (batch_conditions.conditions(context), versions.versions(context))
    return Section(told.title, told.anchor, (*told.blocks, *parts))


def _source(context: Context, steady: Batches, cold: Batches | None) -> Section:
    title = context.words.gettext("The source, answered")
    return Section(title, "source", (statements.statements(context, steady, cold),))


def _reliability(context: Context) -> Section:
    """Of the scenarios in which something is timed."""
    timed = [f for f in scenarios(context) if f.loops.count and not f.scenario.counts_instructions]
    parts = tuple(reliability(context, found) for found in timed)
    return Section(context.words.gettext("Reliability"), "reliability", parts)


def _operability(context: Context, steady: Batches) -> Section:
    cells = tuple(cell for (_name, step), cell in steady.cells.items() if not step)
    whole = replace(steady.comparisons[0], cells=cells, step="")
    part = operability.ownership(context, whole)
    return Section(context.words.gettext("Operability"), "operability", (part,))


def _limits(context: Context, steady: Batches, cold: Batches | None) -> dict[str, str]:
    """How what the source left for next time stands in this run."""
    _ = context.words.gettext
    here = {steady.language_of(name) for name in steady.contenders}
    return {
        "cpp": _("measured here: {names}").format(names=_of_language(context, steady, "C++"))
        if "C++" in here
        else _("none took part in this run"),
        "json": _("measured here: {names}").format(names=_json(context, steady)),
        "ways": _("encode, decode, round trip, conversions, sizes, allocations and conformance"),
        "csharp": _("measured here: {names}").format(names=_of_language(context, steady, "C#"))
        if "C#" in here
        else _("C# has a place in the suite and no contender yet"),
        "cold": _("apart: scenario million")
        if cold is not None
        else _("not run this time: ./wl run codec --scenario million"),
    }


def _of_language(context: Context, found: Batches, language: str) -> str:
    names = [name for group in found.of_language(language) for name in group.contenders]
    return ", ".join(context.name(name) for name in names) or "–"


def _json(context: Context, found: Batches) -> str:
    return ", ".join(context.name(name) for name in writers(found, JSON)) or "–"
