"""Events of the worker contract, as the core reads them (``docs/reference/worker-contract.md``)."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

CONTRACT: Final = 2
"""Version of the worker contract."""

CONTRACT_PAGE = "docs/reference/worker-contract.md"
"""The page that defines it."""

MAX_LINE = 64 * 1024
MAX_OUTPUT = 16 * 1024 * 1024
MAX_STDERR = 8 * 1024 * 1024
LONGEST_ENDPOINT = 2048

Whole = Annotated[int, Field(ge=-(2**63), lt=2**63)]
"""A whole number of 64 bits, which every array takes."""


class _Event(BaseModel):
    """Keys that the core does not know are kept in the file and otherwise ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class Product(_Event):
    """Name and version of a library or runtime."""

    name: str
    version: str = ""


class Ready(_Event):
    """The worker can serve, or is connected and waits for its start."""

    event: Literal["ready"]
    contract: Whole
    monotonic_ns: Whole
    endpoint: str = Field(default="", max_length=LONGEST_ENDPOINT)
    facts: dict[str, Any] = {}
    capabilities: list[str] = []
    library: Product | None = None
    runtime: Product | None = None


class KnownOfReady(_Event):
    """The parts of a stored ready event that are read later."""

    monotonic_ns: Whole = 0
    started_ns: Whole = 0
    library: Product | None = None
    runtime: Product | None = None


class Progress(_Event):
    """Records written so far."""

    event: Literal["progress"]
    records: Whole = 0


Stretch = Annotated[list[Whole], Field(min_length=3, max_length=3)]
"""Begin and end of the time in which something was done, and how long it took, in ns."""


class RuntimeFigures(_Event):
    """Figures that only the runtime itself can know; cumulative where counters.

    Collections and compilations are those since the event before, ``untold`` the number of those
    that were left out.
    """

    event: Literal["runtime"]
    monotonic_ns: Whole
    heap_bytes: Whole | None = None
    heap_kind: str = ""
    allocated_bytes: Whole | None = None
    gc_count: Whole | None = None
    gc_pause_ns: Whole | None = None
    loop_lag_ns: Whole | None = None
    collections: list[Stretch] | None = None
    compilations: list[Stretch] | None = None
    untold: Whole | None = None


class StepEnded(_Event):
    """A step of a closed loop has ended."""

    event: Literal["step"]
    name: str
    begin_ns: Whole
    end_ns: Whole


class ErrorSeen(_Event):
    """An error in the words of the library."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True, populate_by_name=True)

    event: Literal["error"]
    error_class: str = Field(default="", alias="class")
    status: str = ""
    message: str = ""
    scope: Literal["call", "item", "fatal"] = "call"
    operation: str = ""
    intended_ns: Whole | None = None
    monotonic_ns: Whole | None = None


class Reached(_Event):
    """Requests of a trial as a server of the user's own counted them, said by its stand-in."""

    event: Literal["reached"]
    requests: Whole
    counter: str


class Served(_Event):
    """Items that a neutral service has served since its start, by what it counts: now and then, and
    for the last time when its trial is over."""

    event: Literal["served"]
    items: dict[str, Whole]
    monotonic_ns: Whole | None = None


class Done(_Event):
    """The worker has written everything."""

    event: Literal["done"]
    records: int = Field(ge=0, lt=2**63)
    answers: int = Field(default=0, ge=0, lt=2**63)
    batches: int = Field(default=0, ge=0, lt=2**63)
    checksum: str = "00000000"


Event = Annotated[
    Ready | Progress | RuntimeFigures | StepEnded | ErrorSeen | Reached | Served | Done,
    Field(discriminator="event"),
]
event_of: TypeAdapter[Event] = TypeAdapter(Event)
"""Validates one decoded line of a worker's standard output."""
