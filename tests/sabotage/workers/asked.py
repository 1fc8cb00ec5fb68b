"""Workers that answer what they are asked for, wrongly but for one: ``asked.py NAME``."""

from __future__ import annotations

import sys
import time
from typing import Any

from reference import Kept, Reference, read_spec


class Caches(Reference):
    """Asks at every fourth tick, and has its last answer ready at all others."""

    old: dict[str, Any] | None = None

    def take(self, operation: str) -> dict[str, Any]:
        answer = super().take(operation)
        if operation == "write" or not self.count:
            return answer
        self.turn = getattr(self, "turn", 0) + 1
        if self.old is None or self.turn % 4 == 0:
            self.old = answer
        return self.old


class Fetches(Reference):
    """Reads nothing at its ticks; when it is asked it fetches, and says that it had that."""

    def ask(self, operation: str, phase: str, tick: int) -> None:
        if phase == "preflight" or operation == "write":
            super().ask(operation, phase, tick)

    def take(self, operation: str) -> dict[str, Any]:
        measuring = self.kept or self.count
        return {} if operation == "read" and measuring else super().take(operation)

    def perform(self, phase: str, tick: int, intended_ns: int, due: list[str]) -> None:
        self.count += phase == "measure"
        super().perform(phase, tick, intended_ns, due)
        self.count -= phase == "measure"

    def give(self, kept: Kept, **which: Any) -> None:
        super().give(kept._replace(answer=self.fetched()) if not kept.answer else kept, **which)

    def fetched(self) -> dict[str, Any]:
        super().ask("read", "preflight", 0)
        return Reference.take(self, "read")


class HoldsOpen(Fetches):
    """As the last one, but claims that an operation it is asked for has only ended then."""

    pending: tuple[Kept, int] | None = None

    def end(self, kept: Kept, name: str, intended_ns: int) -> None:
        if name != "read":
            super().end(kept, name, intended_ns)
            return
        self.close()
        self.pending = (kept, intended_ns)
        self.kept[name] = kept

    def close(self) -> None:
        """Record the read that is held open."""
        if self.pending is not None:
            kept, intended_ns = self.pending
            self.record(intended_ns, kept.start_ns, kept.end_ns, 1)
        self.pending = None

    def give(self, kept: Kept, **which: Any) -> None:
        if self.pending is not None and which["operation"] == "read":
            answer, (_, intended_ns) = self.fetched(), self.pending
            kept = kept._replace(start_ns=kept.start_ns, end_ns=time.monotonic_ns(), answer=answer)
            self.pending = (kept, intended_ns)
            self.close()
        Reference.give(self, kept, **which)

    def finish(self) -> None:
        self.close()
        super().finish()


class Invents(Reference):
    """Has the right values, and stamps for them that no record has."""

    def give(self, kept: Kept, **which: Any) -> None:
        super().give(kept._replace(start_ns=kept.start_ns + 1), **which)


class Declines(Reference):
    """Has nothing to give, whenever it is asked."""

    def hear(self, asked: int, operation: str, lane: int, **_: Any) -> None:
        self.decline("nothing", operation=operation, asked=asked, lane=lane)


class Remembers(Reference):
    """Is honest at every tenth tick alone, and gives the answer of that one."""

    good: Kept | None = None

    def end(self, kept: Kept, name: str, intended_ns: int) -> None:
        super().end(kept, name, intended_ns)
        if name == "read" and kept.tick % 10 == 0:
            self.good = kept

    def give(self, kept: Kept, **which: Any) -> None:
        good = self.good if which["operation"] == "read" else None
        super().give(good or kept, **which)


WAYS: dict[str, type[Reference]] = {
    one.__name__: one
    for one in (Reference, Caches, Fetches, HoldsOpen, Invents, Declines, Remembers)
}

if __name__ == "__main__":
    WAYS[sys.argv[1]](read_spec()).run()
