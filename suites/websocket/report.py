"""The report of the suite ``websocket``: its study's sections 2 to 7, in their order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from wirelab.report.api import (
    N_,
    Bullets,
    CellTable,
    Context,
    Document,
    Rule,
    Section,
    Text,
    Verdict,
    generic,
    paragraph,
    plain,
    sections,
    series,
    stepped,
    study_statements,
    study_tally,
    text,
)

from .chapters import (
    capacity,
    comparison,
    compression,
    conduct,
    divided,
    generator,
    guidance,
    loss,
    overload,
    redis,
    servers,
    streams,
    structure,
    tunings,
    whiteboard,
)

_WORDS = (
    N_("message"),
    N_("connection"),
    N_("server"),
    N_("generator"),
    N_("redis"),
    N_("rabbitmq"),
    N_("activemq"),
    N_("rtt"),
    N_("delivery"),
    N_("connect"),
)
"""Names of the manifest that the suite's catalogue translates where a report prints them."""

_KEY_METRICS = (
    "delivery.response.p50",
    "delivery.response.p99",
    "rtt.response.p99",
    "delivery.loss.ratio",
    "delivery.per.cpu",
    "total.cpu.mean",
    "total.rss.max",
)
_SCENES = (
    *("stroke", "join-storm", "crowd"),
    *("silent-peers", "slow-readers", "shedding", "connection-limit", "sensors"),
)
"""Scenarios of further patterns, which the study leaves to later work."""
_FIRST_NUMBER = 2
"""The study's sections 0 and 1 are its introduction."""


def compose(context: Context) -> Document:
    """The study's sections with what was published beside each figure; the usual order, what
    was tuned and where nobody is ranked, for a run without the ramp, which the study measured."""
    parts = stepped(context, "ramp")
    if not parts:
        own = (
            *tunings.sections(context, of_all=False),
            *compression.sections(context, of_all=False),
            *streams.sections(context, of_all=False),
            *overload.sections(context, of_all=False),
            *capacity.sections(context, of_all=False),
            *whiteboard.unranked(context),
            *conduct.sections(context),
        )
        return generic.compose(context, own)
    told = [
        _environment(context, parts),
        _basic(context, parts),
        _optimisation(context, parts),
        _guidelines(context, parts),
        _conclusion(context, parts),
        _later_work(context, parts),
    ]
    first = sections.overview.overview(
        context, parts.top, _KEY_METRICS, _conclusions(context, parts)
    )
    return generic.document(context, first, told, _FIRST_NUMBER)


# ---------------------------------------------------------------------------- the sections


def _environment(context: Context, parts: CellTable) -> Section:
    _ = context.words.gettext
    whole = parts.whole or parts.top
    conditions_of = sections.conditions.conditions(context, whole)
    parts_of = (
        replace(sections.versions.versions(context), title=_("Servers under test")),
        Section(_("Scenario and machine"), "conditions", conditions_of.blocks),
        generator.generator(context, parts),
    )
    return Section(_("Experimental environment"), "environment", parts_of)


def _basic(context: Context, parts: CellTable) -> Section:
    _ = context.words.gettext
    analysis = Section(
        _("Comparison and analysis of the results"),
        "analysis",
        (comparison.compared(context, parts), structure.structure(context, parts)),
    )
    parts_of = (servers.method(context), servers.results(context, parts), analysis)
    return Section(_("Basic experiment"), "basic", parts_of)


def _optimisation(context: Context, parts: CellTable) -> Section:
    title = context.words.gettext("Additional optimisation experiment")
    return Section(title, "optimisation", tuple(redis.redis(context, parts)))


def _guidelines(context: Context, parts: CellTable) -> Section:
    _ = context.words.gettext
    found = guidance.guidance(context, parts)
    owned = (
        sections.operability.ownership(context, parts.whole),
        sections.operability.security(context),
    )
    title = _("Guidelines for real-time synchronisation")
    more = (*compression.sections(context), *streams.sections(context))
    return Section(title, "guidelines", (*found, *more, *owned))


def _conclusion(context: Context, parts: CellTable) -> Section:
    _ = context.words.gettext
    caption = _("What the study concludes, against this run")
    rules = structure.rules(context, parts)
    told = study_statements(context, caption, rules, "conclusion", explained=False)
    blocks = (Bullets(_conclusions(context, parts)), *told)
    return Section(_("Conclusion"), "conclusion", blocks)


def _later_work(context: Context, parts: CellTable) -> Section:
    _ = context.words.gettext
    opening = paragraph(
        _("What the study leaves to later work, as far as it was carried out here.")
    )
    found = (
        *whiteboard.scenes(context),
        *conduct.sections(context),
        *overload.sections(context),
        *divided.divided(context),
        *capacity.sections(context),
        *sections.capacity.sections(context),
    )
    last = sections.limits.limits(context, parts.whole or parts.top, _limits(context))
    return Section(_("Future work of the study"), "later", (opening, *found, last))


# ------------------------------------------------------------------------- the conclusions


def all_rules(context: Context, parts: CellTable) -> Mapping[str, Rule]:
    """The suite's own rules, by the keys of statements; the others are declared with these."""
    return {
        **structure.rules(context, parts),
        **redis.rules(context, parts),
        **guidance.use_rules(context, parts),
    }


def _conclusions(context: Context, parts: CellTable) -> tuple[Text, ...]:
    """The generator first, then loss, then how the study's statements stand."""
    _ = context.words.gettext
    _clear, about_generator = generator.verdict_of(context, parts)
    said = [about_generator]
    if losing := _losing(context, parts):
        said.append(text(_("Lost deliveries: {servers}."), servers="; ".join(losing)))
    elif any(cell.verdict is not Verdict.INVALID for cell in parts.top.cells):
        said.append(plain(_("No server with valid figures lost a delivery in any step.")))
    if (tally := study_tally(context, all_rules(context, parts))) is not None:
        said.append(tally)
    return tuple(said)


def _losing(context: Context, parts: CellTable) -> list[str]:
    """Servers that lost deliveries, in the step where they lost most."""
    found = []
    for name in parts.yardsticks_last:
        worst = max(
            (
                (lost, part.title, loss.loss_words(cell))
                for part in parts.by_step
                if (cell := part.cell(name)) is not None
                and (lost := loss.exact_loss(context, part, name)[1]) > 0
            ),
            default=None,
        )
        if worst is not None:
            found.append(f"{context.name(name)} {worst[2]}, {worst[1]}")
    return found


def _limits(context: Context) -> dict[str, str]:
    """State in this run of the further work that the study names."""
    _ = context.words.gettext
    own = {"spring-websocket", "spring-websocket-naive", "spring-stomp", "node-ws", "fastapi"}
    more = [
        context.name(name)
        for name in stepped(context, "ramp").contenders
        if name not in own | {*servers.WITH_REDIS} | context.references
        and not context.participant(name).unavailable
    ]
    scenes = [
        context.result.scenarios[name].title.of(context.language)
        for name in _SCENES
        if stepped(context, name)
    ]
    return {
        "frameworks": _("measured here: {names}").format(names=series(more))
        if more
        else _("none took part in this run"),
        "patterns": _("measured here: {names}").format(names=series(scenes))
        if scenes
        else _("not run this time: ./wl run websocket --scenario stroke"),
        "clients": _("the same: no browser and no application took part"),
        "scaling": _("recovery from a stalled and a killed server and Redis: see the faults")
        if sections.errors.faults_of(context)
        else _("not run this time: ./wl run websocket --scenario faults"),
    }
