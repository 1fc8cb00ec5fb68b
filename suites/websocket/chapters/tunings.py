"""Tunings of one server each, beside the untuned one (5.2 of the study)."""

from __future__ import annotations

from wirelab.report.api import (
    MORE,
    Block,
    Bullets,
    CellTable,
    Command,
    Context,
    FigureColumn,
    RatioBand,
    Rule,
    Section,
    StatementAnswer,
    claims,
    open_because,
    paragraph,
    plain,
    stepped,
    steps,
)

from . import ratios
from .redis import BOARD, GLOBAL
from .servers import with_operations
from .tuning_kinds import FOUR, ONE, SCENARIO, Tuning
from .tuning_list import TUNINGS

_WORKERS = 4
_NEARLY = 1.2
"""A growth in proportion: within a fifth of the factor."""


_COST = ("delivery.per.cpu", "total.cpu.mean", "total.rss.max")
_RATIOS = ("rtt.response.p50", "rtt.response.p99", "delivery.response.p99", *_COST)
_HARM = ("delivery.loss.count", "delivery.reorder.count", "connect.drop.count")


def sections(context: Context, *, of_all: bool = True) -> list[Section]:
    """The section. Where nothing was tuned it says how to get it, in a report of all."""
    _ = context.words.gettext
    found = stepped(context, SCENARIO)
    title = _("Tunings beside the unchanged server")
    if not found:
        if not of_all:
            return []
        said = paragraph(_("Not run this time. It takes:"))
        command = Command(f"./wl run websocket --scenario {SCENARIO}")
        return [Section(title, "tunings", (said, command))]
    opening = paragraph(
        _(
            "Each server differs from the unchanged one in one thing, under the load of the ramp's "
            "last step. Above 1: the tuned one has more. An interval that includes 1 does not tell "
            "them apart."
        )
    )
    told = [_section(context, found.top, tuning) for tuning in TUNINGS]
    return [Section(title, "tunings", (opening, *(section for section in told if section)))]


def _section(context: Context, top: CellTable, tuning: Tuning) -> Section | None:
    """A tuning of which a server took part; None for one without any."""
    _ = context.words.gettext
    here = top.among((tuning.untuned, *tuning.tuned))
    if not any(here.cell(name) for name in tuning.tuned):
        return None
    title = _(tuning.title)
    about = (tuning.mechanism, tuning.matters, tuning.proof)
    columns = [FigureColumn(metric) for metric in (*_RATIOS, *tuning.more, *_HARM)]
    blocks: list[Block | Section] = [
        Bullets(tuple(plain(_(said)) for said in about)),
        steps.side_by_side(here, title, with_operations(context, columns)),
    ]
    tuned = [name for name in tuning.tuned if here.cell(name)]
    if here.cell(tuning.untuned):
        metrics = (*_RATIOS, *tuning.more)
        blocks.append(ratios.to_untuned(here, title, tuning.untuned, tuned, metrics))
    return Section(title, f"tuning-{tuning.key}", tuple(blocks))


def own_rules(context: Context) -> list[tuple[str, Rule]]:
    """Statements on what Redis copies, which the study makes and does not measure."""
    _ = context.words.gettext
    proportional = RatioBand(_WORKERS / _NEARLY, _WORKERS * _NEARLY, size=True, stated=_WORKERS)
    return [
        (
            _("Redis, one channel for all: its CPU grows in proportion to the workers (1 to 4)"),
            lambda: _of_redis(context, GLOBAL, proportional),
        ),
        (
            _("Redis, a channel for each board: its CPU grows with the workers, too (1 to 4)"),
            lambda: _of_redis(context, BOARD, MORE),
        ),
    ]


def _of_redis(context: Context, server: str, band: RatioBand) -> StatementAnswer:
    found = stepped(context, SCENARIO)
    names = (f"{server}-{FOUR}", f"{server}-{ONE}")
    for name in names:
        if not found or found.top.cell(name) is None:
            return open_because(claims.absent(context, SCENARIO, name))
    four, one = ((claims.named(context, name), found.top.cell(name)) for name in names)
    return claims.differ(context, "redis.cpu.mean", four, one, band)
