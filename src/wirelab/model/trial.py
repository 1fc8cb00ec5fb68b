"""The file ``trial.json``: the outcome of a trial, and the record of each of its roles."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from wirelab.model.events import KnownOfReady
from wirelab.model.file_system import FileSystem
from wirelab.model.ledger import LedgerEntry
from wirelab.model.own import RequestCount
from wirelab.model.planned import PlannedLoops, PlannedTrial
from wirelab.model.schema_version import SCHEMA_VERSION
from wirelab.model.several import process_names
from wirelab.model.span import LATEST_NS, MOST_NS, Span
from wirelab.model.stacks import SampledStacks
from wirelab.model.units import FileName, Name, OptionalName, Strict, Term
from wirelab.model.wire import WitnessRecord


class TrialStatus(StrEnum):
    """Outcome of a trial."""

    OK = "ok"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


OF_THE_HOST = frozenset({"not-started", "disk", "disk-full", "host", "late-fault"})
"""Reasons of failed trials that no worker gives: the machine refused something, or was busy."""

OF_TOO_LITTLE = frozenset({"out-of-memory", "never-ready", "exited", "exit-code"})
"""Reasons for which a role fails that its scenario gives too little of the machine."""


class RoleRecord(Strict):
    """Record of a role in a trial, or of one of its processes where it is several."""

    role: Name = Field(description="its name; `ROLE-1`, `ROLE-2` … of processes of a role")
    command: list[str]
    cpus: list[int] = Field(description="processors it was pinned to; empty: not pinned")
    pin_refused: str = Field(default="", description="why it could not be pinned")
    startup_ns: int | None = Field(default=None, description="from its start to its ready event")
    ready: dict[str, Any] = Field(default={}, description="its ready event")
    done: dict[str, Any] = Field(default={}, description="its done event")
    errors: list[dict[str, Any]] = Field(default=[], description="its error events")
    exit_code: int | None = Field(default=None, description="negative: the signal that ended it")
    stderr_tail: str = ""
    log: FileName | Literal[""] = Field(
        default="", description="file in the trial's folder that keeps its standard error"
    )
    instructions: int | None = Field(
        default=None, description="executed by its processes, where they were counted"
    )
    syncs: dict[str, int] = Field(
        default={},
        description="calls that wait for the disk, where they were counted: by step, or in all",
    )
    stacks: SampledStacks | None = Field(
        default=None, description="of its process, where they were sampled"
    )
    counted: RequestCount | None = Field(
        default=None, description="of the stand-in for a server of the user's own"
    )
    served: dict[str, int] = Field(
        default={}, description="of a neutral service: items that it served, by what it counts"
    )
    owns_socket: bool | None = Field(
        default=None, description="the monitored tree owned the endpoint's listening socket"
    )

    @field_validator("ready")
    @classmethod
    def _says_what_is_read(cls, ready: dict[str, Any]) -> dict[str, Any]:
        KnownOfReady.model_validate(ready)
        return ready


class AppliedFault(Strict):
    """A fault as it was carried out."""

    action: str
    role: Name
    monotonic_ns: int
    ready_ns: int | None = Field(default=None, description="restart: when the role was ready")


class Environment(Strict):
    """The host around a trial, over its measured window."""

    steal_ratio: float = Field(description="steal time / all CPU time, from /proc/stat")
    foreign_cpu: float = Field(
        description="cores used by processes that are neither the trial's nor the core's"
    )
    psi_cpu: float | None = Field(
        default=None, description="share of the window some task waited for a CPU (PSI some)"
    )
    canary_ns: int = Field(description="time of a fixed loop just before the trial")
    load_before: float
    clock_source: str


class Judged(Strict):
    """Judgement of the suite's judge on one step of a trial of batches."""

    wrong: list[str] = Field(default=[], description="findings; none when everything is right")
    figures: dict[str, tuple[float, str]] = Field(
        default={}, description="exact figures by metric name: value and unit"
    )
    remarks: dict[str, Any] = Field(default={}, description="what the suite's report tells of it")


class Sized(Strict):
    """Sizes of good records of an operation beside those that the data ask for."""

    compared: int = Field(description="records")
    unlike: int = Field(description="of them, with another size")
    recorded: int = Field(description="sum of the sizes as recorded")
    expected: int = Field(description="sum of the sizes as they must be")


class TrialRecord(Strict):
    """``trial.json``: the outcome of one trial."""

    schema_version: int = SCHEMA_VERSION
    planned: PlannedTrial
    status: TrialStatus
    reason: str = Field(default="", description="reason code of a failure, such as never-ready")
    detail: str = Field(default="", description="the same in a sentence")
    role: OptionalName = Field(
        default="", description="the one that failed; empty: the host, or none"
    )
    earlier: list[str] = Field(
        default=[],
        description="failures of attempts before this one, the host's or the harness's: reason: "
        "detail",
    )
    wrong_answers: list[str] = Field(default=[], description="findings of the suite's verifier")
    verified: int = Field(default=0, description="answers checked in full")
    asked: int | None = Field(
        default=None,
        description="answers asked for after their operation; none: of a generator, which is told "
        "beforehand what to write",
    )
    judged: dict[Term, Judged] = Field(default={}, description="by step, for trials of batches")
    sized: dict[Term, Sized] = Field(
        default={}, description="by operation, where the suite knows what its sizes must be"
    )
    started_at: str = Field(default="", description="wall clock, ISO 8601")
    tick0_ns: int | None = Field(
        default=None, ge=0, le=LATEST_NS, description="tick 0 on CLOCK_MONOTONIC"
    )
    ended_ns: int | None = Field(default=None, ge=0, le=LATEST_NS)
    took_ns: int | None = Field(
        default=None, description="all of it, with starting and stopping; none: stored before"
    )
    roles: dict[Name, RoleRecord] = {}
    file_system: FileSystem | None = Field(
        default=None,
        description="of the folders that its roles write to; none: the kernel told none, or stored "
        "before it was asked",
    )
    disturbed: float | None = Field(
        default=None,
        description="share of its measured time in which threads outside of it ran too much; "
        "none: not recorded",
    )
    lost: bool = Field(
        default=False, description="to the host, by that share alone: it may be made up for"
    )
    faults: list[AppliedFault] = []
    steps: dict[Term, Span] = Field(
        default={},
        description="closed loop: begin and end of each step (CLOCK_MONOTONIC), as its worker said",
    )
    paused: dict[Term, int] = Field(
        default={},
        description="closed loop: time of each step in which its lanes gave answers, shared, ns",
    )
    pauses: list[Span] = Field(
        default=[], description="paced loop: begin and end of each time in which it gave an answer"
    )
    answering_ns: dict[Term, int] = Field(
        default={},
        description="paced loop: by operation, lower quartile of the time that an answer took, "
        "where enough were asked for",
    )
    overlapping: int = Field(
        default=0,
        description="operations that began before the one of their kind before them in their lane "
        "had ended, where a contender's lanes wait for each",
    )
    environment: Environment | None = None
    witness: WitnessRecord | None = Field(
        default=None,
        description="of the wire; none: nothing of this scenario is looked for there, or stored "
        "before there was one",
    )
    ledger: dict[Term, LedgerEntry] = Field(
        default={},
        description="by operation, where a neutral service counts what it serves; empty: none "
        "does, or one was started again and forgot",
    )
    ledger_steps: dict[Term, dict[Term, LedgerEntry]] = Field(
        default={},
        description="the same by step, settling included: what was served between two times at "
        "which the service said how much it was, around the step's operations",
    )
    secret: str = Field(
        default="",
        description="what the values of its services depended on, drawn for this trial and written "
        "down once it had ended; none: they depend on no secret",
    )
    monitor_failure: str = Field(
        default="", description="why the monitor did not look until the end; empty: it did"
    )

    @model_validator(mode="after")
    def _lasted_no_month(self) -> TrialRecord:
        if (self.ended_ns or 0) - (self.tick0_ns or self.ended_ns or 0) > MOST_NS:
            raise ValueError("expected a trial of at most 30 days")
        return self

    def processes_of(self, role: str) -> list[RoleRecord]:
        """Records of the processes of a role: one or several; none where it was not started."""
        names = [role] if role in self.roles else process_names(role, self.planned.load.processes)
        return [self.roles[name] for name in names if name in self.roles]

    def pinned(self, role: str) -> int:
        """Processors that each process of a role was pinned to; 0: it was not pinned."""
        return len(next((one.cpus for one in self.processes_of(role)), []))

    @property
    def window_ns(self) -> Span | None:
        """Begin and end of what was measured; None for a trial that never had a tick 0.

        Batches follow each other from tick 0 until the trial ends, which a worker that only gives
        answers may do before tick 0. A closed loop lasts as long as its steps did: from where
        the first of them began to where the last one ended.
        """
        if self.steps:
            return min(begin for begin, _ in self.steps.values()), max(
                end for _, end in self.steps.values()
            )
        if self.tick0_ns is None:
            return None
        if isinstance(self.planned.load, PlannedLoops) and self.ended_ns is not None:
            return self.tick0_ns, max(self.ended_ns, self.tick0_ns + 1)
        begin_ns, end_ns = self.planned.load.span_ns
        return self.tick0_ns + begin_ns, self.tick0_ns + end_ns
