"""A scenario: a workload with its load, roles, operations, parameters and bounds."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal, assert_never

from pydantic import Field, model_validator

from wirelab.model.capacity import Capacity
from wirelab.model.contender import Contender
from wirelab.model.engine import load_by
from wirelab.model.load import Closed, Cycle, Load, Microbenchmark, Open, Paced
from wirelab.model.measure import CHECK, Bounds, Ceiling, Measure
from wirelab.model.parts import Variant
from wirelab.model.units import Duration, Name, OptionalName, Scalar, Strict, Term, Text
from wirelab.model.wire import Spoken, protocol_of
from wirelab.model.written import Operations, Rankings, Roles, Steps

_PLAIN = Variant(title=Text(en=""))

OPERATION_LIMIT = "operation_limit"
"""The limit of a scenario, as the timeout that its workers ask of their libraries."""

_BECAME_LOAD = ("kind", "loop", "period", "cycle", "under")
"""Keys of a scenario that its load has taken the place of."""


class Kind(StrEnum):
    """Subject of a scenario's cells, by which reports and gates tell them apart."""

    LOAD = "load"
    """Figures that contenders are compared by."""

    FAULTS = "faults"
    CEILING = "ceiling"
    MICROBENCHMARK = "microbenchmark"
    CAPACITY = "capacity"
    SYNC_CALLS = "sync-calls"
    """Calls that are counted in traced trials, in which nothing is timed."""

    STACKS = "stacks"
    """Processor time by the places of a program, in trials that sample it and time nothing."""


class Scenario(Strict):
    """A workload with its parameters and bounds."""

    title: Text
    load: Load | None = Field(
        default=None, description="by whom and when operations are asked for; else `capacity`"
    )
    reference_only: bool = Field(
        default=False,
        description="carried out by reference contenders alone, to show what the rest of the "
        "set-up gives at most",
    )
    syncs_of: OptionalName = Field(
        default="",
        description="role whose calls that wait for the disk are counted, by strace, which stops "
        "it for each: how many there are to an operation is told of it, and no time",
    )
    stacks_of: OptionalName = Field(
        default="",
        description="role whose worker samples its stacks, by the processor time that it uses: "
        "where that goes is told of it, and no time",
    )
    needs: list[Term] = Field(
        default=[], description="capabilities without which a contender has no part in it"
    )
    roles: Roles
    operations: Operations
    parameters: dict[str, Scalar] = {}
    variants: dict[Name, Variant] = {}
    steps: Steps = {}
    profiles: dict[Name, Measure] = Field(
        description="by name; check is for wirelab's own tests: it shows that all answers are "
        "right, and supports no figure"
    )
    shortest: int | None = Field(
        default=None,
        ge=1,
        description="the least `count` that still shows what the scenario is about, its code "
        "being compiled and its users settled: what each block of `--until` measures; the "
        "profile's where that is less, or nothing is said, as of a ramp, which is one trial",
    )
    bounds: Bounds = Bounds()
    capacity: Capacity | None = Field(
        default=None,
        description="the largest load that holds bounds is searched, each probe a trial of its own",
    )
    trends: bool = Field(
        default=False,
        description="how memory, descriptors, threads and latencies change by the hour is figures "
        "of it: of trials that last for hours",
    )
    drift_target: Duration | None = None
    ceiling: Ceiling | None = Field(
        default=None, description="of what is not compared: the generator of this load, or a server"
    )
    reads: Name | None = Field(
        default=None, description="scenario whose answers, of every contender, are given to workers"
    )
    listed: Term | None = Field(
        default=None,
        description="operation whose items the user lists in a file (--items): the scenario is "
        "for a server of the user's own (--target) and has no part in any other run",
    )
    unverified: Text | None = Field(
        default=None, description="why nobody can tell whether its answers are right"
    )
    ranked_within: Literal["scenario", "language"] = Field(
        default="scenario", description="language: only contenders of one language are compared"
    )
    open_files: int = Field(default=0, ge=0, description="files a role must be able to open")
    rankings: Rankings = []
    statuses: dict[str, int] = Field(default={}, description="status bytes 64-255 by name")
    operation_limit: Duration = 10_000_000_000
    call_timeout: str = Field(
        default="",
        description="faults: after what the library is asked to give a call up: a parameter in "
        'nanoseconds, or "operation_limit"; empty: nothing is asked of it',
    )
    ready_limit: Duration = 60_000_000_000
    stop_limit: Duration = 5_000_000_000

    @model_validator(mode="before")
    @classmethod
    def _of_today(cls, data: Any) -> Any:
        old = [name for name in _BECAME_LOAD if isinstance(data, Mapping) and name in data]
        if old:
            raise ValueError(
                f"{', '.join(old)}: a scenario has a load instead, such as "
                'load = { type = "open", period = "1s" }'
            )
        return data

    @model_validator(mode="after")
    def _one_load(self) -> Scenario:
        if (self.load is None) == (self.capacity is None):
            raise ValueError("a scenario has a load, or a capacity that contains one")
        return self

    @model_validator(mode="after")
    def _shortest_of_a_load(self) -> Scenario:
        counted = isinstance(self.load, Open | Paced | Closed)
        if self.shortest is not None and not counted:
            raise ValueError("shortest is of an open, paced or closed load")
        return self

    @model_validator(mode="after")
    def _one_measured_role(self) -> Scenario:
        measured = [name for name, role in self.roles.items() if role.measured]
        if len(measured) != 1:
            raise ValueError(f"exactly one role must be measured, found {len(measured)}")
        return self

    @model_validator(mode="after")
    def _steps_or_variants(self) -> Scenario:
        if self.steps and self.variants:
            raise ValueError("a scenario has steps or variants, not both")
        if sum(role.subject for role in self.roles.values()) > 1:
            raise ValueError("only one role can be the subject")
        return self

    @model_validator(mode="after")
    def _nobody_ranked_who_sheds(self) -> Scenario:
        shed = [name for name, one in self.operations.items() if one.sheds]
        if shed and self.rankings:
            raise ValueError(
                f"{', '.join(shed)}: a server may leave these out on purpose, so nobody can be "
                "ranked: remove the rankings"
            )
        return self

    @property
    def measured_role(self) -> str:
        """Name of the role that records the samples."""
        return next(name for name, role in self.roles.items() if role.measured)

    @property
    def subject_role(self) -> str:
        """Name of the role whose use of resources is the contender's."""
        subjects = (name for name, role in self.roles.items() if role.subject)
        return next(subjects, self.measured_role)

    @property
    def offered(self) -> list[str]:
        """Profiles to measure with: all but the one of wirelab's own tests."""
        return [name for name in self.profiles if name != CHECK]

    @property
    def played(self) -> Load:
        """The load of each of its trials; of a capacity, that of a probe."""
        load = self.load if self.capacity is None else self.capacity.load
        if load is None:
            raise ValueError("a scenario without a load cannot be made")
        return load

    @property
    def is_paced(self) -> bool:
        """Whether a call that is late makes the next ones late."""
        return isinstance(self.played, Paced)

    @property
    def is_open(self) -> bool:
        """Whether no call waits for another one."""
        return isinstance(self.played, Open)

    @property
    def is_closed(self) -> bool:
        """Whether lanes wait for their results rather than for ticks."""
        return isinstance(self.played, Closed)

    @property
    def is_ramp(self) -> bool:
        """Whether users come and go during its steps, which take the time that they are given."""
        return any(step.ramp for step in self.steps.values())

    @property
    def is_scheduled(self) -> bool:
        """Whether operations are due at ticks, known before the trial."""
        return isinstance(self.played, Paced | Open)

    @property
    def is_microbenchmark(self) -> bool:
        """Whether operations are repeated in loops."""
        return isinstance(self.played, Microbenchmark)

    @property
    def is_followed(self) -> bool:
        """Whether the witness of the wire is asked."""
        return any(one.wire is not None for one in self.operations.values())

    def followed(self, spoken: Spoken | None) -> list[str]:
        """The protocol that the witness follows where a service speaks this one, and what it has to
        know of its messages; empty: none.
        """
        for one in self.operations.values():
            if one.wire is not None and (protocol := protocol_of(one.wire, spoken)):
                return [protocol, *one.wire_fields]
        return []

    @property
    def counts_instructions(self) -> bool:
        """Whether instructions are counted, and nothing is timed."""
        load = self.played
        return isinstance(load, Microbenchmark) and load.instrument == "callgrind"

    @property
    def observes_faults(self) -> bool:
        """Whether its variants say what a caller is to see, which is looked for and no figure."""
        return any(variant.expects for variant in self.variants.values())

    @property
    def kind(self) -> Kind:
        """Subject of its cells, by which reports and gates tell them apart."""
        if self.capacity is not None:
            return Kind.CAPACITY
        if self.syncs_of:
            return Kind.SYNC_CALLS
        if self.stacks_of:
            return Kind.STACKS
        if self.is_microbenchmark:
            return Kind.MICROBENCHMARK
        if self.observes_faults:
            return Kind.FAULTS
        return Kind.CEILING if self.reference_only else Kind.LOAD

    @property
    def measures_load(self) -> bool:
        """Whether its trials are judged as a load: no search, no faults, no loops, no ceiling."""
        return self.kind is Kind.LOAD

    @property
    def period(self) -> int:
        """Nanoseconds between two ticks; what an operation may take where there are none."""
        match load := self.played:
            case Paced() | Open():
                return load.period
            case Closed():
                return load.at_most
            case Microbenchmark():
                return load.about
        assert_never(load)

    @property
    def cycle(self) -> Cycle:
        """The cycle in which a lane is due."""
        load = self.played
        return load.cycle if isinstance(load, Paced | Open) else Cycle()

    @property
    def has_generator(self) -> bool:
        """Whether the load comes from somebody else than the contender."""
        return self.subject_role != self.measured_role

    @property
    def waits_in_lanes(self) -> bool:
        """Whether an operation of a lane waits for the one before it, as requests on one
        connection do: what is late then need not be the generator."""
        return load_by(self.roles[self.measured_role].provider).waits_in_lanes

    def company_of(self, contender: Contender) -> tuple[str, str]:
        """The same for contenders that are ranked together: the language where each is ranked
        within its own, else nothing, and the mode.
        """
        language = contender.language if self.ranked_within == "language" else ""
        return language, contender.mode

    def variant(self, name: str) -> Variant:
        """The variant of that name; of a scenario without variants, one that changes nothing."""
        return self.variants[name] if name else _PLAIN
