"""A worker to check, and what it is asked to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .contract import SECOND, Json

Verifier = Callable[[Mapping[str, Any], Mapping[str, Any], Iterable[Any]], "list[str]"]
"""``verify(spec, facts of the server, answers)`` of a suite; returns what is wrong."""

Judge = Callable[[Json, Mapping[str, Any], Iterable[Any], Iterable[Any]], Mapping[str, Json]]
"""``judge(spec, facts of the worker, answers, batches)`` of a suite; by step, what is wrong."""


_BATCHES = 2


class CannotCheckError(Exception):
    """A check that cannot be started: a wrong path, a missing option, a dead partner."""


@dataclass(frozen=True)
class CheckedWorker:
    """A command that fills ``role``, and the scenario it is checked in.

    ``partners`` are the roles that start before it, and those whose role is in ``killed`` are
    dead by the time it starts; one that ``hears_start`` is told of tick 0 although another role
    is checked; one that ``generates`` load measures others, and is told
    which answers to write; ``left_out`` are faults of the variant that are not played, in
    words; ``expects`` is the reaction that the variant is to bring about, by the parameters
    ``set_by_variant`` or by a fault; one that is not ``whole`` is looked at for the length of a
    schedule alone, beside one that is; ``operations`` are spec entries, with ``preflight`` added;
    ``steps`` have name, users, lanes, parameters, settle and join_ns, the last two None where they
    follow from the profile; ``loops`` are the names of steps that are repeated in batches; times
    are nanoseconds.
    """

    command: Sequence[str]
    role: str
    suite: str = "conform"
    scenario: str = "conform"
    variant: str = ""
    contender: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    operations: Mapping[str, Json] = field(default_factory=dict)
    statuses: frozenset[int] = frozenset()
    cycle: Mapping[str, int] = field(default_factory=lambda: {"length": 1, "active": 1})
    loop: str = "paced"
    steps: tuple[Json, ...] = ()
    loops: tuple[str, ...] = ()
    period_ns: int = 100_000_000
    ready_ns: int = 60 * SECOND
    operation_ns: int = 10 * SECOND
    stop_ns: int = 5 * SECOND
    measured: bool = True
    generates: bool = False
    hears_start: bool = False
    partners: tuple[CheckedWorker, ...] = ()
    killed: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = ()
    expects: str = ""
    set_by_variant: tuple[str, ...] = ()
    whole: bool = True
    verify: Verifier | None = None
    judge: Judge | None = None

    @property
    def is_to_fail(self) -> bool:
        """Whether the variant makes calls fail by what is there already when they begin."""
        return self.expects in {"item-error", "call-error"} and not self.left_out

    @property
    def unowed(self) -> frozenset[str]:
        """Operations whose answers the core does not want in this scenario: some have none."""
        return frozenset(
            name for name, entry in self.operations.items() if not entry.get("verified", True)
        )

    @property
    def unasked(self) -> frozenset[str]:
        """Operations whose answers nobody wants.

        Where calls are to fail they are asked for all the same: only an answer shows what a
        worker did that says it went well.
        """
        return frozenset() if self.is_to_fail else self.unowed

    @property
    def is_closed(self) -> bool:
        """Whether its lanes wait for their results rather than for ticks."""
        return self.loop == "closed" and bool(self.steps)

    @property
    def ticks(self) -> int:
        """Enough for two turns of the rarest operation, and a cycle of every lane, in each step.

        For loops: batches of each.
        """
        if self.loops:
            return _BATCHES
        turns = [int(entry["every"]) + 2 for entry in self.operations.values()]
        return max([12, self.cycle["length"], *turns]) * max(1, len(self.steps))

    def schedule_ns(self, count: int) -> int:
        """Time that ``count`` ticks may take.

        With a partner dead each of them may last until its calls are given up. In a closed loop
        it is a bound: of each step, and of joining in it.
        """
        if self.loops:
            return self.operation_ns * len(self.loops)
        if self.is_closed:
            each_ns = self.operation_ns + self.ready_ns
            return count * self.period_ns + len(self.steps) * each_ns
        if self.killed:
            return count * max(self.period_ns, self.operation_ns) + self.operation_ns
        # A lane's last turn may be almost a period after its tick.
        return (count + 1) * self.period_ns + self.operation_ns
