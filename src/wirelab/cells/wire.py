"""What the witness of the wire says of the operations of a trial."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from wirelab.cells import statuses
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.gates.facts import Astray, WireFacts
from wirelab.model.parts import Operation
from wirelab.witness.exchanges import NEVER, Exchange, followed
from wirelab.witness.matching import Matched, WireOutcome, matched

MOST_SHOWN = 5
"""Operations of a trial that evidence tells of one by one."""


def wire_facts(
    trial: RecordedTrial,
    by_name: Mapping[str, Samples],
    operations: Mapping[str, Operation],
    window: Window,
) -> dict[str, WireFacts]:
    """Of each operation that is looked for on the wire; empty where nobody looked.

    All good ones of the trial are matched, so that those of the warm-up have their exchanges, and
    those due within the window are told of.
    """
    packets, messages, unseen = (trial.files.witnessed.get(name, {}) for name in _FILES)
    found: dict[str, WireFacts] = {}
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
            found[name] = WireFacts(unseen=len(good.where(inside)), encrypted=True)
            continue
        of = matched(good.start_ns, good.end_ns, operation.items, exchanges.exchanges, silent)
        own = window.for_operation(operation)
        found[name] = _facts(of, good, own.inside(good.intended_ns))
    return found


_FILES = ("packets", "messages", "unseen")


def _facts(of: Matched, good: Samples, inside: slice | np.ndarray) -> WireFacts:
    places = np.arange(len(good))[inside]
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
