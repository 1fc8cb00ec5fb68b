"""Loads: by whom, when and how often the operations of a scenario are asked for."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from wirelab.model.units import Duration, Strict, Term

Instrument = Literal["clock", "callgrind"]


class Cycle(Strict):
    """The cycle in which a lane is due: ``active`` ticks of every ``length``."""

    length: int = Field(default=1, ge=1)
    active: int = Field(default=1, ge=1)

    @model_validator(mode="after")
    def _fits(self) -> Cycle:
        if self.active > self.length:
            raise ValueError("active must not exceed length")
        return self


class Paced(Strict):
    """Ticks at intended times; a call that is late makes the next ones late."""

    type: Literal["paced"]
    period: Duration = Field(gt=0, description="between two ticks")
    cycle: Cycle = Cycle()
    hours: Term | None = Field(
        default=None,
        description="parameter by which the user says for how many hours a trial lasts, warm-up "
        "included; the `count` of the profile without it",
    )


class Open(Strict):
    """Ticks at intended times; no call waits for another one."""

    type: Literal["open"]
    period: Duration = Field(gt=0, description="between two ticks of a lane")
    cycle: Cycle = Cycle()


class Closed(Strict):
    """Each lane makes its next call when the last one ended."""

    type: Literal["closed"]
    at_most: Duration = Field(
        gt=0, description="what one operation may take: it bounds a step, and tells the time left"
    )


class Microbenchmark(Strict):
    """Operations are repeated in loops, in the worker's own process."""

    type: Literal["microbenchmark"]
    about: Duration = Field(gt=0, description="about what one step takes: for the time left")
    instrument: Instrument = Field(
        default="clock", description="callgrind: instructions are counted, and nothing is timed"
    )


LOADS = ("paced", "open", "closed", "microbenchmark")

Load = Annotated[Paced | Open | Closed | Microbenchmark, Field(discriminator="type")]
