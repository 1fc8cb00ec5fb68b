"""The report of a suite that composes none of its own: every section, scenario by scenario."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wirelab.report import closed, microbenchmark, without_figures
from wirelab.report.cell_table import CellTable, comparisons_of, together
from wirelab.report.context import Context
from wirelab.report.document import (
    Block,
    Document,
    Paragraph,
    Section,
    plain,
    text,
)
from wirelab.report.numbering import lettered, numbered
from wirelab.report.sections import (
    capacity,
    conditions,
    definitions,
    errors,
    latency,
    limits,
    operability,
    other_conditions,
    overview,
    reliability,
    resources,
    scheduler,
    spikes,
    stacks,
    study_defects,
    summary,
    throughput,
    traceability,
    validity,
    versions,
    wire,
)
from wirelab.report.sections import closed as closed_section
from wirelab.report.sections import microbenchmark as microbenchmark_section


def compose(context: Context, own: Sequence[Section] = ()) -> Document:
    """All sections in their usual order; several comparisons follow each other.

    ``own`` are sections of the suite, which come as soon as it is told what was run.
    """
    comparisons = comparisons_of(context)
    sections: list[Section] = []
    if comparisons:
        sections.append(_conditions(context, comparisons))
    elif microbenchmark.scenarios(context):
        told = microbenchmark_section.conditions.conditions(context)
        sections += [told, versions.versions(context)]
    else:
        sections += [versions.versions(context), *errors.sections(context)]
    sections += own
    # Steps of a closed loop are told by their time, and its scenario as a whole.
    wholes = [one for one in comparisons if one.scenario.is_scheduled or not one.step]
    sections += _chapters(context, wholes, folded=bool(own))
    sections += microbenchmark_section.sections(context)
    sections += capacity.sections(context)
    sections += stacks.sections(context)
    first = comparisons[0] if comparisons else None
    sections.append(_operability(context, first))
    sections += _summaries(context, wholes)
    if first:
        sections.append(limits.limits(context, first))
    return document(context, overview_of(context, comparisons), sections)


def _chapters(context: Context, wholes: Sequence[CellTable], *, folded: bool) -> list[Section]:
    """A chapter for each scenario, with all of its contenders; the sections themselves where there
    is one scenario that needs no further division. ``folded`` beside a suite's own chapters."""
    merged = together(context, wholes)
    in_loops = together(context, closed.groups(context))
    names = dict.fromkeys(one.scenario_name for one in (*in_loops, *merged))
    chapters = []
    for at, name in enumerate(names):
        parts = [
            closed_section.times(context, one, number)
            for number, one in enumerate(in_loops)
            if one.scenario_name == name
        ]
        if len(names) > 1 and len(parts) == 1:
            only = next(one for one in in_loops if one.scenario_name == name)
            parts = [replace(parts[0], title=closed_section.heading(context, only))]
        own = [one for one in merged if one.scenario_name == name]
        for place, comparison in enumerate(own):
            told = _sections(context, comparison, with_errors=comparison is merged[0])
            parts += told if len(own) == 1 else [_named(context, comparison, place, told)]
        title = context.result.scenarios[name].title.of(context.language)
        if folded:
            title = context.words.gettext("{title}: all figures").format(title=title)
        chapter = Section(title, f"scenario-{at}", tuple(_modes(context, [*in_loops, *own], name)))
        chapters.append((chapter, parts))
    if len(chapters) == 1:
        chapter, parts = chapters[0]
        return parts
    return [
        replace(
            chapter,
            blocks=(*chapter.blocks, *(_anchored(part, f"s{at}-") for part in parts)),
            folded=folded,
        )
        for at, (chapter, parts) in enumerate(chapters)
    ]


def _modes(context: Context, tables: Sequence[CellTable], name: str) -> list[Block]:
    """Say that ranks are within a mode, where a scenario has several."""
    if all(len(one.by_mode) == 1 for one in tables if one.scenario_name == name):
        return []
    said = context.words.gettext(
        "Contenders of unlike modes stand in one table; ranks and stars are within a mode."
    )
    return [Paragraph(plain(said))]


def _sections(context: Context, comparison: CellTable, *, with_errors: bool) -> list[Section]:
    """Everything that is told of any load."""
    comparison = _of_its_load(comparison)
    context = comparison.context
    scheduled = comparison.scenario.is_scheduled
    return [
        throughput.throughput(context, comparison),
        latency.latency(context, comparison),
        *wire.wire(context, comparison),
        *([scheduler.scheduler(context, comparison)] if scheduled else []),
        *spikes.spikes(context, comparison),
        _reliability(context, comparison, with_errors=with_errors),
        resources.resources(context, comparison),
    ]


def _of_its_load(table: CellTable) -> CellTable:
    """The table without the study's figures where its scenario has another load than the study."""
    context = table.context
    published = context.published.for_scenario(table.scenario_name) if context.published else None
    if published is context.published:
        return table
    return replace(table, context=replace(context, published=published))


def overview_of(context: Context, comparisons: Sequence[CellTable]) -> tuple[Block, ...]:
    """The first screen of every comparison; the availability alone when there is none."""
    if not comparisons and microbenchmark.scenarios(context):
        return (*overview.state(context), *versions.unavailable(context))
    if not comparisons and (brackets := capacity.overview(context)):
        return (*brackets, *versions.unavailable(context))
    if not comparisons:
        nothing = context.words.gettext("No scenario with figures was run.")
        return (Paragraph(plain(nothing)), *versions.unavailable(context))
    in_loops = closed.groups(context)
    told = {parts.scenario_name for parts in in_loops}
    others = [one for one in comparisons if one.scenario_name not in told]
    blocks = [block for parts in in_loops for block in closed_section.overview(context, parts)]
    own = map(_of_its_load, others)
    blocks += [block for one in own for block in overview.overview(one.context, one)]
    return tuple(blocks if others else (*blocks, *versions.unavailable(context)))


def document(
    context: Context,
    first_screen: tuple[Block, ...],
    sections: Sequence[Section],
    first_number: int = 0,
) -> Document:
    """The document: title, first screen, numbered sections, lettered appendices."""
    _ = context.words.gettext
    result = context.result
    appendices = [
        validity.validity(context),
        definitions.definitions(context),
        *([found] if (found := study_defects.study_defects(context)) else []),
        traceability.traceability(context),
    ]
    told = [without_figures.told(section, context.words) for section in sections]
    titled = [
        replace(s, title=_("Appendix: {title}").format(title=s.title), folded=True)
        for s in appendices
    ]
    return Document(
        title=result.suite_title.of(context.language),
        subtitle=_("Comparison of performance, reliability and operability"),
        language=context.language,
        facts=(
            (_("run"), result.run),
            (_("profile"), result.profile),
            (_("started"), result.disclosure.started_at),
            (_("complete"), _("yes") if result.complete else _("no")),
        ),
        overview=first_screen,
        sections=(*numbered(told, first_number), *lettered(titled)),
        footer=text(
            _("wirelab {version}, revision {revision}. Figures: `result.json` of run `{run}`."),
            version=result.disclosure.wirelab,
            revision=result.disclosure.git_revision[:12] or "–",
            run=result.run,
        ),
    )


def _conditions(context: Context, comparisons: Sequence[CellTable]) -> Section:
    section = conditions.conditions(context, comparisons[0])
    others = other_conditions.other_conditions(context, comparisons)
    return replace(section, blocks=(*section.blocks, *others, versions.versions(context)))


def _reliability(context: Context, comparison: CellTable, *, with_errors: bool) -> Section:
    _ = context.words.gettext
    misses = reliability.misses(context, comparison)
    parts: list[Section] = [
        *([misses] if misses else []),
        reliability.repeatability(context, comparison),
    ]
    if with_errors:
        parts += errors.sections(context)
    return Section(_("Reliability"), "reliability", tuple(parts))


def _operability(context: Context, comparison: CellTable | None) -> Section:
    _ = context.words.gettext
    parts = (operability.ownership(context, comparison), operability.security(context))
    return Section(_("Operability"), "operability", parts)


def _summaries(context: Context, wholes: Sequence[CellTable]) -> list[Section]:
    """The summary; of several comparisons one after the other, each below its own title."""
    made = [summary.summary(one.context, one) for one in map(_of_its_load, wholes)]
    if len(made) < 2:
        return made
    parts = tuple(
        replace(one, title=comparison_title(context, comparison), anchor=f"{one.anchor}-{at}")
        for at, (one, comparison) in enumerate(zip(made, wholes, strict=True))
    )
    return [Section(made[0].title, made[0].anchor, parts, folded=True)]


def _named(context: Context, comparison: CellTable, at: int, parts: Sequence[Section]) -> Section:
    """The sections of one comparison of several, below its own title and with own anchors."""
    title = comparison_title(context, comparison)
    return Section(title, f"comparison-{at}", tuple(_anchored(part, f"c{at}-") for part in parts))


def comparison_title(context: Context, comparison: CellTable) -> str:
    """Scenario, variant or step, mode, and the generator where it is not the suite's own."""
    scenario = comparison.scenario
    names = [scenario.title.of(context.language)]
    if (variant := scenario.variants.get(comparison.variant)) is not None:
        names.append(variant.title.of(context.language))
    if (step := scenario.steps.get(comparison.step)) is not None:
        names.append(step.title.of(context.language))
    if len(comparison.by_mode) == 1 and comparison.mode:
        names.append(comparison.mode_title)
    if comparison.generator:
        names.append(context.generator(comparison.generator))
    return " · ".join(names)


def _anchored(section: Section, prefix: str) -> Section:
    blocks = tuple(
        _anchored(block, prefix) if isinstance(block, Section) else block
        for block in section.blocks
    )
    return replace(section, anchor=prefix + section.anchor, blocks=blocks)
