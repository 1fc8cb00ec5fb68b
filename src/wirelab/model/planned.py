"""Trials as they are planned, each with a load that has what its type needs and nothing else."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from wirelab.model.capacity import PlannedProbe
from wirelab.model.load import Cycle
from wirelab.model.parts import Fault
from wirelab.model.span import MOST_NS
from wirelab.model.units import FileName, Name, OptionalName, Scalar, Strict, Term

MOST_TICKS = 10**8
"""Ticks of a schedule: a thousand a second for more than a day."""

_MOST_OF_A_LANE = 10**12
"""Ticks of a lane without times: a lane of a ramp has more than it has time for."""

_MOST_USERS = 10**7

LaneTicks = Annotated[int, Field(ge=0, le=_MOST_OF_A_LANE)]
Users = Annotated[int, Field(ge=0, le=_MOST_USERS)]
Lasting = Annotated[int, Field(ge=0, le=MOST_NS)]


class PlannedStep(Strict):
    """A step in ticks; ``first`` is counted from the first tick of the trial."""

    name: Term
    first: LaneTicks
    count: LaneTicks
    settle: LaneTicks
    users: Users
    lanes: Users
    ramp_ns: Lasting = Field(
        default=0,
        description="of a ramp: what the step takes, while lanes become as many as it has; "
        "`count` is then more than a lane has time for",
    )
    parameters: dict[str, Scalar] = {}

    @property
    def is_burst(self) -> bool:
        """Whether each lane has one tick that counts, so that nothing in it is repeated."""
        return self.count - self.settle == 1 and not self.ramp_ns


class ScheduledStep(PlannedStep):
    """A step whose ticks have times."""

    join_ns: Lasting = Field(description="time in which its users join")


class PlannedSchedule(Strict):
    """Ticks at intended times, of a paced or an open load."""

    type: Literal["scheduled"] = "scheduled"
    period_ns: int = Field(gt=0, le=MOST_NS)
    count: int = Field(ge=0, le=MOST_TICKS)
    warmup: int = Field(ge=0, le=MOST_TICKS)
    cycle: Cycle = Cycle()
    steps: list[ScheduledStep] = []
    processes: int = Field(
        default=1, ge=1, description="of the measured role, of which each is a lane"
    )

    @model_validator(mode="after")
    def _lasts_no_month(self) -> PlannedSchedule:
        ticks = [self.count, self.warmup, *(step.first + step.count for step in self.steps)]
        if max(ticks) * self.period_ns > MOST_NS:
            raise ValueError("expected a schedule of at most 30 days")
        return self

    @property
    def step_names(self) -> list[str]:
        """Its steps, in order."""
        return [step.name for step in self.steps]

    @property
    def span_ns(self) -> tuple[int, int]:
        """Begin and end of what is measured, after tick 0."""
        return self.warmup * self.period_ns, self.count * self.period_ns


class PlannedClosed(Strict):
    """Steps of a closed load: so many ticks of each lane, none of which has a time of its own."""

    processes: ClassVar[int] = 1

    type: Literal["closed"] = "closed"
    at_most_ns: int = Field(gt=0, le=MOST_NS, description="what one operation may take")
    about_ns: int | None = Field(default=None, description="what all steps take, as a guess")
    steps: list[PlannedStep] = Field(min_length=1)

    @property
    def count(self) -> int:
        """Ticks of all steps together."""
        return self.steps[-1].first + self.steps[-1].count

    @property
    def warmup(self) -> int:
        """Ticks before the first one that counts."""
        return self.steps[0].settle

    @property
    def step_names(self) -> list[str]:
        """Its steps, in order."""
        return [step.name for step in self.steps]

    @property
    def ramp_ns(self) -> int:
        """Length of a ramp, each step of which takes a given time; 0 of every other closed load."""
        return sum(step.ramp_ns for step in self.steps)

    @property
    def span_ns(self) -> tuple[int, int]:
        """Begin and end of what is measured, after tick 0, were each tick as long as it may be; of
        a ramp, its length.
        """
        if self.ramp_ns:
            return 0, self.ramp_ns
        return self.warmup * self.at_most_ns, self.count * self.at_most_ns


class PlannedLoops(Strict):
    """Loops of a microbenchmark, in each step and of each operation; times in ns."""

    processes: ClassVar[int] = 1

    type: Literal["microbenchmark"] = "microbenchmark"
    about_ns: Lasting = Field(description="about what a step takes")
    steps: list[Term]
    rounds: int
    batch_ns: int
    count: int
    warmup_ns: int
    agree: float
    counted: bool = Field(default=False, description="instructions are counted, nothing is timed")

    @property
    def step_names(self) -> list[str]:
        """Its steps, in order."""
        return self.steps

    @property
    def span_ns(self) -> tuple[int, int]:
        """From tick 0 on for about so long; when it ends is known afterwards."""
        return 0, self.about_ns


PlannedLoad = Annotated[PlannedSchedule | PlannedClosed | PlannedLoops, Field(discriminator="type")]


class PlannedTrial(Strict):
    """One trial of the plan, at its place in the order."""

    id: FileName
    position: int = Field(description="place in the order of the run, from 0")
    block: int = Field(description="number of the interleaved block")
    suite: Name
    scenario: Name
    variant: OptionalName
    contender: Name
    included: bool = Field(description="false: session warm-up, recorded but in no figure")
    rerun: bool = False
    make_up: bool = Field(
        default=False, description="of a block that makes up for trials lost to the host"
    )
    repeats: FileName | Literal[""] = Field(
        default="",
        description="of such a block: the lost trial; empty: it was not lost, and is measured "
        "beside one that was",
    )
    seed: int
    parameters: dict[str, Scalar]
    load: PlannedLoad
    operations: list[Term]
    faults: list[Fault] = []
    probe: PlannedProbe | None = Field(default=None, description="of a search for a capacity")
    generator: OptionalName = Field(
        default="", description="who makes the load; empty: as the suite says"
    )

    @property
    def cell(self) -> str:
        """Identifier of the cell this trial belongs to, all its steps together."""
        return self.cell_of("")

    def cell_of(self, step: str) -> str:
        """Identifier of the cell of one of its steps."""
        where = (self.suite, self.scenario, self.variant or step)
        return cell_id(*where, self.contender, self.generator)


def cell_id(suite: str, scenario: str, part: str, contender: str, generator: str = "") -> str:
    """``suite/scenario[/variant or step]/contender[@generator]``."""
    who = f"{contender}@{generator}" if generator else contender
    return "/".join(part for part in (suite, scenario, part, who) if part)
