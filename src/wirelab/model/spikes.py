"""The slowest operations of a cell, and what went on while they were under way."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from wirelab.model.units import Strict


class SpikeCause(StrEnum):
    """Something that may make an operation slow, and was recorded by its time."""

    COLLECTION = "collection"
    COMPILATION = "compilation"
    HOST = "host"
    """A window in which others ran, or the hypervisor took, too much."""

    WIRE = "wire"
    """The time between the departure of the request and the arrival of the answer."""


class Coinciding(Strict):
    """Some operations, and with how many of them something coincided."""

    operations: int
    mean_ms: float | None
    collected_ms: float | None = Field(
        default=None, description="mean time of collections within one, at the most"
    )
    on_the_wire_ms: float | None = Field(
        default=None, description="mean time from departure to arrival"
    )
    coincided: dict[SpikeCause, int] = Field(
        default={}, description="by what was recorded: operations that coincided with it"
    )
    alone: int = Field(description="operations with which nothing of that coincided")


class Spikes(Strict):
    """The slowest operations of one kind beside all of them, those in disturbed time included."""

    from_ms: float = Field(description="the shortest of the slowest")
    slowest: Coinciding
    all: Coinciding
    stands_out: list[SpikeCause] = Field(
        default=[], description="oftener with the slowest than chance would have it"
    )
    placed_ms: dict[SpikeCause, float] = Field(
        default={}, description="how closely it is known when it was"
    )
    untold: int = Field(default=0, description="collections and compilations left out, too many")
