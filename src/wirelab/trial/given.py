"""Answers that were asked for, held against the records and the moments of asking.

A client that answers from a cache between two askings has nothing to answer with that it got at
that time. It can give what it got earlier, or fetch when it is asked. The first ended before others
that its records claim; of the second the stamps would have to lie after the asking, which
operations of an honest client do as often as time falls into them, and no more often.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from scipy.special import bdtrc

from wirelab.model.parts import Operation
from wirelab.model.span import Span
from wirelab.trial.askings import SentAsking
from wirelab.trial.record_times import Ints

Json = Mapping[str, Any]

_ANSWERED = (0, 5)
"""Statuses of operations that have an answer: ``ok`` and ``item-error``."""

_EXCUSED_SHARE, _EXCUSED = 0.1, 3
"""The share and the number of answers that may be missing without a reason, on a busy host."""

_BY_CHANCE = 1e-6
"""An honest client is accused once in a million trials of each operation."""

_SLACK_NS = 1_000_000
_AROUND_NS = 500_000_000
"""A host that is busy makes the operations of all lanes longer for a while, and askings that fall
into that time meet them: they are held to what took so long at that time."""

_HEARING_NS = 200_000
"""To hear of an asking may make the operation longer that is under way."""


@dataclass(frozen=True)
class RecordedLane:
    """An operation's records of one lane, by their start."""

    intended_ns: Ints
    start_ns: Ints
    end_ns: Ints
    status: Ints

    def last_begun(self, at_ns: int) -> int:
        """The last one that had begun; -1: none."""
        return int(np.searchsorted(self.start_ns, at_ns, "right")) - 1

    def with_stamps(self, start_ns: int, end_ns: int) -> int | None:
        """The one with these stamps."""
        first = int(np.searchsorted(self.start_ns, start_ns))
        last = int(np.searchsorted(self.start_ns, start_ns, "right"))
        same = np.flatnonzero(self.end_ns[first:last] == end_ns)
        return first + int(same[0]) if len(same) else None


_NONE = RecordedLane(*(np.empty(0, dtype=np.int64) for _ in range(4)))


class RecordedLanes:
    """The records of a trial's measured role."""

    def __init__(self, kept: Path, operations: Mapping[str, Operation]) -> None:
        names = ["intended_ns", "start_ns", "end_ns", "status", "op", "lane"]
        table = pq.ParquetFile(kept).read(names, use_threads=False)
        columns = {name: table.column(name).to_numpy().astype(np.int64) for name in names}
        order = np.lexsort((columns["start_ns"], columns["lane"], columns["op"]))
        rows = [columns[name][order] for name in names[:4]]
        op, lane = columns["op"][order], columns["lane"][order]
        codes = {operation.code: name for name, operation in operations.items()}
        bounds = np.flatnonzero(np.diff(op * (1 << 16) + lane)) + 1
        self._of: dict[tuple[str, int], RecordedLane] = {}
        self._starts: dict[int, list[tuple[str, Ints]]] = defaultdict(list)
        self.last_ns = int(columns["end_ns"].max(initial=0))
        for first, last in zip([0, *bounds], [*bounds, len(op)], strict=True):
            if first < last and int(op[first]) in codes:
                name, own = codes[int(op[first])], RecordedLane(*(row[first:last] for row in rows))
                self._of[name, int(lane[first])] = own
                self._starts[int(lane[first])].append((name, own.start_ns))

    def of(self, operation: str, lane: int) -> RecordedLane:
        """Records of an operation of a lane."""
        return self._of.get((operation, lane), _NONE)

    def all_of(self, operation: str) -> list[RecordedLane]:
        """Records of an operation, lane by lane."""
        return [own for (name, _), own in self._of.items() if name == operation]

    def another_begins(self, operation: str, lane: int, since_ns: int, until_ns: int) -> bool:
        """Whether the lane begins another operation in this time."""
        return any(
            np.searchsorted(starts, until_ns, "right") > np.searchsorted(starts, since_ns, "right")
            for name, starts in self._starts[lane]
            if name != operation
        )


class Given:
    """The lines of the answers file for a trial's askings; ``findings`` says what is wrong."""

    def __init__(
        self, askings: Sequence[SentAsking], recorded: RecordedLanes, within_ns: int | None
    ) -> None:
        self._askings = askings
        self._recorded = recorded
        self._within_ns = within_ns
        """Time after the tick in which its answer is asked for; None in a closed loop."""
        # A tenth of a period: a worker that hears so late finds the lane at its next operation.
        self._heard_at_once_ns = (within_ns or 0) // 9
        self._given: set[tuple[str, int, int]] = set()
        self._put_into_words: dict[tuple[str, int], int] = {}
        """By operation and lane: when its last answer was."""
        self._later: dict[str, int] = defaultdict(int)
        self._spans: dict[str, list[Span]] = defaultdict(list)
        """By operation: each that was answered."""

    def findings(self, lines: Sequence[Json]) -> list[str]:
        """Find what is wrong, in plain language."""
        by_number: dict[int, Json] = {}
        wrong = []
        for line in lines:
            number = line["asked"]
            if number in by_number or number >= len(self._askings):
                wrong.append(f"{_name(line)}: an answer nobody asked for (number {number})")
            else:
                by_number[number] = line
        missing = 0
        for number, asking in enumerate(self._askings):
            said = by_number.get(number)
            if said is not None and (found := self._astray(asking, said)):
                wrong.append(found)
            elif said is None or "none" in said:
                missing += self._is_owed(asking) and not self._is_heard_late(asking, said)
        if missing > max(_EXCUSED, _EXCUSED_SHARE * len(self._askings)):
            asked = len(self._askings)
            wrong.append(f"{missing} of {asked} answers asked for were not given, without a reason")
        return [*wrong, *self._fetched()]

    def _astray(self, asking: SentAsking, said: Json) -> str:
        """Find what is wrong with a line; empty: nothing."""
        name = _name(said)
        if (said["operation"], said["lane"]) != (asking.operation, asking.lane):
            return f"{name}: answers what was asked of {asking.operation}, lane {asking.lane}"
        if "none" in said:
            return ""
        own = self._recorded.of(asking.operation, asking.lane)
        at = own.with_stamps(said["start_ns"], said["end_ns"])
        if at is None:
            return f"{name}: no record has the stamps of this answer"
        if (asking.operation, asking.lane, at) in self._given:
            return f"{name}: given twice"
        since = np.flatnonzero(own.end_ns[at + 1 :] < asking.sent_ns)
        if len(since):
            age_ms = (asking.sent_ns - said["end_ns"]) / 1e6
            return (
                f"{name}: ended {age_ms:.1f} ms before it was asked for, and {len(since)} others "
                "of the lane since: an old answer"
            )
        self._given.add((asking.operation, asking.lane, at))
        self._put_into_words[asking.operation, asking.lane] = said["pause"][0]
        self._later[asking.operation] += int(own.end_ns[at] > asking.sent_ns)
        self._spans[asking.operation].append((said["start_ns"], said["end_ns"]))
        return ""

    def _is_owed(self, asking: SentAsking) -> bool:
        """Whether there was an answer to be given, and time to hear of it."""
        own = self._recorded.of(asking.operation, asking.lane)
        at = own.last_begun(asking.sent_ns)
        if at < 0 or own.status[at] not in _ANSWERED or asking.sent_ns > self._recorded.last_ns:
            return False
        if (asking.operation, asking.lane, at) in self._given:
            return False
        heard_ns = asking.sent_ns + self._heard_at_once_ns
        return not self._recorded.another_begins(
            asking.operation, asking.lane, int(own.end_ns[at]), heard_ns
        )

    def _is_heard_late(self, asking: SentAsking, said: Json | None) -> bool:
        """Whether a worker that was held up heard of it together with an earlier asking, to which
        it gave the one answer that there was: it has begun one operation at most since this one
        was sent, or was behind with all of those before that one, which its records say.
        """
        given_ns = self._put_into_words.get((asking.operation, asking.lane), 0)
        if said is None or said["none"] != "given" or given_ns < asking.sent_ns:
            return False
        own = self._recorded.of(asking.operation, asking.lane)
        since = slice(own.last_begun(asking.sent_ns) + 1, own.last_begun(given_ns))
        behind_ns = own.start_ns[since] - own.intended_ns[since]
        return bool(np.all(behind_ns > self._heard_at_once_ns))

    def _fetched(self) -> Iterator[str]:
        """Operations whose answers were of operations that ended after the asking, more often than
        by chance; in a closed loop, where most do, of those that took much longer than others.
        """
        for operation, answered in self._spans.items():
            records = self._recorded.all_of(operation)
            start_ns, end_ns = np.array(answered, dtype=np.int64).T
            if self._within_ns is None:
                lengths = end_ns - start_ns
                least = float(np.median(lengths)) / 2 - _HEARING_NS
                count = int(np.count_nonzero(lengths >= least))
                share = _share_of_longer(records, least, start_ns) if least > 0 else 1.0
                what = "took much longer than others"
            else:
                count = self._later[operation]
                share = _share_under_way(records, self._within_ns)
                what = "ended after it was asked for"
            if count and share < 1 and bdtrc(count - 1, len(answered), share) < _BY_CHANCE:
                yield (
                    f"{operation}: {count} of {len(answered)} answers asked for are of operations "
                    f"that {what}, by chance {share:.1%} are: fetched when asked for"
                )


def _share_under_way(records: Sequence[RecordedLane], within_ns: int) -> float:
    """Share of the time in which answers are asked for that operations were not at their end."""
    late = np.concatenate([own.end_ns - own.intended_ns for own in records])
    return float(np.minimum(1.0, (late + _SLACK_NS) / within_ns).mean())


def _share_of_longer(records: Sequence[RecordedLane], least: float, at_ns: Ints) -> float:
    """Share of the time of all operations that was that of those which took so long, each answer
    looked at among what began around it.
    """
    start = np.concatenate([own.start_ns for own in records])
    took = np.concatenate([own.end_ns - own.start_ns for own in records])
    order = np.argsort(start, kind="stable")
    start, took = start[order], took[order].astype(float)
    around = max(_AROUND_NS, 2 * int(took.max(initial=0)))
    first = np.searchsorted(start, at_ns - around)
    last = np.searchsorted(start, at_ns + around, "right")
    whole, longer = (
        np.concatenate([[0.0], np.cumsum(one)]) for one in (took, np.where(took >= least, took, 0))
    )
    spent = np.maximum(whole[last] - whole[first], 1)
    return float(((longer[last] - longer[first]) / spent).mean())


def _name(line: Json) -> str:
    tick = f" {line['tick']}" if "tick" in line else ""
    return f"measure {line['operation']}{tick}"
