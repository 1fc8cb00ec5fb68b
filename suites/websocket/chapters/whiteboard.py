"""Scenarios that the study leaves for later (its section 7): strokes, storms, crowds, faults."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wirelab.report.api import (
    N_,
    Block,
    Bullets,
    CellTable,
    Command,
    Context,
    FigureColumn,
    Section,
    paragraph,
    remarks,
    sections,
    stepped,
    steps,
)

from . import treatments
from .generator import use_of_generator
from .servers import with_operations


@dataclass(frozen=True)
class _Scene:
    """A scenario: what it is about, its columns, and what its leaders are told by."""

    scenario: str
    about: str
    columns: Sequence[FigureColumn]
    leads: Sequence[str]
    by_step: Sequence[str] = ()


def _times(operation: str, stats: Sequence[str]) -> list[FigureColumn]:
    return [FigureColumn(f"{operation}.response.{stat}") for stat in stats]


_COST = (
    FigureColumn("delivery.loss.ratio"),
    FigureColumn("delivery.per.cpu"),
    FigureColumn("total.cpu.mean"),
    FigureColumn("total.rss.max"),
)
_SILENCE = (
    FigureColumn("connect.silent.count"),
    FigureColumn("connect.ended.count"),
    FigureColumn("connect.ended.after"),
)
_SCENES = (
    _Scene(
        "stroke",
        N_(
            "What a whiteboard really sends: pen points at 60 Hz for 0.8 s, then a pause of 1.2 s, "
            "several writers on each board. The steady message a second of the ramp never shows "
            "what a burst does to a queue."
        ),
        (
            *_times("rtt", ("p50", "p99")),
            *_times("delivery", ("p50", "p99")),
            *_COST,
        ),
        ("delivery.response.p99", "delivery.per.cpu"),
    ),
    _Scene(
        "join-storm",
        N_(
            "Everybody arrives within a second, as at the start of a lesson, while others are "
            "drawing. Joining counts from the intended start of the connection until the board is "
            "joined; RTT is that of those who were already there."
        ),
        (
            *_times("connect", ("p50", "p95", "max")),
            FigureColumn("connect.error.count"),
            FigureColumn("connect.drop.count"),
            *_times("rtt", ("p95", "max")),
            FigureColumn("delivery.loss.ratio"),
        ),
        ("connect.response.p95", "rtt.response.max"),
        ("rtt.response.p95",),
    ),
    _Scene(
        "crowd",
        N_("Very many connections that say little: memory and the cost of being there."),
        (
            *_times("rtt", ("p50", "p99")),
            *_times("delivery", ("p95",)),
            FigureColumn("connect.error.count"),
            FigureColumn("connect.drop.count"),
            *_COST,
        ),
        ("total.rss.max", "rtt.response.p99"),
    ),
    _Scene(
        "silent-peers",
        N_(
            "Some of a crowd are gone without a word: they read nothing, answer no ping and do not "
            "hang up, as a laptop that was shut. So little is sent to them that no buffer fills: "
            "nothing but pings of the server's, or of its protocol, can find them. Nothing is owed "
            "to them, so that loss is that of the others. Nobody is ranked by what a server does "
            "about them."
        ),
        (
            *_SILENCE,
            *_times("delivery", ("p95",)),
            FigureColumn("connect.drop.count"),
            *_COST,
        ),
        (),
    ),
    _Scene(
        "slow-readers",
        N_(
            "One member of each board stops reading while much is drawn. What it does not read "
            "fills the buffers of its socket within seconds; then the server keeps it in memory, "
            "drops it, ends the connection, or lets everybody else of the board wait. The table "
            "tells which. Nobody is ranked."
        ),
        (
            *_SILENCE,
            *_times("delivery", ("p50", "p99", "max")),
            FigureColumn("connect.drop.count"),
            FigureColumn("rss.growth"),
            *_COST,
        ),
        (),
    ),
    _Scene(
        "shedding",
        N_(
            "A server may leave strokes out on purpose, of which no eye needs all: of 60 a second "
            "that a pen makes, 20 reach the others. It tells them what they lack, and only that is "
            "told apart from loss; what is neither sent nor told is lost. Nobody is ranked: who "
            "leaves out more does less."
        ),
        (
            FigureColumn("delivery.expected.count"),
            FigureColumn("delivery.received.count"),
            FigureColumn("delivery.shed.ratio"),
            FigureColumn("delivery.loss.count"),
            *_times("rtt", ("p50", "p99")),
            *_times("delivery", ("p50", "p99")),
            FigureColumn("delivery.reorder.count"),
            FigureColumn("total.cpu.mean"),
            FigureColumn("total.rss.max"),
        ),
        (),
    ),
    _Scene(
        "connection-limit",
        N_(
            "More users want in than the server can send to. Of each pair one server lets "
            "everybody in, the other no more than 500 at a time: who comes then is answered 503, "
            "or waits without an answer. Who is not let in draws nothing and is owed nothing: each "
            "of its strokes is an error of the round trip, beside the loss of those who are in. "
            "Nobody is ranked: who lets fewer in does less."
        ),
        (
            FigureColumn("connect.error.count"),
            FigureColumn("rtt.error.count"),
            FigureColumn("delivery.received.count"),
            FigureColumn("delivery.reorder.count"),
            *_times("rtt", ("p50", "p99")),
            *_times("delivery", ("p50", "p99")),
            FigureColumn("connect.drop.count"),
            *_COST,
        ),
        (),
        ("connect.error.count", "delivery.response.p99", "delivery.loss.ratio"),
    ),
    _Scene(
        "sensors",
        N_(
            "Many that send and nobody who looks on, as with data of sensors: each is alone on its "
            "board, so that a message in is an acknowledgement out and nothing is spread. RTT runs "
            "until the acknowledgement."
        ),
        (
            *_times("rtt", ("p50", "p95", "p99", "max")),
            FigureColumn("rtt.error.count"),
            FigureColumn("connect.drop.count"),
            FigureColumn("total.cpu.mean"),
            FigureColumn("total.rss.max"),
        ),
        ("total.cpu.mean", "total.rss.max"),
    ),
)


def unranked(context: Context) -> list[Section]:
    """The scenarios that were run of those in which nobody is ranked."""
    found = [scene for scene in _SCENES if not scene.leads]
    return [_scene(context, scene) for scene in found if stepped(context, scene.scenario)]


def scenes(context: Context) -> list[Section]:
    """A section for each scenario beyond the ramp, and what users see of faults."""
    found = [_scene(context, scene) for scene in _SCENES]
    return [*found, *sections.errors.sections(context)]


def _scene(context: Context, scene: _Scene) -> Section:
    _ = context.words.gettext
    model = context.result.scenarios.get(scene.scenario)
    heading = model.title.of(context.language) if model else scene.scenario
    blocks: list[Block | Section] = [paragraph(_(scene.about))]
    parts = stepped(context, scene.scenario)
    blocks += treatments.about(context, scene.scenario, *([parts.top] if parts else []))
    if not parts:
        blocks.append(paragraph(_("Not run this time. It takes:")))
        blocks.append(Command(f"./wl run websocket --scenario {scene.scenario}"))
    else:
        blocks += _figures(context, scene, parts)
    return Section(heading, f"scene-{scene.scenario}", tuple(blocks))


def _figures(context: Context, scene: _Scene, parts: CellTable) -> list[Block]:
    caption = parts.top.title
    columns = with_operations(context, scene.columns)
    blocks: list[Block] = [steps.side_by_side(parts.top, caption, columns)]
    for metric in scene.by_step if len(parts.steps) > 1 else ():
        blocks.append(steps.across(parts, context.naming.title(metric), FigureColumn(metric)))
    blocks += treatments.beside(context, scene.scenario, parts.top, caption)
    leads = [remarks.lead(context, parts.top, metric) for metric in scene.leads]
    if said := remarks.all_of(*leads, use_of_generator(context, parts.top)):
        blocks.append(Bullets(said))
    return blocks
