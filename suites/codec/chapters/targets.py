"""How fast the clean-room CGD codec in C++ was to be, and whether it is."""

from __future__ import annotations

from dataclasses import dataclass

from wirelab.report import claims, figures
from wirelab.report.batches import Batches
from wirelab.report.context import Context
from wirelab.report.document import (
    Badge,
    Block,
    Column,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    Tone,
    Words,
    plain,
)
from wirelab.report.wording import N_
from wirelab.stats.ratio import ratio

from .formats import PROTOBUF, TIMED, writers, yardstick

_BELOW = {"T1": 20.0, "T3": 30.0}
"""Nanoseconds of an owned round trip."""

_FASTER = 4.0
_FASTER_ON = ("T1", "T2", "T3", "T4")

MET, NOT_MET, NOT_SHOWN = N_("met"), N_("not met"), N_("not shown")
_TONES: dict[str, Tone] = {MET: "good", NOT_MET: "bad", NOT_SHOWN: "neutral"}


@dataclass(frozen=True)
class Target:
    """A target in words, how it stands, and the figures."""

    said: str
    stand: str
    grounds: str


def targets(context: Context, found: Batches) -> Section:
    """Each target with how it stands."""
    _ = context.words.gettext
    opening = _(
        "A target is met or not met where the whole interval lies on one side of it; where it "
        "does not, or nothing bounds the figure, it is not shown. The figures are those of this "
        "machine."
    )
    rows = tuple(
        Row(
            Head(target.said),
            (
                Words((), Badge(_(target.stand), _TONES[target.stand])),
                Words(tuple(map(plain, target.grounds.splitlines()))),
            ),
        )
        for target in targets_of(context, found)
    )
    columns = (Column(_("this run"), align="left"), Column(_("figures of this run"), align="left"))
    table = Table(_("Targets"), (_("target"),), columns, (RowGroup(rows),))
    blocks: tuple[Block, ...] = (Paragraph(plain(opening)), table)
    return Section(_("Targets of the clean-room codec in C++"), "targets", blocks)


def targets_of(context: Context, found: Batches) -> list[Target]:
    """The bounds in ns, then the distance from protobuf."""
    own = yardstick(found)
    below = [_below(context, found, own, step, bound) for step, bound in _BELOW.items()]
    faster = [_faster(context, found, own, step) for step in _FASTER_ON]
    return [*below, *faster]


def _below(context: Context, found: Batches, own: str | None, step: str, bound: float) -> Target:
    _ = context.words.gettext
    said = _("C++ CGD: {step} at most {bound} ns").format(step=step, bound=f"{bound:g}")
    metric = found.metric(own, step, TIMED) if own else None
    if metric is None:
        return Target(said, NOT_SHOWN, _("no valid figure in this run"))
    if metric.interval is None:
        grounds = _("{figure}; one process, no interval").format(figure=claims.shown(metric))
        return Target(said, NOT_SHOWN, grounds)
    low, high = metric.interval
    stand = MET if high <= bound else NOT_MET if low > bound else NOT_SHOWN
    return Target(said, stand, claims.shown(metric))


def _faster(context: Context, found: Batches, own: str | None, step: str) -> Target:
    """Against the fastest of those that reuse messages: who is beaten there is beaten by all."""
    _ = context.words.gettext
    said = _("C++ CGD: {step} at least {n} times as fast as Protocol Buffers with reuse").format(
        step=step, n=f"{_FASTER:g}"
    )
    rivals = writers(found, PROTOBUF, "C++", "reuse")
    base = found.metric(own, step, TIMED) if own else None
    metrics = {name: found.metric(name, step, TIMED) for name in rivals}
    known = {name: metric for name, metric in metrics.items() if metric is not None}
    if base is None or not known:
        return Target(said, NOT_SHOWN, _("no valid figure in this run"))
    rival = min(known, key=lambda name: known[name].value or 0.0)
    both = _("{name} {a}, CGD {b}").format(
        name=context.name(rival), a=claims.shown(known[rival]), b=claims.shown(base)
    )
    distance = ratio(known[rival], base)
    if distance is None:
        times = figures.brief((known[rival].value or 0.0) / (base.value or 1.0))
        grounds = _("{figures}: {n} times; one process, no interval").format(figures=both, n=times)
        return Target(said, NOT_SHOWN, grounds)
    stand = MET if distance.low >= _FASTER else NOT_MET if distance.high < _FASTER else NOT_SHOWN
    grounds = _("{figures}: {n} times").format(figures=both, n=claims.ratio_words(distance))
    return Target(said, stand, grounds)
