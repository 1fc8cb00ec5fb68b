"""Facts about the operations of a trial, from the witness of the wire."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from wirelab.cells import statuses
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.split import NO_TIMES, Ints, WireTimes
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.gates.facts import Astray, WireFacts
from wirelab.model.parts import Operation
from wirelab.stats.blocks import TimedSamples
from wirelab.stats.disturbed import DisturbedTime
from wirelab.witness.exchanges import NEVER, Exchange, followed
from wirelab.witness.matching import Matched, WireOutcome, matched

MOST_SHOWN = 5
"""Operations of a trial that evidence tells of one by one."""


@dataclass(frozen=True)
class OnTheWire:
    """One operation of a trial, as the witness saw it."""

    facts: WireFacts
    times: WireTimes = NO_TIMES


def split_durations(
    seen: Mapping[str, OnTheWire],
    operations: Mapping[str, Operation],
    window: Window,
    disturbed: DisturbedTime,
) -> dict[str, TimedSamples]:
    """Durations of the parts of operations that are looked for on the wire, by their metrics; none
    in a trial at which nobody looked."""
    return {
        f"{name}.wire.{part}": durations
        for name, operation in operations.items()
        if operation.wire is not None
        for part, durations in seen.get(name, _NOT_SEEN)
        .times.parts(window.for_operation(operation), disturbed)
        .items()
    }


def on_the_wire(
    trial: RecordedTrial,
    by_name: Mapping[str, Samples],
    operations: Mapping[str, Operation],
    window: Window,
) -> dict[str, OnTheWire]:
    """Facts about each operation that is looked for on the wire; empty without a witness.

    All good ones of the trial are matched, so that those of the warm-up have their exchanges, and
    those due within the window are told of.
    """
    packets, messages, unseen = (trial.files.witnessed.get(name, {}) for name in _FILES)
    found: dict[str, OnTheWire] = {}
    if not (packets and messages and unseen):
        return found
    silent = np.column_stack([unseen["begin_ns"], unseen["end_ns"]])
    for name, operation in operations.items():
        if operation.wire is None or name not in by_name:
            continue
        good = by_name[name].where(by_name[name].status == statuses.OK)
        exchanges = followed(packets, messages, operation.wire)
        if exchanges.encrypted:
            inside = window.for_operation(operation).inside(good.intended_ns)
            unseen_ones = WireFacts(unseen=len(good.where(inside)), encrypted=True)
            found[name] = OnTheWire(unseen_ones)
            continue
        of = matched(good.start_ns, good.end_ns, operation.items, exchanges.exchanges, silent)
        places = np.arange(len(good))[window.for_operation(operation).inside(good.intended_ns)]
        found[name] = OnTheWire(_facts(of, good, places), _times(of, good, places))
    return found


_NOT_SEEN = OnTheWire(WireFacts())
_FILES = ("packets", "messages", "unseen")


def _times(of: Matched, good: Samples, places: Ints) -> WireTimes:
    seen = places[of.outcome[places] == WireOutcome.SEEN]
    own = (good.intended_ns, good.start_ns, of.departed_ns, of.arrived_ns, good.end_ns)
    return WireTimes.of(*(times[seen] for times in own))


def _facts(of: Matched, good: Samples, places: Ints) -> WireFacts:
    seen = places[of.outcome[places] == WireOutcome.SEEN]
    counts = {what: int(np.count_nonzero(of.outcome[places] == what)) for what in WireOutcome}
    astray = [
        _astray(of, good, int(place))
        for place in places
        if of.outcome[place] in (WireOutcome.ABSENT, WireOutcome.UNANSWERED, WireOutcome.EARLY)
    ]
    return WireFacts(
        seen=counts[WireOutcome.SEEN],
        absent=counts[WireOutcome.ABSENT],
        unanswered=counts[WireOutcome.UNANSWERED],
        early=counts[WireOutcome.EARLY],
        unseen=counts[WireOutcome.UNSEEN],
        size=int(of.size[seen].sum()),
        packets=int(of.packets[seen].sum()),
        astray=tuple(one for one in astray if not one.is_early)[:MOST_SHOWN]
        + tuple(one for one in astray if one.is_early)[:MOST_SHOWN],
    )


def _astray(of: Matched, good: Samples, place: int) -> Astray:
    exchange: Exchange | None = of.exchange[place]
    start, end = int(good.start_ns[place]), int(good.end_ns[place])
    if exchange is None:
        return Astray(start_ns=start, end_ns=end)
    arrived = exchange.arrived_ns
    return Astray(
        start_ns=start,
        end_ns=end,
        is_early=of.outcome[place] == WireOutcome.EARLY,
        connection=exchange.connection,
        request=exchange.request,
        departed_ns=exchange.departed_ns,
        arrived_ns=None if arrived == NEVER else arrived,
    )
