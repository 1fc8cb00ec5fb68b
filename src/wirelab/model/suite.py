"""``suite.toml``: a subject, its scenarios, its neutral programs and its profiles."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal, assert_never

from pydantic import Field, model_validator

from wirelab.model.builds import Build, Run
from wirelab.model.capacity import Capacity
from wirelab.model.engine import load_by
from wirelab.model.load import Closed, Cycle, Load, Microbenchmark, Open, Paced
from wirelab.model.loops import Loops
from wirelab.model.metrics import MetricKey, OwnMetric
from wirelab.model.parameters import SuiteParameter
from wirelab.model.units import Duration, Name, Scalar, Strict, Term, Text, Wording

CHECK = "check"
"""The profile of wirelab's own tests: as short as still shows that every answer is right."""

OPERATION_LIMIT = "operation_limit"
"""The limit of a scenario, as the timeout that its workers ask of their libraries."""


_BECAME_LOAD = ("kind", "loop", "period", "cycle", "under")
"""Keys of a scenario that its load has taken the place of."""


Kind = Literal["load", "faults", "ceiling", "batches", "capacity"]


class Program(Strict):
    """A neutral program of the suite, such as its server."""

    source: str = Field(description="folder, relative to suite.toml")
    build: Build
    run: Run
    library: dict[str, str] = Field(default={}, description="name, version, licence")
    target: str = Field(
        default="",
        description="program that takes its place where --target names a server of the user's own; "
        "its workers find HOST:PORT, and what they are to do there, in `target` of their spec",
    )
    scenarios: list[Name] = Field(
        default=[],
        description="of a program that stands for a server of the user's own: the scenarios that "
        "such a server can serve",
    )


class Generator(Strict):
    """Another load generator than wirelab's own, for a second opinion (``--generator``)."""

    title: Wording
    source: str = Field(description="folder, relative to suite.toml")
    build: Build
    run: Run
    library: dict[str, str] = Field(default={}, description="name, version, licence")
    scenarios: list[Name] = Field(description="those it can carry out")


class Operation(Strict):
    """A kind of timed call of a scenario."""

    code: int = Field(ge=1, le=255, description="the op byte of its records")
    every: int = Field(default=1, ge=1, description="due at every n-th tick")
    items: int = Field(default=1, ge=1, description="items (tags, keys, messages) in one call")
    item: str = Field(default="item", description="what an item is called, for units of rates")
    deadline: Duration | None = None
    preflight: int = Field(default=1, ge=0, description="calls verified in full before timing")
    verify_ratio: float = Field(default=0.01, ge=0, le=1)
    due: Literal["tick", "join", "step"] = Field(
        default="tick",
        description="join: once by every user, when a step adds it; "
        "step: once by every user in every step of a closed loop",
    )
    marks: list[int] = Field(
        default=[],
        description="closed loop: counts of completed operations at which the time since the "
        "step's begin is told (`elapsed.N`); a step that has fewer tells none",
    )
    record: Literal["samples", "intervals", "batches", "answers"] = Field(
        default="samples",
        description="intervals: too frequent for a record each; exact counts and histograms. "
        "batches: too short for a stamp each, repeated in loops. answers: not timed at all",
    )
    floor: Term | None = Field(
        default=None,
        description="batches: operation of a reference contender in the same language that "
        "cannot be beaten; what seems to was not done",
    )


class Role(Strict):
    """Who fills a role, and where it runs. Roles start in the order of the manifest."""

    by: str = Field(
        description='"contender", "program:NAME", or "engine:KIND" for wirelab\'s own load'
    )
    measured: bool = Field(default=False, description="the role that records the samples")
    subject: bool = Field(
        default=False,
        description="the role whose use of resources is the contender's; else the measured one",
    )
    optional: bool = Field(
        default=False, description="started only for contenders that name it in `uses`"
    )
    beside: str = Field(
        default="", description="shares the cores of this role, and counts with the subject's"
    )
    cores: float = Field(
        default=1, gt=0, allow_inf_nan=False, description="weight of its share of the cores"
    )


class Fault(Strict):
    """Something the core does to a role at a given time."""

    at: Literal["before-client"] | Duration = Field(
        description='after tick 0, or "before-client": before the measured role starts'
    )
    action: Literal["stop", "continue", "kill", "restart"]
    role: Name


class Step(Strict):
    """A part of the schedule with a load of its own; its figures are cells of their own.

    Users and lanes are numbers, or names of parameters that hold them. See "Steps and lanes" in
    ``docs/worker-contract.md``.
    """

    title: Text
    users: int | Name = Field(default=1, description="connections")
    lanes: int | Name | None = Field(default=None, description="users who send; all when empty")
    join: Duration | None = Field(
        default=None, description="new users connect within this; half of the settling when empty"
    )
    settle: int | None = Field(
        default=None, ge=0, description="ticks before added lanes send, left out of the figures"
    )
    count: int | None = Field(
        default=None, ge=1, description="closed loop: ticks after settling; else the profile's"
    )
    parameters: dict[str, Scalar] = Field(
        default={}, description="of this step, instead of the scenario's"
    )


class Ceiling(Strict):
    """What generator or server give at most: a metric, at its highest among a scenario's cells."""

    scenario: Name
    metric: str
    alike: list[Term] = Field(
        default=[], description="parameters that those cells and the compared one have in common"
    )


class Variant(Strict):
    """A set of parameters (and faults) of a scenario; each variant has cells of its own."""

    title: Text
    expects: Literal["call-error", "item-error", "recovery"] | None = None
    parameters: dict[str, Scalar] = {}
    faults: list[Fault] = []
    operations: list[Term] = Field(default=[], description="the operations used; all when empty")
    count: int | None = Field(default=None, description="ticks, instead of the profile's")
    needs: list[Term] = Field(
        default=[], description="capabilities without which a contender has no part in it"
    )


class Measure(Strict):
    """How much of a scenario a profile measures."""

    trials: int = Field(ge=1)
    discard: int = Field(default=0, ge=0, description="first trials of each cell not counted")
    count: int = Field(
        default=1,
        ge=1,
        description="ticks, warm-up included; closed loop: of each step, after settling",
    )
    loops: Loops | None = Field(default=None, description="of a microbenchmark")
    warmup: int = Field(default=0, ge=0)
    reruns: int = Field(default=0, ge=0, le=3, description="trials added to an unstable cell")
    settle: int = Field(default=0, ge=0, description="ticks at the start of each step left out")
    steps: list[Term] = Field(default=[], description="the steps carried out; all when empty")
    operations: list[Term] = Field(default=[], description="counted: those used; all when empty")
    parameters: dict[str, Scalar] = Field(default={}, description="instead of the scenario's")
    probes: int | None = Field(default=None, ge=4, description="capacity: most probes of a search")
    repeats: int = Field(
        default=3, ge=1, le=9, description="capacity: probes whose majority decides on a load"
    )

    @model_validator(mode="after")
    def _something_is_left(self) -> Measure:
        if self.warmup >= self.count:
            raise ValueError("warmup must be smaller than count: nothing would be measured")
        if self.discard >= self.trials:
            raise ValueError("discard must be smaller than trials: nothing would be counted")
        return self


class Bounds(Strict):
    """What a cell must keep to be valid."""

    error_ratio: float = Field(default=0.0, ge=0, le=1)
    cv: float = Field(default=0.15, gt=0, description="cv of the trial means; above: rerun")
    cv_operation: Term | None = None


class Ranking(Strict):
    """A metric that contenders are ranked by."""

    metric: str
    better: Literal["lower", "higher"] = "lower"


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
    needs: list[Term] = Field(
        default=[], description="capabilities without which a contender has no part in it"
    )
    roles: dict[Name, Role]
    operations: dict[Term, Operation]
    parameters: dict[str, Scalar] = {}
    variants: dict[Name, Variant] = {}
    steps: dict[Term, Step] = {}
    profiles: dict[Name, Measure] = Field(
        description="by name; check is for wirelab's own tests: it shows that all answers are "
        "right, and supports no figure"
    )
    bounds: Bounds = Bounds()
    capacity: Capacity | None = Field(
        default=None,
        description="the largest load that holds bounds is searched, each probe a trial of its own",
    )
    drift_target: Duration | None = None
    ceiling: Ceiling | None = Field(
        default=None, description="of what is not compared: the generator of this load, or a server"
    )
    reads: Name | None = Field(
        default=None, description="scenario whose answers, of every contender, are given to workers"
    )
    ranked_within: Literal["scenario", "language"] = Field(
        default="scenario", description="language: only contenders of one language are compared"
    )
    open_files: int = Field(default=0, ge=0, description="files a role must be able to open")
    rankings: list[Ranking] = []
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
    def is_scheduled(self) -> bool:
        """Whether operations are due at ticks, known before the trial."""
        return isinstance(self.played, Paced | Open)

    @property
    def is_microbenchmark(self) -> bool:
        """Whether operations are repeated in loops."""
        return isinstance(self.played, Microbenchmark)

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
        """What its cells tell of, by which reports and gates tell them apart."""
        if self.capacity is not None:
            return "capacity"
        if self.is_microbenchmark:
            return "batches"
        if self.observes_faults:
            return "faults"
        return "ceiling" if self.reference_only else "load"

    @property
    def measures_load(self) -> bool:
        """Whether its trials are judged as a load: no search, no faults, no loops, no ceiling."""
        return self.kind == "load"

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
        """When a lane is due."""
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
        return load_by(self.roles[self.measured_role].by).waits_in_lanes

    def roles_for(self, uses: Collection[str]) -> dict[str, Role]:
        """The roles of a trial of a contender that ``uses`` these optional ones."""
        return {n: role for n, role in self.roles.items() if not role.optional or n in uses}


class Suite(Strict):
    """A subject with all that is measured of it."""

    suite: Name
    title: Text
    source: str = Field(default="", description="file name of the document it reproduces")
    summary: Wording
    parameters: dict[Term, SuiteParameter] = Field(
        default={}, description="every one that a worker, a verifier or a program may read"
    )
    metrics: dict[MetricKey, OwnMetric] = Field(
        default={}, description="those of this suite alone, whose figures its judge gives"
    )
    programs: dict[Name, Program] = {}
    generators: dict[Name, Generator] = {}
    scenarios: dict[Name, Scenario]
