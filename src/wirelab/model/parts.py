"""Parts of a scenario: who plays in it, what is called, in which steps and variants."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from wirelab.model.units import Duration, Name, Scalar, Size, Strict, Term, Text
from wirelab.model.wire import Wire


class Mode(Strict):
    """A way of working, never ranked together with another one."""

    title: Text
    meaning: Text
    waits_for_disk: bool = Field(
        default=False,
        description="an operation ends when the disk has what it brought: figures of times have a "
        "warning where a sync waits for none; where sync calls are counted, too few are invalid",
    )


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
    sheds: bool = Field(
        default=False,
        description="of `record` `intervals`: a server may leave some of it out and tell whom it "
        "was owed to (the count `shed`), which is no loss then; only where nobody is ranked",
    )
    sent_by: Name | None = Field(
        default=None,
        description="of `record` `intervals`: the operation that hands over what is counted here, "
        "the caller's own copy included. Each receiver may get it without anybody between, and the "
        "caller without a wire, so that the bytes of the two need not have crossed the loopback "
        "one by one. It may end after the operation, so that beside disturbed time the time of a "
        "step of a closed loop is known as the least alone. None: all bytes of both have, and it "
        "is within the operations of its lane",
    )
    wire: Wire | None = Field(
        default=None,
        description="protocol and service by which its requests and answers are found among the "
        "packets of the loopback (`docs/concepts/witness.md`); none: nobody looks there",
    )
    wire_fields: list[Term] = Field(
        default=[],
        max_length=2,
        description="of `wire` `websocket:echo`: the fields of a message in JSON by which its copy "
        "is known, whole numbers both: who sent it, and which of theirs it is",
    )
    connections: Annotated[int, Field(ge=1)] | Name | None = Field(
        default=None,
        description="of an operation with a `wire`: connections over which its requests may be "
        "under way at the same time, for each process of the role, or the parameter that has their "
        "number; none: any number",
    )
    own_connection: bool = Field(
        default=False,
        description="of an operation with a `wire`: every user, and every process of the role, has "
        "a connection of its own, and requests of nobody else go over it",
    )
    answered_by: Name | None = Field(
        default=None,
        description="the role without which it cannot be answered: what succeeds while a fault "
        "holds that role down was answered by nobody; none: it may succeed without any",
    )
    ledger: Term | None = Field(
        default=None,
        description="name of the count by which a neutral service tells (`served`) how many of its "
        "items it served; none: nobody compares",
    )
    ledger_written: Term | None = Field(
        default=None,
        description="name of the count of what the service has written; the second number of the "
        "suite's rule `claimed` is how much of that its operations need; none: nobody compares",
    )
    ledger_most: Term | None = Field(
        default=None,
        description="name of the count that the suite's rule `at_most` bounds; none: that of "
        "`ledger`",
    )
    kinds: list[Term] = Field(
        default=[],
        description="kinds of it, of which the suite's rule `kinds` says which one is done at each "
        "turn: each of them has latencies of its own beside those of all",
    )
    floor: Term | None = Field(
        default=None,
        description="batches: operation of a reference contender in the same language that "
        "cannot be beaten; what seems to was not done",
    )


class Role(Strict):
    """A role: its provider and its place. Roles start in the order of the manifest."""

    provider: str = Field(
        description='"contender", "service:NAME", or "engine:KIND" for wirelab\'s own load'
    )
    measured: bool = Field(default=False, description="the role that records the samples")
    subject: bool = Field(
        default=False,
        description="the role whose use of resources is the contender's; else the measured one",
    )
    optional: bool = Field(
        default=False, description="started only for contenders that name it in `uses`"
    )
    secret: bool = Field(
        default=False,
        description="it is given random bytes of the trial through the descriptor whose number is "
        "in WIRELAB_SECRET, as a service is whose manifest says so: for what is sent, so that "
        "nobody else knows it before it comes",
    )
    processes: int | Name = Field(
        default=1,
        description="of the measured role, where contenders provide it and the load is paced: the "
        "processes that it is, each with a lane of its own, or the parameter that has their number",
    )
    hears_start: bool = Field(
        default=False,
        description="is told when tick 0 is, as the measured role always is: for a service that "
        "does something at ticks",
    )
    colocated_with: str = Field(
        default="", description="shares the cores of this role, and counts with the subject's"
    )
    cores: float = Field(
        default=1, gt=0, allow_inf_nan=False, description="weight of its share of the cores"
    )

    @property
    def is_contenders(self) -> bool:
        """True where the contender provides it."""
        return self.provider == "contender"

    @property
    def service(self) -> str:
        """Name of the suite's service that provides it; empty where none does."""
        return self._provided_by("service")

    @property
    def engine(self) -> str:
        """Kind of the engine's load that provides it; empty where none does."""
        return self._provided_by("engine")

    def _provided_by(self, kind: str) -> str:
        its, _, name = self.provider.partition(":")
        return name if its == kind else ""


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
    ``docs/reference/worker-contract.md``.
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
    ramp: Duration | None = Field(
        default=None,
        gt=0,
        description="closed loop of engine:http: the step takes this time, in which users begin to "
        "send, or cease to, one after the other and evenly, from those of the step before it (of "
        "none) to its own, which may be 0; in place of `count` and settling",
    )
    about: Duration | None = Field(
        default=None,
        gt=0,
        description="closed loop: what it takes with everything, a guess for the time left; a "
        "tenth of the most that its ticks may take when empty",
    )
    parameters: dict[str, Scalar] = Field(
        default={}, description="of this step, instead of the scenario's"
    )


class RoleLimits(Strict):
    """The most that a role may have, as on a small device or in a container that is given little.

    The kernel holds both; where this machine cannot have it do so, nobody takes part.
    """

    processor: float | None = Field(
        default=None,
        ge=0.01,
        le=1,
        description="share of one processor: so much of every 100 ms, as containers are limited",
    )
    memory: Size | None = Field(
        default=None, ge=16 << 20, description='such as "128MiB"; nothing is swapped to a disk'
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
    limits: dict[Name, RoleLimits] = Field(
        default={}, description="by role: the processor time and the memory that it has at most"
    )

    @property
    def limits_a_processor(self) -> bool:
        """Whether any role has a share of a processor alone."""
        return any(limits.processor is not None for limits in self.limits.values())
