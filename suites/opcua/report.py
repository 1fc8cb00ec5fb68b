"""The report of the suite ``opcua``: the sections in the order of its study, and its advice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wirelab.report.api import (
    N_,
    Bullets,
    Cell,
    CellTable,
    Choice,
    Context,
    Document,
    Paragraph,
    Section,
    Situation,
    Text,
    advice,
    comparisons_of,
    generic,
    paragraph,
    plain,
    sections,
    series,
    study_statements,
    study_tally,
    text,
)

from .chapters import callers, edge, runtimes, security, soak, subscriptions

_WORDS = (
    N_("tag"),
    N_("client"),
    N_("server"),
    N_("read"),
    N_("write"),
    N_("session"),
    N_("connect"),
    N_("notification"),
    N_("poll"),
    N_("certificates"),
)
"""Names of the manifest that the suite's catalogue translates where a report prints them."""

_KEY_METRICS = (
    "read.latency.p50",
    "read.latency.p95",
    "write.latency.p50",
    "tick.drift.p95",
    "read.miss.count",
    "cpu.mean",
    "rss.max",
)

_SUMMARY = (
    "read.rate",
    "read.latency.p50",
    "read.latency.p95",
    "read.latency.p99",
    "read.latency.max",
    "write.latency.p50",
    "write.latency.p95",
    "tick.drift.p95",
    "read.miss.ratio",
    "write.miss.ratio",
    "read.cv",
    "cpu.mean",
    "rss.max",
    "heap.max",
    "gc.pause.total",
)


def compose(context: Context) -> Document:
    """Sections 0 to 8 as the study has them, with what was published beside each figure."""
    context = replace(context, shown_apart=security.FAULTS)
    found = comparisons_of(context, scenario="s7")
    if len(found) != 1:
        # Without s7 there is nothing to follow the study in; cells of several modes each get
        # sections of their own, so that no table ranks one mode with another.
        return generic.compose(context, _chapters(context))
    s7 = found[0]
    situations = _situations(context)
    told = [
        _conditions(context, s7),
        sections.throughput.throughput(context, s7),
        sections.latency.latency(context, s7),
        *sections.wire.wire(context, s7),
        sections.scheduler.scheduler(context, s7),
        _reliability(context, s7),
        sections.resources.resources(context, s7),
        _operability(context, s7, situations),
        sections.summary.summary(context, s7, _SUMMARY),
        sections.limits.limits(context, s7, _limits(context, s7)),
        *_beyond(context, s7),
        *_statements(context),
    ]
    first_screen = sections.overview.overview(
        context, s7, _KEY_METRICS, _conclusions(context, s7, situations)
    )
    return generic.document(context, first_screen, told)


def _beyond(context: Context, s7: CellTable) -> list[Section]:
    """Chapters beyond the study: of what it wanted to know and did not measure."""
    return [
        *_chapters(context),
        *sections.capacity.sections(context),
        *sections.spikes.spikes(context, s7, always=True),
        *sections.stacks.sections(context),
    ]


def _chapters(context: Context) -> list[Section]:
    return [
        *callers.sections(context),
        *subscriptions.sections(context),
        *edge.sections(context),
        *security.sections(context),
        *soak.sections(context),
    ]


def _conditions(context: Context, s7: CellTable) -> Section:
    section = sections.conditions.conditions(context, s7)
    return replace(section, blocks=(*section.blocks, sections.versions.versions(context)))


def _reliability(context: Context, s7: CellTable) -> Section:
    _ = context.words.gettext
    misses = sections.reliability.misses(context, s7)
    parts = (
        *((misses,) if misses is not None else ()),
        sections.reliability.repeatability(context, s7),
        *sections.errors.sections(context),
    )
    return Section(_("Reliability"), "reliability", parts)


def _operability(context: Context, s7: CellTable, situations: tuple[Situation, ...]) -> Section:
    _ = context.words.gettext
    recommended = Section(
        _("Recommendations"),
        "recommendations",
        (
            paragraph(
                _(
                    "Derived from the figures of this run by the rule named in each row; the "
                    "interval decides, so a choice may be shared. Where the figures do not "
                    "support a choice it stays open."
                )
            ),
            advice.table(context, s7, situations),
            *([] if callers.capacity_measured(context) else [Bullets((_about_capacity(context),))]),
        ),
    )
    parts = (
        sections.operability.ownership(context, s7),
        sections.operability.security(context),
        recommended,
    )
    return Section(_("Operability"), "operability", parts)


def _statements(context: Context) -> list[Section]:
    """The study's statements, each with the figures that decide it; none without a study."""
    _ = context.words.gettext
    said = study_tally(context)
    if said is None:
        return []
    blocks = study_statements(context, _("What the study concludes, against this run"))
    return [Section(_("The study, answered"), "statements", (Paragraph(said), *blocks))]


def _about_capacity(context: Context) -> Text:
    _ = context.words.gettext
    return plain(
        _(
            '"High throughput" is the study\'s name. At this fixed load latency was measured, not '
            "the largest load a library can carry."
        )
    )


# ------------------------------------------------------------------------- the five situations


def _situations(context: Context) -> tuple[Situation, ...]:
    """The situations of the study, each with the figure that decides it."""
    _ = context.words.gettext
    return (
        Situation("edge", _("Low-spec edge (least RSS)"), _for_the_edge),
        Situation("server", _("High-throughput server (least latency)"), _for_throughput),
        Situation(
            "productivity",
            _("Developer productivity (fast prototypes)"),
            lambda context, _s7: _productive(context),
        ),
        Situation("cpu", _("Limited CPU"), _by("cpu.mean")),
        Situation(
            "security",
            _("Security required (encryption)"),
            lambda context, _s7: security.choice(context),
        ),
    )


def _for_the_edge(context: Context, s7: CellTable) -> Choice:
    """The choice by work done with little of a machine, where measured; else by RSS alone."""
    if edge.measured(context):
        return edge.choice(context)
    return advice.by_metric(context, s7, "rss.max")


def _for_throughput(context: Context, s7: CellTable) -> Choice:
    """The choice by what a session carries, where searched; else by latency, as the study does."""
    if callers.capacity_measured(context):
        return callers.throughput_choice(context)
    return advice.by_metric(context, s7, "read.latency.p95")


def _by(metric: str) -> Callable[[Context, CellTable], Choice]:
    def choose(context: Context, s7: CellTable) -> Choice:
        return advice.by_metric(context, s7, metric)

    return choose


def _productive(context: Context) -> Choice:
    """Left open: the study judges by lines, and nothing that would decide is counted here."""
    return advice.undecided(
        context.words.gettext(
            "not judged: fewer lines of a worker may be denser code instead of an easier library. "
            "What would decide, the calls and concepts that a task needs, is not counted here"
        )
    )


def _conclusions(
    context: Context, s7: CellTable, situations: tuple[Situation, ...]
) -> tuple[Text, ...]:
    """The deadlines, and the choices that could be made, for the first screen."""
    _ = context.words.gettext
    said: list[Text] = []
    kept = [cell for cell in s7.ranked if _kept_every_deadline(cell)]
    if kept:
        names = context.names(cell.contender for cell in kept)
        said.append(text(_("Every deadline kept: {names}."), names=names))
    choices = {s.title: s.choose(context, s7) for s in situations}
    decided = [f"{title}: {_chosen(context, c)}" for title, c in choices.items() if c.decided]
    if decided:
        said.append(text(_("**First choices.** {choices}."), choices="; ".join(decided)))
    left = [title for title, choice in choices.items() if not choice.decided]
    if left:
        said.append(text(_("Left open: {names}."), names="; ".join(left)))
    return tuple(said)


def _chosen(context: Context, choice: Choice) -> str:
    return context.words.gettext("not told apart") if choice.level else series(choice.first)


def _kept_every_deadline(cell: Cell) -> bool:
    misses = [metric for name, metric in cell.metrics.items() if name.endswith(".miss.count")]
    return bool(misses) and all(m.is_usable and m.value == 0 for m in misses)


# -------------------------------------------------------------------------------------- limits


def _limits(context: Context, s7: CellTable) -> dict[str, str]:
    """State in this run of the limits that the study names."""
    _ = context.words.gettext
    return {
        "profile": _("profile {profile}: {n} included trials a cell").format(
            profile=context.result.profile, n=s7.trials
        ),
        "security": _("measured under both policies and modes: {section}").format(
            section=_("What security costs")
        )
        if security.measured(context)
        else _("not measured in this run: ./wl run opcua --scenario security"),
        "sessions": callers.sessions_state(context),
        "network": _("the same: loopback, no delay and no loss"),
        "runtime": runtimes.state(context, s7),
        "soak": soak.state(context),
    }
