"""The operation ``ycsb``: reads, updates, inserts, scans and changes of single records."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kv_harness.client import Place
from kv_harness.record_client import BlockingRecordClient, Fields, RecordClient
from kv_harness.sequences import Seen, Sequences, may_find
from kv_harness.user_table import FIELDS, name_of_user, number_of, sequence_of, value
from kv_harness.workload import INSERT, MODIFY, READ, SCAN, SHARES, UPDATE, Drawn, Draws
from wirelab_sdk import Failure, LaneTurn, Outcome, Spec, SpecError, Status, Step

_ALL = range(FIELDS)


@dataclass(frozen=True, slots=True)
class Task:
    """One operation, ready for the library."""

    drawn: Drawn
    number: int
    """Number of the record."""
    newest: int
    """The last record that was inserted when it was drawn."""
    key: str
    sequence: int
    """Sequence number of what it writes; 0 where it writes nothing."""
    values: Mapping[int, bytes]
    seen: Seen


@dataclass(frozen=True, slots=True)
class DoneTask:
    """A task, and what the library gave."""

    task: Task
    found: Any


class _Records:
    """The part that does not depend on how a client is called."""

    def __init__(self, client: RecordClient | BlockingRecordClient, spec: Spec) -> None:
        self._client = client
        self._spec = spec
        self._draws = Draws(spec)
        self._sequences = Sequences(self._draws.records)
        self._whole = client.whole_records

    def begin(self, step: Step) -> None:
        """Nothing is prepared by the step; SpecError where its workload is none of YCSB's."""
        if (workload := self._workload(step)) not in SHARES:
            raise SpecError(f"workload must be one of {', '.join(SHARES)}, found {workload!r}")

    def _workload(self, step: Step) -> str:
        return self._spec.parameter("workload", "c", step)

    def prepare(self, turn: LaneTurn) -> Task:
        """Draw what is due, and note that it begins."""
        workload, sequences = self._workload(turn.step), self._sequences
        drawn, newest = self._draws.at(workload, turn.tick, turn.lane), sequences.newest
        if drawn.kind == INSERT:
            number = sequences.insert()
        else:
            number = self._draws.record(workload, drawn.rank, newest)
        sequence, values = 0, {}
        seen = sequences.begin_read(number, _ALL)
        if drawn.kind in {UPDATE, MODIFY, INSERT}:
            # An insert writes what would have been loaded.
            if drawn.kind != INSERT:
                sequence = sequences.begin_write(number, self._written(drawn))
            values = {each: value(number, each, sequence) for each in self._written(drawn)}
        return Task(drawn, number, newest, name_of_user(number), sequence, values, seen)

    def _written(self, drawn: Drawn) -> Sequence[int]:
        return _ALL if self._whole or drawn.kind == INSERT else (drawn.field,)

    def judge(self, _turn: LaneTurn, done: DoneTask) -> Outcome:
        """Whether what was found is what had been written, and no older."""
        task, kind = done.task, done.task.drawn.kind
        told: dict[str, Any] = {"kind": kind, "record": task.number, "newest": task.newest}
        size, is_right = sum(map(len, task.values.values())), True
        if kind == INSERT:
            self._sequences.inserted(task.number)
        elif kind == SCAN:
            numbers = _scanned(task, done.found, self._draws.records)
            is_right, size = numbers is not None, 1000 * len(done.found)
            told |= {"most": task.drawn.length, "records": numbers}
        if kind in {UPDATE, MODIFY}:
            written = self._written(task.drawn)
            self._sequences.end_write(task.number, written, task.sequence)
            told |= {"field": task.drawn.field, "sequence": task.sequence}
        if kind in {READ, MODIFY}:
            found = _found(task, done.found, self._draws.records)
            is_right = found is not None and (kind == READ or self._is_change(task, found))
            size += 0 if found is None else sum(map(len, done.found))
            told |= {"found": found}
        records = done.found if kind == SCAN else [done.found] if kind in {READ, MODIFY} else []
        return Outcome(
            answer=lambda: {**told, "content": f"{_checksum(records if is_right else []):08x}"},
            status=Status.OK if is_right else Status.WRONG_ANSWER,
            size=size,
        )

    def _is_change(self, task: Task, found: Sequence[int]) -> bool:
        """Whether nobody else has replaced what this change had read. A field at a time: those that
        were not written prove nothing."""
        fields = self._written(task.drawn)
        alone = [self._sequences.changed((task.number, each), found[each]) for each in fields]
        return all(alone)

    def explain(self, error: BaseException) -> Failure:
        """In the words of the library. A write that failed may be found by who reads later."""
        return self._client.explain(error)


def _checksum(records: Sequence[Fields]) -> int:
    """CRC-32 of all fields, one after the other."""
    return zlib.crc32(b"".join(content for fields in records for content in fields))


def _found(task: Task, fields: Fields | None, records: int) -> list[int] | None:
    """The writes that a read found, by field; None where one of them cannot be."""
    if fields is None or len(fields) != FIELDS:
        return None
    found = [
        sequence_of(content, task.number, each, records) for each, content in enumerate(fields)
    ]
    right = [one for each, one in enumerate(found) if one is not None]
    if len(right) < FIELDS or not all(may_find(task.seen, n, one) for n, one in enumerate(right)):
        return None
    return right


def _scanned(task: Task, rows: Sequence[Fields], records: int) -> list[int] | None:
    """Numbers of the records that a scan found, the first of which it asked for; None where they
    are no records in the order of their keys."""
    numbers = [number_of(fields[0]) for fields in rows if len(fields) == FIELDS]
    known = [number for number in numbers if number is not None]
    names = [name_of_user(number) for number in known]
    in_order = names == sorted(set(names)) and names[:1] == [task.key]
    if not in_order or not len(known) == len(rows) <= task.drawn.length:
        return None
    whole = (
        sequence_of(content, number, each, records) is not None
        for number, fields in zip(known, rows, strict=True)
        for each, content in enumerate(fields)
    )
    return known if all(whole) else None


class AsyncRecords(_Records):
    """Work on records by a client on asyncio."""

    _client: RecordClient

    async def open(self) -> None:
        """Connect."""
        await self._client.open(self._spec.endpoints["server"], Place(self._spec))

    async def call(self, task: Task) -> DoneTask:
        """The timed part."""
        client, found = self._client, None
        match task.drawn.kind:
            case "read":
                found = await client.read_record(task.key)
            case "update":
                await client.write_record(task.key, task.values)
            case "insert":
                await client.insert_record(task.key, list(task.values.values()))
            case "scan":
                return DoneTask(task, await client.scan_records(task.key, task.drawn.length))
            case _:
                found = await client.modify_record(task.key, task.values)
        return DoneTask(task, found)


class BlockingRecords(_Records):
    """Work on records by a client for threads."""

    _client: BlockingRecordClient

    def open(self) -> None:
        """Connect."""
        self._client.open(self._spec.endpoints["server"], Place(self._spec))

    def call(self, task: Task) -> DoneTask:
        """The timed part."""
        client, found = self._client, None
        match task.drawn.kind:
            case "read":
                found = client.read_record(task.key)
            case "update":
                client.write_record(task.key, task.values)
            case "insert":
                client.insert_record(task.key, list(task.values.values()))
            case "scan":
                return DoneTask(task, client.scan_records(task.key, task.drawn.length))
            case _:
                found = client.modify_record(task.key, task.values)
        return DoneTask(task, found)
