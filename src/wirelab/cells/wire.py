"""Facts about the operations of a trial, from the witness of the wire."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate

import numpy as np

from wirelab.cells import statuses
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.split import NO_TIMES, Ints, WireTimes
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.gates.facts import ContradictedOperation, WireFacts
from wirelab.model.parts import Operation
from wirelab.model.span import Span
from wirelab.model.wire import WitnessRecord, is_waited_for
from wirelab.stats.blocks import TimedSamples
from wirelab.stats.disturbed import DisturbedTime
from wirelab.witness.exchanges import followed
from wirelab.witness.matching import Matched, WireOutcome, matched
from wirelab.witness.needed import needed
from wirelab.witness.rows import Columns
from wirelab.witness.silence import SilentTimes
from wirelab.witness.streams import NEVER

_ROWS_A_PACKET = 6
"""Rows of a packet with payload at the most: it departs and arrives, and so does what acknowledges
it; it may begin or end a message."""

_LEAST_PACKETS = 4
"""Packets of an operation at the least: a connection has some for itself, which are more than those
of a small operation."""

_MOST_TIMES = 4
"""The multiple of what operations need beyond which traffic is for something else."""

MOST_SHOWN = 5
"""Operations of a trial that evidence tells of one by one."""


@dataclass(frozen=True)
class OnTheWire:
    """One operation of a trial, as the witness saw it."""

    facts: WireFacts
    times: WireTimes = NO_TIMES
    places: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """The place of each of these times among all good operations of that name in the trial."""


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
    found: dict[str, OnTheWire] = {}
    seen, witness = trial.files.witnessed, trial.record.witness if trial.record else None
    if not seen or witness is None:
        return found
    for name, operation in operations.items():
        if operation.wire is None or name not in by_name:
            continue
        good = by_name[name].where(by_name[name].status == statuses.OK)
        if name not in trial.files.matched:
            trial.files.matched[name] = _matched(seen, good, operation, witness)
        of: Matched
        silent: SilentTimes
        of, silent = trial.files.matched[name]
        inside = window.for_operation(operation).inside(good.intended_ns)
        places = np.arange(len(good))[inside]
        facts = _facts(of, good, places, operation)
        if facts.unseen:
            facts = replace(
                facts,
                unfollowed=_count_within(silent.unfollowed, good, places),
                encrypted=_count_within(silent.unreadable, good, places) > 0,
                drowned=_count_within(silent.full, good, places),
            )
        seen_places = places[of.outcome[places] == WireOutcome.SEEN]
        times = _times(of, good, operation, seen_places)
        found[name] = OnTheWire(facts, times, seen_places)
    if any(one.facts.drowned for one in found.values()) and not _is_drowned(trial, by_name):
        innocent = {name: replace(one.facts, drowned=0) for name, one in found.items()}
        return {name: replace(one, facts=innocent[name]) for name, one in found.items()}
    return found


def _is_drowned(trial: RecordedTrial, by_name: Mapping[str, Samples]) -> bool:
    """Whether there was much more traffic than all operations of a trial need, of which those that
    nobody looked for are taken for as large as the largest of the others.
    """
    most = float(_LEAST_PACKETS)
    for of, _ in trial.files.matched.values():
        own = of.packets[of.outcome == WireOutcome.SEEN]
        most = max(most, float(own.mean()) if len(own) else 0.0)
    needed = sum(map(len, by_name.values())) * most * _ROWS_A_PACKET
    seen, record = trial.files.witnessed, trial.record
    kept = len(seen["packets"]["side"]) + len(seen["messages"]["way"])
    left_out = record.witness.left_out if record and record.witness else 0
    return kept + left_out > _MOST_TIMES * needed


def _count_within(times: Ints, good: Samples, places: Ints) -> int:
    """Count operations that were under way in any of these times."""
    there = np.zeros(len(places), dtype=bool)
    for begin, end in times:
        there |= (good.start_ns[places] <= end) & (good.end_ns[places] >= begin)
    return int(np.count_nonzero(there))


_NOT_SEEN = OnTheWire(WireFacts())

_DEPARTED = 0


@dataclass(frozen=True)
class WireTraffic:
    """Everything between the roles of a trial, whatever it is for, by the second."""

    bytes_per_second: float
    packets_per_second: float
    of_connections: tuple[float, ...]
    """Bytes a second of each connection that had a packet, the least first."""


def wire_traffic(trial: RecordedTrial, window: Window) -> WireTraffic | None:
    """Traffic of the ports that the witness watches, in the window; None where nobody looked."""
    if not trial.files.witnessed:
        return None
    packets = trial.files.witnessed["packets"]
    at_ns, departed = packets["monotonic_ns"], packets["side"] == _DEPARTED
    inside = [departed & (at_ns >= begin) & (at_ns < end) for begin, end in window.spans]
    frames, connections = (
        np.concatenate([packets[name][own] for own in inside]) for name in ("frame", "connection")
    )
    _, places = np.unique(connections, return_inverse=True)
    by_connection = np.sort(np.bincount(places, weights=frames)) / window.seconds
    return WireTraffic(
        float(frames.sum()) / window.seconds,
        len(frames) / window.seconds,
        tuple(by_connection.tolist()),
    )


def _matched(
    seen: Mapping[str, Columns], good: Samples, operation: Operation, witness: WitnessRecord
) -> tuple[Matched, SilentTimes]:
    """Match all good operations of one kind."""
    assert operation.wire is not None
    exchanges = followed(seen["packets"], seen["messages"], operation.wire, witness.spoken)
    silent = SilentTimes.of(
        seen["unseen"], exchanges, operation.wire, witness.spoken, dropped=witness.dropped
    )
    wanted = needed(
        seen.get("requested", {}),
        code=operation.code,
        items=operation.items,
        lanes=good.lane.astype(np.int64),
        start_ns=good.start_ns,
    )
    found = matched(
        _begins(good, operation),
        good.end_ns,
        wanted,
        exchanges.exchanges,
        silent.all,
        looks_back=not is_waited_for(operation.wire),
    )
    return found, silent


def _begins(good: Samples, operation: Operation) -> Ints:
    """The earliest times at which what belongs to each operation may depart."""
    assert operation.wire is not None
    return good.intended_ns if is_waited_for(operation.wire) else good.start_ns


def _times(of: Matched, good: Samples, operation: Operation, seen: Ints) -> WireTimes:
    begins = _begins(good, operation)
    own = (good.intended_ns, begins, of.departed_ns, of.arrived_ns, good.end_ns)
    return WireTimes.of(*(times[seen] for times in own))


def _facts(of: Matched, good: Samples, places: Ints, operation: Operation) -> WireFacts:
    seen = places[of.outcome[places] == WireOutcome.SEEN]
    counts = {what: int(np.count_nonzero(of.outcome[places] == what)) for what in WireOutcome}
    astray = [
        _astray(of, good, int(place))
        for place in places
        if of.outcome[place] in (WireOutcome.ABSENT, WireOutcome.UNANSWERED, WireOutcome.EARLY)
    ]
    carried, of_one = _of_one(of, good, seen) if operation.own_connection else (0, 0)
    return WireFacts(
        seen=counts[WireOutcome.SEEN],
        absent=counts[WireOutcome.ABSENT],
        unanswered=counts[WireOutcome.UNANSWERED],
        early=counts[WireOutcome.EARLY],
        unseen=counts[WireOutcome.UNSEEN],
        size=int(of.size[seen].sum()),
        packets=int(of.packets[seen].sum()),
        connections=0 if operation.connections is None else _connections_at_once(of, seen),
        carried=carried,
        of_one=of_one,
        astray=tuple(one for one in astray if not one.is_early)[:MOST_SHOWN]
        + tuple(one for one in astray if one.is_early)[:MOST_SHOWN],
    )


def _of_one(of: Matched, good: Samples, places: Ints) -> tuple[int, int]:
    """The most of these operations that one connection carried, and the most that one user had."""
    carried = Counter(
        number for place in places for number in {one.connection for one in of.exchanges[place]}
    )
    users = Counter(good.lane[places].tolist())
    return max(carried.values(), default=0), max(users.values(), default=0)


def _connections_at_once(of: Matched, places: Ints) -> int:
    """The most connections in use at the same time, each from its first request to its last answer
    of these operations.
    """
    used: dict[int, Span] = {}
    for place in places:
        for one in of.exchanges[place]:
            begin, end = used.get(one.connection, (one.departed_ns, one.arrived_ns))
            used[one.connection] = min(begin, one.departed_ns), max(end, one.arrived_ns)
    edges = sorted(edge for begin, end in used.values() for edge in ((begin, 1), (end, -1)))
    return max(accumulate((change for _, change in edges), initial=0))


def _astray(of: Matched, good: Samples, place: int) -> ContradictedOperation:
    exchange = next(iter(of.exchanges[place]), None)
    start, end = int(good.start_ns[place]), int(good.end_ns[place])
    if exchange is None:
        return ContradictedOperation(start_ns=start, end_ns=end)
    arrived = exchange.arrived_ns
    return ContradictedOperation(
        start_ns=start,
        end_ns=end,
        is_early=of.outcome[place] == WireOutcome.EARLY,
        connection=exchange.connection,
        request=exchange.request,
        departed_ns=exchange.departed_ns,
        arrived_ns=None if arrived == NEVER else arrived,
    )
