"""Clients that take what they were not given, or change what they said: ``accounts.py NAME``."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reference import Kept, Reference, read_spec

_BEFORE, _OVER = 200_000, 12_000_000
"""Nanoseconds by which one starts before its time, and for which another one is held up."""

_WORK_NS = 25_000_000
_ROUND_NS = 100_000
_MONOTONIC_COARSE, _PARSING_NS = 6, 6_000_000
_READ_NS = 8_000_000
"""Time that reading a large answer may take."""


class RaisesItsPriority(Reference):
    """Asks the kernel for more of the processor than others get."""

    def measure(self) -> None:
        os.setpriority(os.PRIO_PROCESS, 0, -5)
        super().measure()


class RaisesOneThread(Reference):
    """The same for one thread, beside the one that its process begins with."""

    def measure(self) -> None:
        threading.Thread(target=self._raise, daemon=True).start()
        super().measure()

    @staticmethod
    def _raise() -> None:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), -5)
        time.sleep(60)


class LeavesItsProcessors(Reference):
    """Runs on every processor, also on those that are its server's."""

    def measure(self) -> None:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        super().measure()


class MovesItsServer(Reference):
    """Has its server run where it runs itself."""

    def measure(self) -> None:
        own = os.sched_getaffinity(0)
        for process in Path("/proc").iterdir():
            if process.name.isdigit() and self._is_the_server(process):
                for thread in (process / "task").iterdir():
                    os.sched_setaffinity(int(thread.name), own)
        super().measure()

    def _is_the_server(self, process: Path) -> bool:
        try:
            said = (process / "environ").read_bytes().split(b"\0")
        except OSError:
            return False
        trial = os.environb[b"WIRELAB_TRIAL"]
        return {b"WIRELAB_ROLE=server", b"WIRELAB_TRIAL=" + trial} <= set(said)


class LowersItself(Reference):
    """Gives up what it was given, as is its own affair."""

    def measure(self) -> None:
        os.setpriority(os.PRIO_PROCESS, 0, 5)
        super().measure()


class StartsBeforeItsTime(Reference):
    """Says of one operation in ten that it started a little before it was due."""

    def record(self, intended_ns: int, start_ns: int, end_ns: int, op: int) -> None:
        if self.count % 10 == 0:
            start_ns = intended_ns - _BEFORE
        super().record(intended_ns, start_ns, end_ns, op)


class HidesThatItWasLate(Reference):
    """Is held up now and then, and says of the operations after that that they began in time.

    What it says does not contradict when it put answers into words, which is looked at before.
    """

    worded_ns = 0

    def give(self, kept: Kept, **which: Any) -> None:
        super().give(kept, **which)
        self.worded_ns = time.monotonic_ns()

    def take(self, operation: str) -> dict[str, Any]:
        answer = super().take(operation)
        if self.count % 5 == 4:
            time.sleep(_OVER / 1e9)
        return answer

    def record(self, intended_ns: int, start_ns: int, end_ns: int, op: int) -> None:
        told_ns = max(intended_ns + _BEFORE, self.worded_ns)
        super().record(intended_ns, min(start_ns, told_ns), end_ns, op)


class LeavesOutTheSlow(Reference):
    """Tells nothing of operations that took longer than most: here of one in twenty."""

    seen = 0

    def end(self, kept: Kept, name: str, intended_ns: int) -> None:
        self.seen += 1
        if self.seen % 20 != 10:
            super().end(kept, name, intended_ns)


class RoundsItsStamps(Reference):
    """Rounds starts up and ends down, to a tenth of a millisecond."""

    def end(self, kept: Kept, name: str, intended_ns: int) -> None:
        start_ns = -(-kept.start_ns // _ROUND_NS) * _ROUND_NS
        end_ns = max(start_ns, kept.end_ns // _ROUND_NS * _ROUND_NS)
        super().end(kept._replace(start_ns=start_ns, end_ns=end_ns), name, intended_ns)


class StampsCoarsely(Reference):
    """Takes ends from the clock that the kernel moves once in a few milliseconds, for which no
    answer has to be waited for: it takes a while to read.
    """

    def take(self, operation: str) -> dict[str, Any]:
        answer = super().take(operation)
        until_ns = time.thread_time_ns() + _PARSING_NS
        while time.thread_time_ns() < until_ns:
            pass
        return answer

    def end(self, kept: Kept, name: str, intended_ns: int) -> None:
        coarse_ns = time.clock_gettime_ns(_MONOTONIC_COARSE)
        super().end(kept._replace(end_ns=max(kept.start_ns, coarse_ns)), name, intended_ns)


class TakesNoTime(Reference):
    """Ends operations when they start."""

    def end(self, kept: Kept, name: str, intended_ns: int) -> None:
        super().end(kept._replace(end_ns=kept.start_ns), name, intended_ns)


class ReadsWhenAsked(Reference):
    """Ends an operation when its answer is there, and reads it where somebody asks for it."""

    def take(self, operation: str) -> Any:
        return self.lines[operation].readline()

    def give(self, kept: Kept, **which: Any) -> None:
        begin_ns = max(kept.end_ns, time.monotonic_ns())
        until_ns = time.thread_time_ns() + _READ_NS
        while time.thread_time_ns() < until_ns:
            pass
        answer = json.loads(kept.answer)
        records = self.publish()
        said = {"records": records, "pause": [begin_ns, time.monotonic_ns()]}
        kept = kept._replace(answer=answer)
        self.write_answer(phase="measure", **which, **kept._asdict(), **said)
        self.answers.flush()

    def write_answer(self, **answer: Any) -> None:
        if isinstance(answer.get("answer"), bytes):
            answer["answer"] = json.loads(answer["answer"])
        super().write_answer(**answer)


class RewritesItsRecords(Reference):
    """Says at the end that everything took half as long."""

    def finish(self) -> None:
        self.samples.flush()
        path = Path(self.spec["paths"]["samples"])
        path.write_bytes(_halved(path.read_bytes()))
        super().finish()


class RewritesAfterDone(RewritesItsRecords):
    """The same when it has said that it is done."""

    def finish(self) -> None:
        Reference.finish(self)
        if self.spec["role"] != "server":
            time.sleep(0.2)
            path = Path(self.spec["paths"]["samples"])
            path.write_bytes(_halved(path.read_bytes()))


class WritesAtTheEnd(Reference):
    """Says that its records are in the file, and writes them when it knows them all."""

    def publish(self) -> int:
        return self.count

    def measure(self) -> None:
        self.samples.close()
        path = Path(self.spec["paths"]["samples"])
        self.samples = path.open("ab", buffering=1 << 20)
        super().measure()


class SaysNothingOfRecords(WritesAtTheEnd):
    """The same, and does not say how many there are."""

    def write_answer(self, **answer: Any) -> None:
        answer.pop("records", None)
        super().write_answer(**answer)


class HoldsBack(Reference):
    """Keeps its last record back, to say later when it ended."""

    held: tuple[int, int, int, int] | None = None

    def record(self, intended_ns: int, start_ns: int, end_ns: int, op: int) -> None:
        held, self.held = self.held, (intended_ns, start_ns, end_ns, op)
        if held is not None:
            super().record(*held)

    def finish(self) -> None:
        if self.held is not None:
            super().record(*self.held)
        super().finish()


class RecordsAhead(Reference):
    """Records what has not happened yet."""

    def end(self, kept: Kept, name: str, intended_ns: int) -> None:
        ahead_ns = self.spec["schedule"]["period_ns"] * 20
        super().end(kept._replace(end_ns=kept.end_ns + ahead_ns), name, intended_ns)


class WorksBetweenTicks(Reference):
    """Ends an operation when its answer is there, and works on it after that."""

    def ticks(self, start_ns: int) -> Iterator[tuple[int, int]]:
        for one in super().ticks(start_ns):
            yield one
            until_ns = time.thread_time_ns() + _WORK_NS
            while time.thread_time_ns() < until_ns:
                pass


def _halved(samples: bytes) -> bytes:
    """A sample file whose operations take half as long."""
    header, records = samples[:32], samples[32:]
    halved = b""
    for begin in range(0, len(records), 32):
        record = records[begin : begin + 32]
        start_ns, end_ns = (int.from_bytes(record[at : at + 8], "little") for at in (8, 16))
        end_ns = start_ns + (end_ns - start_ns) // 2
        halved += record[:16] + end_ns.to_bytes(8, "little") + record[24:]
    return header + halved


WORKERS: dict[str, type[Reference]] = {
    "honest": Reference,
    "raises-its-priority": RaisesItsPriority,
    "raises-one-thread": RaisesOneThread,
    "leaves-its-processors": LeavesItsProcessors,
    "moves-its-server": MovesItsServer,
    "lowers-itself": LowersItself,
    "starts-before-its-time": StartsBeforeItsTime,
    "hides-that-it-was-late": HidesThatItWasLate,
    "leaves-out-the-slow": LeavesOutTheSlow,
    "rounds-its-stamps": RoundsItsStamps,
    "stamps-coarsely": StampsCoarsely,
    "takes-no-time": TakesNoTime,
    "reads-when-asked": ReadsWhenAsked,
    "rewrites-its-records": RewritesItsRecords,
    "rewrites-after-done": RewritesAfterDone,
    "writes-at-the-end": WritesAtTheEnd,
    "says-nothing-of-records": SaysNothingOfRecords,
    "holds-back": HoldsBack,
    "records-ahead": RecordsAhead,
    "works-between-ticks": WorksBetweenTicks,
}

if __name__ == "__main__":
    WORKERS[sys.argv[1]](read_spec()).run()
