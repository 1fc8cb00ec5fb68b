"""Comments on kept packets: whose operation each of them is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wirelab.model.parts import Operation
from wirelab.model.wire import Spoken, is_waited_for
from wirelab.trial.load import TrialLoad
from wirelab.trial.turns import KeptRecords, good_records
from wirelab.witness.exchanges import Exchange, followed
from wirelab.witness.matching import WireOutcome, matched
from wirelab.witness.needed import needed
from wirelab.witness.pcapng import Comment
from wirelab.witness.rows import Columns, SeenTraffic
from wirelab.witness.silence import SilentTimes

_WORDS = {
    WireOutcome.SEEN: "",
    WireOutcome.UNANSWERED: ", which ended before all of its answer was there",
    WireOutcome.EARLY: ", which started later",
}


def comments(
    seen: SeenTraffic,
    operations: Mapping[str, Operation],
    spoken: Spoken | None,
    asked: Columns | None,
    *,
    load: TrialLoad,
    kept: KeptRecords,
) -> Iterator[Comment]:
    """Name the operation of each message that belongs to a good one."""
    looked_for = {name: one for name, one in operations.items() if one.wire is not None}
    for name, records in good_records(load, looked_for, kept):
        operation = looked_for[name]
        assert operation.wire is not None
        lanes, start, end = (records[column] for column in ("lane", "start_ns", "end_ns"))
        wanted = needed(
            asked or {}, code=operation.code, items=operation.items, lanes=lanes, start_ns=start
        )
        of_wire = followed(seen.packets, seen.messages, operation.wire, spoken)
        silent = SilentTimes.of(seen.unseen, of_wire, operation.wire, spoken, dropped=seen.dropped)
        waits = is_waited_for(operation.wire)
        since = records["intended_ns"] if waits else start
        found = matched(since, end, wanted, of_wire.exchanges, silent.all, looks_back=not waits)
        for place, outcome in enumerate(found.outcome.tolist()):
            times = f"{start[place] / 1e9:.6f} to {end[place] / 1e9:.6f} s (CLOCK_MONOTONIC)"
            said = f"{name} of lane {lanes[place]}, {times}{_WORDS.get(outcome, '')}"
            for exchange in found.exchanges[place]:
                yield from _of(exchange, said)


def _of(exchange: Exchange, said: str) -> Iterator[Comment]:
    for way, what, (begin, end) in (
        (0, "request", exchange.asked),
        (1, "answer", exchange.answered),
    ):
        if end > begin:
            words = f"{what} {exchange.request}: {said}"
            yield Comment(exchange.connection, way, begin, end, words)
