"""The ledger of a trial: items that good operations asked for, and items that services served."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from wirelab.model.events import Served
from wirelab.model.ledger import LedgerEntry
from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedStep
from wirelab.trial.load import TrialLoad
from wirelab.trial.turns import KeptRecords, good_records
from wirelab.witness.rows import Columns

Ints = npt.NDArray[np.int64]

MARGIN_NS = 100_000_000
"""A service counts an item not quite when its caller has it."""

_UNSAID = -1
"""In place of items that a rule does not know."""


class ServedItems:
    """Items that the services of a trial have served since they started, as they said it."""

    def __init__(self) -> None:
        self._said: dict[str, list[Served]] = {}

    def __bool__(self) -> bool:
        """Whether any service counts."""
        return bool(self._said)

    def hear(self, role: str, said: Served) -> None:
        """A service says how much it has served; the last time it does, its trial is over."""
        self._said.setdefault(role, []).append(said)

    def most(self, what: str, begin_ns: int, end_ns: int) -> int | None:
        """The most items that can have been served from one moment to another; None where nobody
        counts them, or somebody who does fell silent before."""
        counting = [own for own in self._said.values() if what in own[-1].items]
        if not counting or any(_fell_silent(own, end_ns) for own in counting):
            return None
        return sum(
            _known_after(own, what, end_ns + MARGIN_NS)
            - _known_before(own, what, begin_ns - MARGIN_NS)
            for own in counting
        )

    def fewest(self, what: str, begin_ns: int, end_ns: int) -> int:
        """The fewest items that can have been served from one moment to another: what was counted
        about either of them may be of another time.
        """
        counting = [own for own in self._said.values() if what in own[-1].items]
        return sum(
            max(
                0,
                _known_before(own, what, end_ns - MARGIN_NS)
                - _known_after(own, what, begin_ns + MARGIN_NS),
            )
            for own in counting
        )


def _fell_silent(said: Sequence[Served], at_ns: int) -> bool:
    last_ns = said[-1].monotonic_ns
    return last_ns is not None and last_ns < at_ns


def _known_after(said: Sequence[Served], what: str, at_ns: int) -> int:
    known = (one for one in said if one.monotonic_ns is not None and one.monotonic_ns >= at_ns)
    return next(known, said[-1]).items.get(what, 0)


def _known_before(said: Sequence[Served], what: str, at_ns: int) -> int:
    known = [one for one in said if one.monotonic_ns is not None and one.monotonic_ns <= at_ns]
    return known[-1].items.get(what, 0) if known else 0


@dataclass(frozen=True)
class Claims:
    """Good records of one operation: their ticks, their times, and the items that each asked for at
    the least."""

    tick: Ints
    start_ns: Ints
    end_ns: Ints
    items: Ints
    at_most: Ints | None = None
    """Items that each may ask for at the most; None: any number."""
    written: Ints | None = None
    """Items that each has to write; None: it is not known."""
    every: int = 1
    """Ticks from one operation of a lane to the next."""

    def of_step(self, step: PlannedStep) -> Claims:
        """The claims of a step, in settling or after it."""
        inside = (self.tick >= step.first) & (self.tick < step.first + step.count)
        return replace(
            self,
            tick=self.tick[inside],
            start_ns=self.start_ns[inside],
            end_ns=self.end_ns[inside],
            items=self.items[inside],
            at_most=None if self.at_most is None else self.at_most[inside],
            written=None if self.written is None else self.written[inside],
        )

    def of_writes(self) -> Claims:
        """The same of what is written."""
        assert self.written is not None
        return Claims(self.tick, self.start_ns, self.end_ns, self.written)

    def against(
        self, what: str, served: ServedItems, bounded: str | None = None
    ) -> LedgerEntry | None:
        """Both sides, from the first start to the last end: the count ``what`` against the items
        asked for, and the count ``bounded`` against the most, where there is one.
        """
        if not len(self.items):
            return None
        begin_ns, end_ns = int(self.start_ns.min()), int(self.end_ns.max())
        most = served.most(what, begin_ns, end_ns)
        if most is None:
            return None
        claimed, at_most = int(self.items.sum()), self._most_of_all()
        surely = 0
        if at_most is not None and bounded is not None:
            surely = served.fewest(bounded, begin_ns, end_ns)
        return LedgerEntry(claimed=claimed, served=most, at_most=at_most, surely=surely)

    def _most_of_all(self) -> int | None:
        """Items that may be asked for from the first tick to the last one, also by operations
        between that failed: as many lanes as had good ones at one tick are due at each.
        """
        if self.at_most is None:
            return None
        due = (int(self.tick.max()) - int(self.tick.min())) // self.every + 1
        _ticks, lanes = np.unique(self.tick, return_counts=True)
        return math.ceil(float(self.at_most.mean()) * due * int(lanes.max()))


@dataclass(frozen=True)
class TrialLedger:
    """Entries by operation: of all the trial, and by step."""

    entries: Mapping[str, LedgerEntry] = field(default_factory=dict)
    steps: Mapping[str, Mapping[str, LedgerEntry]] = field(default_factory=dict)


def claims_of(
    load: TrialLoad,
    operations: Mapping[str, Operation],
    asked: Columns | None,
    bounds: Columns | None,
    kept: KeptRecords,
) -> Iterator[tuple[str, Claims]]:
    """By operation that a service counts. ``asked`` has the items of each record where the suite's
    data decide them, None where the manifest does; ``bounds`` those that it may ask for at the
    most, where there are such.
    """
    counted = {name: one for name, one in operations.items() if one.ledger is not None}
    for name, records in good_records(load, counted, kept):
        operation = operations[name]
        said, most = (_said_of(operation, records, rule) for rule in (asked, bounds))
        written = None
        if operation.ledger_written is not None and asked is not None:
            # What is written stands where a request for items has their names.
            told = _said_of(operation, records, asked, "names")
            written = np.where(told == _UNSAID, operation.items, told)
        yield (
            name,
            Claims(
                records["tick"],
                records["start_ns"],
                records["end_ns"],
                np.where(said == _UNSAID, operation.items, said),
                # One that may ask for any number leaves all of them without a bound.
                None if _UNSAID in most else most,
                written,
                operation.every,
            ),
        )


def _said_of(
    operation: Operation,
    records: Mapping[str, Ints],
    asked: Columns | None,
    column: str = "items",
) -> Ints:
    """Items of each record, as a rule of the suite says them, or ``_UNSAID``."""
    if asked is None:
        return np.full(len(records["tick"]), _UNSAID, dtype=np.int64)
    own = asked["op"] == operation.code
    columns: list[Any] = [asked[name][own].tolist() for name in ("lane", "start_ns", column)]
    known = {(lane, start): wanted for lane, start, wanted in zip(*columns, strict=True)}
    turns = zip(records["lane"].tolist(), records["start_ns"].tolist(), strict=True)
    return np.array([known.get(turn, _UNSAID) for turn in turns], dtype=np.int64)


def compared(
    claims: Mapping[str, Claims],
    operations: Mapping[str, Operation],
    served: ServedItems,
    steps: Sequence[PlannedStep],
) -> TrialLedger:
    """Both sides of every operation, over the trial and over each of its steps.

    What was served counts from the last time at which the service said how much it was before the
    first operation to the next such time after the last one. All that comes besides, a second time
    or in a preflight, is for the operation. Where several operations ask for the same, nobody
    knows for which of them it was served, and none has a bound of its own.
    """
    shared = Counter(map(_bounded, operations.values()))
    whole: dict[str, LedgerEntry] = {}
    by_step: dict[str, dict[str, LedgerEntry]] = {}
    for name, own in claims.items():
        held = own if shared[_bounded(operations[name])] == 1 else replace(own, at_most=None)
        if (entry := _entry(held, operations[name], served)) is not None:
            whole[name] = entry
        for step in steps:
            if (entry := _entry(held.of_step(step), operations[name], served)) is not None:
                by_step.setdefault(step.name, {})[name] = entry
    return TrialLedger(whole, by_step)


def _bounded(operation: Operation) -> str | None:
    """The count that an operation may raise so far and no further."""
    return operation.ledger_most or operation.ledger


def _entry(own: Claims, operation: Operation, served: ServedItems) -> LedgerEntry | None:
    """Both sides of what an operation asked for, or of what it wrote where that alone lacks."""
    what, of_writes = operation.ledger, operation.ledger_written
    entry = None if what is None else own.against(what, served, _bounded(operation))
    if of_writes is None or own.written is None:
        return entry
    if entry is not None and entry.served < entry.claimed:
        return entry
    written = own.of_writes().against(of_writes, served)
    if written is None or written.served >= written.claimed:
        return entry
    return written.model_copy(update={"written": True})
