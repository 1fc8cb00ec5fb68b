"""An outage in words: the timeout, the longest block, late ticks, its end, and the rank by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wirelab.model.result import TIMEOUT_IGNORED, CallerView, Cell
from wirelab.report.context import Context
from wirelab.report.document import Text, Tone, plain, text
from wirelab.words import numbers
from wirelab.words.translation import N_

METRIC = "fault.outage.time"
"""The metric that contenders are ranked by."""

_TIMEOUTS: dict[str, str] = {
    "ignored": N_("the timeout of {asked} did not fire"),
    "late": N_("the timeout of {asked} fired late"),
    "fired": N_("the timeout of {asked} fired"),
    "not-reached": N_("no call took as long as the timeout of {asked}"),
}
"""Fate of the timeout that was asked for, the worst first: one trial is enough to show it."""


def tone_of(views: Sequence[CallerView]) -> Tone:
    """Bad where a timeout was ignored; one that fired late may have had a busy host."""
    seen = {view.timeout for view in views}
    return "bad" if "ignored" in seen else "warn" if "late" in seen else "good"


def lines(context: Context, views: Sequence[CallerView]) -> Iterator[Text]:
    """Everything known of an outage; nothing where the fault is no outage."""
    _ = context.words.gettext
    seen = {view.timeout: view for view in views}
    if worst := next((seen[timeout] for timeout in _TIMEOUTS if timeout in seen), None):
        asked = numbers.milliseconds(worst.timeout_ms or 0.0)
        yield text(_(_TIMEOUTS[worst.timeout or ""]), asked=asked)
    if blocks := [view.blocked_ms for view in views if view.blocked_ms is not None]:
        yield text(_("longest block: {time}"), time=span(blocks))
    if late := [view.late_ticks for view in views if view.late_ticks is not None]:
        yield text(_("late ticks: {count}"), count=between(late))
    if outages := [view.outage_ms for view in views if view.outage_ms is not None]:
        over = text(_("on time again {time} after the fault"), time=span(outages))
        yield over if max(outages) else plain(_("no outage"))
    if lost := max((view.disturbed_ms.get("outage", 0.0) for view in views), default=0.0):
        said = _(
            "others disturbed the host for up to {time} of it: how long it is without them is "
            "not known"
        )
        yield text(said, time=numbers.milliseconds(lost))


def rank_of(context: Context, own: Cell, cells: Sequence[Cell]) -> str:
    """Its place among the cells of its mode, or that it has none; empty where nobody is ranked."""
    place = own.ranks.get(METRIC)
    if place is None:
        metric = own.metrics.get(METRIC)
        kept_out = metric and metric.unsupported and metric.unsupported.code == TIMEOUT_IGNORED
        if metric and metric.at_least:
            return context.words.gettext("not ranked: the host was disturbed")
        return context.words.gettext("not ranked: timeout ignored") if kept_out else ""
    places = [cell.ranks.get(METRIC) for cell in cells if cell.mode == own.mode]
    ranked = [known for known in places if known is not None]
    rank = f"{place}=" if ranked.count(place) > 1 else f"{place}"
    template = context.words.gettext("rank by the outage: {rank} of {n}")
    return template.format(rank=rank, n=len(ranked))


def in_a_word(context: Context, views: Sequence[CallerView]) -> str:
    """Its length, and whether a timeout was ignored; empty where neither is known."""
    outages = [view.outage_ms for view in views if view.outage_ms is not None]
    said = [span(outages)] if outages else []
    if any(view.timeout == "ignored" for view in views):
        said.append(context.words.gettext("timeout ignored"))
    return ", ".join(said)


def ignored_timeout(context: Context, fault: str, own: Cell) -> Text | None:
    """A warning: to have recovered is worth little to a caller whom the call did not let go."""
    held = [view for view in own.caller if view.timeout == "ignored"]
    if not held:
        return None
    return text(
        context.words.gettext(
            "**{name}** ignores its timeout ({fault}): asked to give a call up after {asked}, it "
            "was blocked for {time}."
        ),
        name=context.name(own.contender),
        fault=fault,
        asked=numbers.milliseconds(held[0].timeout_ms or 0.0),
        time=numbers.milliseconds(max(view.blocked_ms or 0.0 for view in held)),
    )


def span(times: Sequence[float]) -> str:
    """One time, or from the shortest to the longest."""
    low, high = numbers.milliseconds(min(times)), numbers.milliseconds(max(times))
    return low if low == high else f"{low} … {high}"


def between(counts: Sequence[int]) -> str:
    """One count, or from the least to the most."""
    least, most = f"{min(counts):,}", f"{max(counts):,}"
    return least if least == most else f"{least}–{most}"
